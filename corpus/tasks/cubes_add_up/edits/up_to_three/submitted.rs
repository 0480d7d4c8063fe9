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

pub proof fn cubes_add_up(n: nat)
    requires
        n <= 3,
    ensures
        cubes(n) == triangle(n) * triangle(n),
{
}

fn main() {
}

} // verus!
