use vstd::prelude::*;

verus! {

pub open spec fn ascending(s: Seq<i32>) -> bool {
    forall|i: int, j: int| 0 <= i < j < s.len() ==> s[i] <= s[j]
}

/// Exchanging two entries keeps the multiset.
proof fn exchange_keeps_entries(s: Seq<i32>, i: int, j: int)
    requires
        0 <= i < s.len(),
        0 <= j < s.len(),
    ensures
        s.update(i, s[j]).update(j, s[i]).to_multiset() == s.to_multiset(),
{
    vstd::seq_lib::to_multiset_update(s, i, s[j]);
    vstd::seq_lib::to_multiset_update(s.update(i, s[j]), j, s[i]);
    s.to_multiset_ensures();
    assert(s.update(i, s[j]).update(j, s[i]).to_multiset() =~= s.to_multiset());
}

pub fn sort(v: &mut Vec<i32>)
    ensures
        ascending(final(v)@),
        final(v)@.to_multiset() == old(v)@.to_multiset(),
{
    let n = v.len();
    let mut done: usize = 0;
    while done < n
        invariant
            done <= n == v@.len(),
            v@.to_multiset() == old(v)@.to_multiset(),
            forall|p: int, q: int| 0 <= p < q < done ==> v@[p] <= v@[q],
        decreases n - done,
    {
        let mut k: usize = done;
        while k > 0 && v[k - 1] > v[k]
            invariant
                k <= done < n == v@.len(),
                v@.to_multiset() == old(v)@.to_multiset(),
                forall|p: int, q: int| 0 <= p < q <= done && q != k ==> v@[p] <= v@[q],
            decreases k,
        {
            proof {
                exchange_keeps_entries(v@, k as int, k - 1);
            }
            let here = v[k];
            let below = v[k - 1];
            v[k] = below;
            v[k - 1] = here;
            k = k - 1;
        }
        done = done + 1;
    }
}

fn main() {
}

} // verus!
