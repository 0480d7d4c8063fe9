use vstd::prelude::*;

verus! {

pub proof fn cube_less_itself(n: int)
    ensures
        (n * n * (n - n)) % 6 == 0,
{
    assert(n * n * (n - n) == 0) by (nonlinear_arith);
}

fn main() {
}

} // verus!
