use vstd::prelude::*;

verus! {

pub mod outer {
    #[verifier::external]
    pub trait Foreign {
        fn value(&self) -> u64;
    }
}
#[verifier::external_trait_specification]
pub trait ExForeign {
    type ExternalTraitSpecificationFor: outer::Foreign;
    fn value(&self) -> (r: u64)
        ensures
            r > 3,
    ;
}
pub fn through<T: ExForeign>(t: &T) -> (r: u64)
    ensures
        r > 3,
{
    t.value()
}
fn f<T: ExForeign>(t: &T) -> (r: u64)
    ensures
        r > 3,
{
    t.value()
}

} // verus!
