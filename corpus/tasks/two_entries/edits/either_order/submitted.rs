use vstd::prelude::*;

verus! {

pub fn two_entries(a: u64, b: u64) -> (v: Vec<u64>)
    ensures
        v@ == seq![a, b] || v@ == seq![b, a],
{
    let mut v: Vec<u64> = Vec::new();
    v.push(b);
    v.push(a);
    assert(v@ =~= seq![b, a]);
    v
}

fn main() {
}

} // verus!
