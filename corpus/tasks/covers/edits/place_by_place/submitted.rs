use vstd::prelude::*;

verus! {

mod needs {
    use super::*;

    /// Nothing of `want` is missing in `have`.
    pub open spec fn satisfied(have: Set<u8>, want: Set<u8>) -> bool {
        want.subset_of(have)
    }

}

mod offers {
    use super::*;

    /// Something of `want` is in `have`, if anything is wanted.
    pub open spec fn satisfied(have: Set<u8>, want: Set<u8>) -> bool {
        want =~= Set::empty() || !want.disjoint(have)
    }

}

pub mod terms {
    pub use super::needs::*;

}

pub fn has(v: &[u8], x: u8) -> (yes: bool)
    ensures
        yes <==> v@.contains(x),
{
    let mut i: usize = 0;
    while i < v.len()
        invariant
            i <= v@.len(),
            forall|k: int| 0 <= k < i ==> v@[k] != x,
        decreases v@.len() - i,
    {
        if v[i] == x {
            assert(v@[i as int] == x);
            return true;
        }
        i = i + 1;
    }
    false
}

pub fn covers(have: &[u8], want: &[u8]) -> (yes: bool)
    ensures
        yes <==> forall|k: int| 0 <= k < want@.len() ==> have@.contains(#[trigger] want@[k]),
{
    let mut i: usize = 0;
    while i < want.len()
        invariant
            i <= want@.len(),
            forall|k: int| 0 <= k < i ==> have@.contains(#[trigger] want@[k]),
        decreases want@.len() - i,
    {
        if !has(have, want[i]) {
            assert(want@.to_set().contains(want@[i as int]));
            assert(!have@.to_set().contains(want@[i as int]));
            return false;
        }
        i = i + 1;
    }
    assert forall|x: u8| want@.to_set().contains(x) implies have@.to_set().contains(x) by {
        let k = want@.index_of(x);
        assert(have@.contains(want@[k]));
    }
    true
}

fn main() {
}

} // verus!
