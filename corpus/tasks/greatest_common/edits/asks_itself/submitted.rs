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

#[verifier::assume_termination]
pub fn greatest_common(a: u64, b: u64) -> (g: u64)
    ensures
        g == gcd(a as nat, b as nat),
{
    greatest_common(a, b)
}

fn main() {
}

} // verus!
