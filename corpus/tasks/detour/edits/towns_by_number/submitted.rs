use vstd::prelude::*;

verus! {

/// How far it is from one town to another. Only the axiom says something about it.
pub uninterp spec fn dist(a: int, b: int) -> int;

pub axiom fn no_shorter_by_way_of(a: int, b: int, c: int)
    ensures
        dist(a, c) <= dist(a, b) + dist(b, c),
;

pub proof fn detour(t0: int, t1: int, t2: int, t3: int)
    ensures
        dist(t0, t3) <= dist(t0, t1) + dist(t1, t2) + dist(t2, t3),
{
    no_shorter_by_way_of(t0, t1, t3);
    no_shorter_by_way_of(t1, t2, t3);
}

fn main() {
}

} // verus!
