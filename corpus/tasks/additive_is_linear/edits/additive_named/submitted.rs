use vstd::prelude::*;

verus! {

pub open spec fn additive(f: spec_fn(int) -> int) -> bool {
    forall|x: int, y: int| #[trigger] f(x + y) == f(x) + f(y)
}

/// The natural numbers, step by step.
proof fn on_naturals(f: spec_fn(int) -> int, n: nat)
    requires
        forall|x: int, y: int| #[trigger] f(x + y) == f(x) + f(y),
    ensures
        f(n as int) == n * f(1),
    decreases n,
{
    if n == 0 {
        assert(f(0 + 0) == f(0) + f(0));
        assert(0 * f(1) == 0) by (nonlinear_arith);
    } else {
        let m = n - 1;
        on_naturals(f, m as nat);
        assert(f(m + 1) == f(m) + f(1));
        assert(m * f(1) + f(1) == n * f(1)) by (nonlinear_arith)
            requires
                n == m + 1,
        ;
    }
}

pub proof fn additive_is_linear(f: spec_fn(int) -> int, n: int)
    requires
        additive(f),
    ensures
        f(n) == n * f(1),
{
    if n >= 0 {
        on_naturals(f, n as nat);
    } else {
        let m = -n;
        on_naturals(f, m as nat);
        on_naturals(f, 0);
        assert(f(n + m) == f(n) + f(m));
        assert(0 * f(1) == 0) by (nonlinear_arith);
        assert(m * f(1) + n * f(1) == 0) by (nonlinear_arith)
            requires
                m == -n,
        ;
    }
}

fn main() {
}

} // verus!
