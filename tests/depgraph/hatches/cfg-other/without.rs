use vstd::prelude::*;

verus! {

#[cfg(not(feature = "fast"))]
fn f(x: u64) -> (r: u64)
    ensures
        r == x,
{
    x
}

} // verus!
