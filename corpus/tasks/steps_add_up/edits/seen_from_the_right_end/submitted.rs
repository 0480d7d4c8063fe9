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

pub proof fn steps_add_up(s: Seq<int>, d: Seq<int>)
    requires
        s.len() == d.len() + 1,
        forall|j: int| 1 <= j <= d.len() ==> d[j - 1] == #[trigger] s[j] - s[j - 1],
    ensures
        total(d) == s.last() - s[0],
    decreases d.len(),
{
    if d.len() > 0 {
        let t = s.drop_last();
        let e = d.drop_last();
        assert forall|j: int| 1 <= j <= e.len() implies e[j - 1] == #[trigger] t[j] - t[j - 1] by {
            assert(d[j - 1] == s[j] - s[j - 1]);
        }
        steps_add_up(t, e);
        assert(d.last() == s[d.len() as int] - s[d.len() - 1]);
        assert(t.last() == s[d.len() - 1]);
    }
}

fn main() {
}

} // verus!
