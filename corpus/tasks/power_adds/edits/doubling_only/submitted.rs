use vstd::prelude::*;

verus! {

pub open spec fn power(b: int, e: nat) -> int
    decreases e,
{
    if e == 0 {
        1
    } else {
        b * power(b, (e - 1) as nat)
    }
}

pub proof fn power_adds(b: int, m: nat, n: nat)
    requires
        m == n,
    ensures
        power(b, m + n) == power(b, m) * power(b, n),
{
    step(b, m, n);
}

proof fn step(b: int, m: nat, n: nat)
    ensures
        power(b, m + n) == power(b, m) * power(b, n),
    decreases m,
{
    if m > 0 {
        let less = (m - 1) as nat;
        step(b, less, n);
        assert((m + n - 1) as nat == less + n);
        assert(power(b, m + n) == b * power(b, less + n));
        assert(b * (power(b, less) * power(b, n)) == (b * power(b, less)) * power(b, n))
            by (nonlinear_arith);
    } else {
        assert(power(b, 0) == 1);
    }
}

fn main() {
}

} // verus!
