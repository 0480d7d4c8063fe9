use vstd::prelude::*;

verus! {

fn f() -> (r: Tracked<int>) {
    Tracked::assume_new()
}

} // verus!
