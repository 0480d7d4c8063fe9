use vstd::prelude::*;

verus! {

pub const LIMIT: u8 = 0b11;

#[derive(Clone, Copy)]
pub enum Phase {
    Idle,
    Asked { tries: u8 },
    Open,
    Failed,
}

#[derive(Clone, Copy)]
pub enum Event {
    Ask,
    Answer,
    Timeout,
    Hang,
}

pub struct Link {
    pub phase: Phase,
    pub sent: u32,
}

pub open spec fn after(p: Phase, e: Event) -> Phase {
    match (p, e) {
        (Phase::Idle, Event::Ask) => Phase::Asked { tries: 1 },
        (Phase::Asked { tries }, Event::Timeout) => if tries < LIMIT {
            Phase::Asked { tries: (tries + 1) as u8 }
        } else {
            Phase::Failed
        },
        (Phase::Asked { .. }, Event::Answer) => Phase::Open,
        (Phase::Open, Event::Hang) => Phase::Idle,
        (_, _) => p,
    }
}

impl Link {
    pub fn on(&mut self, e: Event) -> (moved: bool)
        requires
            old(self).sent < u32::MAX,
        ensures
            final(self).phase == after(old(self).phase, e),
            moved <==> final(self).phase != old(self).phase,
    {
        self.step(e)
    }

    pub fn step(&mut self, e: Event) -> (moved: bool)
        requires
            old(self).sent < u32::MAX,
        ensures
            final(self).phase == after(old(self).phase, e),
            moved <==> final(self).phase != old(self).phase,
            final(self).sent == old(self).sent + if moved && final(self).phase is Asked {
                1int
            } else {
                0int
            },
    {
        match self.phase {
            Phase::Idle => match e {
                Event::Ask => {
                    self.phase = Phase::Asked { tries: 1 };
                    self.sent = self.sent + 1;
                    true
                },
                _ => false,
            },
            Phase::Asked { tries } => match e {
                Event::Timeout => {
                    if tries < LIMIT {
                        self.phase = Phase::Asked { tries: tries + 1 };
                        self.sent = self.sent + 1;
                    } else {
                        self.phase = Phase::Failed;
                    }
                    true
                },
                Event::Answer => {
                    self.phase = Phase::Open;
                    true
                },
                _ => false,
            },
            Phase::Open => match e {
                Event::Hang => {
                    self.phase = Phase::Idle;
                    true
                },
                _ => false,
            },
            Phase::Failed => false,
        }
    }
}

fn main() {
}

} // verus!
