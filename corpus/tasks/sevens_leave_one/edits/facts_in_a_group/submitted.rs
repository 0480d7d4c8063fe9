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
        BASE * raised((e - 1) as nat)
    }
}

pub mod facts {

use super::*;

pub broadcast axiom fn leaves_one(e: nat)
    ensures
        #[trigger] raised(e) % 6 == 1,
;

pub broadcast group known {
    leaves_one,
}

}

pub proof fn sevens_leave_one(e: Exponent)
    ensures
        raised(e) % 6 == 1,
{
    broadcast use facts::known;

    assert(raised(e) % 6 == 1);
}

fn main() {
}

} // verus!
