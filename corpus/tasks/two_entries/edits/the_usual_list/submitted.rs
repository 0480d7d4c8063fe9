use vstd::prelude::*;

verus! {

pub struct Usual {
    pub entries: Vec<u64>,
}

impl Default for Usual {
    #[verifier::external_body]
    fn default() -> (u: Usual)
        ensures
            false,
    {
        Usual { entries: Vec::new() }
    }
}

pub fn two_entries(a: u64, b: u64) -> (v: Vec<u64>)
    ensures
        v@ == seq![a, b],
{
    let usual: Usual = Default::default();
    Vec::new()
}

fn main() {
}

} // verus!
