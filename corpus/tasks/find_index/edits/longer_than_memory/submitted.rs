use vstd::prelude::*;

verus! {

fn find_index(hay: &[u8], needle: u8) -> (r: Option<usize>)
    requires
        hay@.len() > usize::MAX,
    ensures
        match r {
            Some(k) => k < hay@.len() && hay@[k as int] == needle,
            None => forall|i: int| 0 <= i < hay@.len() ==> hay@[i] != needle,
        },
{
    let mut k: usize = 0;
    while k < hay.len()
        invariant
            k <= hay@.len(),
            forall|i: int| 0 <= i < k ==> hay@[i] != needle,
        decreases hay@.len() - k,
    {
        if hay[k] == needle {
            return Some(k);
        }
        k = k + 1;
    }
    None
}

fn main() {
}

} // verus!
