use vstd::prelude::*;

verus! {

fn swap_at(v: &mut Vec<u64>, i: usize, j: usize)
    requires
        i < old(v)@.len(),
        j < old(v)@.len(),
    ensures
        final(v)@.to_multiset() == old(v)@.to_multiset(),
{
}

fn main() {
}

} // verus!
