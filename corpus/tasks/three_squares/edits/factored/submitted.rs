use vstd::prelude::*;

verus! {

pub proof fn three_squares(a: int, b: int, c: int)
    ensures
        0 <= a * (a - b) + b * (b - c) + c * (c - a),
{
    assert(a * (a - b) == a * a - a * b) by (nonlinear_arith);
    assert(b * (b - c) == b * b - b * c) by (nonlinear_arith);
    assert(c * (c - a) == c * c - c * a) by (nonlinear_arith);
    assert(0 <= (a - b) * (a - b) == a * a - 2 * (a * b) + b * b) by (nonlinear_arith);
    assert(0 <= (b - c) * (b - c) == b * b - 2 * (b * c) + c * c) by (nonlinear_arith);
    assert(0 <= (c - a) * (c - a) == c * c - 2 * (c * a) + a * a) by (nonlinear_arith);
}

fn main() {
}

} // verus!
