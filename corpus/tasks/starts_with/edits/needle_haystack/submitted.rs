use vstd::prelude::*;

verus! {

pub fn starts_with(front: &[u8], whole: &[u8]) -> (b: bool)
    ensures
        b <==> front@.len() <= whole@.len() && forall|i: int| 0 <= i < front@.len() ==> front@[i] == whole@[i],
{
    if front.len() > whole.len() {
        return false;
    }
    let mut i: usize = 0;
    while i < front.len()
        invariant
            i <= front@.len() <= whole@.len(),
            forall|k: int| 0 <= k < i ==> front@[k] == whole@[k],
        decreases front@.len() - i,
    {
        if front[i] != whole[i] {
            return false;
        }
        i = i + 1;
    }
    true
}

fn main() {
}

} // verus!
