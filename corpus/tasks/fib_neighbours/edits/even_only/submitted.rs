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
    requires
        n % 2 == 0,
    ensures
        fib(n) * fib(n + 2) - fib(n + 1) * fib(n + 1) == sign(n),
{
}

fn main() {
}

} // verus!
