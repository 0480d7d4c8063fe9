use vstd::prelude::*;

verus! {

proof fn f()
    ensures
        seq![1int, 2].len() == 2,
{
}

} // verus!
