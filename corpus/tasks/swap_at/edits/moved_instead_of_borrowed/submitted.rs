use vstd::prelude::*;

verus! {

fn swap_at(v: Vec<u64>, i: usize, j: usize) -> (w: Vec<u64>)
    requires
        i < v@.len(),
        j < v@.len(),
    ensures
        w@ == v@.update(i as int, v@[j as int]).update(j as int, v@[i as int]),
{
    let mut w = v;
    let at_i = w[i];
    let at_j = w[j];
    w[i] = at_j;
    w[j] = at_i;
    w
}

fn main() {
}

} // verus!
