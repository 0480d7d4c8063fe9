use vstd::prelude::*;

verus! {

pub proof fn two_crowds(all: Set<int>, a: Set<int>, b: Set<int>)
    requires
        all.finite(),
        a.subset_of(all),
        b.subset_of(all),
        a.len() + b.len() > all.len(),
    ensures
        exists|x: int| #[trigger] a.contains(x) ==> b.contains(x),
{
}

fn main() {
}

} // verus!
