use vstd::prelude::*;

verus! {

pub fn scale(x: u32, by: u32) -> (r: Result<u32, ()>)
    ensures
        by == 0 ==> r is Err,
        by != 0 && x * by > u32::MAX ==> r is Err,
        by != 0 && x * by <= u32::MAX ==> r == Ok::<u32, ()>((x * by) as u32),
{
    if by == 0 {
        return Err(());
    }
    match x.checked_mul(by) {
        Some(product) => Ok(product),
        None => Err(()),
    }
}

fn main() {
}

} // verus!
