use vstd::prelude::*;

verus! {

pub proof fn mean_bound(a: int, b: int)
    ensures
        4 * (a * b) <= (a + b) * (a + b),
{
    assert(0 <= (a - b) * (a - b)) by (nonlinear_arith);
    assert((a + b) * (a + b) - 4 * (a * b) == (a - b) * (a - b)) by (nonlinear_arith);
}

fn main() {
}

} // verus!
