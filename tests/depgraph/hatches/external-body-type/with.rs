use vstd::prelude::*;

verus! {

#[verifier::external_body]
pub struct Handle {
    x: u64,
}
fn f(h: Handle) -> Handle {
    h
}

} // verus!
