use vstd::prelude::*;

verus! {

/// The library counts; Verus does not look inside.
#[verifier::external_body]
fn letters(text: &str) -> (n: usize)
    ensures
        n == text@.len(),
{
    text.chars().count()
}

fn enough(room: usize, n: usize) -> (b: bool)
    ensures
        b <==> n <= room,
{
    n <= room
}

pub fn fits_line(text: &str, width: usize) -> (fits: bool)
    ensures
        fits <==> text@.len() <= width,
{
    enough(width, letters(text))
}

fn main() {
}

} // verus!
