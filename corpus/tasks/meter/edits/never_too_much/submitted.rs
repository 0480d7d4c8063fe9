use vstd::prelude::*;

verus! {

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
        assume(self.value + by <= self.cap);
        self.value = self.value + by;
        0
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
