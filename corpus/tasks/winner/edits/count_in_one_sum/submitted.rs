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
    } else {
        count(votes.drop_last(), who) + if votes.last() != who {
            0nat
        } else {
            1nat
        }
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
            Some(w) => votes@.contains(w) && forall|x: u32| #[trigger] count(votes@, x) <= count(votes@, w),
            None => votes@.len() == 0,
        },
{
    let mut tally: HashMap<u32, usize> = HashMap::new();
    let mut best: Option<u32> = None;
    let mut most: usize = 0;
    let mut i: usize = 0;
    while i < votes.len()
        invariant
            i <= votes@.len(),
            most <= i,
            forall|x: u32| tally@.contains_key(x) <==> #[trigger] count(votes@.take(i as int), x) > 0,
            forall|x: u32| tally@.contains_key(x) ==> #[trigger] tally@[x] == count(votes@.take(i as int), x),
            forall|x: u32| #[trigger] count(votes@.take(i as int), x) <= most,
            match best {
                Some(w) => votes@.contains(w) && count(votes@.take(i as int), w) == most,
                None => i == 0 && most == 0,
            },
        decreases votes@.len() - i,
    {
        let who = votes[i];
        proof {
            assert(votes@.take(i + 1).drop_last() =~= votes@.take(i as int));
            assert(votes@.take(i + 1).last() == who);
        }
        let now = note(&mut tally, who);
        if now > most {
            most = now;
            best = Some(who);
        }
        i = i + 1;
    }
    assert(votes@.take(i as int) =~= votes@);
    best
}

fn main() {
}

} // verus!
