use vstd::prelude::*;

verus! {

pub struct Stack {
    pub items: Vec<i64>,
    pub room: usize,
}

impl View for Stack {
    type V = Seq<i64>;

    open spec fn view(&self) -> Seq<i64> {
        self.items@
    }
}

impl Stack {
    pub open spec fn fits(&self) -> bool {
        self.items@.len() <= self.room
    }

    pub fn push(&mut self, x: i64) -> (done: bool)
        requires
            old(self).fits(),
        ensures
            final(self).fits(),
            final(self).room == old(self).room,
            done <==> old(self)@.len() < old(self).room,
            done ==> final(self)@ == old(self)@.push(x),
            !done ==> final(self)@ == old(self)@,
    {
        if self.items.len() < self.room {
            self.items.push(x);
            true
        } else {
            false
        }
    }

    pub fn pop(&mut self) -> (top: Option<i64>)
        requires
            old(self).fits(),
        ensures
            final(self).fits(),
            final(self).room == old(self).room,
            match top {
                Some(x) => {
                    &&& 0 < old(self)@.len()
                    &&& x == old(self)@.last()
                    &&& final(self)@ =~= old(self)@.drop_last()
                },
                None => old(self)@.len() == 0 && final(self)@ == old(self)@,
            },
    {
        let top = self.items.pop();
        assert(top is Some ==> old(self)@ =~= self@.push(top->0));
        top
    }
}

fn main() {
}

} // verus!
