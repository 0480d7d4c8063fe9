use vstd::prelude::*;

verus! {

#[verifier::spinoff_prover]
fn f(x: u64) -> (r: u64)
    ensures
        r == x,
{
    x
}

} // verus!
