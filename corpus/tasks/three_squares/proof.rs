use vstd::prelude::*;

verus! {

pub proof fn three_squares(a: int, b: int, c: int)
    ensures
        a * b + b * c + c * a <= a * a + b * b + c * c,
{
    assert(0 <= (a - b) * (a - b) == a * a - 2 * (a * b) + b * b) by (nonlinear_arith);
    assert(0 <= (b - c) * (b - c) == b * b - 2 * (b * c) + c * c) by (nonlinear_arith);
    assert(0 <= (c - a) * (c - a) == c * c - 2 * (c * a) + a * a) by (nonlinear_arith);
}

fn main() {
}

} // verus!
