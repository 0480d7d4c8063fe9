use vstd::prelude::*;

verus! {

pub proof fn two_crowds(all: Set<int>, a: Set<int>, b: Set<int>)
    requires
        all.finite(),
        a.subset_of(all),
        b.subset_of(all),
        a.len() + b.len() > all.len(),
    ensures
        !a.disjoint(b),
{
    vstd::set_lib::lemma_len_subset(a, all);
    vstd::set_lib::lemma_len_subset(b, all);
    if a.disjoint(b) {
        let both = a + b;
        vstd::set_lib::lemma_set_disjoint_lens(a, b);
        assert(both.subset_of(all));
        vstd::set_lib::lemma_len_subset(both, all);
    } else {
        let x = choose|x: int| #[trigger] a.contains(x) && b.contains(x);
        assert(a.contains(x) && b.contains(x));
    }
}

fn main() {
}

} // verus!
