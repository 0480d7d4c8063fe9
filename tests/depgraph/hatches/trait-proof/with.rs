use vstd::prelude::*;

verus! {

pub trait Lawful {
    proof fn law(&self, x: int)
        ensures
            x * x >= 0,
    ;
}
proof fn f<T: Lawful>(t: &T, x: int)
    ensures
        x * x >= 0,
{
    t.law(x);
}

} // verus!
