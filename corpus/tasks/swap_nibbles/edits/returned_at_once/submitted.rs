use vstd::prelude::*;

verus! {

pub const LOW: u8 = 0x0f;

pub open spec fn low(b: u8) -> u8 {
    b & LOW
}

pub open spec fn high(b: u8) -> u8 {
    b >> 4u8
}

pub fn swap_nibbles(b: u8) -> (r: u8)
    returns
        ((b & LOW) << 4u8) | high(b),
{
    let r = ((b & 0x0f) << 4u8) | (b >> 4u8);
    assert((((b & 0x0fu8) << 4u8) | (b >> 4u8)) & 0x0fu8 == b >> 4u8) by (bit_vector);
    assert((((b & 0x0fu8) << 4u8) | (b >> 4u8)) >> 4u8 == b & 0x0fu8) by (bit_vector);
    r
}

fn main() {
}

} // verus!
