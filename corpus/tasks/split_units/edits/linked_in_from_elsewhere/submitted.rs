use vstd::prelude::*;

verus! {

extern "C" {
    fn quotient(total: u64, unit: u64) -> u64;

    fn rest(total: u64, unit: u64) -> u64;
}

assume_specification[ quotient ](total: u64, unit: u64) -> (q: u64)
    ensures
        q == total / unit,
;

assume_specification[ rest ](total: u64, unit: u64) -> (r: u64)
    ensures
        r == total % unit,
;

fn split_units(total: u64, unit: u64) -> (qr: (u64, u64))
    requires
        unit > 0,
    returns
        ((total / unit) as u64, (total % unit) as u64),
{
    unsafe {
        (quotient(total, unit), rest(total, unit))
    }
}

fn main() {
}

} // verus!
