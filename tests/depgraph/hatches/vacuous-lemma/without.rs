use vstd::prelude::*;

verus! {

proof fn helper(x: int)
    requires
        x < 3,
    ensures
        x < 4,
{
}
proof fn f(x: int)
    ensures
        x >= x,
{
    if x < 3 {
        helper(x);
    }
}

} // verus!
