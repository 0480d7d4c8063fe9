use vstd::prelude::*;

verus! {

use vstd::pervasive::affirm as surely;
fn f(x: u64) -> (r: u64)
    ensures
        r >= x,
{
    proof {
        surely(x >= 0);
    }
    x
}

} // verus!
