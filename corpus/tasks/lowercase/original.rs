use vstd::prelude::*;

verus! {

pub const FIRST: u8 = 0x41;

pub const LAST: u8 = 0x5a;

pub const STEP: u8 = 0x20;

pub open spec fn is_capital(c: u8) -> bool {
    FIRST <= c <= LAST
}

pub open spec fn lower(c: u8) -> u8 {
    if is_capital(c) {
        (c + STEP) as u8
    } else {
        c
    }
}

pub fn lowercase(text: &mut Vec<u8>)
    ensures
        final(text)@.len() == old(text)@.len(),
        forall|i: int| 0 <= i < old(text)@.len() ==> #[trigger] final(text)@[i] == lower(old(text)@[i]),
{
    let n = text.len();
    let mut i: usize = 0;
    while i < n
        invariant
            i <= n,
            n == text@.len(),
            n == old(text)@.len(),
            forall|k: int| 0 <= k < i ==> #[trigger] text@[k] == lower(old(text)@[k]),
            forall|k: int| i <= k < n ==> #[trigger] text@[k] == old(text)@[k],
        decreases n - i,
    {
        let c = text[i];
        if FIRST <= c && c <= LAST {
            text[i] = c + STEP;
        }
        i = i + 1;
    }
}

fn main() {
}

} // verus!
