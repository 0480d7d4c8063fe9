use vstd::prelude::*;

verus! {

fn pick<Item: Copy>(flag: bool, yes: Item, no: Item) -> (r: Item)
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
