use std::collections::HashSet;
use vstd::prelude::*;

verus! {

broadcast use vstd::std_specs::hash::group_hash_axioms;

pub open spec fn no_duplicates(s: Seq<u32>) -> bool {
    forall|i: int, j: int| 0 <= i < j < s.len() ==> i != j
}

/// All entries before place `k` are different from each other.
pub open spec fn fresh_until(v: Seq<u32>, k: int) -> bool {
    no_duplicates(v.take(k))
}

pub fn first_repeat(v: &[u32]) -> (r: Option<usize>)
    ensures
        match r {
            Some(k) => k < v@.len() && fresh_until(v@, k as int) && v@.take(k as int).contains(v@[k as int]),
            None => fresh_until(v@, v@.len() as int),
        },
{
    None
}

fn main() {
}

} // verus!
