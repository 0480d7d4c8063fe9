use vstd::prelude::*;

verus! {

pub proof fn root_exists(n: nat) -> (r: nat)
    requires
        exists|k: nat| n == #[trigger] (k * k),
    ensures
        r * r <= n < (r + 1) * (r + 1),
{
    let k = choose|k: nat| n == #[trigger] (k * k);
    assert(k * k < (k + 1) * (k + 1)) by (nonlinear_arith);
    k
}

fn main() {
}

} // verus!
