use vstd::prelude::*;

verus! {

#[cfg(test)]
mod tests {
    fn f(x: u64) -> u64 {
        x
    }
}
fn f(x: u64) -> (r: u64)
    ensures
        r == x,
{
    x
}

} // verus!
