use vstd::prelude::*;

verus! {

fn max_index(v: &Vec<i64>) -> (k: usize)
    requires
        v.len() > 0,
    ensures
        k < v.len(),
        !exists|i: int| 0 <= i < v.len() && v[i] > v[k as int],
        forall|i: int| 0 <= i < k ==> v[i] < v[k as int],
{
    let mut k: usize = 0;
    let mut n: usize = 1;
    while n < v.len()
        invariant
            k < n <= v.len(),
            forall|i: int| 0 <= i < n ==> v[i] <= v[k as int],
            forall|i: int| 0 <= i < k ==> v[i] < v[k as int],
        decreases v.len() - n,
    {
        if v[n] > v[k] {
            k = n;
        }
        n = n + 1;
    }
    k
}

fn main() {
}

} // verus!
