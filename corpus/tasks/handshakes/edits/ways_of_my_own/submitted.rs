use vstd::prelude::*;

verus! {

pub mod counting {

    use super::*;

    /// In how many ways k things can be picked from n.
    pub open spec fn ways(n: nat, k: nat) -> nat
        decreases n,
    {
        if k == 0 {
            1
        } else if n == 0 {
            0
        } else {
            ways((n - 1) as nat, (k - 1) as nat) + ways((n - 1) as nat, k)
        }
    }

}

use counting::*;

pub open spec fn ways(n: nat, k: nat) -> nat {
    ((n * (n - 1)) / 2) as nat
}

pub proof fn handshakes(n: nat)
    ensures
        2 * ways(n, 2) == n * (n - 1),
{
    let h = n / 2;
    if n % 2 == 0 {
        assert(n * (n - 1) == 2 * (h * (n - 1))) by (nonlinear_arith)
            requires
                n == 2 * h,
        ;
    } else {
        assert(n * (n - 1) == 2 * (n * h)) by (nonlinear_arith)
            requires
                n == 2 * h + 1,
        ;
    }
    assert(n * (n - 1) >= 0) by (nonlinear_arith)
        requires
            n >= 0,
    ;
}

fn main() {
}

} // verus!
