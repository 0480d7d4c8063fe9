use vstd::prelude::*;

verus! {

pub proof fn odd_square(x: int)
    requires
        x % 2 == 1,
    ensures
        (x * x) % 8 == 1,
{
    let k = x / 2;
    assert(x * x == 4 * (k * (k + 1)) + 1) by (nonlinear_arith)
        requires
            x == 2 * k + 1,
    ;
    if k % 2 == 0 {
        let j = k / 2;
        assert(k * (k + 1) == 2 * (j * (k + 1))) by (nonlinear_arith)
            requires
                k == 2 * j,
        ;
        assert(x * x == 8 * (j * (k + 1)) + 1);
    } else {
        let j = (k + 1) / 2;
        assert(k * (k + 1) == 2 * (k * j)) by (nonlinear_arith)
            requires
                k + 1 == 2 * j,
        ;
        assert(x * x == 8 * (k * j) + 1);
    }
}

fn main() {
}

} // verus!
