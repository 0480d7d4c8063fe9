use vstd::prelude::*;

verus! {

// #[verifier::external_body] is only spoken of here, and stands at a function that f does not use
#[verifier::external_body]
fn unused(x: u64) -> (r: u64)
    ensures
        r > x,
{
    x
}
fn f(x: u64) -> (r: u64)
    ensures
        r >= x,
{
    x
}

} // verus!
