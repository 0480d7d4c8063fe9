use vstd::prelude::*;

verus! {

proof fn split_units(total: u64, unit: u64) -> (qr: (u64, u64))
    requires
        unit > 0,
    returns
        ((total / unit) as u64, (total % unit) as u64),
{
    ((total / unit) as u64, (total % unit) as u64)
}

fn main() {
}

} // verus!
