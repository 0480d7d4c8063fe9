use vstd::prelude::*;

verus! {

pub trait Lawful {
    proof fn law(&self, x: int)
        ensures
            x >= x,
    {
    }
}
proof fn f<T: Lawful>(t: &T, x: int)
    ensures
        x >= x,
{
    t.law(x);
}

} // verus!
