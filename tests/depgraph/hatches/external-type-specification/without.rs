use vstd::prelude::*;

verus! {

#[verifier::external_type_specification]
#[verifier::external_body]
pub struct ExInstant(std::time::Instant);
fn f(t: u64) -> u64 {
    t
}

} // verus!
