use vstd::prelude::*;

verus! {

#[verifier::external]
fn g(x: u64) -> u64 {
    x
}
fn f(x: u64) -> (r: u64)
    ensures
        r == x,
{
    x
}

} // verus!
