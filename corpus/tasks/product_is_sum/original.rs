use vstd::prelude::*;

verus! {

pub proof fn product_is_sum(x: nat, y: nat)
    requires
        x > 0,
        y > 0,
        x * y == x + y,
    ensures
        x == 2,
        y == 2,
{
}

fn main() {
}

} // verus!
