use vstd::prelude::*;

verus! {

proof fn a_pair(s: Seq<int>)
    ensures
        exists|i: int, j: int| 0 <= i < j < s.len() && s[i] == s[j],
{
    assume(exists|i: int, j: int| 0 <= i < j < s.len() && s[i] == s[j]);
}

proof fn not_injective(s: Seq<int>)
    ensures
        !s.no_duplicates(),
{
    a_pair(s);
}

proof fn counting(s: Seq<int>, n: nat)
    requires
        s.len() > n,
    ensures
        exists|i: int, j: int| 0 <= i < j < s.len() && s[i] == s[j],
{
    not_injective(s);
}

pub proof fn pigeonhole(s: Seq<int>, n: nat)
    requires
        s.len() > n,
        forall|i: int| 0 <= i < s.len() ==> 0 <= #[trigger] s[i] < n,
    ensures
        exists|i: int, j: int| 0 <= i < j < s.len() && s[i] == s[j],
{
    counting(s, n);
}

fn main() {
}

} // verus!
