use vstd::prelude::*;

/// Ensures p.0 <= p.1, and p == (a, b) || p == (b, a).
fn order_pair(a: i32, b: i32) -> (i32, i32) {
    (b, a)
}

verus! {

fn main() {
}

} // verus!
