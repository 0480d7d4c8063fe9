use vstd::prelude::*;

verus! {

fn pick(flag: bool, yes: u64, no: u64) -> (r: u64)
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
