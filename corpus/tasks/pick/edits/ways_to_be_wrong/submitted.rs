use vstd::prelude::*;

verus! {

fn pick<T: Copy>(flag: bool, yes: T, no: T) -> (r: T)
    ensures
        !(flag && r != yes),
        !flag ==> r == no,
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
