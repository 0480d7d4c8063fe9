use vstd::prelude::*;

verus! {

fn pick<T>(flag: bool, yes: T, no: T) -> (r: T) where T: Copy
    ensures
        flag ==> r == yes,
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
