use vstd::prelude::*;

verus! {

#[cfg(not(verus_keep_ghost))]
fn f(x: u64) -> u64 {
    x
}
#[cfg(verus_keep_ghost)]
fn f(x: u64) -> (r: u64)
    ensures
        r == x + 1,
{
    x + 1
}

} // verus!
