use vstd::prelude::*;

verus! {

#[verifier::integer_ring]
proof fn ring(x: int, y: int)
    ensures
        (x + y) * (x + y) == x * x + 2 * x * y + y * y,
{
}
proof fn f(x: int, y: int)
    ensures
        (x + y) * (x + y) == x * x + 2 * x * y + y * y,
{
    ring(x, y);
}

} // verus!
