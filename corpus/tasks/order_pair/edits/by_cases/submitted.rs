use vstd::prelude::*;

verus! {

fn order_pair(a: i32, b: i32) -> (p: (i32, i32))
    ensures
        p == if a <= b { (a, b) } else { (b, a) },
{
    if a <= b {
        (a, b)
    } else {
        (b, a)
    }
}

fn main() {
}

} // verus!
