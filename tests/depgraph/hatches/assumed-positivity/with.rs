use vstd::prelude::*;

verus! {

#[verifier::external_body]
#[verifier::accept_recursive_types(T)]
pub struct Cage<T> {
    t: core::marker::PhantomData<T>,
}
proof fn f(c: Cage<int>) {
}

} // verus!
