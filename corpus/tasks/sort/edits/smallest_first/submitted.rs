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

/// Brings the smallest of the entries from `i` on to `i`.
fn smallest_to(v: &mut Vec<i32>, i: usize)
    requires
        i < old(v)@.len(),
        forall|p: int, q: int| 0 <= p < i && p < q < old(v)@.len() ==> old(v)@[p] <= old(v)@[q],
    ensures
        final(v)@.len() == old(v)@.len(),
        final(v)@.to_multiset() == old(v)@.to_multiset(),
        forall|p: int, q: int| 0 <= p <= i && p < q < final(v)@.len() ==> final(v)@[p] <= final(v)@[q],
{
    let n = v.len();
    let mut j: usize = i + 1;
    while j < n
        invariant
            i < j <= n == v@.len(),
            n == old(v)@.len(),
            v@.to_multiset() == old(v)@.to_multiset(),
            forall|p: int, q: int| 0 <= p < i && p < q < n ==> v@[p] <= v@[q],
            forall|q: int| i < q < j ==> v@[i as int] <= v@[q],
        decreases n - j,
    {
        if v[j] < v[i] {
            proof {
                exchange_keeps_entries(v@, i as int, j as int);
            }
            let at_i = v[i];
            let at_j = v[j];
            v[i] = at_j;
            v[j] = at_i;
        }
        j = j + 1;
    }
}

pub fn sort(v: &mut Vec<i32>)
    ensures
        ascending(final(v)@),
        final(v)@.to_multiset() == old(v)@.to_multiset(),
{
    let n = v.len();
    let mut i: usize = 0;
    while i < n
        invariant
            i <= n == v@.len(),
            v@.to_multiset() == old(v)@.to_multiset(),
            forall|p: int, q: int| 0 <= p < i && p < q < n ==> v@[p] <= v@[q],
        decreases n - i,
    {
        smallest_to(v, i);
        i = i + 1;
    }
}

fn main() {
}

} // verus!
