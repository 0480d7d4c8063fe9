use vstd::prelude::*;

verus! {

proof fn ascending_everywhere(s: Seq<u32>)
    requires
        forall|i: int| 0 < i < s.len() ==> s[i - 1] <= #[trigger] s[i],
    ensures
        forall|i: int, j: int| 0 <= i < j < s.len() ==> s[i] <= s[j],
    decreases s.len(),
{
    if s.len() > 0 {
        let front = s.drop_last();
        assert forall|i: int| 0 < i < front.len() implies front[i - 1] <= #[trigger] front[i] by {
            assert(s[i - 1] <= s[i]);
        }
        ascending_everywhere(front);
        assert forall|i: int, j: int| 0 <= i < j < s.len() implies s[i] <= s[j] by {
            if j < s.len() - 1 {
                assert(front[i] <= front[j]);
            } else if i < j - 1 {
                assert(front[i] <= front[j - 1]);
                assert(s[j - 1] <= s[j]);
            } else {
                assert(s[j - 1] <= s[j]);
            }
        }
    }
}

/// Position of the first entry that is not below `floor`; `a.len()` when there is none.
pub fn first_at_least(a: &[u32], floor: u32) -> (pos: usize)
    requires
        forall|i: int| 0 < i < a@.len() ==> a@[i - 1] <= #[trigger] a@[i],
    ensures
        pos <= a@.len(),
        forall|i: int| 0 <= i < pos ==> a@[i] < floor,
        forall|i: int| pos <= i < a@.len() ==> a@[i] >= floor,
{
    proof {
        ascending_everywhere(a@);
    }
    let mut lo: usize = 0;
    let mut hi: usize = a.len();
    while lo < hi
        invariant
            lo <= hi <= a@.len(),
            forall|i: int, j: int| 0 <= i < j < a@.len() ==> a@[i] <= a@[j],
            forall|i: int| 0 <= i < lo ==> a@[i] < floor,
            forall|i: int| hi <= i < a@.len() ==> a@[i] >= floor,
        decreases hi - lo,
    {
        let mid = lo + (hi - lo) / 2;
        if a[mid] < floor {
            lo = mid + 1;
        } else {
            hi = mid;
        }
    }
    lo
}

fn main() {
}

} // verus!
