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

#[verifier::external_body]
proof fn last_is_peak(s: Seq<u32>)
    ensures
        peak(s) == s.last(),
{
}

proof fn entry_is_peak(s: Seq<u32>, i: int)
    requires
        0 <= i < s.len(),
    ensures
        peak(s.take(i + 1)) == s[i],
{
    last_is_peak(s.take(i + 1));
}

fn copied(v: &Vec<u32>) -> (out: Vec<u32>)
    ensures
        out@.len() == v@.len(),
        forall|i: int| 0 <= i < v@.len() ==> #[trigger] out@[i] == peak(v@.take(i + 1)),
{
    let mut out: Vec<u32> = Vec::new();
    let mut i: usize = 0;
    while i < v.len()
        invariant
            i <= v@.len(),
            out@.len() == i,
            forall|k: int| 0 <= k < i ==> #[trigger] out@[k] == peak(v@.take(k + 1)),
        decreases v@.len() - i,
    {
        proof {
            entry_is_peak(v@, i as int);
        }
        out.push(v[i]);
        i = i + 1;
    }
    out
}

pub fn running_max(v: &Vec<u32>) -> (out: Vec<u32>)
    ensures
        out@.len() == v@.len(),
        forall|i: int| 0 <= i < v@.len() ==> #[trigger] out@[i] == peak(v@.take(i + 1)),
{
    copied(v)
}

fn main() {
}

} // verus!
