use vstd::prelude::*;

verus! {

pub const MOST: usize = 0x10000;

pub open spec fn square(m: Seq<Vec<u32>>) -> bool {
    forall|r: int| 0 <= r < m.len() ==> (#[trigger] m[r])@.len() == m.len()
}

/// The first `n` entries of the diagonal together.
pub open spec fn trace(m: Seq<Vec<u32>>, n: nat) -> nat
    decreases n,
{
    if n <= 1 {
        0
    } else {
        trace(m, (n - 1) as nat) + m[n - 1]@[n - 1] as nat
    }
}

pub fn diagonal_sum(m: &Vec<Vec<u32>>) -> (total: u64)
    requires
        square(m@),
        m@.len() <= MOST,
    ensures
        total == trace(m@, m@.len()),
{
    let mut total: u64 = 0;
    let mut i: usize = 0;
    while i < m.len()
        invariant
            i <= m@.len(),
            m@.len() <= MOST,
            square(m@),
            total == trace(m@, i as nat),
            total <= i * 0xffff_ffff,
        decreases m@.len() - i,
    {
        assert(m@[i as int]@.len() == m@.len());
        total = total + m[i][i] as u64;
        i = i + 1;
    }
    total
}

fn main() {
}

} // verus!
