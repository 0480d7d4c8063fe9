use vstd::prelude::*;
use vstd::math::*;

verus! {

pub fn gap(a: i32, b: i32) -> (g: u32)
    ensures
        g == abs(b - a),
{
    if a >= b {
        (a as i64 - b as i64) as u32
    } else {
        (b as i64 - a as i64) as u32
    }
}

fn main() {
}

} // verus!
