use vstd::prelude::*;

verus! {

pub struct Queue {
    pub front: Vec<u32>,
    pub back: Vec<u32>,
}

/// `x` in front of all the rest.
pub open spec fn ahead(x: u32, rest: Seq<u32>) -> Seq<u32> {
    rest + seq![x]
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
                Some(x) => old(self)@ == ahead(x, final(self)@),
                None => old(self)@.len() == 0 && final(self)@ == old(self)@,
            },
    {
        if self.front.len() == 0 {
            assert(self.back@ + self.front@.reverse() =~= old(self)@);
            while self.back.len() > 0
                invariant
                    self.back@ + self.front@.reverse() =~= old(self)@,
                decreases self.back@.len(),
            {
                let ghost front = self.front@;
                let ghost back = self.back@;
                if let Some(x) = self.back.pop() {
                    self.front.push(x);
                    assert(back =~= self.back@.push(x));
                    assert(self.front@.reverse() =~= seq![x] + front.reverse());
                    assert(self.back@ + self.front@.reverse() =~= back + front.reverse());
                }
            }
            assert(self@ =~= old(self)@);
        }
        let ghost front = self.front@;
        let next = self.front.pop();
        proof {
            if let Some(x) = next {
                assert(front.reverse() =~= seq![x] + self.front@.reverse());
                assert(old(self)@ =~= ahead(x, self@));
            }
        }
        next
    }
}

fn main() {
}

} // verus!
