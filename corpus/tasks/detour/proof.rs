use vstd::prelude::*;

verus! {

/// How far it is from one town to another. Only the axiom says something about it.
pub uninterp spec fn dist(a: int, b: int) -> int;

pub axiom fn no_shorter_by_way_of(a: int, b: int, c: int)
    ensures
        dist(a, c) <= dist(a, b) + dist(b, c),
;

pub proof fn detour(a: int, b: int, c: int, d: int)
    ensures
        dist(a, d) <= dist(a, b) + dist(b, c) + dist(c, d),
{
    no_shorter_by_way_of(a, b, d);
    no_shorter_by_way_of(b, c, d);
}

fn main() {
}

} // verus!
