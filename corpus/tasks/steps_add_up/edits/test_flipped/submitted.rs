use vstd::prelude::*;

verus! {

pub open spec fn total(s: Seq<int>) -> int
    decreases s.len(),
{
    if s.len() > 0 {
        s.last() + total(s.drop_last())
    } else {
        0
    }
}

pub proof fn steps_add_up(s: Seq<int>, d: Seq<int>)
    requires
        s.len() == d.len() + 1,
        forall|i: int| 0 <= i < d.len() ==> #[trigger] d[i] == s[i + 1] - s[i],
    ensures
        total(d) == s.last() - s[0],
    decreases d.len(),
{
    if d.len() > 0 {
        let t = s.drop_last();
        let e = d.drop_last();
        assert forall|i: int| 0 <= i < e.len() implies #[trigger] e[i] == t[i + 1] - t[i] by {
            assert(d[i] == s[i + 1] - s[i]);
        }
        steps_add_up(t, e);
        assert(d.last() == s[d.len() as int] - s[d.len() - 1]);
        assert(t.last() == s[d.len() - 1]);
    }
}

fn main() {
}

} // verus!
