use vstd::prelude::*;

verus! {

/// The place that mirrors `i` in a text of length `n`.
pub open spec fn opposite(n: nat, i: int) -> int {
    n - 1 - i
}

#[cfg(feature = "thorough")]
pub open spec fn palindrome(s: Seq<char>) -> bool {
    forall|i: int| 0 <= i < s.len() ==> #[trigger] s[i] == s[opposite(s.len(), i)]
}

#[cfg(not(feature = "thorough"))]
pub open spec fn palindrome(s: Seq<char>) -> bool {
    s.len() > 0 ==> s[0] == s[opposite(s.len(), 0)]
}

pub fn is_palindrome(text: &[char]) -> (yes: bool)
    ensures
        yes <==> palindrome(text@),
{
    text.len() == 0 || text[0] == text[text.len() - 1]
}

fn main() {
}

} // verus!
