use vstd::prelude::*;

verus! {

proof fn no_third_remainder(n: int)
    requires
        n % 2 != 0,
        n % 2 != 1,
    ensures
        false,
{
}

fn is_even(n: i64) -> (b: bool)
    ensures
        b <==> exists|k: int| n == #[trigger] (2 * k),
{
    let b = n % 2 == 0;
    proof {
        let half = n as int / 2;
        if b {
            assert(n == 2 * half);
        } else if n % 2 != 1 {
            no_third_remainder(n as int);
        }
    }
    b
}

fn main() {
}

} // verus!
