use vstd::prelude::*;

verus! {

pub open spec fn odd_total(n: nat) -> int
    decreases n,
{
    if n == 0 {
        0
    } else {
        odd_total((n - 1) as nat) + 2 * n - 1
    }
}

pub proof fn sum_of_odds(n: nat)
    ensures
        odd_total(n) == n * n,
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
