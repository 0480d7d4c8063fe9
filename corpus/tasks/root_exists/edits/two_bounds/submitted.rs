use vstd::prelude::*;

verus! {

pub proof fn root_exists(n: nat) -> (r: nat)
    ensures
        r * r <= n,
        n < (r + 1) * (r + 1),
    decreases n,
{
    if n == 0 {
        0
    } else {
        let s = root_exists((n - 1) as nat);
        if (s + 1) * (s + 1) <= n {
            assert((s + 1) * (s + 1) < (s + 2) * (s + 2)) by (nonlinear_arith);
            s + 1
        } else {
            s
        }
    }
}

fn main() {
}

} // verus!
