use vstd::prelude::*;

verus! {

#[verifier::external]
fn lowest_bit_clear(n: i64) -> bool {
    (n & 2) == 0
}

#[verifier::external_fn_specification]
fn lowest_bit_clear_as_believed(n: i64) -> (b: bool)
    ensures
        b <==> exists|k: int| n == #[trigger] (2 * k),
{
    lowest_bit_clear(n)
}

fn parity(n: i64) -> (b: bool)
    ensures
        b <==> exists|k: int| n == #[trigger] (2 * k),
{
    lowest_bit_clear(n)
}

fn is_even(n: i64) -> (b: bool)
    ensures
        b <==> exists|k: int| n == #[trigger] (2 * k),
{
    parity(n)
}

fn main() {
}

} // verus!
