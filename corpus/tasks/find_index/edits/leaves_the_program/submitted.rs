use vstd::prelude::*;

verus! {

#[verifier::assume(externals_available_without_declaration)]
fn find_index(hay: &[u8], needle: u8) -> (r: Option<usize>)
    ensures
        match r {
            Some(k) => k < hay@.len() && hay@[k as int] == needle,
            None => forall|i: int| 0 <= i < hay@.len() ==> hay@[i] != needle,
        },
{
    std::process::exit(0)
}

fn main() {
}

} // verus!
