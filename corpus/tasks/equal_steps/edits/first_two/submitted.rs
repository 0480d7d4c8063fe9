use vstd::prelude::*;

verus! {

pub proof fn equal_steps(s: Seq<int>)
    requires
        s.len() >= 2,
        forall|i: int| 0 < i < s.len() - 1 ==> 2 * #[trigger] s[i] == s[i - 1] + s[i + 1],
    ensures
        forall|i: int| 0 <= i < 2 ==> #[trigger] s[i] == s[0] + i * (s[1] - s[0]),
{
    assert(0 * (s[1] - s[0]) == 0 && 1 * (s[1] - s[0]) == s[1] - s[0]) by (nonlinear_arith);
}

fn main() {
}

} // verus!
