use vstd::prelude::*;

verus! {

#[verifier::external_body]
fn show(v: &Vec<i32>) {
    println!("{:?}", v);
}

fn mirrored(v: &Vec<i32>) -> (out: Vec<i32>)
    ensures
        out.len() == v.len(),
        forall|i: int| 0 <= i < v.len() ==> #[trigger] out[i] == v[v.len() - 1 - i],
{
    let mut out: Vec<i32> = Vec::new();
    let mut i: usize = v.len();
    while i > 0
        invariant
            i <= v.len(),
            out.len() == v.len() - i,
            forall|k: int| 0 <= k < out.len() ==> #[trigger] out[k] == v[v.len() - 1 - k],
        decreases i,
    {
        i = i - 1;
        out.push(v[i]);
    }
    out
}

fn main() {
}

} // verus!
