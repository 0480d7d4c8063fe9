use vstd::prelude::*;

verus! {

pub open spec fn common_divisor(a: nat, b: nat) -> nat
    decreases b,
{
    if b == 0 {
        a
    } else {
        common_divisor(b, a % b)
    }
}

pub fn greatest_common(a: u64, b: u64) -> (g: u64)
    ensures
        g == common_divisor(a as nat, b as nat),
{
    let mut x = a;
    let mut y = b;
    while y != 0
        invariant
            common_divisor(x as nat, y as nat) == common_divisor(a as nat, b as nat),
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
