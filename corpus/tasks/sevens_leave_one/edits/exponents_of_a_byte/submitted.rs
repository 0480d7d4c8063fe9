use vstd::prelude::*;

verus! {

pub type Exponent = u8;

pub spec const BASE: int = 7;

pub open spec fn raised(e: Exponent) -> int
    decreases e,
{
    if e == 0 {
        1
    } else {
        BASE * raised((e - 1) as u8)
    }
}

pub proof fn sevens_leave_one(e: Exponent)
    ensures
        raised(e) % 6 == 1,
{
}

fn main() {
}

} // verus!
