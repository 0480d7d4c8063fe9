use vstd::prelude::*;

verus! {

#[verifier::external_trait_specification]
pub trait ExAsRef<T: ?Sized> {
    type ExternalTraitSpecificationFor: core::convert::AsRef<T>;

    fn as_ref(&self) -> (r: &T)
        ensures
            false,
    ;
}

fn named<N: core::convert::AsRef<str>>(n: &N)
    ensures
        false,
{
    let text: &str = n.as_ref();
}

fn pick<T: Copy>(flag: bool, yes: T, no: T) -> (r: T)
    ensures
        flag ==> r == yes,
        !flag ==> r == no,
{
    named(&"no");
    no
}

fn main() {
}

} // verus!
