use vstd::prelude::*;

verus! {

pub broadcast proof fn helper(x: int)
    ensures
        #[trigger] (x * x) >= 0,
{
    assert(x * x >= 0) by (nonlinear_arith);
}
pub broadcast group all {
    helper,
}
broadcast use all;
proof fn f(x: int)
    ensures
        x * x >= 0,
{
}

} // verus!
