use vstd::prelude::*;

verus! {

pub type Minute = u16;

/// One time is over before the other begins.
pub open spec fn apart(a: (Minute, Minute), b: (Minute, Minute)) -> bool {
    a.1 <= b.0 || b.1 <= a.0
}

pub fn room_free(booked: &[(Minute, Minute)], until: Minute, from: Minute) -> (free: bool)
    requires
        from < until,
        forall|i: int| 0 <= i < booked@.len() ==> (#[trigger] booked@[i]).0 < booked@[i].1,
    ensures
        free <==> forall|i: int| 0 <= i < booked@.len() ==> apart(#[trigger] booked@[i], (from, until)),
{
    let mut i: usize = 0;
    while i < booked.len()
        invariant
            i <= booked@.len(),
            forall|k: int| 0 <= k < i ==> apart(#[trigger] booked@[k], (from, until)),
        decreases booked@.len() - i,
    {
        let (start, end) = booked[i];
        if start < until && from < end {
            assert(!apart(booked@[i as int], (from, until)));
            return false;
        }
        i = i + 1;
    }
    true
}

fn main() {
}

} // verus!
