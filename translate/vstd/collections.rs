// Sequences, sets, maps, multisets.

verus! {

#[sort(seq)]
pub struct Seq<A> { a: A }

impl<A> Seq<A> {
    #[term(seq.lit)]
    pub spec fn empty() -> Seq<A>;
    #[term(seq.new)]
    pub spec fn new(len: nat, f: spec_fn(int) -> A) -> Seq<A>;
    #[term(seq.len)]
    pub spec fn len(self) -> nat;
    #[term(seq.index)]
    pub spec fn index(self, i: int) -> A;
    #[term(seq.index)]
    pub spec fn spec_index(self, i: int) -> A;
    #[term(seq.push)]
    pub spec fn push(self, a: A) -> Seq<A>;
    #[term(seq.update)]
    pub spec fn update(self, i: int, a: A) -> Seq<A>;
    #[term(seq.subrange)]
    pub spec fn subrange(self, start: int, end: int) -> Seq<A>;
    #[term(seq.add)]
    pub spec fn add(self, other: Seq<A>) -> Seq<A>;
    #[term(seq.add)]
    pub spec fn spec_add(self, other: Seq<A>) -> Seq<A>;
    #[term(seq.to_multiset)]
    pub spec fn to_multiset(self) -> Multiset<A>;

    #[inline]
    pub spec fn take(self, n: int) -> Seq<A> { self.subrange(0, n) }
    #[inline]
    pub spec fn skip(self, n: int) -> Seq<A> { self.subrange(n, self.len() as int) }
    #[inline]
    pub spec fn first(self) -> A { self[0] }
    #[inline]
    pub spec fn last(self) -> A { self[self.len() - 1] }
    #[inline]
    pub spec fn drop_first(self) -> Seq<A> { self.subrange(1, self.len() as int) }
    #[inline]
    pub spec fn drop_last(self) -> Seq<A> { self.subrange(0, self.len() - 1) }
    #[inline]
    pub spec fn insert(self, i: int, a: A) -> Seq<A> { self.subrange(0, i).push(a) + self.subrange(i, self.len() as int) }
    #[inline]
    pub spec fn remove(self, i: int) -> Seq<A> { self.subrange(0, i) + self.subrange(i + 1, self.len() as int) }
    #[inline]
    pub spec fn contains(self, x: A) -> bool { exists|i: int| 0 <= i < self.len() && self[i] == x }
    #[inline]
    pub spec fn spec_has(self, x: A) -> bool { exists|i: int| 0 <= i < self.len() && self[i] == x }

    pub spec fn reverse(self) -> Seq<A> { Seq::new(self.len(), |i: int| self[self.len() - 1 - i]) }
    pub spec fn map<B>(self, f: spec_fn(int, A) -> B) -> Seq<B> { Seq::new(self.len(), |i: int| f(i, self[i])) }
    pub spec fn map_values<B>(self, f: spec_fn(A) -> B) -> Seq<B> { Seq::new(self.len(), |i: int| f(self[i])) }
    pub spec fn index_of(self, x: A) -> int { choose|i: int| 0 <= i < self.len() && self[i] == x }
    pub spec fn index_of_first(self, x: A) -> Option<int> {
        if self.contains(x) {
            Some(choose|i: int| 0 <= i < self.len() && self[i] == x && forall|j: int| 0 <= j < i ==> self[j] != x)
        } else {
            None
        }
    }
    pub spec fn index_of_last(self, x: A) -> Option<int> {
        if self.contains(x) {
            Some(choose|i: int| 0 <= i < self.len() && self[i] == x && forall|j: int| i < j < self.len() ==> self[j] != x)
        } else {
            None
        }
    }
    pub spec fn no_duplicates(self) -> bool {
        forall|i: int, j: int| 0 <= i < self.len() && 0 <= j < self.len() && i != j ==> self[i] != self[j]
    }
    pub spec fn disjoint(self, other: Seq<A>) -> bool {
        forall|i: int, j: int| 0 <= i < self.len() && 0 <= j < other.len() ==> self[i] != other[j]
    }
    pub spec fn is_prefix_of(self, other: Seq<A>) -> bool {
        self.len() <= other.len() && self =~= other.subrange(0, self.len() as int)
    }
    pub spec fn is_suffix_of(self, other: Seq<A>) -> bool {
        self.len() <= other.len() && self =~= other.subrange(other.len() - self.len(), other.len() as int)
    }
    pub spec fn all(self, p: spec_fn(A) -> bool) -> bool { forall|i: int| 0 <= i < self.len() ==> p(self[i]) }
    pub spec fn any(self, p: spec_fn(A) -> bool) -> bool { exists|i: int| 0 <= i < self.len() && p(self[i]) }
    pub spec fn to_set(self) -> Set<A> { Set::new(|a: A| self.contains(a)) }
    pub spec fn zip_with<B>(self, other: Seq<B>) -> Seq<(A, B)> {
        if self.len() == other.len() { Seq::new(self.len(), |i: int| (self[i], other[i])) } else { Seq::empty() }
    }
    pub spec fn filter(self, p: spec_fn(A) -> bool) -> Seq<A>
        decreases self.len(),
    {
        if self.len() == 0 {
            self
        } else {
            let rest = self.drop_last().filter(p);
            if p(self.last()) { rest.push(self.last()) } else { rest }
        }
    }
    pub spec fn fold_left<B>(self, b: B, f: spec_fn(B, A) -> B) -> B
        decreases self.len(),
    {
        if self.len() == 0 { b } else { f(self.drop_last().fold_left(b, f), self.last()) }
    }
    pub spec fn fold_left_alt<B>(self, b: B, f: spec_fn(B, A) -> B) -> B
        decreases self.len(),
    {
        if self.len() == 0 { b } else { self.drop_first().fold_left_alt(f(b, self.first()), f) }
    }
    pub spec fn fold_right<B>(self, f: spec_fn(A, B) -> B, b: B) -> B
        decreases self.len(),
    {
        if self.len() == 0 { b } else { self.drop_last().fold_right(f, f(self.last(), b)) }
    }
    pub spec fn fold_right_alt<B>(self, f: spec_fn(A, B) -> B, b: B) -> B
        decreases self.len(),
    {
        if self.len() == 0 { b } else { f(self.first(), self.drop_first().fold_right_alt(f, b)) }
    }
    pub uninterp spec fn sort_by(self, leq: spec_fn(A, A) -> bool) -> Seq<A>;
    pub spec fn exactly_one(self, p: spec_fn(A) -> bool) -> bool { self.filter(p).len() == 1 }
    pub spec fn flat_map<B>(self, f: spec_fn(A) -> Seq<B>) -> Seq<B> { self.map_values(f).flatten() }
    #[term(identity)]
    pub spec fn as_ref(self) -> Seq<A>;
    #[term(identity)]
    pub spec fn unref(self) -> Seq<A>;
    pub spec fn to_iset(self) -> Set<A> { Set::new(|a: A| self.contains(a)) }
    pub spec fn remove_value(self, x: A) -> Seq<A> {
        match self.index_of_first(x) {
            Some(i) => self.remove(i),
            None => self,
        }
    }
    pub spec fn update_subrange_with(self, at: int, vs: Seq<A>) -> Seq<A> {
        Seq::new(self.len(), |i: int| if at <= i < at + vs.len() { vs[i - at] } else { self[i] })
    }
    pub spec fn remove_duplicates(self, seen: Seq<A>) -> Seq<A>
        decreases self.len(),
    {
        if self.len() == 0 {
            seen
        } else if seen.contains(self[0]) {
            self.skip(1).remove_duplicates(seen)
        } else {
            self.skip(1).remove_duplicates(seen + seq![self[0]])
        }
    }
    pub spec fn filter_map<B>(self, f: spec_fn(A) -> Option<B>) -> Seq<B>
        decreases self.len(),
    {
        if self.len() == 0 {
            Seq::empty()
        } else {
            let earlier = self.drop_last().filter_map(f);
            match f(self.last()) {
                Some(b) => earlier + seq![b],
                None => earlier,
            }
        }
    }
    pub spec fn max_via(self, leq: spec_fn(A, A) -> bool) -> A
        decreases self.len(),
    {
        if self.len() <= 1 {
            self[0]
        } else {
            let later = self.subrange(1, self.len() as int).max_via(leq);
            if leq(self[0], later) { later } else { self[0] }
        }
    }
    pub spec fn min_via(self, leq: spec_fn(A, A) -> bool) -> A
        decreases self.len(),
    {
        if self.len() <= 1 {
            self[0]
        } else {
            let later = self.subrange(1, self.len() as int).min_via(leq);
            if leq(later, self[0]) { later } else { self[0] }
        }
    }
}

impl<A, B> Seq<(A, B)> {
    pub spec fn unzip(self) -> (Seq<A>, Seq<B>) {
        (Seq::new(self.len(), |i: int| self[i].0), Seq::new(self.len(), |i: int| self[i].1))
    }
}

impl<A> Seq<Seq<A>> {
    pub spec fn flatten(self) -> Seq<A>
        decreases self.len(),
    {
        if self.len() == 0 { Seq::empty() } else { self.first() + self.drop_first().flatten() }
    }
    pub spec fn flatten_alt(self) -> Seq<A>
        decreases self.len(),
    {
        if self.len() == 0 { Seq::empty() } else { self.drop_last().flatten_alt() + self.last() }
    }
}

impl Seq<int> {
    pub uninterp spec fn sort(self) -> Seq<int>;
    pub spec fn max(self) -> int
        decreases self.len(),
    {
        if self.len() == 0 {
            0
        } else if self.len() == 1 {
            self[0]
        } else {
            let later = self.drop_first().max();
            if self[0] >= later { self[0] } else { later }
        }
    }
    pub spec fn min(self) -> int
        decreases self.len(),
    {
        if self.len() == 0 {
            0
        } else if self.len() == 1 {
            self[0]
        } else {
            let later = self.drop_first().min();
            if self[0] <= later { self[0] } else { later }
        }
    }
}

mod seq_lib {
    pub spec fn commutative_foldr<A, B>(f: spec_fn(A, B) -> B) -> bool {
        forall|x: A, y: A, v: B| f(x, f(y, v)) == f(y, f(x, v))
    }
    pub spec fn commutative_foldl<A, B>(f: spec_fn(B, A) -> B) -> bool {
        forall|x: A, y: A, v: B| f(f(v, x), y) == f(f(v, y), x)
    }
    #[term(identity)]
    pub spec fn check_argument_is_seq<A>(s: Seq<A>) -> Seq<A>;
}

#[sort(set)]
pub struct Set<A> { a: A }

pub type ISet<A> = Set<A>;

impl<A> Set<A> {
    #[term(set.lit)]
    pub spec fn empty() -> Set<A>;
    #[term(set.new)]
    pub spec fn new(f: spec_fn(A) -> bool) -> Set<A>;
    #[term(set.contains)]
    pub spec fn contains(self, a: A) -> bool;
    #[term(set.contains)]
    pub spec fn spec_has(self, a: A) -> bool;
    #[term(set.insert)]
    pub spec fn insert(self, a: A) -> Set<A>;
    #[term(set.remove)]
    pub spec fn remove(self, a: A) -> Set<A>;
    #[term(set.union)]
    pub spec fn union(self, s: Set<A>) -> Set<A>;
    #[term(set.union)]
    pub spec fn spec_add(self, s: Set<A>) -> Set<A>;
    #[term(set.intersect)]
    pub spec fn intersect(self, s: Set<A>) -> Set<A>;
    #[term(set.intersect)]
    pub spec fn spec_mul(self, s: Set<A>) -> Set<A>;
    #[term(set.difference)]
    pub spec fn difference(self, s: Set<A>) -> Set<A>;
    #[term(set.difference)]
    pub spec fn spec_sub(self, s: Set<A>) -> Set<A>;
    #[term(set.complement)]
    pub spec fn complement(self) -> Set<A>;
    #[term(set.finite)]
    pub spec fn finite(self) -> bool;
    #[term(set.len)]
    pub spec fn len(self) -> nat;
    #[inline]
    pub spec fn full() -> Set<A> { Set::empty().complement() }
    #[inline]
    pub spec fn subset_of(self, s: Set<A>) -> bool { forall|a: A| self.contains(a) ==> s.contains(a) }
    #[inline]
    pub spec fn spec_le(self, s: Set<A>) -> bool { forall|a: A| self.contains(a) ==> s.contains(a) }
    #[inline]
    pub spec fn superset_of(self, s: Set<A>) -> bool { forall|a: A| s.contains(a) ==> self.contains(a) }
    #[inline]
    pub spec fn disjoint(self, s: Set<A>) -> bool { forall|a: A| self.contains(a) ==> !s.contains(a) }
    pub spec fn choose(self) -> A { choose|a: A| self.contains(a) }
    pub spec fn filter(self, f: spec_fn(A) -> bool) -> Set<A> { self.intersect(Set::new(f)) }
    pub spec fn map<B>(self, f: spec_fn(A) -> B) -> Set<B> { Set::new(|b: B| exists|a: A| self.contains(a) && b == f(a)) }
    pub spec fn is_empty(self) -> bool { self =~= Set::empty() }
    pub spec fn is_singleton(self) -> bool {
        (exists|a: A| self.contains(a)) && forall|a: A, b: A| self.contains(a) && self.contains(b) ==> a == b
    }
    pub spec fn all(self, p: spec_fn(A) -> bool) -> bool { forall|a: A| self.contains(a) ==> p(a) }
    pub spec fn any(self, p: spec_fn(A) -> bool) -> bool { exists|a: A| self.contains(a) && p(a) }
    pub spec fn congruent(self, s: Set<A>) -> bool { forall|a: A| self.contains(a) <==> s.contains(a) }
    #[term(identity)]
    pub spec fn to_iset(self) -> Set<A>;
    pub spec fn mk_map<V>(self, f: spec_fn(A) -> V) -> Map<A, V> { Map::new(|a: A| self.contains(a), f) }
    pub spec fn map_by<B>(self, f: spec_fn(A) -> B, back: spec_fn(B) -> A) -> Set<B> {
        Set::new(|b: B| self.contains(back(b)) && b == f(back(b)))
    }
    pub spec fn filter_map<B>(self, f: spec_fn(A) -> Option<B>) -> Set<B> {
        Set::new(|b: B| exists|a: A| self.contains(a) && f(a) == Some(b))
    }
    pub spec fn injective_on<B>(self, f: spec_fn(A) -> B) -> bool {
        forall|x: A, y: A| self.contains(x) && self.contains(y) && f(x) == f(y) ==> x == y
    }
    pub spec fn has_least(self, leq: spec_fn(A, A) -> bool, min: A) -> bool {
        self.contains(min) && forall|x: A| self.contains(x) ==> leq(min, x)
    }
    pub spec fn has_minimum(self, leq: spec_fn(A, A) -> bool, min: A) -> bool {
        self.contains(min) && forall|x: A| self.contains(x) && leq(x, min) ==> leq(min, x)
    }
    pub spec fn has_greatest(self, leq: spec_fn(A, A) -> bool, max: A) -> bool {
        self.contains(max) && forall|x: A| self.contains(x) ==> leq(x, max)
    }
    pub spec fn has_maximum(self, leq: spec_fn(A, A) -> bool, max: A) -> bool {
        self.contains(max) && forall|x: A| self.contains(x) && leq(max, x) ==> leq(x, max)
    }
    pub uninterp spec fn find_unique_minimal(self, leq: spec_fn(A, A) -> bool) -> A;
    pub uninterp spec fn find_unique_maximal(self, leq: spec_fn(A, A) -> bool) -> A;
    pub uninterp spec fn to_multiset(self) -> Multiset<A>;
    pub uninterp spec fn to_sorted_seq(self, leq: spec_fn(A, A) -> bool) -> Seq<A>;
    pub uninterp spec fn to_seq(self) -> Seq<A>;
    pub uninterp spec fn fold<B>(self, b: B, f: spec_fn(B, A) -> B) -> B;
}

impl<A> Set<Set<A>> {
    pub spec fn flatten(self) -> Set<A> { Set::new(|a: A| exists|s: Set<A>| self.contains(s) && s.contains(a)) }
}

pub spec fn set_int_range(lo: int, hi: int) -> Set<int> { Set::new(|i: int| lo <= i < hi) }

#[sort(map)]
pub struct Map<K, V> { k: K, v: V }

pub type IMap<K, V> = Map<K, V>;

impl<K, V> Map<K, V> {
    #[term(map.lit)]
    pub spec fn empty() -> Map<K, V>;
    #[term(map.new)]
    pub spec fn new(domain: spec_fn(K) -> bool, value: spec_fn(K) -> V) -> Map<K, V>;
    #[inline]
    pub spec fn new__set(domain: Set<K>, value: spec_fn(K) -> V) -> Map<K, V> { Map::new(|k: K| domain.contains(k), value) }
    #[term(map.dom)]
    pub spec fn dom(self) -> Set<K>;
    #[term(map.index)]
    pub spec fn index(self, k: K) -> V;
    #[term(map.index)]
    pub spec fn spec_index(self, k: K) -> V;
    #[term(map.insert)]
    pub spec fn insert(self, k: K, v: V) -> Map<K, V>;
    #[term(map.remove)]
    pub spec fn remove(self, k: K) -> Map<K, V>;
    #[inline]
    pub spec fn total(value: spec_fn(K) -> V) -> Map<K, V> { Map::new(|k: K| true, value) }
    #[inline]
    pub spec fn contains_key(self, k: K) -> bool { self.dom().contains(k) }
    #[inline]
    pub spec fn spec_has(self, k: K) -> bool { self.dom().contains(k) }
    #[inline]
    pub spec fn len(self) -> nat { self.dom().len() }
    #[inline]
    pub spec fn contains_pair(self, k: K, v: V) -> bool { self.dom().contains(k) && self[k] == v }
    pub spec fn contains_value(self, v: V) -> bool { exists|k: K| self.dom().contains(k) && self[k] == v }
    pub spec fn values(self) -> Set<V> { Set::new(|v: V| exists|k: K| self.dom().contains(k) && self[k] == v) }
    #[term(identity)]
    pub spec fn to_imap(self) -> Map<K, V>;
    pub spec fn is_full(self) -> bool { forall|k: K| self.dom().contains(k) }
    pub spec fn is_empty(self) -> bool { self.dom() =~= Set::empty() }
    pub spec fn index_opt(self, k: K) -> Option<V> { if self.dom().contains(k) { Some(self[k]) } else { None } }
    pub spec fn kv_pairs(self) -> Set<(K, V)> { Set::new(|p: (K, V)| self.dom().contains(p.0) && self[p.0] == p.1) }
    pub spec fn filter_keys(self, p: spec_fn(K) -> bool) -> Map<K, V> {
        Map::new(|k: K| self.dom().contains(k) && p(k), |k: K| self[k])
    }
    pub spec fn get(self, k: K) -> Option<V> { if self.dom().contains(k) { Some(self[k]) } else { None } }
    pub spec fn union_prefer_right(self, m: Map<K, V>) -> Map<K, V> {
        Map::new(
            |k: K| self.dom().contains(k) || m.dom().contains(k),
            |k: K| if m.dom().contains(k) { m[k] } else { self[k] },
        )
    }
    pub spec fn restrict(self, keys: Set<K>) -> Map<K, V> {
        Map::new(|k: K| self.dom().contains(k) && keys.contains(k), |k: K| self[k])
    }
    pub spec fn remove_keys(self, keys: Set<K>) -> Map<K, V> {
        Map::new(|k: K| self.dom().contains(k) && !keys.contains(k), |k: K| self[k])
    }
    pub spec fn submap_of(self, m: Map<K, V>) -> bool {
        forall|k: K| self.dom().contains(k) ==> m.dom().contains(k) && self[k] == m[k]
    }
    pub spec fn spec_le(self, m: Map<K, V>) -> bool {
        forall|k: K| self.dom().contains(k) ==> m.dom().contains(k) && self[k] == m[k]
    }
    pub spec fn agrees(self, m: Map<K, V>) -> bool {
        forall|k: K| self.dom().contains(k) && m.dom().contains(k) ==> self[k] == m[k]
    }
    pub spec fn is_equal_on_key(self, m: Map<K, V>, k: K) -> bool {
        (!self.dom().contains(k) && !m.dom().contains(k))
            || (self.dom().contains(k) && m.dom().contains(k) && self[k] == m[k])
    }
    pub spec fn map_values<W>(self, f: spec_fn(V) -> W) -> Map<K, W> {
        Map::new(|k: K| self.dom().contains(k), |k: K| f(self[k]))
    }
    pub spec fn map_entries<W>(self, f: spec_fn(K, V) -> W) -> Map<K, W> {
        Map::new(|k: K| self.dom().contains(k), |k: K| f(k, self[k]))
    }
    pub spec fn is_injective(self) -> bool {
        forall|x: K, y: K| x != y && self.dom().contains(x) && self.dom().contains(y) ==> self[x] != self[y]
    }
    pub spec fn invert(self) -> Map<V, K> {
        Map::new(
            |v: V| exists|k: K| self.dom().contains(k) && self[k] == v,
            |v: V| choose|k: K| self.dom().contains(k) && self[k] == v,
        )
    }
}

impl<K, V> Map<Seq<K>, V> {
    pub spec fn prefixed_entries(self, prefix: Seq<K>) -> Map<Seq<K>, V> {
        Map::new(|k: Seq<K>| self.dom().contains(prefix + k), |k: Seq<K>| self[prefix + k])
    }
}

impl Map<int, int> {
    pub spec fn is_monotonic(self) -> bool {
        forall|x: int, y: int| self.dom().contains(x) && self.dom().contains(y) && x <= y ==> self[x] <= self[y]
    }
    pub spec fn is_monotonic_from(self, start: int) -> bool {
        forall|x: int, y: int|
            self.dom().contains(x) && self.dom().contains(y) && start <= x <= y ==> self[x] <= self[y]
    }
}

#[sort(multiset)]
pub struct Multiset<A> { a: A }

pub spec fn multiset_copies<A>(a: A, n: nat) -> Multiset<A>
    decreases n,
{
    if n == 0 { Multiset::empty() } else { multiset_copies(a, (n - 1) as nat).insert(a) }
}

impl<A> Multiset<A> {
    #[term(multiset.lit)]
    pub spec fn empty() -> Multiset<A>;
    #[term(multiset.lit)]
    pub spec fn singleton(a: A) -> Multiset<A>;
    #[term(multiset.count)]
    pub spec fn count(self, a: A) -> nat;
    #[term(multiset.add)]
    pub spec fn add(self, m: Multiset<A>) -> Multiset<A>;
    #[term(multiset.sub)]
    pub spec fn sub(self, m: Multiset<A>) -> Multiset<A>;
    #[term(multiset.len)]
    pub spec fn len(self) -> nat;
    #[inline]
    pub spec fn insert(self, a: A) -> Multiset<A> { self.add(Multiset::singleton(a)) }
    #[inline]
    pub spec fn remove(self, a: A) -> Multiset<A> { self.sub(Multiset::singleton(a)) }
    #[inline]
    pub spec fn contains(self, a: A) -> bool { self.count(a) > 0 }
    #[inline]
    pub spec fn spec_has(self, a: A) -> bool { self.count(a) > 0 }
    pub spec fn subset_of(self, m: Multiset<A>) -> bool { forall|a: A| self.count(a) <= m.count(a) }
    pub spec fn spec_le(self, m: Multiset<A>) -> bool { forall|a: A| self.count(a) <= m.count(a) }
    pub spec fn is_disjoint_from(self, m: Multiset<A>) -> bool { forall|a: A| self.count(a) == 0 || m.count(a) == 0 }
    pub spec fn choose(self) -> A { choose|a: A| self.count(a) > 0 }
    pub spec fn dom(self) -> Set<A> { Set::new(|a: A| self.count(a) > 0) }
    pub spec fn is_empty(self) -> bool { self.len() == 0 }
    pub spec fn is_singleton(self) -> bool { self.len() == 1 }
    pub uninterp spec fn from_map(m: Map<A, nat>) -> Multiset<A>;
    pub uninterp spec fn from_set(s: Set<A>) -> Multiset<A>;
    pub spec fn update(self, a: A, count: nat) -> Multiset<A> {
        self.sub(multiset_copies(a, self.count(a))).add(multiset_copies(a, count))
    }
    pub uninterp spec fn filter(self, p: spec_fn(A) -> bool) -> Multiset<A>;
    pub spec fn intersection_with(self, m: Multiset<A>) -> Multiset<A> { self.sub(self.sub(m)) }
    pub spec fn difference_with(self, m: Multiset<A>) -> Multiset<A> { self.sub(m) }
}

}
