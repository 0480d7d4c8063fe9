use vstd::prelude::*;

verus! {

fn pick<T: Copy>(flag: bool, yes: T, no: T) -> (r: T)
    ensures
        r == yes ==> flag || yes == no,
        !flag ==> r == no,
{
    no
}

fn main() {
}

} // verus!
