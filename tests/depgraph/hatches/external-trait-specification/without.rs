use vstd::prelude::*;

verus! {

pub trait Own {
    fn value(&self) -> (r: u64)
        ensures
            r > 3,
    ;
}
pub struct Four;
impl Own for Four {
    fn value(&self) -> (r: u64) {
        4
    }
}
fn f<T: Own>(t: &T) -> (r: u64)
    ensures
        r > 3,
{
    t.value()
}

} // verus!
