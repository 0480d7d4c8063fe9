use vstd::prelude::*;

verus! {

pub fn pair_with_sum(v: &[i32], sum: i32) -> (r: Option<(usize, usize)>)
    requires
        forall|i: int, j: int| 0 <= i <= j < v@.len() ==> v@[i] <= v@[j],
    ensures
        match r {
            Some(p) => p.0 < p.1 < v@.len() && v@[p.0 as int] + v@[p.1 as int] == sum,
            None => forall|i: int, j: int| 0 <= i < j < v@.len() ==> v@[i] + v@[j] != sum,
        },
{
    if v.len() == 0 {
        return None;
    }
    let mut lo: usize = 0;
    let mut hi: usize = v.len() - 1;
    while lo < hi
        invariant
            lo <= hi < v@.len(),
            forall|i: int, j: int| 0 <= i <= j < v@.len() ==> v@[i] <= v@[j],
            forall|i: int, j: int| 0 <= i < lo && i < j < v@.len() ==> v@[i] + v@[j] != sum,
            forall|i: int, j: int| hi < j < v@.len() && 0 <= i < j ==> v@[i] + v@[j] != sum,
        decreases hi - lo,
    {
        let here = v[lo] as i64 + v[hi] as i64;
        let sum = sum as i64;
        if here == sum {
            return Some((lo, hi));
        }
        if here < sum {
            assert forall|j: int| lo < j < v@.len() implies v@[lo as int] + v@[j] != sum by {
                if j <= hi {
                    assert(v@[j] <= v@[hi as int]);
                }
            }
            lo = lo + 1;
        } else {
            assert forall|i: int| 0 <= i < hi implies v@[i] + v@[hi as int] != sum by {
                if i >= lo {
                    assert(v@[lo as int] <= v@[i]);
                }
            }
            hi = hi - 1;
        }
    }
    None
}

fn main() {
}

} // verus!
