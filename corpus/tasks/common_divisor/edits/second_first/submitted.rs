use vstd::prelude::*;

verus! {

pub open spec fn divides(d: int, n: int) -> bool {
    exists|k: int| n == #[trigger] (d * k)
}

pub proof fn common_divisor(d: int, a: int, b: int, x: int, y: int)
    requires
        divides(d, b),
        divides(d, a),
    ensures
        divides(d, b * y + a * x),
{
    let i = choose|k: int| a == #[trigger] (d * k);
    let j = choose|k: int| b == #[trigger] (d * k);
    let k = i * x + j * y;
    assert(a * x + b * y == d * k) by (nonlinear_arith)
        requires
            a == d * i,
            b == d * j,
            k == i * x + j * y,
    ;
}

fn main() {
}

} // verus!
