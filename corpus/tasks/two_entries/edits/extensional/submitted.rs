use vstd::prelude::*;

verus! {

pub fn two_entries(a: u64, b: u64) -> (v: Vec<u64>)
    ensures
        v@ =~= seq![a, b],
{
    let mut v: Vec<u64> = Vec::new();
    v.push(a);
    v.push(b);
    assert(v@ =~= seq![a, b]);
    v
}

fn main() {
}

} // verus!
