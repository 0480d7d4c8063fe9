use vstd::prelude::*;

verus! {

pub type Cell = i16;

/// Every row has `width` entries.
pub open spec fn rectangular(m: Seq<Vec<Cell>>, width: int) -> bool {
    forall|r: int| 0 <= r < m.len() ==> (#[trigger] m[r])@.len() == width
}

pub open spec fn entry(m: Seq<Vec<Cell>>, row: int, column: int) -> Cell {
    m[row]@[column]
}

pub fn transpose(m: &Vec<Vec<Cell>>, columns: usize) -> (t: Vec<Vec<Cell>>)
    requires
        rectangular(m@, columns as int),
    ensures
        t@.len() == columns,
        rectangular(t@, m@.len() as int),
        forall|r: int, c: int|
            0 <= r < m@.len() && 0 <= c < columns ==> #[trigger] entry(t@, c, r) == entry(m@, r, c),
{
    let mut t: Vec<Vec<Cell>> = Vec::new();
    let mut c: usize = 0;
    while c < columns
        invariant
            c <= columns,
            rectangular(m@, columns as int),
            t@.len() == c,
            rectangular(t@, m@.len() as int),
            forall|r: int, k: int|
                0 <= r < m@.len() && 0 <= k < c ==> #[trigger] entry(t@, k, r) == entry(m@, r, k),
        decreases columns - c,
    {
        let mut column: Vec<Cell> = Vec::new();
        let mut r: usize = 0;
        while r < m.len()
            invariant
                c < columns,
                r <= m@.len(),
                rectangular(m@, columns as int),
                column@.len() == r,
                forall|p: int| 0 <= p < r ==> #[trigger] column@[p] == entry(m@, p, c as int),
            decreases m@.len() - r,
        {
            assert(m@[r as int]@.len() == columns);
            column.push(m[r][c]);
            r = r + 1;
        }
        let ghost before = t@;
        t.push(column);
        assert forall|p: int, k: int| 0 <= p < m@.len() && 0 <= k < c + 1 implies #[trigger] entry(t@, k, p)
            == entry(m@, p, k) by {
            if k < c {
                assert(t@[k] == before[k]);
                assert(entry(before, k, p) == entry(m@, p, k));
            }
        }
        c = c + 1;
    }
    t
}

fn main() {
}

} // verus!
