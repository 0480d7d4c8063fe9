use vstd::prelude::*;

verus! {

fn order_pair(a: i32, b: i32) -> (p: (i32, i32))
    ensures
        p.1 <= p.0,
        p == (a, b) || p == (b, a),
{
    if b <= a {
        (a, b)
    } else {
        (b, a)
    }
}

fn main() {
}

} // verus!
