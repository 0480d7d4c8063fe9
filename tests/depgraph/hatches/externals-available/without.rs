use vstd::prelude::*;

verus! {

fn f(x: u64) -> (r: u64)
    ensures
        r == x,
{
    x
}

} // verus!
