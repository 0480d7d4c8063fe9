use vstd::prelude::*;

verus! {

fn split_units(total: u64, unit: u64) -> (qr: (u64, u64))
    requires
        unit > 0,
    ensures
        total == qr.0 * unit + qr.1,
        qr.1 < unit,
{
    assert(total == (total / unit) * unit + total % unit) by (nonlinear_arith)
        requires
            unit > 0,
    ;
    (total / unit, total % unit)
}

fn main() {
}

} // verus!
