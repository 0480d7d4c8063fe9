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
            match found {
                Some(value) => self@.dom().contains(key) && self@[key] == value,
                None => !self@.dom().contains(key) || self@.contains_key(key),
            },
    {
        None
    }
}

fn main() {
}

} // verus!
