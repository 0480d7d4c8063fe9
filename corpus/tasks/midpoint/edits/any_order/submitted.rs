use vstd::prelude::*;

verus! {

fn midpoint(a: u32, b: u32) -> (m: u32)
    ensures
        m == (a + b) / 2,
{
    ((a as u64 + b as u64) / 2) as u32
}

fn main() {
}

} // verus!
