use vstd::prelude::*;

verus! {

pub proof fn additive_is_linear(f: spec_fn(int) -> int, n: int)
    requires
        forall|x: int, y: int| #[trigger] f(x + y) == f(x) + f(y),
        n >= 0,
    ensures
        f(n) == n * f(1),
{
}

fn main() {
}

} // verus!
