use vstd::prelude::*;

verus! {

#[verifier::external]
fn ext(x: u64) -> u64 {
    x
}
assume_specification[ ext ](x: u64) -> (r: u64)
    ensures
        r > x,
;
fn own(x: u64) -> (r: u64)
    ensures
        r == x,
{
    x
}
fn f(x: u64) -> (r: u64)
    ensures
        r == x,
{
    own(x)
}

} // verus!
