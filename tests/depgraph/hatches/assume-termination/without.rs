use vstd::prelude::*;

verus! {

#[verifier::loop_isolation(false)]
fn f(x: u64) -> (r: u64)
    ensures
        r == x,
{
    x
}

} // verus!
