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

proof fn last_hand(n: nat)
    ensures
        2 * ways(n, 2) == n * (n - 1),
{
    last_hand(n);
}

proof fn second_hand(n: nat)
    ensures
        2 * ways(n, 2) == n * (n - 1),
{
    last_hand(n);
}

proof fn first_hand(n: nat)
    ensures
        2 * ways(n, 2) == n * (n - 1),
{
    second_hand(n);
}

pub proof fn handshakes(n: nat)
    ensures
        2 * ways(n, 2) == n * (n - 1),
{
    first_hand(n);
}

fn main() {
}

} // verus!
