use vstd::prelude::*;

verus! {

pub type Exponent = nat;

pub spec const BASE: int = 7;

pub open spec fn raised(e: Exponent) -> int
    decreases e,
{
    if e == 0 {
        1
    } else {
        7 * raised((e - 1) as nat)
    }
}

pub proof fn sevens_leave_one(e: Exponent)
    ensures
        raised(e) % 6 == 1,
    decreases e,
{
    if e > 0 {
        let p = raised((e - 1) as nat);
        sevens_leave_one((e - 1) as nat);
        assert(7 * p == 6 * p + p);
    }
}

fn main() {
}

} // verus!
