use vstd::prelude::*;

verus! {

use others::lemma;
proof fn f(x: int) {
    lemma(x);
}

} // verus!
