use vstd::prelude::*;

verus! {

#[verifier::exec_allows_no_decreases_clause]
fn reflection(v: &Vec<i32>) -> (out: Vec<i32>)
    ensures
        out.len() == v.len(),
        forall|i: int| 0 <= i < v.len() ==> #[trigger] out[i] == v[v.len() - 1 - i],
{
    loop {
    }
}

fn mirrored(v: &Vec<i32>) -> (out: Vec<i32>)
    ensures
        out.len() == v.len(),
        forall|i: int| 0 <= i < v.len() ==> #[trigger] out[i] == v[v.len() - 1 - i],
{
    reflection(v)
}

fn main() {
}

} // verus!
