use vstd::prelude::*;

verus! {

fn split_units(total: u64, unit: u64) -> (qr: (u64, u64))
    requires
        unit > 0,
    returns
        ((total / unit) as u64, (total % unit) as u64),
{
    (total / unit, total % unit)
}

fn main() {
}

} // verus!
