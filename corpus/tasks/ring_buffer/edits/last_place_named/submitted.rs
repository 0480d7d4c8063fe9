use vstd::prelude::*;

verus! {

pub struct Ring {
    pub slots: Vec<u32>,
    pub head: usize,
    pub count: usize,
}

/// The slot that is `i` steps after `head` in a ring of `n` slots.
pub open spec fn slot(head: int, i: int, n: int) -> int {
    if head + i < n {
        head + i
    } else {
        head + i - n
    }
}

impl View for Ring {
    type V = Seq<u32>;

    open spec fn view(&self) -> Seq<u32> {
        Seq::new(self.count as nat, |i: int| self.slots@[slot(self.head as int, i, self.slots@.len() as int)])
    }
}

impl Ring {
    pub open spec fn sound(&self) -> bool {
        &&& self.slots@.len() <= 0x7fff_ffff
        &&& self.head < self.slots@.len()
        &&& self.count <= self.slots@.len()
    }

    pub open spec fn full(&self) -> bool {
        self.count == self.slots@.len()
    }

    pub fn put(&mut self, x: u32) -> (done: bool)
        requires
            old(self).sound(),
        ensures
            final(self).sound(),
            final(self).slots@.len() == old(self).slots@.len(),
            done == !old(self).full(),
            done ==> final(self)@ == old(self)@.push(x),
            done ==> final(self)@.len() > 0 && final(self)@.last() == x,
            !done ==> final(self)@ == old(self)@,
    {
        let n = self.slots.len();
        if self.count == n {
            return false;
        }
        let mut at = self.head + self.count;
        if at >= n {
            at = at - n;
        }
        self.slots[at] = x;
        self.count = self.count + 1;
        assert(self@ =~= old(self)@.push(x));
        true
    }

    pub fn take(&mut self) -> (next: Option<u32>)
        requires
            old(self).sound(),
        ensures
            final(self).sound(),
            final(self).slots@.len() == old(self).slots@.len(),
            match next {
                Some(x) => old(self)@ == seq![x] + final(self)@,
                None => old(self).count == 0 && final(self)@ == old(self)@,
            },
    {
        if self.count == 0 {
            return None;
        }
        let x = self.slots[self.head];
        self.head = self.head + 1;
        if self.head == self.slots.len() {
            self.head = 0;
        }
        self.count = self.count - 1;
        assert(old(self)@ =~= seq![x] + self@);
        Some(x)
    }
}

fn main() {
}

} // verus!
