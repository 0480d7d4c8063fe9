use vstd::prelude::*;

verus! {

proof fn f(x: int)
    ensures
        x == x,
{
}

} // verus!
