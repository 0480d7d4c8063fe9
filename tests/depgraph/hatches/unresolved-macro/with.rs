use vstd::prelude::*;
macro_rules! odd { ($e:expr) => { let y = $e; }; }

verus! {

fn f(x: u64) -> (r: u64)
    ensures
        r == x,
{
    odd!(x y z);
    x
}

} // verus!
