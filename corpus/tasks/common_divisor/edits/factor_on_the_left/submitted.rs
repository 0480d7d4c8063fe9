use vstd::prelude::*;

verus! {

pub open spec fn divides(d: int, n: int) -> bool {
    exists|k: int| n == #[trigger] (k * d)
}

pub proof fn common_divisor(d: int, a: int, b: int, x: int, y: int)
    requires
        divides(d, a),
        divides(d, b),
    ensures
        divides(d, a * x + b * y),
{
    let i = choose|k: int| a == #[trigger] (k * d);
    let j = choose|k: int| b == #[trigger] (k * d);
    let k = i * x + j * y;
    assert(a * x + b * y == k * d) by (nonlinear_arith)
        requires
            a == i * d,
            b == j * d,
            k == i * x + j * y,
    ;
}

fn main() {
}

} // verus!
