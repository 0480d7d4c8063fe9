use vstd::prelude::*;

verus! {

#[verifier::accept_recursive_types(T)]
pub struct Open<T> {
    pub t: T,
}
proof fn f(c: Open<int>) {
}

} // verus!
