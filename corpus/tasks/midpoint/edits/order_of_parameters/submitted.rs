use vstd::prelude::*;

verus! {

fn midpoint(b: u32, a: u32) -> (m: u32)
    requires
        a <= b,
    ensures
        m == (a + b) / 2,
{
    a + (b - a) / 2
}

fn main() {
}

} // verus!
