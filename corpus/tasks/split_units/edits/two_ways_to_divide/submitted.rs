use vstd::prelude::*;

verus! {

#[cfg(not(feature = "by_product"))]
fn parts(total: u64, unit: u64) -> (qr: (u64, u64))
    requires
        unit > 0,
    ensures
        qr == ((total / unit) as u64, (total % unit) as u64),
{
    (total / unit, total % unit)
}

#[cfg(feature = "by_product")]
fn parts(total: u64, unit: u64) -> (qr: (u64, u64))
    requires
        unit > 0,
    ensures
        qr == ((total / unit) as u64, (total % unit) as u64),
{
    let rest = total % unit;
    (total / unit, rest)
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
