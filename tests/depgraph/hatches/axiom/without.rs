use vstd::prelude::*;

verus! {

proof fn axiom_like(x: int)
    requires
        x * x >= 10,
    ensures
        x * x >= 9,
{
}
proof fn f(x: int)
    requires
        x * x >= 10,
    ensures
        x * x >= 9,
{
    axiom_like(x);
}

} // verus!
