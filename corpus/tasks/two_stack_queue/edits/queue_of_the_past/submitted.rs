use vstd::prelude::*;

verus! {

pub struct Queue {
    pub front: Vec<u32>,
    pub back: Vec<u32>,
}

/// `x` in front of all the rest.
pub open spec fn ahead(x: u32, rest: Seq<u32>) -> Seq<u32> {
    seq![x] + rest
}

impl View for Queue {
    type V = Seq<u32>;

    open spec fn view(&self) -> Seq<u32> {
        self.front@.reverse() + self.back@
    }
}

impl Queue {
    pub fn enqueue(&mut self, x: u32)
        ensures
            final(self)@ == old(self)@.push(x),
    {
        self.back.push(x);
        assert(self@ =~= old(self)@.push(x));
    }

    pub fn dequeue(&mut self) -> (next: Option<u32>)
        ensures
            match next {
                Some(x) => old(self)@.len() > 0 && old(self)@ == ahead(x, old(self)@.skip(1)),
                None => old(self)@.len() == 0 && final(self)@ == old(self)@,
            },
    {
        let next = if self.front.len() > 0 {
            Some(self.front[self.front.len() - 1])
        } else if self.back.len() > 0 {
            Some(self.back[0])
        } else {
            None
        };
        assert(next is Some ==> old(self)@ =~= ahead(next->0, old(self)@.skip(1)));
        next
    }
}

fn main() {
}

} // verus!
