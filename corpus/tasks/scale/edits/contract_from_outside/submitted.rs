use vstd::prelude::*;

verus! {

pub enum ScaleError {
    Zero,
    TooBig,
}

#[verifier::external]
fn times(x: u32, by: u32) -> Result<u32, ScaleError> {
    Ok(x.wrapping_mul(by))
}

#[verifier::external_fn_specification]
fn times_as_believed(x: u32, by: u32) -> (r: Result<u32, ScaleError>)
    ensures
        by == 0 ==> r == Err::<u32, ScaleError>(ScaleError::Zero),
        by != 0 && x * by > u32::MAX ==> r == Err::<u32, ScaleError>(ScaleError::TooBig),
        by != 0 && x * by <= u32::MAX ==> r == Ok::<u32, ScaleError>((x * by) as u32),
{
    times(x, by)
}

pub fn scale(x: u32, by: u32) -> (r: Result<u32, ScaleError>)
    ensures
        by == 0 ==> r == Err::<u32, ScaleError>(ScaleError::Zero),
        by != 0 && x * by > u32::MAX ==> r == Err::<u32, ScaleError>(ScaleError::TooBig),
        by != 0 && x * by <= u32::MAX ==> r == Ok::<u32, ScaleError>((x * by) as u32),
{
    times(x, by)
}

fn main() {
}

} // verus!
