use vstd::prelude::*;

verus! {

fn max_index(v: &Vec<i64>) -> (k: usize)
    requires
        v.len() > 0,
    ensures
        k < v.len(),
        forall|i: int| 0 <= i < v.len() ==> v[i] <= v[k as int],
        forall|i: int| 0 <= i < k ==> v[i] < v[k as int],
{
    let mut n: usize = 1;
    while n < v.len()
        invariant
            1 <= n <= v.len(),
            forall|i: int| 0 <= i < n ==> v[i] <= v[n - 1],
            forall|i: int| 0 <= i < n - 1 ==> v[i] < v[n - 1],
        decreases v.len() - n,
    {
        assume(forall|i: int| 0 <= i < n ==> v[i] < v[n as int]);
        n = n + 1;
    }
    n - 1
}

fn main() {
}

} // verus!
