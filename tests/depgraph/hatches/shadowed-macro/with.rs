use vstd::prelude::*;
macro_rules! seq { ($($t:tt)*) => { Seq::<int>::empty() }; }

verus! {

proof fn f()
    ensures
        seq![1int, 2].len() == 0,
{
}

} // verus!
