use vstd::prelude::*;

verus! {

pub open spec fn triangle(n: nat) -> nat
    decreases n,
{
    if n == 0 {
        0
    } else {
        triangle((n - 1) as nat) + n
    }
}

pub open spec fn cubes(n: nat) -> nat
    decreases n,
{
    if n == 0 {
        0
    } else {
        cubes((n - 1) as nat) + n * n * n
    }
}

/// Twice a triangular number is n times n + 1.
proof fn triangle_doubled(n: nat)
    ensures
        2 * triangle(n) == n * (n + 1),
    decreases n,
{
    if n == 0 {
        assert(n * (n + 1) == 0) by (nonlinear_arith)
            requires
                n == 0,
        ;
    } else {
        let m = (n - 1) as nat;
        triangle_doubled(m);
        assert(m * (m + 1) + 2 * n == n * (n + 1)) by (nonlinear_arith)
            requires
                n == m + 1,
        ;
    }
}

pub proof fn cubes_add_up(n: nat)
    ensures
        cubes(n) == triangle(n) * triangle(n),
    decreases n,
{
    if n > 0 {
        let m = (n - 1) as nat;
        let t = triangle(m);
        cubes_add_up(m);
        triangle_doubled(m);
        assert((t + n) * (t + n) == t * t + n * n * n) by (nonlinear_arith)
            requires
                2 * t == m * (m + 1),
                n == m + 1,
        ;
    } else {
        assert(triangle(0) * triangle(0) == 0) by (nonlinear_arith)
            requires
                triangle(0) == 0,
        ;
    }
}

fn main() {
}

} // verus!
