use vstd::prelude::*;

verus! {

fn pick<T: Copy>(flag: bool, yes: T, no: T) -> (r: T)
    ensures
        r == yes || r == no,
{
    yes
}

fn main() {
}

} // verus!
