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

proof fn grouped(x: int, y: int, z: int)
    ensures
        x * (y * z) == (x * y) * z,
{
    assert(x * (y * z) == (x * y) * z) by (nonlinear_arith);
}

proof fn factor_moves_in(b: int, m: nat, n: nat)
    ensures
        b * (power(b, m) * power(b, n)) == power(b, m + 1) * power(b, n),
{
    grouped(b, power(b, m), power(b, n));
    assert(power(b, m + 1) == b * power(b, m));
}

proof fn one_factor_more(b: int, m: nat, n: nat)
    requires
        power(b, m + n) == power(b, m) * power(b, n),
    ensures
        power(b, m + 1 + n) == power(b, m + 1) * power(b, n),
{
    factor_moves_in(b, m, n);
    assert((m + 1 + n - 1) as nat == m + n);
}

pub proof fn power_adds(b: int, m: nat, n: nat)
    ensures
        power(b, m + n) == power(b, m) * power(b, n),
    decreases m,
{
    if m == 0 {
        assert(power(b, 0) == 1);
    } else {
        let less = (m - 1) as nat;
        power_adds(b, less, n);
        one_factor_more(b, less, n);
    }
}

fn main() {
}

} // verus!
