use vstd::prelude::*;

verus! {

proof fn f(x: int) {
    crate::elsewhere::lemma(x);
}

} // verus!
