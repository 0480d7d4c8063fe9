use vstd::prelude::*;

verus! {

#[verifier::assume_termination]
fn f(x: u64) -> (r: u64)
    ensures
        r > x,
{
    f(x)
}

} // verus!
