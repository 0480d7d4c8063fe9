use vstd::prelude::*;

verus! {

/// The largest entry of a non-empty sequence.
pub open spec fn peak(s: Seq<u32>) -> u32
    recommends
        s.len() > 0,
    decreases s.len(),
{
    if s.len() <= 1 {
        s[0]
    } else {
        let rest = peak(s.drop_last());
        if s.last() > rest {
            s.last()
        } else {
            rest
        }
    }
}

pub open spec fn running_max(v: &Vec<u32>) -> Vec<u32> {
    choose|out: Vec<u32>|
        out@.len() == v@.len() && forall|i: int|
            0 <= i < v@.len() ==> #[trigger] out@[i] == peak(v@.take(i + 1))
}

fn main() {
}

} // verus!
