use vstd::prelude::*;

verus! {

fn swap_at(v: &mut Vec<u64>, i: usize, j: usize)
    requires
        i < old(v)@.len(),
        j < old(v)@.len(),
    ensures
        final(v)@ == old(v)@.update(i as int, old(v)@[j as int]).update(j as int, old(v)@[i as int]),
{
    unsafe {
        let at_i = v[i];
        let at_j = v[j];
        v[i] = at_j;
        v[j] = at_i;
    }
}

fn main() {
}

} // verus!
