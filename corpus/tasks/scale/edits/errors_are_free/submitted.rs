use vstd::prelude::*;

verus! {

pub enum ScaleError {
    Zero,
    TooBig,
}

pub fn scale(x: u32, by: u32) -> (r: Result<u32, ScaleError>)
    ensures
        match r {
            Ok(product) => by != 0 && product == x * by,
            Err(_) => true,
        },
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
