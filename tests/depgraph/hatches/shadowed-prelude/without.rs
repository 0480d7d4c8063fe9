use vstd::prelude::*;

verus! {

pub enum Choice<T> {
    Some(T),
    None,
}
fn f(x: u8) -> Choice<u8> {
    Choice::None
}

} // verus!
