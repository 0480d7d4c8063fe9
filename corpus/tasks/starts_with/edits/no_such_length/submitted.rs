use vstd::prelude::*;

verus! {

pub fn starts_with(p: &[u8], s: &[u8]) -> (b: bool)
    requires
        p@.len() < 1,
        p@.len() > 1,
    ensures
        b <==> p@.len() <= s@.len() && forall|i: int| 0 <= i < p@.len() ==> p@[i] == s@[i],
{
    if p.len() > s.len() {
        return false;
    }
    let mut i: usize = 0;
    while i < p.len()
        invariant
            i <= p@.len() <= s@.len(),
            forall|k: int| 0 <= k < i ==> p@[k] == s@[k],
        decreases p@.len() - i,
    {
        if p[i] != s[i] {
            return false;
        }
        i = i + 1;
    }
    true
}

fn main() {
}

} // verus!
