use vstd::prelude::*;

verus! {

spec fn down(n: int) -> int
    decreases n when n >= 0 via down_ends
{
    if n <= 0 {
        0
    } else {
        down(n - 1) + 1
    }
}
#[via_fn]
proof fn down_ends(n: int) {
    assert(n - 1 < n);
}
proof fn f()
    ensures
        down(0) == 0,
{
}

} // verus!
