use vstd::prelude::*;

verus! {

proof fn f(x: nat)
    ensures
        x >= 0,
    decreases x,
{
    if x > 0 {
        f((x - 1) as nat);
    }
}

} // verus!
