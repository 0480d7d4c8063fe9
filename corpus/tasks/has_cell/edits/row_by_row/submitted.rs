use vstd::prelude::*;

verus! {

fn in_row(row: &Vec<u8>, x: u8) -> (found: bool)
    ensures
        found <==> exists|c: int| 0 <= c < row@.len() && #[trigger] row@[c] == x,
{
    let mut c: usize = 0;
    while c < row.len()
        invariant
            c <= row@.len(),
            forall|k: int| 0 <= k < c ==> #[trigger] row@[k] != x,
        decreases row@.len() - c,
    {
        if row[c] == x {
            assert(row@[c as int] == x);
            return true;
        }
        c = c + 1;
    }
    false
}

fn has_cell(grid: &Vec<Vec<u8>>, x: u8) -> (found: bool)
    ensures
        found <==> exists|r: int, c: int|
            0 <= r < grid@.len() && 0 <= c < grid@[r]@.len() && #[trigger] grid@[r]@[c] == x,
{
    let mut r: usize = 0;
    while r < grid.len()
        invariant
            r <= grid@.len(),
            forall|p: int, c: int|
                0 <= p < r && 0 <= c < grid@[p]@.len() ==> #[trigger] grid@[p]@[c] != x,
        decreases grid@.len() - r,
    {
        if in_row(&grid[r], x) {
            return true;
        }
        r = r + 1;
    }
    false
}

fn main() {
}

} // verus!
