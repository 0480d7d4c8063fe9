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

pub proof fn sevens_leave_one(e: Exponent)
    ensures
        exists|k: int| raised(e) == #[trigger] (6 * k) + 1,
    decreases e,
{
    if e > 0 {
        let p = raised((e - 1) as nat);
        sevens_leave_one((e - 1) as nat);
        assert(BASE * p == 6 * p + p) by (nonlinear_arith)
            requires
                BASE == 7,
        ;
    }
    let k = raised(e) / 6;
    assert(raised(e) == 6 * k + 1);
}

fn main() {
}

} // verus!
