use vstd::prelude::*;

verus! {

pub struct Registry {
    pub keys: Vec<u8>,
    pub values: Vec<u32>,
}

/// What the pairs say; of two pairs with one key the later counts.
pub open spec fn table(keys: Seq<u8>, values: Seq<u32>) -> Map<u8, u32>
    decreases keys.len(),
{
    if keys.len() == 0 {
        Map::empty()
    } else {
        table(keys.drop_last(), values.drop_last()).insert(keys.last(), values.last())
    }
}

impl View for Registry {
    type V = Map<u8, u32>;

    open spec fn view(&self) -> Map<u8, u32> {
        table(self.keys@, self.values@)
    }
}

impl Registry {
    pub open spec fn paired(&self) -> bool {
        self.keys@.len() == self.values@.len()
    }

    pub fn note(&mut self, key: u8, value: u32)
        requires
            old(self).paired(),
        ensures
            final(self).paired(),
            final(self)@ == old(self)@.insert(key, value),
    {
        self.keys.push(key);
        self.values.push(value);
        assert(self.keys@.drop_last() =~= old(self).keys@);
        assert(self.values@.drop_last() =~= old(self).values@);
    }

    pub fn get(&self, key: u8) -> (found: Option<u32>)
        requires
            self.paired(),
        ensures
            self@.dom().contains(key) ==> found is Some,
            !self@.dom().contains(key) ==> found is None,
            found is Some ==> found->0 == self@[key],
    {
        let mut i: usize = self.keys.len();
        assert(self.keys@.take(i as int) =~= self.keys@);
        assert(self.values@.take(i as int) =~= self.values@);
        while i > 0
            invariant
                i <= self.keys@.len(),
                self.paired(),
                self@.dom().contains(key) <==> table(
                    self.keys@.take(i as int),
                    self.values@.take(i as int),
                ).dom().contains(key),
                self@.dom().contains(key) ==> self@[key] == table(
                    self.keys@.take(i as int),
                    self.values@.take(i as int),
                )[key],
            decreases i,
        {
            proof {
                assert(self.keys@.take(i as int).drop_last() =~= self.keys@.take(i - 1));
                assert(self.values@.take(i as int).drop_last() =~= self.values@.take(i - 1));
            }
            i = i - 1;
            if self.keys[i] == key {
                return Some(self.values[i]);
            }
        }
        None
    }
}

fn main() {
}

} // verus!
