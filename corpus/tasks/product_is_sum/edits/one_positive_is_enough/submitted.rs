use vstd::prelude::*;

verus! {

pub proof fn product_is_sum(x: nat, y: nat)
    requires
        x > 0,
        x * y == x + y,
    ensures
        x == 2,
        y == 2,
{
    if y == 0 {
        assert(x * y == 0) by (nonlinear_arith)
            requires
                y == 0,
        ;
    }
    let a = x - 1;
    let b = y - 1;
    assert(a * b == 1) by (nonlinear_arith)
        requires
            x * y == x + y,
            a == x - 1,
            b == y - 1,
    ;
    if a <= 0 || b <= 0 {
        assert(a * b <= 0) by (nonlinear_arith)
            requires
                a >= 0,
                b >= 0,
                a <= 0 || b <= 0,
        ;
    }
    if a >= 2 || b >= 2 {
        assert(a * b >= 2) by (nonlinear_arith)
            requires
                a >= 1,
                b >= 1,
                a >= 2 || b >= 2,
        ;
    }
}

fn main() {
}

} // verus!
