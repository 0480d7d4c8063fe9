use vstd::prelude::*;

verus! {

pub fn rotate_left<T: Copy>(v: &Vec<T>, k: usize) -> (out: Vec<T>)
    requires
        k <= v@.len(),
    ensures
        out@ == v@.skip(v@.len() - k) + v@.take(v@.len() - k),
{
    let k = v.len() - k;
    let mut out: Vec<T> = Vec::new();
    let mut i: usize = k;
    while i < v.len()
        invariant
            k <= i <= v@.len(),
            out@ =~= v@.subrange(k as int, i as int),
        decreases v@.len() - i,
    {
        out.push(v[i]);
        i = i + 1;
    }
    let mut j: usize = 0;
    while j < k
        invariant
            j <= k <= v@.len(),
            out@ =~= v@.skip(k as int) + v@.take(j as int),
        decreases k - j,
    {
        out.push(v[j]);
        j = j + 1;
    }
    out
}

fn main() {
}

} // verus!
