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
            ways((n - 1) as nat, k) + ways((n - 1) as nat, (k - 1) as nat)
        }
    }

}

use counting::*;

proof fn one_of_each(n: nat)
    ensures
        ways(n, 1) == n,
    decreases n,
{
    if n > 0 {
        one_of_each((n - 1) as nat);
        assert(ways((n - 1) as nat, 0) == 1);
    }
}

pub proof fn handshakes(n: nat)
    ensures
        2 * ways(n, 2) == n * (n - 1),
    decreases n,
{
    if n > 0 {
        let m = (n - 1) as nat;
        one_of_each(m);
        handshakes(m);
        assert(ways(n, 2) == ways(m, 1) + ways(m, 2));
        assert(m * (m - 1) + 2 * m == n * (n - 1)) by (nonlinear_arith)
            requires
                n == m + 1,
        ;
    } else {
        assert(n * (n - 1) == 0) by (nonlinear_arith)
            requires
                n == 0,
        ;
    }
}

fn main() {
}

} // verus!
