use vstd::prelude::*;

verus! {

fn order_pair(a: i32, b: i32) -> (p: [i32; 2])
    ensures
        p[0] <= p[1],
        (p[0] == a && p[1] == b) || (p[0] == b && p[1] == a),
{
    if a <= b {
        [a, b]
    } else {
        [b, a]
    }
}

fn main() {
}

} // verus!
