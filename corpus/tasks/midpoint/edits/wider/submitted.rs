use vstd::prelude::*;

verus! {

fn midpoint(a: u64, b: u64) -> (m: u32)
    requires
        a <= b,
        b <= u32::MAX,
    ensures
        m == (a + b) / 2,
{
    (a + (b - a) / 2) as u32
}

fn main() {
}

} // verus!
