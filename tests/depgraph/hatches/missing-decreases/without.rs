use vstd::prelude::*;

verus! {

fn f(x: u64) -> (r: u64)
    ensures
        r == 0,
    decreases x,
{
    if x == 0 {
        0
    } else {
        f(x - 1)
    }
}

} // verus!
