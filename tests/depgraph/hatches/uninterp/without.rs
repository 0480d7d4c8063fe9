use vstd::prelude::*;

verus! {

pub trait P {
    spec fn p(&self, x: int) -> bool;
}
proof fn f<T: P>(t: T, x: int)
    ensures
        t.p(x) || !t.p(x),
{
}

} // verus!
