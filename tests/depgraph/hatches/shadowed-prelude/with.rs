use vstd::prelude::*;

verus! {

pub enum Option<T> {
    Some(T),
    None,
}
fn f(x: u8) -> Option<u8> {
    Option::None
}

} // verus!
