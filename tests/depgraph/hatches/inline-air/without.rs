use vstd::prelude::*;

verus! {

fn f() -> (r: &'static str) {
    "verus_builtin::inline_air_stmt(assume false)"
}

} // verus!
