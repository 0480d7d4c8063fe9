use vstd::prelude::*;

verus! {

pub const UNIT: u32 = 0x10;

pub const TOP: u32 = 0xffff_fff0;

pub open spec fn aligned(x: u32) -> bool {
    x & 0x7 == 0
}

pub fn align_up(x: u32) -> (r: u32)
    requires
        x <= TOP,
    ensures
        aligned(r),
        x <= r < x + UNIT,
{
    let y: u32 = x + 7;
    let r = y & !7u32;
    assert((y & !7u32) & 0x7 == 0) by (bit_vector);
    assert(y & !7u32 <= y && y - (y & !7u32) <= 7) by (bit_vector);
    r
}

fn main() {
}

} // verus!
