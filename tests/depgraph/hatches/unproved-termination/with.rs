use vstd::prelude::*;

verus! {

proof fn f(x: int)
    ensures
        false,
{
    g(x);
}
proof fn g(x: int)
    ensures
        false,
{
    f(x);
}

} // verus!
