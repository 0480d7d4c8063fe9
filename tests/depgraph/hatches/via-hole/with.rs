use vstd::prelude::*;

verus! {

spec fn up(n: int) -> int
    decreases n via up_ends
{
    up(n + 1) + 1
}
#[via_fn]
proof fn up_ends(n: int) {
    assume(false);
}
proof fn f()
    ensures
        up(0) == up(1) + 1,
{
}

} // verus!
