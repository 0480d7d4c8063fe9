use vstd::prelude::*;

verus! {

pub type Percent = u8;

pub const FULL: u32 = 10 * 10;

/// Cuts a reading off at one hundred per cent.
pub fn to_percent(raw: u32) -> (p: Percent)
    ensures
        p <= FULL,
        raw <= FULL ==> p == raw,
        raw > FULL ==> p == FULL,
{
    if raw <= FULL {
        raw as u8
    } else {
        FULL as u8
    }
}

fn main() {
}

} // verus!
