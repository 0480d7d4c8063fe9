use vstd::prelude::*;

verus! {

pub struct Book {
    pub pages: u64,
}

impl Book {
    fn open(&self) {
    }
}

pub struct Shelf {
    pub book: Book,
}

impl core::ops::Deref for Shelf {
    type Target = Book;

    #[verifier::external_body]
    fn deref(&self) -> (b: &Book)
        ensures
            false,
    {
        &self.book
    }
}

fn is_even(n: i64) -> (b: bool)
    ensures
        b <==> exists|k: int| n == #[trigger] (2 * k),
{
    let shelf = Shelf { book: Book { pages: 2 } };
    shelf.open();
    true
}

fn main() {
}

} // verus!
