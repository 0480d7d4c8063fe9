use vstd::prelude::*;

verus! {

pub struct Tray {
    pub x: u64,
}
impl Tray {
    pub fn assume_new() -> Tray {
        Tray { x: 0 }
    }
}
fn f() -> Tray {
    Tray::assume_new()
}

} // verus!
