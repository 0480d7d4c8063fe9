use vstd::prelude::*;

verus! {

fn is_even(n: i64) -> (b: bool)
    ensures
        b <==> n % 2 == 0,
{
    let b = n % 2 == 0;
    proof {
        let half = n as int / 2;
        if b {
            assert(n == 2 * half);
        }
    }
    b
}

fn main() {
}

} // verus!
