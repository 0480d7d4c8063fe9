use vstd::prelude::*;

verus! {

pub enum Never {}

proof fn absurd(tracked never: Never)
    ensures
        false,
{
    match never {}
}

fn out_of_nothing()
    ensures
        false,
{
    let never: Tracked<Never> = Tracked::assume_new();
    proof {
        absurd(never.get());
    }
}

fn empty_handed() -> (v: Vec<u64>)
    ensures
        false,
{
    out_of_nothing();
    Vec::new()
}

pub fn two_entries(a: u64, b: u64) -> (v: Vec<u64>)
    ensures
        v@ == seq![a, b],
{
    empty_handed()
}

fn main() {
}

} // verus!
