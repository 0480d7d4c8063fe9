use vstd::prelude::*;

verus! {

#[verifier::exec_allows_no_decreases_clause]
fn narrow(a: &[u32], floor: u32, lo: usize, hi: usize) -> (pos: usize)
    ensures
        pos <= a@.len(),
        forall|i: int| 0 <= i < pos ==> a@[i] < floor,
        forall|i: int| pos <= i < a@.len() ==> a@[i] >= floor,
{
    narrow(a, floor, lo, hi)
}

fn bisect(a: &[u32], floor: u32) -> (pos: usize)
    ensures
        pos <= a@.len(),
        forall|i: int| 0 <= i < pos ==> a@[i] < floor,
        forall|i: int| pos <= i < a@.len() ==> a@[i] >= floor,
{
    narrow(a, floor, 0, a.len())
}

/// Position of the first entry that is not below `floor`; `a.len()` when there is none.
pub fn first_at_least(a: &[u32], floor: u32) -> (pos: usize)
    requires
        forall|i: int, j: int| 0 <= i < j < a@.len() ==> a@[i] <= a@[j],
    ensures
        pos <= a@.len(),
        forall|i: int| 0 <= i < pos ==> a@[i] < floor,
        forall|i: int| pos <= i < a@.len() ==> a@[i] >= floor,
{
    bisect(a, floor)
}

fn main() {
}

} // verus!
