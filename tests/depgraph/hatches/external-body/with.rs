use vstd::prelude::*;

verus! {

#[verifier::external_body]
fn helper(x: u64) -> (r: u64)
    ensures
        r > x,
{
    x
}
fn f(x: u64) -> (r: u64)
    ensures
        r > x,
{
    helper(x)
}

} // verus!
