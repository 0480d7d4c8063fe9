use vstd::prelude::*;

verus! {

/// One entry, from the two before it.
proof fn one_step(s: Seq<int>, i: int)
    requires
        s.len() >= 2,
        0 <= i < s.len(),
        forall|k: int| 0 < k < s.len() - 1 ==> 2 * #[trigger] s[k] == s[k - 1] + s[k + 1],
    ensures
        s[i] == s[0] + i * (s[1] - s[0]),
    decreases i,
{
    let step = s[1] - s[0];
    if i == 0 {
        assert(i * step == 0) by (nonlinear_arith)
            requires
                i == 0,
        ;
    } else if i == 1 {
        assert(i * step == step) by (nonlinear_arith)
            requires
                i == 1,
        ;
    } else {
        one_step(s, i - 1);
        one_step(s, i - 2);
        assert(2 * s[i - 1] == s[i - 2] + s[i]);
        assert(2 * ((i - 1) * step) - (i - 2) * step == i * step) by (nonlinear_arith);
    }
}

pub proof fn equal_steps(s: Seq<int>)
    requires
        s.len() >= 2,
        forall|i: int| 0 < i < s.len() - 1 ==> 2 * #[trigger] s[i] == s[i - 1] + s[i + 1],
    ensures
        forall|i: int| 0 <= i < s.len() ==> #[trigger] s[i] == s[0] + i * (s[1] - s[0]),
{
    assert forall|i: int| 0 <= i < s.len() implies #[trigger] s[i] == s[0] + i * (s[1] - s[0]) by {
        one_step(s, i);
    }
}

fn main() {
}

} // verus!
