use vstd::prelude::*;

verus! {

pub open spec fn arranges(r: (i32, i32, i32), a: i32, b: i32, c: i32) -> bool {
    let rest = (r.1, r.2);
    ||| r.0 == a && (rest == (b, c) || rest == (c, b))
    ||| r.0 == b && (rest == (a, c) || rest == (c, a))
    ||| r.0 == c && (rest == (a, b) || rest == (b, a))
}

pub fn sort_three(a: i32, b: i32, c: i32) -> (r: (i32, i32, i32))
    ensures
        r.0 <= r.1 <= r.2,
        arranges(r, a, b, c),
{
    let (x, y) = if a <= b {
        (a, b)
    } else {
        (b, a)
    };
    if c <= x {
        (c, x, y)
    } else if c <= y {
        (x, c, y)
    } else {
        (x, y, c)
    }
}

fn main() {
}

} // verus!
