use vstd::prelude::*;

verus! {

#[derive(Debug)]
pub struct Point {
    pub x: u64,
}
fn f(p: Point) -> Point {
    p
}

} // verus!
