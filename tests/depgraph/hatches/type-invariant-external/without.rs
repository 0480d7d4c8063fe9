use vstd::prelude::*;

verus! {

pub struct Open {
    x: u64,
}
impl Open {
    #[verifier::type_invariant]
    spec fn inv(&self) -> bool {
        self.x > 3
    }
}
fn f(s: &Open) -> (r: u64)
    ensures
        r > 3,
{
    proof {
        use_type_invariant(s);
    }
    s.x
}

} // verus!
