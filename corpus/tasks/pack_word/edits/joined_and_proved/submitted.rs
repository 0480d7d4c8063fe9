use vstd::prelude::*;

verus! {

pub const TAG_MASK: u32 = 0xf;

proof fn tag_comes_back(payload: u32, tag: u32)
    requires
        tag <= 0xf,
    ensures
        ((payload << 4u32) | tag) & 0xf == tag,
{
    assert(((payload << 4u32) | tag) & 0xfu32 == tag) by (bit_vector)
        requires
            tag <= 0xfu32,
    ;
}

proof fn payload_comes_back(payload: u32, tag: u32)
    requires
        payload < 0x1000_0000,
        tag <= 0xf,
    ensures
        ((payload << 4u32) | tag) >> 4u32 == payload,
{
    assert(((payload << 4u32) | tag) >> 4u32 == payload) by (bit_vector)
        requires
            payload < 0x1000_0000u32,
            tag <= 0xfu32,
    ;
}

proof fn both_come_back(payload: u32, tag: u32)
    requires
        payload < 0x1000_0000,
        tag <= TAG_MASK,
    ensures
        ((payload << 4u32) | tag) & TAG_MASK == tag,
        ((payload << 4u32) | tag) >> 4u32 == payload,
{
    tag_comes_back(payload, tag);
    payload_comes_back(payload, tag);
}

fn joined(payload: u32, tag: u32) -> (word: u32)
    requires
        payload < 0x1000_0000,
        tag <= TAG_MASK,
    ensures
        (word & TAG_MASK) == tag,
        (word >> 4u32) == payload,
{
    proof {
        both_come_back(payload, tag);
    }
    (payload << 4u32) | tag
}

pub fn pack(payload: u32, tag: u32) -> (word: u32)
    requires
        payload < 0x1000_0000,
        tag <= TAG_MASK,
    ensures
        (word & TAG_MASK) == tag,
        (word >> 4u32) == payload,
{
    joined(payload, tag)
}

fn main() {
}

} // verus!
