use vstd::prelude::*;

verus! {

pub enum ScaleError {
    Zero,
    TooBig,
}

pub fn scale(x: u32, by: u32) -> (r: Result<u32, ScaleError>)
    ensures
        by == 0 ==> r == Err::<u32, ScaleError>(ScaleError::Zero),
        by != 0 ==> if x * by > u32::MAX {
            r == Err::<u32, ScaleError>(ScaleError::TooBig)
        } else {
            r == Ok::<u32, ScaleError>((x * by) as u32)
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
