use vstd::prelude::*;

macro_rules! code {
    (first) => {
        4u8
    };
    (second) => {
        7u8
    };
    (third) => {
        1u8
    };
}

verus! {

#[derive(Clone, Copy)]
pub enum Lock {
    Waiting,
    One,
    Two,
    Open,
}

pub open spec fn press(l: Lock, key: u8) -> Lock {
    match l {
        Lock::Open => Lock::Open,
        Lock::Two if key == code!(third) => Lock::Open,
        Lock::One if key == code!(second) => Lock::Two,
        _ => if key == code!(first) {
            Lock::One
        } else {
            Lock::Waiting
        },
    }
}

/// The lock after all keys.
pub open spec fn state(keys: Seq<u8>) -> Lock
    decreases keys.len(),
{
    if keys.len() == 0 {
        Lock::Waiting
    } else {
        press(state(keys.drop_last()), keys.last())
    }
}

pub fn opens(keys: &[u8]) -> (open: bool)
    requires
        (keys@.len() as u8) as nat == keys@.len(),
    ensures
        open <==> state(keys@) is Open,
{
    let mut l = Lock::Waiting;
    let mut i: usize = 0;
    while i < keys.len()
        invariant
            i <= keys@.len(),
            l == state(keys@.take(i as int)),
        decreases keys@.len() - i,
    {
        let key = keys[i];
        proof {
            assert(keys@.take(i + 1).drop_last() =~= keys@.take(i as int));
            assert(keys@.take(i + 1).last() == key);
        }
        l = match l {
            Lock::Open => Lock::Open,
            Lock::Two if key == 1 => Lock::Open,
            Lock::One if key == 7 => Lock::Two,
            _ => if key == 4 {
                Lock::One
            } else {
                Lock::Waiting
            },
        };
        i = i + 1;
    }
    assert(keys@.take(i as int) =~= keys@);
    match l {
        Lock::Open => true,
        _ => false,
    }
}

fn main() {
}

} // verus!
