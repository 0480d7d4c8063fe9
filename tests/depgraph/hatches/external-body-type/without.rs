use vstd::prelude::*;

verus! {

pub struct Handle {
    x: u64,
}
fn f(h: Handle) -> Handle {
    h
}

} // verus!
