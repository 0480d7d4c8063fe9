use vstd::prelude::*;

verus! {

proof fn product_of_sizes(x: int, y: int, most: int)
    requires
        0 <= x <= most,
        0 <= y <= most,
    ensures
        0 <= x * y <= most * most,
{
    assert(0 <= x * y <= most * most) by (nonlinear_arith)
        requires
            0 <= x <= most,
            0 <= y <= most,
    ;
}

proof fn small_product(x: i16, y: i16)
    ensures
        -0x4000_0000 <= x * y <= 0x4000_0000,
{
    let p = if x >= 0 { x as int } else { -x };
    let q = if y >= 0 { y as int } else { -y };
    product_of_sizes(p, q, 0x8000);
    assert(x * y == p * q || x * y == -(p * q)) by (nonlinear_arith)
        requires
            p == x || p == -x,
            q == y || q == -y,
    ;
    assert(0x8000 * 0x8000 == 0x4000_0000int) by (compute);
}

fn dot3(a: [i16; 3], b: [i16; 3]) -> (r: i64)
    ensures
        r == a[0] * b[0] + a[1] * b[1] + a[2] * b[2],
{
    proof {
        small_product(a[0], b[0]);
        small_product(a[1], b[1]);
        small_product(a[2], b[2]);
    }
    (a[0] as i64) * (b[0] as i64) + (a[1] as i64) * (b[1] as i64) + (a[2] as i64) * (b[2] as i64)
}

fn main() {
}

} // verus!
