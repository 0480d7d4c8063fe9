use vstd::prelude::*;

verus! {

fn midpoint(lo: u32, hi: u32) -> (m: u32)
    requires
        lo <= hi,
    ensures
        m == (lo + hi) / 2,
{
    lo + (hi - lo) / 2
}

fn main() {
}

} // verus!
