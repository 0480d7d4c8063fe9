use vstd::prelude::*;

verus! {

use vstd::arithmetic::mul::lemma_mul_is_commutative;
proof fn f(x: int) {
    lemma_mul_is_commutative(x, 3);
}

} // verus!
