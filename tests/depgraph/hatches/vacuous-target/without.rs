use vstd::prelude::*;

verus! {

fn f(x: u64) -> (r: u64)
    requires
        x < 5,
        x > 3,
    ensures
        r == x,
{
    x
}

} // verus!
