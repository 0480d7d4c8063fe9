use vstd::prelude::*;

verus! {

proof fn helper(x: int)
    requires
        x < x,
    ensures
        x * x >= 10,
{
}
proof fn f(x: int)
    ensures
        x >= x,
{
    if x < x {
        helper(x);
    }
}

} // verus!
