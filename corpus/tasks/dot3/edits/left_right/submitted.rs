use vstd::prelude::*;

verus! {

fn dot3(left: [i16; 3], right: [i16; 3]) -> (r: i64)
    ensures
        r == left[0] * right[0] + left[1] * right[1] + left[2] * right[2],
{
    assert forall|x: i16, y: i16| -0x4000_0000 <= #[trigger] (x * y) <= 0x4000_0000 by {
        assert(-0x4000_0000 <= x * y <= 0x4000_0000) by (nonlinear_arith)
            requires
                -0x8000 <= x <= 0x7fff,
                -0x8000 <= y <= 0x7fff,
        ;
    }
    (left[0] as i64) * (right[0] as i64) + (left[1] as i64) * (right[1] as i64) + (left[2] as i64) * (right[2] as i64)
}

fn main() {
}

} // verus!
