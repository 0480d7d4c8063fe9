use vstd::prelude::*;

verus! {

pub open spec fn is_digit(c: u8) -> bool {
    0x30 <= c <= 0x39
}

/// At least one digit, and nothing else.
pub open spec fn numeral(s: Seq<u8>) -> bool {
    s.len() > 0 && forall|i: int| 0 <= i < s.len() ==> is_digit(#[trigger] s[i])
}

pub open spec fn value(s: Seq<u8>) -> nat
    decreases s.len(),
{
    if s.len() == 0 {
        0
    } else {
        10 * value(s.drop_first()) + (s.first() - 0x30) as nat
    }
}

pub fn parse_number(text: &[u8]) -> (r: Option<u32>)
    ensures
        match r {
            Some(n) => numeral(text@) && n == value(text@),
            None => !numeral(text@) || value(text@) > u32::MAX,
        },
{
    if text.len() == 0 {
        return None;
    }
    let mut n: u64 = 0;
    let mut too_big = false;
    let mut i: usize = 0;
    while i < text.len()
        invariant
            i <= text@.len(),
            forall|k: int| 0 <= k < i ==> is_digit(#[trigger] text@[k]),
            n <= u32::MAX,
            !too_big ==> n == value(text@.take(i as int)),
            too_big ==> value(text@.take(i as int)) > u32::MAX,
        decreases text@.len() - i,
    {
        let c = text[i];
        if c < 0x30 || c > 0x39 {
            assert(!is_digit(text@[i as int]));
            return None;
        }
        proof {
            assert(text@.take(i + 1).drop_last() =~= text@.take(i as int));
            assert(text@.take(i + 1).last() == c);
        }
        if !too_big {
            let m = n * 10 + (c - 0x30) as u64;
            if m > 0xffff_ffff {
                too_big = true;
            } else {
                n = m;
            }
        }
        i = i + 1;
    }
    assert(text@.take(i as int) =~= text@);
    if too_big {
        None
    } else {
        Some(n as u32)
    }
}

fn main() {
}

} // verus!
