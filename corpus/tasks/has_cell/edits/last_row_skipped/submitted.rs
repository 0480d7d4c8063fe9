use vstd::prelude::*;

verus! {

fn has_cell(grid: &Vec<Vec<u8>>, x: u8) -> (found: bool)
    ensures
        found <==> exists|r: int, c: int|
            0 <= r < grid@.len() - 1 && 0 <= c < grid@[r]@.len() && #[trigger] grid@[r]@[c] == x,
{
    let mut r: usize = 0;
    while r + 1 < grid.len()
        invariant
            r <= grid@.len(),
            forall|p: int, c: int|
                0 <= p < r && 0 <= c < grid@[p]@.len() ==> #[trigger] grid@[p]@[c] != x,
        decreases grid@.len() - r,
    {
        let mut c: usize = 0;
        while c < grid[r].len()
            invariant
                r < grid@.len(),
                c <= grid@[r as int]@.len(),
                forall|p: int, k: int|
                    0 <= p < r && 0 <= k < grid@[p]@.len() ==> #[trigger] grid@[p]@[k] != x,
                forall|k: int| 0 <= k < c ==> #[trigger] grid@[r as int]@[k] != x,
            decreases grid@[r as int]@.len() - c,
        {
            if grid[r][c] == x {
                assert(grid@[r as int]@[c as int] == x);
                return true;
            }
            c = c + 1;
        }
        r = r + 1;
    }
    false
}

fn main() {
}

} // verus!
