use vstd::prelude::*;

verus! {

/// Position of the first entry that is not below `floor`; `a.len()` when there is none.
pub fn first_at_least(a: &[u32], floor: u32) -> (pos: usize)
    requires
        forall|i: int, j: int| 0 <= i < j < a@.len() ==> a@[i] < a@[j],
    ensures
        pos <= a@.len(),
        forall|i: int| 0 <= i < pos ==> a@[i] < floor,
        forall|i: int| pos <= i < a@.len() ==> a@[i] >= floor,
{
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
