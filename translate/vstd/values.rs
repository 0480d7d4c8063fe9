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
    pub spec fn map<U>(self, f: spec_fn(T) -> U) -> Option<U> { if self is Some { Some(f(self->Some_0)) } else { None } }
    pub spec fn is_some_and(self, f: spec_fn(T) -> bool) -> bool { self is Some && f(self->Some_0) }
    pub spec fn ok_or<E>(self, e: E) -> Result<T, E> { if self is Some { Ok(self->Some_0) } else { Err(e) } }
    #[term(identity)]
    pub spec fn as_ref(self) -> Option<T>;
    #[term(identity)]
    pub spec fn cloned(self) -> Option<T>;
    #[term(identity)]
    pub spec fn copied(self) -> Option<T>;
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
    pub spec fn unwrap_err(self) -> E { self->Err_0 }
    #[inline]
    pub spec fn spec_unwrap_err(self) -> E { self->Err_0 }
    pub spec fn ok(self) -> Option<T> { if self is Ok { Some(self->Ok_0) } else { None } }
    pub spec fn err(self) -> Option<E> { if self is Err { Some(self->Err_0) } else { None } }
}

pub struct Ghost<T>(pub T);
pub struct Tracked<T>(pub T);

pub enum Ordering { Less, Equal, Greater }

pub struct Range<T> { pub start: T, pub end: T }

impl Range<int> {
    pub spec fn contains(self, i: int) -> bool { self.start <= i < self.end }
}

pub struct Box<T> { t: T }
pub struct Rc<T> { t: T }
pub struct Arc<T> { t: T }

impl<T> Box<T> {
    #[term(identity)]
    pub spec fn new(t: T) -> T;
}

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

impl View for bool {
    type V = bool;
    #[term(identity)]
    spec fn view(&self) -> bool;
}

impl DeepView for bool {
    type V = bool;
    #[term(identity)]
    spec fn deep_view(&self) -> bool;
}

impl View for char {
    type V = char;
    #[term(identity)]
    spec fn view(&self) -> char;
}

impl DeepView for char {
    type V = char;
    #[term(identity)]
    spec fn deep_view(&self) -> char;
}

impl View for int {
    type V = int;
    #[term(identity)]
    spec fn view(&self) -> int;
}

impl DeepView for int {
    type V = int;
    #[term(identity)]
    spec fn deep_view(&self) -> int;
}

impl View for nat {
    type V = nat;
    #[term(identity)]
    spec fn view(&self) -> nat;
}

impl DeepView for nat {
    type V = nat;
    #[term(identity)]
    spec fn deep_view(&self) -> nat;
}

impl View for u8 {
    type V = u8;
    #[term(identity)]
    spec fn view(&self) -> u8;
}

impl DeepView for u8 {
    type V = u8;
    #[term(identity)]
    spec fn deep_view(&self) -> u8;
}

impl View for u16 {
    type V = u16;
    #[term(identity)]
    spec fn view(&self) -> u16;
}

impl DeepView for u16 {
    type V = u16;
    #[term(identity)]
    spec fn deep_view(&self) -> u16;
}

impl View for u32 {
    type V = u32;
    #[term(identity)]
    spec fn view(&self) -> u32;
}

impl DeepView for u32 {
    type V = u32;
    #[term(identity)]
    spec fn deep_view(&self) -> u32;
}

impl View for u64 {
    type V = u64;
    #[term(identity)]
    spec fn view(&self) -> u64;
}

impl DeepView for u64 {
    type V = u64;
    #[term(identity)]
    spec fn deep_view(&self) -> u64;
}

impl View for u128 {
    type V = u128;
    #[term(identity)]
    spec fn view(&self) -> u128;
}

impl DeepView for u128 {
    type V = u128;
    #[term(identity)]
    spec fn deep_view(&self) -> u128;
}

impl View for usize {
    type V = usize;
    #[term(identity)]
    spec fn view(&self) -> usize;
}

impl DeepView for usize {
    type V = usize;
    #[term(identity)]
    spec fn deep_view(&self) -> usize;
}

impl View for i8 {
    type V = i8;
    #[term(identity)]
    spec fn view(&self) -> i8;
}

impl DeepView for i8 {
    type V = i8;
    #[term(identity)]
    spec fn deep_view(&self) -> i8;
}

impl View for i16 {
    type V = i16;
    #[term(identity)]
    spec fn view(&self) -> i16;
}

impl DeepView for i16 {
    type V = i16;
    #[term(identity)]
    spec fn deep_view(&self) -> i16;
}

impl View for i32 {
    type V = i32;
    #[term(identity)]
    spec fn view(&self) -> i32;
}

impl DeepView for i32 {
    type V = i32;
    #[term(identity)]
    spec fn deep_view(&self) -> i32;
}

impl View for i64 {
    type V = i64;
    #[term(identity)]
    spec fn view(&self) -> i64;
}

impl DeepView for i64 {
    type V = i64;
    #[term(identity)]
    spec fn deep_view(&self) -> i64;
}

impl View for i128 {
    type V = i128;
    #[term(identity)]
    spec fn view(&self) -> i128;
}

impl DeepView for i128 {
    type V = i128;
    #[term(identity)]
    spec fn deep_view(&self) -> i128;
}

impl View for isize {
    type V = isize;
    #[term(identity)]
    spec fn view(&self) -> isize;
}

impl DeepView for isize {
    type V = isize;
    #[term(identity)]
    spec fn deep_view(&self) -> isize;
}

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
    #[term(identity)]
    pub spec fn as_slice(self) -> Vec<T>;
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

impl<K, V> HashMap<K, V> {
    #[inline]
    pub spec fn len(self) -> usize { self@.dom().len() }
    #[inline]
    pub spec fn spec_len(self) -> usize { self@.dom().len() }
}

impl<T> HashSet<T> {
    #[inline]
    pub spec fn len(self) -> usize { self@.len() }
    #[inline]
    pub spec fn spec_len(self) -> usize { self@.len() }
}

impl char {
    #[inline]
    pub spec fn is_ascii(self) -> bool { self as u32 <= 127 }
}

pub spec fn abs(x: int) -> nat { if x >= 0 { x as nat } else { (-x) as nat } }
pub spec fn max(a: int, b: int) -> int { if a >= b { a } else { b } }
pub spec fn min(a: int, b: int) -> int { if a <= b { a } else { b } }
pub spec fn clip(x: int, lo: int, hi: int) -> int { if x < lo { lo } else if x > hi { hi } else { x } }
pub spec fn add(x: int, y: int) -> int { x + y }
pub spec fn sub(x: int, y: int) -> int { x - y }
pub spec fn mul(x: int, y: int) -> int { x * y }
pub spec fn div(x: int, y: int) -> int { x / y }

pub spec fn pow(b: int, e: nat) -> int
    decreases e,
{
    if e == 0 { 1 } else { b * pow(b, (e - 1) as nat) }
}

pub spec fn pow2(e: nat) -> nat
    decreases e,
{
    if e == 0 { 1 } else { (2 * pow2((e - 1) as nat)) as nat }
}

pub spec fn log(base: int, x: int) -> int
    decreases x,
{
    if x < base || x / base >= x || x / base < 0 { 0 } else { 1 + log(base, x / base) }
}

pub spec fn is_even(x: int) -> bool { x % 2 == 0 }

pub uninterp spec fn arbitrary<A>() -> A;

}
