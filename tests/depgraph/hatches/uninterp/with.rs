use vstd::prelude::*;

verus! {

pub uninterp spec fn p(x: int) -> bool;
proof fn f(x: int)
    ensures
        p(x) || !p(x),
{
}

} // verus!
