use vstd::prelude::*;

verus! {

global size_of usize == 8;
fn f(x: usize) -> usize {
    x
}

} // verus!
