use vstd::prelude::*;

verus! {

pub enum ScaleError {
    Zero,
    TooBig,
}

pub fn scale(x: u32, by: u32) -> (r: Result<u32, ScaleError>)
    ensures
        by == 0 ==> r is Err && r->Err_0 is Zero,
        by != 0 && x * by > u32::MAX ==> r is Err && r->Err_0 is TooBig,
        by != 0 && x * by <= u32::MAX ==> r is Ok && r->Ok_0 == x * by,
{
    if by == 0 {
        return Err(ScaleError::Zero);
    }
    match x.checked_mul(by) {
        Some(product) => Ok(product),
        None => Err(ScaleError::TooBig),
    }
}

fn main() {
}

} // verus!
