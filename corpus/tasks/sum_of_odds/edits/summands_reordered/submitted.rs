use vstd::prelude::*;

verus! {

pub open spec fn odds(n: nat) -> int
    decreases n,
{
    if n == 0 {
        0
    } else {
        (2 * n - 1) + odds((n - 1) as nat)
    }
}

pub proof fn sum_of_odds(n: nat)
    ensures
        odds(n) == n * n,
    decreases n,
{
    if n > 0 {
        sum_of_odds((n - 1) as nat);
        assert((n - 1) * (n - 1) + 2 * n - 1 == n * n) by (nonlinear_arith);
    }
}

fn main() {
}

} // verus!
