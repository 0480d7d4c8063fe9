use vstd::prelude::*;

verus! {

mod elsewhere {
    pub proof fn lemma(x: int) {
    }
}
proof fn f(x: int) {
    crate::elsewhere::lemma(x);
}

} // verus!
