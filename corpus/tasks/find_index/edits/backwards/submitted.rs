use vstd::prelude::*;

verus! {

fn find_index(hay: &[u8], needle: u8) -> (r: Option<usize>)
    ensures
        r is Some ==> r->0 < hay@.len() && hay@[r->0 as int] == needle,
        (forall|i: int| 0 <= i < hay@.len() ==> hay@[i] != needle) ==> r is None,
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
