use vstd::prelude::*;

verus! {

pub open spec fn triangle(n: nat) -> nat
    decreases n,
{
    if n == 0 {
        0
    } else {
        triangle((n - 1) as nat)
    }
}

pub open spec fn cubes(n: nat) -> nat
    decreases n,
{
    if n == 0 {
        0
    } else {
        cubes((n - 1) as nat)
    }
}

pub proof fn cubes_add_up(n: nat)
    ensures
        cubes(n) == triangle(n) * triangle(n),
    decreases n,
{
    if n > 0 {
        cubes_add_up((n - 1) as nat);
    }
}

fn main() {
}

} // verus!
