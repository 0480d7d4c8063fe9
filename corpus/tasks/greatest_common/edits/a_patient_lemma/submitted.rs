use vstd::prelude::*;

verus! {

pub open spec fn gcd(a: nat, b: nat) -> nat
    decreases b,
{
    if b == 0 {
        a
    } else {
        gcd(b, a % b)
    }
}

#[verifier::rlimit(infinity)]
proof fn one_step(a: nat, b: nat)
    requires
        b > 0,
    ensures
        gcd(a, b) == gcd(b, a % b),
{
}

pub fn greatest_common(a: u64, b: u64) -> (g: u64)
    ensures
        g == gcd(a as nat, b as nat),
{
    let mut x = a;
    let mut y = b;
    while y != 0
        invariant
            gcd(x as nat, y as nat) == gcd(a as nat, b as nat),
        decreases y,
    {
        proof {
            one_step(x as nat, y as nat);
        }
        let rest = x % y;
        x = y;
        y = rest;
    }
    x
}

fn main() {
}

} // verus!
