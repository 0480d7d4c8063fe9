use vstd::prelude::*;

verus! {

#[verifier::external_body]
pub struct Sealed {
    x: u64,
}
impl Sealed {
    #[verifier::type_invariant]
    pub closed spec fn inv(&self) -> bool {
        false
    }
}
pub proof fn open_it(tracked s: &Sealed)
    ensures
        false,
{
    use_type_invariant(s);
}
proof fn f(tracked s: &Sealed)
    ensures
        false,
{
    use_type_invariant(s);
}

} // verus!
