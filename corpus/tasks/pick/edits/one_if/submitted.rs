use vstd::prelude::*;

verus! {

fn pick<T: Copy>(flag: bool, yes: T, no: T) -> (r: T)
    ensures
        r == if flag { yes } else { no },
{
    if flag {
        yes
    } else {
        no
    }
}

fn main() {
}

} // verus!
