use vstd::prelude::*;

verus! {

#[rustc_diagnostic_item = "verus::verus_builtin::assert_"]
pub proof fn odd(b: bool)
{
}
proof fn f() {
    odd(true);
}

} // verus!
