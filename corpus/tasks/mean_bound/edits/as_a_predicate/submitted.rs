use vstd::prelude::*;

verus! {

pub open spec fn mean_bound(a: int, b: int) -> bool {
    4 * (a * b) <= (a + b) * (a + b)
}

fn main() {
}

} // verus!
