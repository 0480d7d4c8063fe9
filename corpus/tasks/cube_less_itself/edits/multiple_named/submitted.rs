use vstd::prelude::*;

verus! {

pub open spec fn multiple(x: int, m: int) -> bool {
    x % m == 0
}

pub proof fn cube_less_itself(n: int)
    ensures
        multiple(n * n * n - n, 6),
{
    let q = n / 6;
    let r = n % 6;
    let c = 36 * (q * q * q) + 18 * (q * q * r) + 3 * (q * r * r) - q;
    assert(n * n * n - n == 6 * c + (r * r * r - r)) by (nonlinear_arith)
        requires
            n == 6 * q + r,
            c == 36 * (q * q * q) + 18 * (q * q * r) + 3 * (q * r * r) - q,
    ;
    if r == 0 {
        assert(r * r * r == 0) by (nonlinear_arith)
            requires
                r == 0,
        ;
    } else if r == 1 {
        assert(r * r * r == 1) by (nonlinear_arith)
            requires
                r == 1,
        ;
    } else if r == 2 {
        assert(r * r * r == 8) by (nonlinear_arith)
            requires
                r == 2,
        ;
    } else if r == 3 {
        assert(r * r * r == 27) by (nonlinear_arith)
            requires
                r == 3,
        ;
    } else if r == 4 {
        assert(r * r * r == 64) by (nonlinear_arith)
            requires
                r == 4,
        ;
    } else {
        assert(r * r * r == 125) by (nonlinear_arith)
            requires
                r == 5,
        ;
    }
}

fn main() {
}

} // verus!
