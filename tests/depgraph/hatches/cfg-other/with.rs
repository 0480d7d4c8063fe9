use vstd::prelude::*;

verus! {

#[cfg(feature = "fast")]
fn f(x: u64) -> u64 {
    x + 1
}
#[cfg(not(feature = "fast"))]
fn f(x: u64) -> (r: u64)
    ensures
        r == x,
{
    x
}

} // verus!
