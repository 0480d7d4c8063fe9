use vstd::prelude::*;

verus! {

#[verifier::external_body]
proof fn order_reaches_the_end(s: Seq<int>)
    requires
        s.len() > 0,
    ensures
        forall|i: int| 0 <= i < s.len() ==> s[i] <= s.last(),
{
}

pub proof fn last_is_largest(s: Seq<int>)
    requires
        s.len() > 0,
        forall|i: int, j: int| 0 <= i < j < s.len() ==> s[i] <= s[j],
    ensures
        forall|i: int| 0 <= i < s.len() ==> s[i] <= s.last(),
{
    order_reaches_the_end(s);
}

fn main() {
}

} // verus!
