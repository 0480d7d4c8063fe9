use vstd::prelude::*;

verus! {

pub open spec fn total(s: Seq<u32>) -> int
    decreases s.len(),
{
    if s.len() == 0 {
        0
    } else {
        total(s.drop_last()) + s.last()
    }
}

proof fn total_in_range(s: Seq<u32>)
    ensures
        0 <= total(s) <= s.len() * 0xffff_ffff,
    decreases s.len(),
{
    if s.len() > 0 {
        total_in_range(s.drop_last());
    }
}

proof fn total_fits(s: Seq<u32>)
    requires
        s.len() <= 0xffff_ffff,
    ensures
        0 <= total(s) <= 0xffff_ffff * 0xffff_ffff,
{
    total_in_range(s);
    assert(s.len() * 0xffff_ffff <= 0xffff_ffff * 0xffff_ffff) by (nonlinear_arith)
        requires
            s.len() <= 0xffff_ffff,
    ;
}

/// The total of one entry more.
fn one_more(v: &Vec<u32>, i: usize, before: u64) -> (r: u64)
    requires
        i < v@.len() <= 0xffff_ffff,
        before == total(v@.take(i as int)),
    ensures
        r == total(v@.take(i + 1)),
{
    proof {
        assert(v@.take(i + 1).drop_last() =~= v@.take(i as int));
        total_fits(v@.take(i + 1));
    }
    before + v[i] as u64
}

pub fn add_up(v: &Vec<u32>) -> (r: u64)
    requires
        v@.len() <= 0xffff_ffff,
    ensures
        r == total(v@),
{
    let mut r: u64 = 0;
    let mut i: usize = 0;
    while i < v.len()
        invariant
            i <= v@.len() <= 0xffff_ffff,
            r == total(v@.take(i as int)),
        decreases v@.len() - i,
    {
        r = one_more(v, i, r);
        i = i + 1;
    }
    proof {
        assert(v@.take(i as int) =~= v@);
    }
    r
}

fn main() {
}

} // verus!
