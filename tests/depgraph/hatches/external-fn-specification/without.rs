use vstd::prelude::*;

verus! {

fn ext(x: u64) -> (r: u64)
    ensures
        r == x,
{
    x
}
fn ext_spec(x: u64) -> (r: u64)
    ensures
        r == x,
{
    ext(x)
}
fn f(x: u64) -> (r: u64)
    ensures
        r == x,
{
    ext(x)
}

} // verus!
