use vstd::prelude::*;

verus! {

#[cfg_attr(verus_keep_ghost, verifier::spinoff_prover)]
fn half(x: u32) -> (h: u32)
    ensures
        h == x / 2,
{
    x / 2
}

fn midpoint(a: u32, b: u32) -> (m: u32)
    requires
        a <= b,
    ensures
        m == (a + b) / 2,
{
    a + half(b - a)
}

fn main() {
}

} // verus!
