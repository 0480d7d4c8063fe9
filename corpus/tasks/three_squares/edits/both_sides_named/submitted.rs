use vstd::prelude::*;

verus! {

pub open spec fn of_pairs(a: int, b: int, c: int) -> int {
    a * b + b * c + c * a
}

pub open spec fn of_squares(a: int, b: int, c: int) -> int {
    a * a + b * b + c * c
}

pub proof fn three_squares(a: int, b: int, c: int)
    ensures
        of_pairs(a, b, c) <= of_squares(a, b, c),
{
    assert(0 <= (a - b) * (a - b) == a * a - 2 * (a * b) + b * b) by (nonlinear_arith);
    assert(0 <= (b - c) * (b - c) == b * b - 2 * (b * c) + c * c) by (nonlinear_arith);
    assert(0 <= (c - a) * (c - a) == c * c - 2 * (c * a) + a * a) by (nonlinear_arith);
}

fn main() {
}

} // verus!
