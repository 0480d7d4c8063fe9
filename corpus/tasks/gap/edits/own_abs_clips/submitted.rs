use vstd::prelude::*;
use vstd::math::*;

verus! {

pub open spec fn abs(x: int) -> nat {
    if x < 0 {
        0
    } else {
        x as nat
    }
}

pub fn gap(a: i32, b: i32) -> (g: u32)
    ensures
        g == abs(a - b),
{
    if a >= b {
        (a as i64 - b as i64) as u32
    } else {
        0
    }
}

fn main() {
}

} // verus!
