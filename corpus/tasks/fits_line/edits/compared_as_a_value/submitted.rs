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

pub fn fits_line(text: &str, width: usize) -> (fits: bool)
    ensures
        fits == (width >= text@.len()),
{
    letters(text) <= width
}

fn main() {
}

} // verus!
