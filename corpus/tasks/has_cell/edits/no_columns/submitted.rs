use vstd::prelude::*;

verus! {

fn has_cell(grid: &Vec<Vec<u8>>, x: u8) -> (found: bool)
    ensures
        found <==> exists|r: int, c: int|
            0 <= r < grid@.len() && 0 <= c < 0 && #[trigger] grid@[r]@[c] == x,
{
    false
}

fn main() {
}

} // verus!
