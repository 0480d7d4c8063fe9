use vstd::prelude::*;

verus! {

proof fn difference_of_sides(a: int, b: int) by (integer_ring)
    ensures
        (a + b) * (a + b) - 4 * (a * b) == (a - b) * (a - b),
{
}

pub proof fn mean_bound(a: int, b: int)
    ensures
        4 * (a * b) <= (a + b) * (a + b),
{
    assert(0 <= (a - b) * (a - b)) by (nonlinear_arith);
    difference_of_sides(a, b);
}

fn main() {
}

} // verus!
