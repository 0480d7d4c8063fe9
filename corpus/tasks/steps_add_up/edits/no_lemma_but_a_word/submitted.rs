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

pub open spec fn steps_add_up(s: Seq<int>, d: Seq<int>) -> bool {
    s.len() == d.len() + 1 ==> (forall|i: int| 0 <= i < d.len() ==> #[trigger] d[i] == s[i + 1] - s[i]) ==> total(d) == s.last() - s[0]
}

fn main() {
}

} // verus!
