use vstd::prelude::*;

verus! {

#[verifier::external]
fn ext(x: u64) -> u64 {
    x
}
#[verifier::external_fn_specification]
fn ext_spec(x: u64) -> (r: u64)
    ensures
        r > x,
{
    ext(x)
}
fn f(x: u64) -> (r: u64)
    ensures
        r > x,
{
    ext(x)
}

} // verus!
