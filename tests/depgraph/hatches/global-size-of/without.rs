use vstd::prelude::*;

verus! {

fn f(x: usize) -> usize {
    x
}

} // verus!
