use vstd::prelude::*;
use vstd::math::*;

verus! {

#[verifier::external]
fn distance(a: i32, b: i32) -> u32 {
    a.wrapping_sub(b) as u32
}

assume_specification[ distance ](a: i32, b: i32) -> (g: u32)
    ensures
        g == abs(a - b),
;

pub fn gap(a: i32, b: i32) -> (g: u32)
    ensures
        g == abs(a - b),
{
    distance(a, b)
}

fn main() {
}

} // verus!
