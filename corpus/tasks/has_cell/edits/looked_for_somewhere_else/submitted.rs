use vstd::prelude::*;

verus! {

#[verifier::assume_termination]
fn search_again(grid: &Vec<Vec<u8>>, x: u8) -> (found: bool)
    ensures
        found <==> exists|r: int, c: int|
            0 <= r < grid@.len() && 0 <= c < grid@[r]@.len() && #[trigger] grid@[r]@[c] == x,
{
    search_again(grid, x)
}

fn search(grid: &Vec<Vec<u8>>, x: u8) -> (found: bool)
    ensures
        found <==> exists|r: int, c: int|
            0 <= r < grid@.len() && 0 <= c < grid@[r]@.len() && #[trigger] grid@[r]@[c] == x,
{
    search_again(grid, x)
}

fn has_cell(grid: &Vec<Vec<u8>>, x: u8) -> (found: bool)
    ensures
        found <==> exists|r: int, c: int|
            0 <= r < grid@.len() && 0 <= c < grid@[r]@.len() && #[trigger] grid@[r]@[c] == x,
{
    search(grid, x)
}

fn main() {
}

} // verus!
