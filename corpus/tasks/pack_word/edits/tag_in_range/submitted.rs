use vstd::prelude::*;

verus! {

pub const TAG_MASK: u32 = 0xf;

pub fn pack(payload: u32, tag: u32) -> (word: u32)
    requires
        payload < 0x1000_0000,
        tag <= TAG_MASK,
    ensures
        (word & TAG_MASK) <= TAG_MASK,
        (word >> 4u32) == payload,
{
    let word = (payload << 4u32) | tag;
    assert(((payload << 4u32) | tag) & 0xfu32 == tag) by (bit_vector)
        requires
            tag <= 0xfu32,
    ;
    assert(((payload << 4u32) | tag) >> 4u32 == payload) by (bit_vector)
        requires
            payload < 0x1000_0000u32,
            tag <= 0xfu32,
    ;
    word
}

fn main() {
}

} // verus!
