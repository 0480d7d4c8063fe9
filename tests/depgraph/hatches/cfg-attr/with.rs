use vstd::prelude::*;

verus! {

#[cfg_attr(verus_keep_ghost, verifier::spinoff_prover)]
fn f(x: u64) -> (r: u64)
    ensures
        r == x,
{
    x
}

} // verus!
