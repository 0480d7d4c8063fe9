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

proof fn peak_of_one_more(s: Seq<u32>, i: int)
    requires
        0 <= i < s.len(),
    ensures
        i == 0 ==> peak(s.take(1)) == s[0],
        i > 0 ==> peak(s.take(i + 1)) == if s[i] > peak(s.take(i)) { s[i] } else { peak(s.take(i)) },
{
    assert(s.take(i + 1).drop_last() =~= s.take(i));
}

fn larger(a: u32, b: u32) -> (m: u32)
    ensures
        m == if a > b { a } else { b },
{
    if a > b {
        a
    } else {
        b
    }
}

pub fn running_max(v: &Vec<u32>) -> (out: Vec<u32>)
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
            peak_of_one_more(v@, i as int);
            if i > 0 {
                assert(out@[i - 1] == peak(v@.take(i as int)));
            }
        }
        if i == 0 {
            out.push(v[i]);
        } else {
            out.push(larger(v[i], out[i - 1]));
        }
        i = i + 1;
    }
    out
}

fn main() {
}

} // verus!
