use vstd::prelude::*;

verus! {

pub proof fn root_exists(n: nat) 
    ensures
        exists|r: nat| #[trigger] (r * r) <= n < (r + 1) * (r + 1),
    decreases n,
{
    if n == 0 {
        assert(0nat * 0nat <= n < (0nat + 1) * (0nat + 1));
    } else {
        root_exists((n - 1) as nat);
        let s = choose|r: nat| #[trigger] (r * r) <= n - 1 < (r + 1) * (r + 1);
        if (s + 1) * (s + 1) <= n {
            let t = s + 1;
            assert((s + 1) * (s + 1) < (s + 2) * (s + 2)) by (nonlinear_arith);
            assert(t * t <= n < (t + 1) * (t + 1));
        } else {
            assert(s * s <= n < (s + 1) * (s + 1));
        }
    }
}

fn main() {
}

} // verus!
