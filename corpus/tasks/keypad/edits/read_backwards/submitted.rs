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
        press(state(keys.drop_first()), keys.first())
    }
}

pub fn opens(keys: &[u8]) -> (open: bool)
    ensures
        open <==> state(keys@) is Open,
{
    let mut l = Lock::Waiting;
    let mut i: usize = keys.len();
    assert(keys@.skip(i as int) =~= Seq::<u8>::empty());
    while i > 0
        invariant
            i <= keys@.len(),
            l == state(keys@.skip(i as int)),
        decreases i,
    {
        i = i - 1;
        let key = keys[i];
        proof {
            assert(keys@.skip(i as int).drop_first() =~= keys@.skip(i + 1));
            assert(keys@.skip(i as int).first() == key);
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
    }
    assert(keys@.skip(i as int) =~= keys@);
    match l {
        Lock::Open => true,
        _ => false,
    }
}

fn main() {
}

} // verus!
