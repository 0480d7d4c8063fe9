use vstd::prelude::*;

verus! {

/// A square leaves 0 or 1 when divided by three, and 0 only for multiples of three.
proof fn square_by_three(x: int)
    ensures
        x % 3 == 0 ==> (x * x) % 3 == 0,
        x % 3 != 0 ==> (x * x) % 3 == 1,
{
    let q = x / 3;
    let r = x % 3;
    let c = 3 * (q * q) + 2 * (q * r);
    assert(x * x == 3 * c + r * r) by (nonlinear_arith)
        requires
            x == 3 * q + r,
            c == 3 * (q * q) + 2 * (q * r),
    ;
    assert(r == 0 && r * r == 0 || r == 1 && r * r == 1 || r == 2 && r * r == 4) by (nonlinear_arith)
        requires
            r == 0 || r == 1 || r == 2,
    ;
}

pub proof fn squares_and_three(a: int, b: int)
    ensures
        a % 3 != 0 || b % 3 != 0 ==> (a * a + b * b) % 3 != 0,
{
    square_by_three(a);
    square_by_three(b);
}

fn main() {
}

} // verus!
