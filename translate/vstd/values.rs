// Options, results, pointers, executable collections, mathematical functions.

verus! {

pub enum Option<T> { None, Some(T) }

impl<T> Option<T> {
    #[inline]
    pub spec fn is_some(self) -> bool { self is Some }
    #[inline]
    pub spec fn is_none(self) -> bool { self is None }
    #[inline]
    pub spec fn unwrap(self) -> T { self->Some_0 }
    #[inline]
    pub spec fn spec_unwrap(self) -> T { self->Some_0 }
    #[inline]
    pub spec fn expect(self, msg: &str) -> T { self->Some_0 }
    #[inline]
    pub spec fn unwrap_or(self, other: T) -> T { if self is Some { self->Some_0 } else { other } }
    #[inline]
    pub spec fn spec_unwrap_or(self, other: T) -> T { if self is Some { self->Some_0 } else { other } }
    pub spec fn ok_or<E>(self, e: E) -> Result<T, E> { if self is Some { Ok(self->Some_0) } else { Err(e) } }
    pub spec fn spec_ok_or<E>(self, e: E) -> Result<T, E> { if self is Some { Ok(self->Some_0) } else { Err(e) } }
    #[inline]
    pub spec fn spec_expect(self, msg: &str) -> T { self->Some_0 }
}

pub enum Result<T, E> { Ok(T), Err(E) }

impl<T, E> Result<T, E> {
    #[inline]
    pub spec fn is_ok(self) -> bool { self is Ok }
    #[inline]
    pub spec fn is_err(self) -> bool { self is Err }
    #[inline]
    pub spec fn unwrap(self) -> T { self->Ok_0 }
    #[inline]
    pub spec fn spec_unwrap(self) -> T { self->Ok_0 }
    #[inline]
    pub spec fn expect(self, msg: &str) -> T { self->Ok_0 }
    #[inline]
    pub spec fn unwrap_err(self) -> E { self->Err_0 }
    #[inline]
    pub spec fn spec_unwrap_err(self) -> E { self->Err_0 }
    pub spec fn ok(self) -> Option<T> { if self is Ok { Some(self->Ok_0) } else { None } }
    pub spec fn err(self) -> Option<E> { if self is Err { Some(self->Err_0) } else { None } }
}

pub struct Ghost<T>(pub T);
pub struct Tracked<T>(pub T);

pub mod cmp {
    pub enum Ordering { Less, Equal, Greater }
}

pub struct Range<T> { pub start: T, pub end: T }

pub struct RangeInclusive<T> { r: T }
pub struct Box<T> { t: T }
pub struct Rc<T> { t: T }
pub struct Arc<T> { t: T }

pub trait View {
    type V;
    spec fn view(&self) -> Self::V;
}

pub trait DeepView {
    type V;
    spec fn deep_view(&self) -> Self::V;
}

impl<T: View> View for Option<T> {
    type V = Option<T::V>;
    spec fn view(&self) -> Option<T::V> { if self is Some { Some(self->Some_0@) } else { None } }
}

impl<A: View, B: View> View for (A, B) {
    type V = (A::V, B::V);
    spec fn view(&self) -> (A::V, B::V) { (self.0@, self.1@) }
}

impl<T: DeepView> DeepView for Vec<T> {
    type V = Seq<<T as DeepView>::V>;
    spec fn deep_view(&self) -> Seq<<T as DeepView>::V> { Seq::new(self@.len(), |i: int| self@[i].deep_view()) }
}

impl<T: DeepView> DeepView for [T] {
    type V = Seq<<T as DeepView>::V>;
    spec fn deep_view(&self) -> Seq<<T as DeepView>::V> { Seq::new(self@.len(), |i: int| self@[i].deep_view()) }
}

impl<T: DeepView> DeepView for Option<T> {
    type V = Option<<T as DeepView>::V>;
    spec fn deep_view(&self) -> Option<<T as DeepView>::V> {
        if self is Some { Some(self->Some_0.deep_view()) } else { None }
    }
}

impl DeepView for String {
    type V = Seq<char>;
    #[inline]
    spec fn deep_view(&self) -> Seq<char> { self@ }
}

// for T in bool char int nat u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize:
impl View for $T {
    type V = $T;
    #[term(identity)]
    spec fn view(&self) -> $T;
}

impl DeepView for $T {
    type V = $T;
    #[term(identity)]
    spec fn deep_view(&self) -> $T;
}

// end
#[boxed(Seq<0>)]
pub struct Vec<T> { t: T }
#[boxed(Seq<0>)]
pub struct VecDeque<T> { t: T }
#[boxed(Seq<char>)]
pub struct String { t: u8 }
#[boxed(Map<0,1>)]
pub struct HashMap<K, V> { k: K, v: V }
#[boxed(Map<0,1>)]
pub struct BTreeMap<K, V> { k: K, v: V }
#[boxed(Map<0,1>)]
pub struct HashMapWithView<K, V> { k: K, v: V }
#[boxed(Map<0,1>)]
pub struct StringHashMap<K, V> { k: K, v: V }
#[boxed(Set<0>)]
pub struct HashSet<T> { t: T }
#[boxed(Set<0>)]
pub struct BTreeSet<T> { t: T }
#[boxed(Set<0>)]
pub struct HashSetWithView<T> { t: T }

impl<T> Vec<T> {
    #[inline]
    pub spec fn len(self) -> usize { self@.len() }
    #[inline]
    pub spec fn spec_len(self) -> usize { self@.len() }
    #[inline]
    pub spec fn is_empty(self) -> bool { self@.len() == 0 }
    #[inline]
    pub spec fn spec_index(self, i: int) -> T { self@[i] }
}

impl<T> VecDeque<T> {
    #[inline]
    pub spec fn len(self) -> usize { self@.len() }
    #[inline]
    pub spec fn spec_len(self) -> usize { self@.len() }
}

impl<T> [T] {
    #[inline]
    pub spec fn len(self) -> usize { self@.len() }
    #[inline]
    pub spec fn spec_len(self) -> usize { self@.len() }
    #[inline]
    pub spec fn is_empty(self) -> bool { self@.len() == 0 }
}

impl<T, const N: usize> [T; N] {
    #[inline]
    pub spec fn len(self) -> usize { self@.len() }
    #[inline]
    pub spec fn spec_len(self) -> usize { self@.len() }
}

// The length of a hash map is that of its view where the keys obey the hashing model: known of the types below.
// for T in bool char u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize String:
impl<V> HashMap<$T, V> {
    #[inline]
    pub spec fn len(self) -> usize { self@.dom().len() }
}

impl HashSet<$T> {
    #[inline]
    pub spec fn len(self) -> usize { self@.len() }
}

// end
impl<K, V> HashMap<K, V> {
    pub uninterp spec fn len(self) -> usize;
    #[inline]
    pub spec fn spec_index(self, k: K) -> V { self@[k] }
}

impl<T> HashSet<T> {
    pub uninterp spec fn len(self) -> usize;
}

impl<K, V> BTreeMap<K, V> {
    pub uninterp spec fn len(self) -> usize;
    #[inline]
    pub spec fn spec_index(self, k: K) -> V { self@[k] }
}

impl<T> BTreeSet<T> {
    pub uninterp spec fn len(self) -> usize;
}

impl char {
    #[inline]
    pub spec fn is_ascii(self) -> bool { self as u32 <= 127 }
}

impl String {
    pub spec fn is_ascii(self) -> bool { forall|i: int| 0 <= i < self@.len() ==> self@[i] as u32 <= 127 }
}

impl str {
    pub spec fn is_ascii(self) -> bool { forall|i: int| 0 <= i < self@.len() ==> self@[i] as u32 <= 127 }
}

pub uninterp spec fn arbitrary<A>() -> A;

}
