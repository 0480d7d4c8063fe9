use vstd::prelude::*;

verus! {

pub open spec fn odds(n: nat) -> int
    decreases n,
{
    if n == 0 {
        0
    } else {
        odds((n - 1) as nat) + 2 * n - 1
    }
}

pub proof fn sum_of_odds(n: u8)
    ensures
        odds(n as nat) == n * n,
    decreases n,
{
    if n > 0 {
        sum_of_odds((n - 1) as u8);
        assert((n - 1) * (n - 1) + 2 * n - 1 == n * n) by (nonlinear_arith);
    }
}

fn main() {
}

} // verus!
