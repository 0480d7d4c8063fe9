use vstd::prelude::*;

verus! {

broadcast axiom fn linear_at_every_number(f: spec_fn(int) -> int, n: int)
    ensures
        #[trigger] f(n) == n * f(1),
;

pub proof fn additive_is_linear(f: spec_fn(int) -> int, n: int)
    requires
        forall|x: int, y: int| #[trigger] f(x + y) == f(x) + f(y),
    ensures
        f(n) == n * f(1),
{
    broadcast use linear_at_every_number;

    assert(f(n) == n * f(1));
}

fn main() {
}

} // verus!
