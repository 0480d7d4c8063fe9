use vstd::prelude::*;
fn f(x: u64) -> u64 {
    x
}

verus! {

fn g() {
}

} // verus!
