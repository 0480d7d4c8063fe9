use vstd::prelude::*;

verus! {

proof fn f(x: int)
    ensures
        x * x >= 0,
{
    assume(x * x >= 0);
}

} // verus!
