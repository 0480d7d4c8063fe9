use vstd::prelude::*;

verus! {

/// Position of the first entry that is not below `floor`; `a.len()` when there is none.
#[verifier::exec_allows_no_decreases_clause]
pub fn first_at_least(a: &[u32], floor: u32) -> (pos: usize)
    requires
        forall|i: int, j: int| 0 <= i < j < a@.len() ==> a@[i] <= a@[j],
    ensures
        pos <= a@.len(),
        forall|i: int| 0 <= i < pos ==> a@[i] < floor,
        forall|i: int| pos <= i < a@.len() ==> a@[i] >= floor,
{
    loop {
    }
}

fn main() {
}

} // verus!
