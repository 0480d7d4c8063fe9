use vstd::prelude::*;

verus! {

#[verifier::external]
fn f(x: u64) -> (r: u64)
    ensures
        r > x,
{
    x
}

} // verus!
