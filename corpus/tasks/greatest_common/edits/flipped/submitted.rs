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

pub fn greatest_common(a: u64, b: u64) -> (g: u64)
    ensures
        gcd(
            a as nat,
            b as nat,
        ) == g,
{
    let mut x = a;
    let mut y = b;
    while y != 0
        invariant
            gcd(x as nat, y as nat) == gcd(a as nat, b as nat),
        decreases y,
    {
        let rest = x % y;
        x = y;
        y = rest;
    }
    x
}

fn main() {
}

} // verus!
