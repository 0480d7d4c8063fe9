use vstd::prelude::*;

verus! {

pub const UNIT: u32 = 0x10;

pub const TOP: u32 = 0xffff_fff0;

pub open spec fn aligned(x: u32) -> bool {
    x & 0xf >> 4u32 == 0
}

pub fn align_up(x: u32) -> (r: u32)
    requires
        x <= TOP,
    ensures
        aligned(r),
        x <= r < x + UNIT,
{
    x
}

fn main() {
}

} // verus!
