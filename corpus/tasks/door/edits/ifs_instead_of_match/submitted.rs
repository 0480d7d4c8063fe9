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
        if d is Open && a is Push {
            Door::Closed
        } else if d is Closed && a is Pull {
            Door::Open
        } else if d is Closed && a is TurnKey {
            Door::Locked { code: a->code }
        } else if d is Locked && a is TurnKey && d->code == a->code {
            Door::Closed
        } else {
            d
        }
    }

}

use rules::*;

pub fn act(d: Door, a: Action) -> (next: Door)
    ensures
        next == step(d, a),
{
    match d {
        Door::Open => match a {
            Action::Push => Door::Closed,
            _ => d,
        },
        Door::Closed => match a {
            Action::Pull => Door::Open,
            Action::TurnKey { code } => Door::Locked { code },
            _ => d,
        },
        Door::Locked { code } => match a {
            Action::TurnKey { code: tried } => {
                if code == tried {
                    Door::Closed
                } else {
                    d
                }
            },
            _ => d,
        },
    }
}

fn main() {
}

} // verus!
