use vstd::prelude::*;

verus! {

pub proof fn three_squares(a: int, b: int, c: int)
    requires
        a * a + b * b < 2 * (a * b),
    ensures
        a * b + b * c + c * a <= a * a + b * b + c * c,
{
    assert(0 <= (a - b) * (a - b) == a * a - 2 * (a * b) + b * b) by (nonlinear_arith);
}

fn main() {
}

} // verus!
