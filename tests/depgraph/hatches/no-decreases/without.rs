use vstd::prelude::*;

verus! {

#[verifier::exec_allows_no_decreases_clause]
fn f(n: u64) -> (r: u64)
    ensures
        r == n,
{
    let mut i: u64 = 0;
    while i < n
        invariant
            i <= n,
        decreases n - i,
    {
        i = i + 1;
    }
    for j in 0..n {
    }
    i
}

} // verus!
