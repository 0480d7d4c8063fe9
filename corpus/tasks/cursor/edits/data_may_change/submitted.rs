use vstd::prelude::*;

verus! {

pub struct Cursor {
    pub data: Vec<u64>,
    pub at: usize,
}

impl View for Cursor {
    type V = Seq<u64>;

    open spec fn view(&self) -> Seq<u64> {
        self.data@.skip(self.at as int)
    }
}

impl Cursor {
    pub open spec fn in_bounds(&self) -> bool {
        self.at <= self.data@.len()
    }

    pub fn over(data: Vec<u64>) -> (c: Cursor)
        ensures
            c.in_bounds(),
            c.data == data,
            c.at == 0,
    {
        Cursor { data, at: 0 }
    }

    pub fn next(&mut self) -> (w: Option<u64>)
        requires
            old(self).in_bounds(),
        ensures
            final(self).in_bounds(),
            old(self)@.len() == 0 ==> w is None && final(self)@ == old(self)@,
            old(self)@.len() > 0 ==> w == Some(old(self)@[0]) && final(self)@ == old(self)@.skip(1),
    {
        if self.at < self.data.len() {
            let w = self.data[self.at];
            self.at = self.at + 1;
            assert(self@ =~= old(self)@.skip(1));
            Some(w)
        } else {
            None
        }
    }

    pub fn left(&self) -> (n: usize)
        requires
            self.in_bounds(),
        ensures
            n == self@.len(),
    {
        self.data.len() - self.at
    }
}

fn main() {
}

} // verus!
