use vstd::prelude::*;

verus! {

/// How much of `by` is beyond `room`.
fn beyond(room: u32, by: u32) -> (lost: u32)
    ensures
        lost == if by <= room { 0 } else { by - room },
{
    #[cfg(not(verus_keep_ghost))]
    let room = by;
    if by <= room {
        0
    } else {
        by - room
    }
}

pub struct Meter {
    pub value: u32,
    pub cap: u32,
}

impl Meter {
    pub open spec fn sound(&self) -> bool {
        self.value <= self.cap
    }

    pub fn new(cap: u32) -> (m: Meter)
        ensures
            m.sound(),
            m.value == 0,
            m.cap == cap,
    {
        Meter { value: 0, cap }
    }

    /// Adds up to the cap; returns what did not fit.
    pub fn add(&mut self, by: u32) -> (lost: u32)
        requires
            old(self).sound(),
        ensures
            final(self).sound(),
            final(self).cap == old(self).cap,
            final(self).value + lost == old(self).value + by,
            lost > 0 ==> final(self).value == final(self).cap,
    {
        let lost = beyond(self.cap - self.value, by);
        self.value = self.value + (by - lost);
        lost
    }

    pub fn drain(&mut self) -> (got: u32)
        requires
            old(self).sound(),
        ensures
            final(self).value == 0,
            final(self).cap == old(self).cap,
            got == old(self).value,
    {
        let got = self.value;
        self.value = 0;
        got
    }
}

fn main() {
}

} // verus!
