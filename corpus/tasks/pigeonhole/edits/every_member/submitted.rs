use vstd::prelude::*;

verus! {

pub proof fn pigeonhole(s: Seq<int>, n: nat)
    requires
        s.len() > n,
        forall|x: int| #[trigger] s.contains(x) ==> 0 <= x < n,
    ensures
        exists|i: int, j: int| 0 <= i < j < s.len() && s[i] == s[j],
    decreases n,
{
    assert forall|i: int| 0 <= i < s.len() implies 0 <= #[trigger] s[i] < n by {
        assert(s.contains(s[i]));
    }
    if n == 0 {
        assert(0 <= s[0] < n);
    } else if exists|k: int| 0 <= k < s.len() && s[k] == n - 1 {
        let k = choose|k: int| 0 <= k < s.len() && s[k] == n - 1;
        if exists|j: int| 0 <= j < s.len() && j != k && s[j] == n - 1 {
            let j = choose|j: int| 0 <= j < s.len() && j != k && s[j] == n - 1;
            if k < j {
                assert(s[k] == s[j]);
            } else {
                assert(s[j] == s[k]);
            }
        } else {
            // without the one entry n - 1 there are still more entries than smaller values
            let t = s.remove(k);
            assert forall|i: int| 0 <= i < t.len() implies 0 <= #[trigger] t[i] < n - 1 by {
                let from = if i < k { i } else { i + 1 };
                assert(t[i] == s[from]);
            }
            assert forall|x: int| #[trigger] t.contains(x) implies 0 <= x < n - 1 by {
                let i = choose|i: int| 0 <= i < t.len() && t[i] == x;
                assert(0 <= t[i] < n - 1);
            }
            pigeonhole(t, (n - 1) as nat);
            let (i, j) = choose|i: int, j: int| 0 <= i < j < t.len() && t[i] == t[j];
            let a = if i < k { i } else { i + 1 };
            let b = if j < k { j } else { j + 1 };
            assert(t[i] == s[a] && t[j] == s[b]);
            assert(0 <= a < b < s.len() && s[a] == s[b]);
        }
    } else {
        assert forall|i: int| 0 <= i < s.len() implies 0 <= #[trigger] s[i] < n - 1 by {
            assert(s[i] != n - 1);
        }
        assert forall|x: int| #[trigger] s.contains(x) implies 0 <= x < n - 1 by {
            let i = choose|i: int| 0 <= i < s.len() && s[i] == x;
            assert(0 <= s[i] < n - 1);
        }
        pigeonhole(s, (n - 1) as nat);
    }
}

fn main() {
}

} // verus!
