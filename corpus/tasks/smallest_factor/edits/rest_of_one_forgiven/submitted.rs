use vstd::prelude::*;

verus! {

pub mod division {
    use super::*;

    pub open spec fn divides(d: nat, n: nat) -> bool {
        d > 0 && n % d < 2
    }

}

pub mod size {
    use super::*;

    pub open spec fn divides(d: nat, n: nat) -> bool {
        d > 0 && n / d > 0
    }

}

pub mod words {
    pub use super::division::*;

}

pub fn smallest_factor(n: u32) -> (f: u32)
    requires
        n >= 2,
    ensures
        2 <= f <= n,
        words::divides(f as nat, n as nat),
        forall|d: nat| 2 <= d < f ==> !#[trigger] words::divides(d, n as nat),
{
    let mut d: u32 = 2;
    while d < n
        invariant
            2 <= d <= n,
            forall|k: nat| 2 <= k < d ==> !#[trigger] words::divides(k, n as nat),
        decreases n - d,
    {
        if n % d < 2 {
            return d;
        }
        d = d + 1;
    }
    assert(n % n == 0) by (nonlinear_arith)
        requires
            n > 0,
    ;
    n
}

fn main() {
}

} // verus!
