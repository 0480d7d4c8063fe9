use vstd::prelude::*;

verus! {

pub trait Squared {
    proof fn law(x: int)
        ensures
            x * x >= 0,
    ;
}

pub struct Whole {}

impl Squared for Whole {
    proof fn law(x: int) {
        assert(x * x >= 0) by (nonlinear_arith);
    }
}

pub proof fn three_squares(a: int, b: int, c: int)
    ensures
        a * b + b * c + c * a <= a * a + b * b + c * c,
{
    Whole::law(a - b);
    Whole::law(b - c);
    Whole::law(c - a);
    assert((a - b) * (a - b) == a * a - 2 * (a * b) + b * b) by (nonlinear_arith);
    assert((b - c) * (b - c) == b * b - 2 * (b * c) + c * c) by (nonlinear_arith);
    assert((c - a) * (c - a) == c * c - 2 * (c * a) + a * a) by (nonlinear_arith);
}

fn main() {
}

} // verus!
