use vstd::prelude::*;

verus! {

fn find_index(hay: &[u8], needle: u8) -> (r: Option<usize>)
    requires
        false,
    ensures
        match r {
            Some(k) => k < hay@.len() && hay@[k as int] == needle,
            None => forall|i: int| 0 <= i < hay@.len() ==> hay@[i] != needle,
        },
{
    None
}

fn main() {
}

} // verus!
