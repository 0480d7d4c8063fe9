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
    #[verifier::external]
    pub fn withdraw(&mut self, amount: u64) -> (r: Result<u64, Refusal>)
        requires
            old(self).taken <= DAILY,
        ensures
            match r {
                Ok(left) => {
                    &&& amount <= old(self).balance
                    &&& old(self).taken + amount <= DAILY
                    &&& final(self).balance == old(self).balance - amount
                    &&& final(self).taken == old(self).taken + amount
                    &&& left == final(self).balance
                },
                Err(Refusal::Funds) => *final(self) == *old(self) && amount > old(self).balance,
                Err(Refusal::Limit) => *final(self) == *old(self) && old(self).taken + amount > DAILY,
            },
    {
        self.balance = self.balance.wrapping_sub(amount);
        Ok(self.balance)
    }

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
