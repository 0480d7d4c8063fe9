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

#[verifier::external_derive]
#[derive(Debug)]
pub struct Pair {
    pub low: i32,
    pub high: i32,
}

fn in_order(a: i32, b: i32) -> (p: Pair)
    ensures
        p.low <= p.high,
        p == (Pair { low: a, high: b }) || p == (Pair { low: b, high: a }),
{
    if a <= b {
        Pair { low: a, high: b }
    } else {
        Pair { low: b, high: a }
    }
}

pub fn sort_three(a: i32, b: i32, c: i32) -> (r: (i32, i32, i32))
    ensures
        r.0 <= r.1 <= r.2,
        arranges(r, a, b, c),
{
    let pair = in_order(a, b);
    if c <= pair.low {
        (c, pair.low, pair.high)
    } else if c <= pair.high {
        (pair.low, c, pair.high)
    } else {
        (pair.low, pair.high, c)
    }
}

fn main() {
}

} // verus!
