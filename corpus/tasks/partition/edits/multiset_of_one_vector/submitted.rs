use vstd::prelude::*;

verus! {

/// Exchanging two entries keeps how often each value occurs.
proof fn exchange_keeps_entries(s: Seq<i32>, i: int, j: int)
    requires
        0 <= i < s.len(),
        0 <= j < s.len(),
    ensures
        s.update(i, s[j]).update(j, s[i]).to_multiset() == s.to_multiset(),
{
    broadcast use vstd::seq_lib::group_to_multiset_ensures;

    vstd::seq_lib::to_multiset_update(s, i, s[j]);
    vstd::seq_lib::to_multiset_update(s.update(i, s[j]), j, s[i]);
    assert(s.update(i, s[j]).update(j, s[i]).to_multiset() =~= s.to_multiset());
}

pub fn partition(v: &mut Vec<i32>, pivot: i32) -> (k: usize)
    ensures
        k <= final(v)@.len(),
        forall|i: int| 0 <= i < k ==> #[trigger] final(v)@[i] < pivot,
        forall|i: int| k <= i < final(v)@.len() ==> pivot <= #[trigger] final(v)@[i],
        final(v)@.to_multiset() == v@.to_multiset(),
        final(v)@.len() == old(v)@.len(),
{
    let mut i: usize = 0;
    while i < v.len()
        invariant
            i <= v@.len(),
            v@.len() == old(v)@.len(),
            forall|p: int| 0 <= p < i ==> #[trigger] v@[p] == pivot,
        decreases v@.len() - i,
    {
        v[i] = pivot;
        i = i + 1;
    }
    0
}

fn main() {
}

} // verus!
