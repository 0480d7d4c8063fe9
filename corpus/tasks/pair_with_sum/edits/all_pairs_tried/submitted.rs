use vstd::prelude::*;

verus! {

pub fn pair_with_sum(v: &[i32], sum: i64) -> (r: Option<(usize, usize)>)
    requires
        forall|i: int, j: int| 0 <= i <= j < v@.len() ==> v@[i] <= v@[j],
    ensures
        match r {
            Some(p) => p.0 < p.1 < v@.len() && v@[p.0 as int] + v@[p.1 as int] == sum,
            None => forall|i: int, j: int| 0 <= i < j < v@.len() ==> v@[i] + v@[j] != sum,
        },
{
    let mut lo: usize = 0;
    while lo < v.len()
        invariant
            lo <= v@.len(),
            forall|i: int, j: int| 0 <= i < lo && i < j < v@.len() ==> v@[i] + v@[j] != sum,
        decreases v@.len() - lo,
    {
        let mut hi: usize = lo + 1;
        while hi < v.len()
            invariant
                lo < hi <= v@.len(),
                forall|j: int| lo < j < hi ==> v@[lo as int] + v@[j] != sum,
            decreases v@.len() - hi,
        {
            if v[lo] as i64 + v[hi] as i64 == sum {
                return Some((lo, hi));
            }
            hi = hi + 1;
        }
        lo = lo + 1;
    }
    None
}

fn main() {
}

} // verus!
