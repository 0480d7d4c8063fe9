use vstd::prelude::*;

verus! {

pub const UNIT: u32 = 0x16;

pub const TOP: u32 = 0xffff_fff0;

pub open spec fn aligned(x: u32) -> bool {
    x & 0xf == 0
}

pub fn align_up(x: u32) -> (r: u32)
    requires
        x <= TOP,
    ensures
        aligned(r),
        x <= r < x + UNIT,
{
    let y: u32 = x + 15;
    let r = y & !15u32;
    assert((y & !15u32) & 0xf == 0) by (bit_vector);
    assert(y & !15u32 <= y && y - (y & !15u32) <= 15) by (bit_vector);
    r
}

fn main() {
}

} // verus!
