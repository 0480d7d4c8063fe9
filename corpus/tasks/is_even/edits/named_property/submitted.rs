use vstd::prelude::*;

verus! {

pub open spec fn even(n: int) -> bool {
    exists|k: int| n == #[trigger] (2 * k)
}

fn is_even(n: i64) -> (b: bool)
    ensures
        b == even(n as int),
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
