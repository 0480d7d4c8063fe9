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
        forall|i: int| i >= 0 && k > i ==> pivot > #[trigger] final(v)@[i],
        forall|i: int| i >= k && final(v)@.len() > i ==> #[trigger] final(v)@[i] >= pivot,
        final(v)@.to_multiset() == old(v)@.to_multiset(),
{
    let mut k: usize = 0;
    let mut i: usize = 0;
    while i < v.len()
        invariant
            k <= i <= v@.len(),
            forall|p: int| 0 <= p < k ==> #[trigger] v@[p] < pivot,
            forall|p: int| k <= p < i ==> pivot <= #[trigger] v@[p],
            v@.to_multiset() == old(v)@.to_multiset(),
        decreases v@.len() - i,
    {
        let x = v[i];
        if x < pivot {
            proof {
                exchange_keeps_entries(v@, i as int, k as int);
            }
            let y = v[k];
            v[i] = y;
            v[k] = x;
            k = k + 1;
        }
        i = i + 1;
    }
    k
}

fn main() {
}

} // verus!
