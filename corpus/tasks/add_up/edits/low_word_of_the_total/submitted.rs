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

pub fn add_up(v: &Vec<u32>) -> (r: u64)
    requires
        v@.len() <= 0xffff_ffff,
    ensures
        r as u32 == total(v@) as u32,
{
    let mut r: u64 = 0;
    let mut i: usize = 0;
    while i < v.len()
        invariant
            i <= v@.len() <= 0xffff_ffff,
            r == total(v@.take(i as int)),
            r <= i * 0xffff_ffff,
        decreases v@.len() - i,
    {
        proof {
            assert(v@.take(i + 1).drop_last() =~= v@.take(i as int));
            assert(i * 0xffff_ffff <= 0xffff_fffe * 0xffff_ffff) by (nonlinear_arith)
                requires
                    i < 0xffff_ffff,
            ;
        }
        r = r + v[i] as u64;
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
