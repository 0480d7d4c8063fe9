use vstd::prelude::*;

verus! {

#[verifier::external_derive]
#[derive(Debug)]
pub struct Point {
    pub x: u64,
}
fn f(p: Point) -> Point {
    p
}

} // verus!
