use vstd::prelude::*;

verus! {

pub mod round {
    use super::*;

    pub open spec fn opens(c: u8) -> bool {
        c == 0x28
    }

    pub open spec fn closes(c: u8) -> bool {
        c == 0x29
    }

}

pub mod angular {
    use super::*;

    pub open spec fn opens(c: u8) -> bool {
        c == 0x3c
    }

    pub open spec fn closes(c: u8) -> bool {
        c == 0x3e
    }

}

pub mod pair {
    pub use super::round::closes;
    pub use super::round::opens;

}

/// How many brackets are open after `s`; None where one was closed that had not been opened.
pub open spec fn still_open(s: Seq<u8>) -> Option<nat>
    decreases s.len(),
{
    if s.len() == 0 {
        Some(0)
    } else {
        match still_open(s.drop_last()) {
            Some(n) => if pair::opens(s.last()) {
                Some(n + 1)
            } else if !pair::closes(s.last()) {
                Some(n)
            } else if n > 0 {
                Some((n - 1) as nat)
            } else {
                None
            },
            None => None,
        }
    }
}

pub fn is_balanced_text(text: &[u8]) -> (yes: bool)
    ensures
        yes <==> still_open(text@) == Some(0nat),
{
    let mut open: usize = 0;
    let mut i: usize = 0;
    let mut fine = true;
    while i < text.len()
        invariant
            i <= text@.len(),
            open <= i,
            still_open(text@.take(i as int)) == if fine {
                Some(open as nat)
            } else {
                None
            },
        decreases text@.len() - i,
    {
        let c = text[i];
        proof {
            assert(text@.take(i + 1).drop_last() =~= text@.take(i as int));
            assert(text@.take(i + 1).last() == c);
        }
        if c == 0x28 {
            open = open + 1;
        } else if c == 0x29 {
            if open == 0 {
                fine = false;
            } else {
                open = open - 1;
            }
        }
        i = i + 1;
    }
    assert(text@.take(i as int) =~= text@);
    fine && open == 0
}

fn main() {
}

} // verus!
