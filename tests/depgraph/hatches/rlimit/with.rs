use vstd::prelude::*;

verus! {

#[verifier::rlimit(infinity)]
proof fn f(x: int)
    ensures
        x == x,
{
}

} // verus!
