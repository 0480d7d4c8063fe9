use vstd::prelude::*;

verus! {

#[verifier::inline]
pub open spec fn odd(b: bool) -> bool {
    b
}
proof fn f()
    ensures
        odd(true),
{
}

} // verus!
