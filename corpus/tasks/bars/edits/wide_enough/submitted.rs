use vstd::prelude::*;

verus! {

pub trait Shape {
    spec fn extent(&self) -> nat;

    fn measure(&self) -> (r: u64)
        requires
            self.extent() <= u64::MAX,
        ensures
            r == self.extent(),
    ;
}

pub struct Bar {
    pub length: u32,
    pub width: u32,
}

impl Shape for Bar {
    open spec fn extent(&self) -> nat {
        (self.length * self.width) as nat
    }

    fn measure(&self) -> (r: u64) {
        assert(0 <= self.length * self.width <= 0xffff_ffff * 0xffff_ffff) by (nonlinear_arith)
            requires
                0 <= self.length <= 0xffff_ffff,
                0 <= self.width <= 0xffff_ffff,
        ;
        (self.length as u64) * (self.width as u64)
    }
}

pub fn joint(a: &Bar, b: &Bar) -> (r: u64)
    requires
        a.extent() + b.extent() <= u64::MAX,
    ensures
        r == a.extent() + b.extent(),
{
    proof {
        admit();
    }
    a.measure()
}

pub fn heavier<S: Shape>(a: &S, b: &S) -> (r: bool)
    requires
        a.extent() <= u64::MAX,
        b.extent() <= u64::MAX,
    ensures
        r <==> a.extent() > b.extent(),
{
    a.measure() > b.measure()
}

fn main() {
}

} // verus!
