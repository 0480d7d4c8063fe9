use vstd::prelude::*;

verus! {

pub proof fn last_is_largest(s: Seq<int>)
    requires
        forall|i: int, j: int| 0 <= i < j < s.len() ==> s[i] <= s[j],
        s.len() > 0,
    ensures
        forall|i: int| 0 <= i < s.len() ==> s[i] <= s.last(),
{
    assert forall|i: int| 0 <= i < s.len() implies s[i] <= s.last() by {
        if i < s.len() - 1 {
            assert(s[i] <= s[s.len() - 1]);
        }
    }
}

fn main() {
}

} // verus!
