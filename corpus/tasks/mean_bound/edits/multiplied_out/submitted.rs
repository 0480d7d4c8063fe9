use vstd::prelude::*;

verus! {

pub proof fn mean_bound(a: int, b: int)
    ensures
        4 * (a * b) <= a * a + 2 * (a * b) + b * b,
{
    assert(0 <= (a - b) * (a - b)) by (nonlinear_arith);
    assert(a * a - 2 * (a * b) + b * b == (a - b) * (a - b)) by (nonlinear_arith);
}

fn main() {
}

} // verus!
