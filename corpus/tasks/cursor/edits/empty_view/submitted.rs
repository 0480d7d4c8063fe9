use vstd::prelude::*;

verus! {

pub struct Cursor {
    pub data: Vec<u64>,
    pub at: usize,
}

impl View for Cursor {
    type V = Seq<u64>;

    open spec fn view(&self) -> Seq<u64> {
        self.data@.subrange(self.at as int, self.at as int)
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
            final(self).data@ == old(self).data@,
            old(self)@.len() == 0 ==> w is None && final(self)@ == old(self)@,
            old(self)@.len() > 0 ==> w == Some(old(self)@[0]) && final(self)@ == old(self)@.skip(1),
    {
        None
    }

    pub fn left(&self) -> (n: usize)
        requires
            self.in_bounds(),
        ensures
            n == self@.len(),
    {
        0
    }
}

fn main() {
}

} // verus!
