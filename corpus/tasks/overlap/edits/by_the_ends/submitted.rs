use vstd::prelude::*;

verus! {

#[derive(Clone, Copy)]
pub struct Span {
    pub lo: i32,
    pub hi: i32,
}

pub mod half_open {
    use super::*;

    pub open spec fn inside(s: Span, x: int) -> bool {
        s.lo <= x < s.hi
    }

}

pub mod open {
    use super::*;

    pub open spec fn inside(s: Span, x: int) -> bool {
        s.lo < x < s.hi
    }

}

pub mod spans {
    pub use super::half_open::*;

}

use spans::*;

pub fn overlap(a: Span, b: Span) -> (r: Option<Span>)
    ensures
        match r {
            Some(c) => {
                &&& c.lo == if a.lo < b.lo { b.lo } else { a.lo }
                &&& c.hi == if a.hi < b.hi { a.hi } else { b.hi }
                &&& c.lo < c.hi
            },
            None => a.lo >= a.hi || b.lo >= b.hi || a.hi <= b.lo || b.hi <= a.lo,
        },
{
    let lo = if a.lo > b.lo {
        a.lo
    } else {
        b.lo
    };
    let hi = if a.hi < b.hi {
        a.hi
    } else {
        b.hi
    };
    if lo < hi {
        Some(Span { lo, hi })
    } else {
        None
    }
}

fn main() {
}

} // verus!
