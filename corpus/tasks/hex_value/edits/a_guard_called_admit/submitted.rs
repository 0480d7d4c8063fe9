use vstd::prelude::*;

verus! {

pub open spec fn decimal(c: char) -> bool {
    '0' <= c && c <= '9'
}

pub open spec fn letter(c: char) -> bool {
    'a' <= c && c <= 'f'
}

/// Lets hexadecimal digits in.
fn admit(c: char) -> (ok: bool)
    ensures
        ok <==> decimal(c) || letter(c),
{
    '0' <= c && c <= '9' || 'a' <= c && c <= 'f'
}

pub fn hex_value(c: char) -> (r: Option<u8>)
    ensures
        decimal(c) ==> r == Some((c as u32 - 48) as u8),
        letter(c) ==> r == Some((c as u32 - 87) as u8),
        !decimal(c) && !letter(c) ==> r is None,
{
    if admit(c) {
        if c <= '9' {
            Some((c as u32 - 48) as u8)
        } else {
            Some((c as u32 - 87) as u8)
        }
    } else {
        None
    }
}

fn main() {
}

} // verus!
