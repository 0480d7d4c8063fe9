use vstd::prelude::*;

verus! {

proof fn f()
    ensures
        false,
{
    verus_builtin::inline_air_stmt("(assume false)");
}

} // verus!
