use vstd::prelude::*;

macro_rules! hours {
    () => {
        24u8
    };
}

verus! {

pub fn minute_of_day(h: u8, m: u8) -> (t: u32)
    requires
        h < hours!(),
        m < 60,
    ensures
        t == h * 60 + m,
        t < 1440,
{
    (h as u32) * 60 + m as u32
}

fn main() {
}

} // verus!
