use vstd::prelude::*;

verus! {

pub trait Score {
    spec fn points(&self) -> int;

    fn score(&self) -> (r: i64)
        ensures
            r == self.points(),
    ;
}

pub struct Game {
    pub goals: u8,
    pub against: u8,
}

pub struct Cautions {
    pub yellow: u8,
    pub red: u8,
}

impl Score for Game {
    open spec fn points(&self) -> int {
        if self.goals > self.against {
            3
        } else if self.goals == self.against {
            1
        } else {
            0
        }
    }

    fn score(&self) -> (r: i64) {
        if self.goals > self.against {
            3
        } else if self.goals == self.against {
            1
        } else {
            0
        }
    }
}

impl Score for Cautions {
    open spec fn points(&self) -> int {
        -(self.yellow + 3 * self.red)
    }

    fn score(&self) -> (r: i64) {
        0 - (self.yellow as i64 + 3 * self.red as i64)
    }
}

pub fn standing(home: &Game, away: &Game, cautions: &Cautions) -> (r: i64)
    ensures
        r == home.points() + away.points() + cautions.points(),
{
    let a = home.score();
    let b = away.score();
    let c = cautions.score();
    a + b + c
}

pub fn ahead<S: Score>(a: &S, b: &S) -> (yes: bool)
    ensures
        yes <==> a.points() > b.points(),
{
    a.score() > b.score()
}

fn main() {
}

} // verus!
