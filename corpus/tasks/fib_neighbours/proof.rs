use vstd::prelude::*;

verus! {

pub open spec fn fib(n: nat) -> int
    decreases n,
{
    if n == 0 {
        0
    } else if n == 1 {
        1
    } else {
        fib((n - 1) as nat) + fib((n - 2) as nat)
    }
}

/// 1 for odd numbers, -1 for even ones.
pub open spec fn sign(n: nat) -> int {
    if n % 2 == 0 {
        -1
    } else {
        1
    }
}

pub proof fn fib_neighbours(n: nat)
    ensures
        fib(n) * fib(n + 2) - fib(n + 1) * fib(n + 1) == sign(n),
    decreases n,
{
    if n == 0 {
        assert(fib(2) == fib(1) + fib(0));
        assert(fib(0) * fib(2) - fib(1) * fib(1) == -1) by (nonlinear_arith)
            requires
                fib(0) == 0,
                fib(1) == 1,
        ;
    } else {
        let m = (n - 1) as nat;
        fib_neighbours(m);
        let a = fib(m);
        let b = fib(n);
        let c = fib(n + 1);
        let d = fib(n + 2);
        assert(m + 1 == n && m + 2 == n + 1);
        assert(c == b + a);
        assert(d == c + b);
        assert(b * d - c * c == -(a * c - b * b)) by (nonlinear_arith)
            requires
                c == b + a,
                d == c + b,
        ;
    }
}

fn main() {
}

} // verus!
