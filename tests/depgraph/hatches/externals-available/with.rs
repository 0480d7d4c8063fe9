#![verifier::assume(externals_available_without_declaration)]
use vstd::prelude::*;

verus! {

fn f(x: u64) -> (r: u64)
    ensures
        r == x,
{
    x
}

} // verus!
