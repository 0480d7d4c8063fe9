use vstd::prelude::*;

verus! {

fn split_units(total: u64, unit: u64) -> (qr: (u64, u64))
    requires
        unit > 0,
    ensures
        qr.0 == total / unit,
        qr.1 == total % unit,
{
    (total / unit, total % unit)
}

fn main() {
}

} // verus!
