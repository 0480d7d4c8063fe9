use vstd::prelude::*;

verus! {

fn swap_at(v: &mut Vec<u64>, i: usize, j: usize)
    requires
        i < old(v)@.len(),
        j < old(v)@.len(),
    ensures
        final(v)@.len() == old(v)@.len(),
        final(v)@[i as int] == old(v)@[j as int],
        final(v)@[j as int] == old(v)@[i as int],
        forall|k: int|
            0 <= k < final(v)@.len() && k != i && k != j ==> #[trigger] final(v)@[k] == old(v)@[k],
{
    let at_i = v[i];
    let at_j = v[j];
    v[i] = at_j;
    v[j] = at_i;
}

fn main() {
}

} // verus!
