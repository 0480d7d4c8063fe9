use std::collections::HashSet;
use vstd::prelude::*;

verus! {

broadcast use vstd::std_specs::hash::group_hash_axioms;

/// All entries before place `k` are different from each other.
pub open spec fn fresh_until(v: Seq<u32>, k: int) -> bool {
    v.take(k).no_duplicates()
}

pub fn first_repeat(v: &[u32]) -> (r: Option<usize>)
    ensures
        match r {
            Some(k) => k < v@.len() && fresh_until(v@, k as int) && v@.take(k as int).to_set().contains(v@[k as int]),
            None => fresh_until(v@, v@.len() as int),
        },
{
    let mut seen: HashSet<u32> = HashSet::new();
    let mut k: usize = 0;
    assert(seen@ =~= v@.take(0).to_set());
    while k < v.len()
        invariant
            k <= v@.len(),
            fresh_until(v@, k as int),
            seen@ =~= v@.take(k as int).to_set(),
        decreases v@.len() - k,
    {
        let new = seen.insert(v[k]);
        if !new {
            assert(v@.take(k as int).to_set().contains(v@[k as int]));
            return Some(k);
        }
        proof {
            assert(v@.take(k + 1) =~= v@.take(k as int).push(v@[k as int]));
            assert(!v@.take(k as int).contains(v@[k as int]));
            assert forall|x: u32| seen@.contains(x) <==> v@.take(k + 1).to_set().contains(x) by {
                if v@.take(k as int).contains(x) {
                    let i = v@.take(k as int).index_of(x);
                    assert(v@.take(k + 1)[i] == x);
                }
                assert(v@.take(k + 1)[k as int] == v@[k as int]);
            }
        }
        k = k + 1;
    }
    None
}

fn main() {
}

} // verus!
