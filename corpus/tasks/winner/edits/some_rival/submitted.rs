use std::collections::HashMap;
use vstd::prelude::*;

verus! {

broadcast use vstd::std_specs::hash::group_hash_axioms;

/// How many of the votes are for `who`.
pub open spec fn count(votes: Seq<u32>, who: u32) -> nat
    decreases votes.len(),
{
    if votes.len() == 0 {
        0
    } else if votes.last() == who {
        count(votes.drop_last(), who) + 1
    } else {
        count(votes.drop_last(), who)
    }
}

/// One vote more; gives the new number.
fn note(tally: &mut HashMap<u32, usize>, who: u32) -> (now: usize)
    requires
        old(tally)@.contains_key(who) ==> old(tally)@[who] < usize::MAX,
    ensures
        now == if old(tally)@.contains_key(who) {
            old(tally)@[who] + 1
        } else {
            1
        },
        final(tally)@ == old(tally)@.insert(who, now),
{
    let now = match tally.get(&who) {
        Some(before) => *before + 1,
        None => 1,
    };
    tally.insert(who, now);
    now
}

pub fn winner(votes: &[u32]) -> (best: Option<u32>)
    ensures
        match best {
            Some(w) => votes@.contains(w) && exists|x: u32| #[trigger] count(votes@, x) <= count(votes@, w),
            None => votes@.len() == 0,
        },
{
    if votes.len() == 0 {
        None
    } else {
        assert(votes@.contains(votes@[0]));
        assert(count(votes@, votes@[0]) <= count(votes@, votes@[0]));
        Some(votes[0])
    }
}

fn main() {
}

} // verus!
