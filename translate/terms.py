"""Typed terms: the one intermediate language of samespec.

In: nothing. Out: sorts, terms, function symbols, and the few operations on them (building, substitution, traversal).

Everything behind translation reads terms and nothing else: the readings in `translate.readings` (Z3, SMT-LIB 2, Verus text,
values) each have one case for every operator in `OPS`, and a test fails until they do.

Terms are immutable and hash-consed: structurally equal terms are the same object, so `a is b` decides syntactic equality, and
terms can be dictionary keys at no cost. Bound variables are de Bruijn indices and carry no names, so renaming a bound variable
does not change a term. A function symbol is identified by what it means (the term of its body, or for recursive groups the
bodies with their recursive calls numbered), not by its name: two files whose spec functions have the same definition share the
symbol, whatever the functions are called.

The meaning of every operator follows Verus (design, section 3): integers are mathematical, `/` and `%` Euclidean; a division by
zero, an index out of range, a missing key, a field of another variant, and a cast that does not fit have a fixed but unknown
value.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

# --- sorts ---------------------------------------------------------------------------------------------------------

INT_KINDS: Final = (
    "int", "nat", "u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize", "char",
)  # fmt: skip


class FieldDecl(NamedTuple):
    name: str
    sort: Sort


class VariantDecl(NamedTuple):
    name: str
    fields: tuple[FieldDecl, ...]


class Sort:
    """A sort, interned: equal sorts are the same object.

    | kind     | name                                   | args               | meaning                                    |
    |----------|----------------------------------------|--------------------|--------------------------------------------|
    | bool     |                                        |                    | truth values                               |
    | int      | one of INT_KINDS                       |                    | integers in that type's range; `char` is a Unicode scalar value |
    | seq      |                                        | (element,)         | `Seq<T>`                                   |
    | set      |                                        | (element,)         | `Set<T>` and `ISet<T>`                     |
    | map      |                                        | (key, value)       | `Map<K, V>` and `IMap<K, V>`               |
    | multiset |                                        | (element,)         | `Multiset<T>`                              |
    | boxed    | Vec, slice, array, String, str, …      | type arguments     | an executable collection: a view (`view`) and a hidden rest, so that equal views do not make equal values |
    | data     | the type's name                        | type arguments     | a struct, enum or tuple: see `variants`    |
    | fn       |                                        | parameters, result | `spec_fn(A, B) -> R`                       |
    | opaque   | a type parameter, projection, unknown type | type arguments | nothing is known but equality              |

    `view` is the sort of `x@` for kind boxed. `length` is N for an array `[T; N]` whose length is a literal.
    `variants` are set once after creation, because datatypes can be recursive.
    """

    __slots__ = ("kind", "name", "args", "key", "view", "length", "_variants", "is_struct", "_hash")
    _table: dict[tuple[Any, ...], Sort] = {}

    kind: str
    name: str
    args: tuple[Sort, ...]
    key: str
    view: Sort | None
    length: int | None
    is_struct: bool
    _variants: tuple[VariantDecl, ...] | None

    def __new__(
        cls,
        kind: str,
        name: str = "",
        args: tuple[Sort, ...] = (),
        key: str = "",
        view: Sort | None = None,
        length: int | None = None,
    ) -> Sort:
        ident = (kind, name, args, key, view, length)
        found = cls._table.get(ident)
        if found is None:
            found = object.__new__(cls)
            found.kind, found.name, found.args, found.key, found.view, found.length = ident
            found._variants = None
            found.is_struct = False
            cls._table[ident] = found
        return found

    @property
    def variants(self) -> tuple[VariantDecl, ...]:
        """The variants of a data sort in declaration order (a struct or tuple has one)."""
        assert self._variants is not None, f"datatype {self.name} used before it is defined"
        return self._variants

    @property
    def is_defined(self) -> bool:
        return self._variants is not None

    def define(self, variants: tuple[VariantDecl, ...], is_struct: bool) -> None:
        """Gives a data sort its variants; a second call must agree with the first."""
        self._variants = variants
        self.is_struct = is_struct

    @property
    def is_integer(self) -> bool:
        return self.kind == "int"

    @property
    def element(self) -> Sort:
        """The element sort of a seq, set or multiset, or of a boxed sort's sequence view."""
        if self.kind == "boxed":
            assert self.view is not None
            return self.view.element
        return self.args[0]

    def __repr__(self) -> str:
        return str(self)

    def __str__(self) -> str:
        """The sort as a Verus type."""
        a = self.args
        match self.kind:
            case "bool":
                return "bool"
            case "int":
                return self.name
            case "fn":
                return f"spec_fn({', '.join(map(str, a[:-1]))}) -> {a[-1]}"
            case "boxed" if self.name == "slice":
                return f"[{a[0]}]"
            case "boxed" if self.name == "array":
                return f"[{a[0]}; {'_' if self.length is None else self.length}]"
            case "data" if self.name == "tuple":
                return f"({', '.join(map(str, a))}{',' if len(a) == 1 else ''})"
        head = {"seq": "Seq", "set": "Set", "map": "Map", "multiset": "Multiset"}.get(self.kind, self.name)
        return f"{head}<{', '.join(map(str, a))}>" if a else head


BOOL: Final = Sort("bool")
INT: Final = Sort("int", "int")
NAT: Final = Sort("int", "nat")
CHAR: Final = Sort("int", "char")
USIZE: Final = Sort("int", "usize")


def int_sort(kind: str) -> Sort:
    assert kind in INT_KINDS, kind
    return Sort("int", kind)


def seq_sort(element: Sort) -> Sort:
    return Sort("seq", "", (element,))


def set_sort(element: Sort) -> Sort:
    return Sort("set", "", (element,))


def map_sort(key: Sort, value: Sort) -> Sort:
    return Sort("map", "", (key, value))


def multiset_sort(element: Sort) -> Sort:
    return Sort("multiset", "", (element,))


def fn_sort(params: Iterable[Sort], result: Sort) -> Sort:
    return Sort("fn", "", (*params, result))


def opaque_sort(name: str, args: Iterable[Sort] = ()) -> Sort:
    return Sort("opaque", name, tuple(args))


def tuple_sort(elements: Iterable[Sort]) -> Sort:
    """`(A, B, …)`: a datatype with one variant whose fields are named "0", "1", …; `()` is the empty tuple."""
    args = tuple(elements)
    sort = Sort("data", "tuple", args)
    if not sort.is_defined:
        sort.define((VariantDecl("", tuple(FieldDecl(str(i), s) for i, s in enumerate(args))),), True)
    return sort


UNIT: Final = tuple_sort(())


def word_range(kind: str) -> tuple[int | None, int | None]:
    """The inclusive bounds of a fixed-width integer type; None where there is none, or where it depends on the word size
    (`usize`, `isize`). The bounds of `char` are those of a code point (surrogates lie inside and are excluded apart)."""
    if kind == "nat":
        return 0, None
    if kind == "char":
        return 0, 0x10FFFF
    if kind == "usize":
        return 0, None
    if kind in ("int", "isize"):
        return None, None
    bits = int(kind[1:])
    return (0, 2**bits - 1) if kind[0] == "u" else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)


# --- function symbols ----------------------------------------------------------------------------------------------


class FnSym:
    """A specification function, interned by meaning.

    `kind` is
    - "defined": `body` is its definition, a term whose parameters are bound variables (parameter k of n is index n - 1 - k,
      as under a lambda). It ends: nothing in it calls the function again.
    - "recursive": `body` as before, with calls to itself or to others of its group. It holds where `when` (a Bool term over
      the same bound variables; None is always) holds, and its result is unknown elsewhere.
    - "uninterpreted": nothing is known but that it is a function.

    `name` is for people; the first file that defines the symbol gives it. `decreases` are the measure terms of a recursive
    function over the same bound variables (empty where unknown): hints for induction, not part of the meaning.
    `origin` says where it comes from: "vstd" (the vocabulary), "file", or "unknown" (named in the file, defined nowhere that
    samespec sees). `method` prints as `recv.name(…)`.
    """

    __slots__ = ("name", "params", "result", "kind", "key", "body", "when", "decreases", "origin", "method")

    def __init__(
        self, name: str, params: tuple[Sort, ...], result: Sort, kind: str, key: tuple[Any, ...], origin: str, method: bool
    ) -> None:
        self.name, self.params, self.result, self.kind, self.key = name, params, result, kind, key
        self.origin, self.method = origin, method
        self.body: Term | None = None
        self.when: Term | None = None
        self.decreases: tuple[Term, ...] = ()

    def __repr__(self) -> str:
        return f"<{self.kind} {self.name}({', '.join(map(str, self.params))}) -> {self.result}>"


class _Bank:
    """The interned terms and symbols of one piece of work."""

    __slots__ = ("symbols", "terms")

    def __init__(self, terms: dict[tuple[Any, ...], Term], symbols: dict[tuple[Any, ...], FnSym]) -> None:
        self.terms, self.symbols = terms, symbols


_bank: ContextVar[_Bank] = ContextVar("_bank", default=_Bank({}, {}))  # noqa: B039


@contextmanager
def own_terms() -> Iterator[None]:
    """Work whose terms and symbols are its own: their order of creation, and the names that symbols got first, depend on nothing
    that the process did before, and nothing is kept afterwards. Terms of inside and outside do not mix, but for the constants of
    this module."""
    token = _bank.set(_Bank(dict(_base.terms), dict(_base.symbols)))
    try:
        yield
    finally:
        _bank.reset(token)


def _symbol(
    name: str, params: tuple[Sort, ...], result: Sort, kind: str, key: tuple[Any, ...], origin: str, method: bool
) -> FnSym:
    table = _bank.get().symbols
    found = table.get(key)
    if found is None:
        found = table[key] = FnSym(name, params, result, kind, key, origin, method)
    return found


def defined(
    name: str, params: tuple[Sort, ...], body: Term, *, origin: str = "file", method: bool = False, result: Sort | None = None
) -> FnSym:
    """The symbol of a non-recursive definition. `body` has `len(params)` loose bound variables."""
    result = result or body.sort
    sym = _symbol(name, params, result, "defined", ("defined", params, result, body), origin, method)
    sym.body = body
    return sym


def uninterpreted(
    name: str, params: tuple[Sort, ...], result: Sort, *, origin: str = "file", method: bool = False, key: str = ""
) -> FnSym:
    """The symbol of a function without a definition; two of them are the same when name (or `key`) and signature are."""
    ident = ("uninterpreted", key or name, params, result)
    return _symbol(name, params, result, "uninterpreted", ident, origin, method)


class RecursiveDef(NamedTuple):
    """One member of a recursive group: `body`, `when` and `decreases` are over the parameters as bound variables and call
    members of the group by `call_by_name(name, …)`."""

    name: str
    params: tuple[Sort, ...]
    result: Sort
    body: Term
    when: Term | None
    decreases: tuple[Term, ...]
    method: bool
    shown: str


def recursive_group(members: list[RecursiveDef]) -> dict[str, FnSym]:
    """The symbols of a group of mutually recursive definitions, by name.

    Each symbol's identity is the group as seen from it: members are numbered in the order in which their calls are met, so
    neither names nor the order in a file matter. Where the group has a `when`, the name matters: outside, each function has
    unknown values of its own.
    """
    named = any(m.when is not None for m in members)
    by_name = {m.name: m for m in members}
    symbols: dict[str, FnSym] = {}
    for root in members:
        order: dict[str, int] = {root.name: 0}
        parts: list[Any] = []
        queue = [root.name]
        for name in queue:
            m = by_name[name]
            for t in subterms(m.body if m.when is None else mk("and", (m.body, m.when), BOOL)):
                if t.op == "rec" and t.data not in order and t.data in by_name:
                    order[t.data] = len(order)
                    queue.append(t.data)

            def number(t: Term, order: dict[str, int] = order) -> Term | None:
                if t.op == "rec" and t.data in order:
                    return mk("rec", t.args, t.sort, order[t.data])
                return None

            parts.append((m.params, m.result, rewrite(m.body, number), None if m.when is None else rewrite(m.when, number)))
        key = ("recursive", tuple(parts), root.name if named else None)
        symbols[root.name] = _symbol(root.shown, root.params, root.result, "recursive", key, "file", root.method)

    def link(t: Term) -> Term | None:
        if t.op == "rec" and t.data in symbols:
            return app(symbols[t.data], t.args)
        return None

    for m in members:
        sym = symbols[m.name]
        if sym.body is None:
            sym.body = rewrite(m.body, link)
            sym.when = None if m.when is None else rewrite(m.when, link)
            sym.decreases = tuple(rewrite(d, link) for d in m.decreases)
    return symbols


# --- terms ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Op:
    """An operator: how many arguments (None: any number), what its `data` holds, what it means."""

    arity: int | None
    data: str
    meaning: str


#: Every operator of the term language. Sorts in brackets; S is any sort.
OPS: Final[dict[str, Op]] = {
    # variables and literals
    "var": Op(0, "name: str", "a free variable (a parameter, the result)"),
    "bound": Op(0, "index: int", "a bound variable; 0 is the innermost binder's last variable"),
    "lit": Op(0, "bool or int", "a truth value or an integer (also a char's code); integer literals have sort int or char"),
    "rec": Op(None, "name: str or int", "a call inside a recursive group that is still being built; in no finished term"),
    "word": Op(0, "'usize::MAX', 'usize::BITS', 'isize::MAX' or 'isize::MIN'", "a constant of the unknown word size, 32 or 64 bits"),
    # logic
    "not": Op(1, "", "negation"),
    "and": Op(None, "", "conjunction of any number of arguments"),
    "or": Op(None, "", "disjunction of any number of arguments"),
    "implies": Op(2, "", "implication"),
    "ite": Op(3, "", "if [Bool] then [S] else [S]"),
    "eq": Op(2, "", "equality in Verus's sense: extensional on seq, set, map, multiset and fn (`=~=`), of values on boxed; on Bool it is `<==>`"),
    "forall": Op(1, "sorts: tuple[Sort, ...]", "for all values of the sorts (in their ranges); binds len(sorts) variables in its argument"),
    "exists": Op(1, "sorts: tuple[Sort, ...]", "for some values of the sorts"),
    "choose": Op(1, "sorts: tuple[Sort, ...]", "a fixed but unknown value for which the argument holds, if there is one; several sorts give a tuple"),
    "lambda": Op(1, "sorts: tuple[Sort, ...]", "a spec_fn; binds len(sorts) variables"),
    "apply": Op(None, "", "a spec_fn applied: function, then arguments"),
    "app": Op(None, "symbol: FnSym", "a function symbol applied"),
    # integers (arguments of any integer sort, mathematical)
    "add": Op(2, "", "sum"),
    "sub": Op(2, "", "difference"),
    "mul": Op(2, "", "product"),
    "neg": Op(1, "", "negative"),
    "div": Op(2, "", "Euclidean quotient; unknown for divisor 0"),
    "mod": Op(2, "", "Euclidean remainder; unknown for divisor 0"),
    "lt": Op(2, "", "less"),
    "le": Op(2, "", "less or equal"),
    "cast": Op(1, "", "`x as T` where T is the term's sort: x where it fits, else an unknown value of T's range that depends on x only"),
    # bits: `sort` is the integer type in which the operation happens (fixed width or word size)
    "bitand": Op(2, "", "bitwise and, two's complement"),
    "bitor": Op(2, "", "bitwise or"),
    "bitxor": Op(2, "", "bitwise exclusive or"),
    "bitnot": Op(1, "", "bitwise complement"),
    "shl": Op(2, "", "shift left, truncated to the width; unknown for a shift outside 0..width"),
    "shr": Op(2, "", "shift right, arithmetic on signed types; unknown for a shift outside 0..width"),
    # datatypes
    "ctor": Op(None, "variant: int", "a value of the data sort, fields in declaration order"),
    "is": Op(1, "variant: int", "whether the value is of that variant"),
    "field": Op(1, "(variant: int, field: int)", "a field; unknown where the value is of another variant"),
    # executable collections
    "view": Op(1, "", "`x@` of a boxed value"),
    # sequences
    "seq.lit": Op(None, "", "`seq![…]`; no arguments: the empty sequence"),
    "seq.new": Op(2, "", "`Seq::new(n, f)`: [Int] length (a nat; 0 where negative), [fn(int) -> S] elements"),
    "seq.len": Op(1, "", "length"),
    "seq.index": Op(2, "", "element; unknown out of range"),
    "seq.push": Op(2, "", "one element more"),
    "seq.update": Op(3, "", "sequence, index, element; unknown as a whole where the index is out of range"),
    "seq.subrange": Op(3, "", "sequence, start, end; unknown unless 0 <= start <= end <= len"),
    "seq.add": Op(2, "", "concatenation"),
    # sets
    "set.lit": Op(None, "", "`set![…]`; no arguments: the empty set"),
    "set.new": Op(1, "", "comprehension: [fn(S) -> bool]"),
    "set.contains": Op(2, "", "membership: set, element"),
    "set.insert": Op(2, "", "set with the element"),
    "set.remove": Op(2, "", "set without the element"),
    "set.union": Op(2, "", "union"),
    "set.intersect": Op(2, "", "intersection"),
    "set.difference": Op(2, "", "difference"),
    "set.complement": Op(1, "", "complement"),
    "set.finite": Op(1, "", "whether the set is finite"),
    "set.len": Op(1, "", "cardinality (a nat); unknown for an infinite set"),
    # maps
    "map.lit": Op(None, "", "`map![k => v, …]`: keys and values in turn, later ones win; no arguments: the empty map"),
    "map.new": Op(2, "", "comprehension: [fn(K) -> bool] domain, [fn(K) -> V] values"),
    "map.dom": Op(1, "", "domain, a set"),
    "map.index": Op(2, "", "value; unknown for a missing key"),
    "map.insert": Op(3, "", "map, key, value"),
    "map.remove": Op(2, "", "map, key"),
    # multisets
    "multiset.lit": Op(None, "", "multiset of the arguments; none: the empty multiset"),
    "multiset.count": Op(2, "", "multiplicity (a nat): multiset, element"),
    "multiset.add": Op(2, "", "sum of multiplicities"),
    "multiset.sub": Op(2, "", "difference of multiplicities, not below 0"),
    "multiset.len": Op(1, "", "number of elements with multiplicity (a nat)"),
    "seq.to_multiset": Op(1, "", "multiset of a sequence's elements"),
}  # fmt: skip

BINDERS: Final = frozenset({"forall", "exists", "choose", "lambda"})


class Term:
    """A term, interned. `loose` is how many enclosing binders' variables it may mention: 1 + the largest loose index.

    `size` is the number of nodes of the tree that it stands for (shared parts counted each time). `tag` is its place in the
    order of creation, the same in every run: sort by it where an order is wanted, never by `id`.
    """

    __slots__ = ("op", "args", "sort", "data", "loose", "size", "tag", "__weakref__")
    op: str
    args: tuple[Term, ...]
    sort: Sort
    data: Any
    loose: int
    size: int
    tag: int

    def __repr__(self) -> str:
        shown = "" if self.data is None else f"[{self.data}]"
        return f"{self.op}{shown}" + (f"({', '.join(map(repr, self.args))})" if self.args else "")


def mk(op: str, args: tuple[Term, ...], sort: Sort, data: Any = None) -> Term:
    """The term with that operator, arguments, sort and data: no checks, no rewriting. Prefer the builders below."""
    # bool and int literals are equal keys in Python (True == 1), their sorts tell them apart.
    ident = (op, args, sort, data)
    table = _bank.get().terms
    t = table.get(ident)
    if t is not None:
        return t
    t = object.__new__(Term)
    t.op, t.args, t.sort, t.data = ident
    t.tag = len(table)
    size = 1
    if op == "bound":
        loose = data + 1
    else:
        loose = 0
        for a in args:
            size += a.size
            if a.loose > loose:
                loose = a.loose
        if op in BINDERS:
            loose = max(0, loose - len(data))
    t.loose = loose
    t.size = size
    table[ident] = t
    return t


def var(name: str, sort: Sort) -> Term:
    return mk("var", (), sort, name)


def bound(index: int, sort: Sort) -> Term:
    return mk("bound", (), sort, index)


def lit(value: bool | int) -> Term:
    return mk("lit", (), BOOL if isinstance(value, bool) else INT, value)


def char_lit(value: str) -> Term:
    return mk("lit", (), CHAR, ord(value))


TRUE: Final = lit(True)
FALSE: Final = lit(False)
ZERO: Final = lit(0)
ONE: Final = lit(1)

#: What every piece of work starts with.
_base: Final = _Bank(dict(_bank.get().terms), dict(_bank.get().symbols))


def not_(a: Term) -> Term:
    if a.op == "not":
        return a.args[0]
    if a.op == "lit":
        return lit(not a.data)
    return mk("not", (a,), BOOL)


def and_(parts: Iterable[Term]) -> Term:
    """Conjunction, flattened, without `true`; `false` absorbs."""
    flat: list[Term] = []
    for p in parts:
        if p is TRUE:
            continue
        if p is FALSE:
            return FALSE
        flat.extend(p.args if p.op == "and" else (p,))
    if not flat:
        return TRUE
    return flat[0] if len(flat) == 1 else mk("and", tuple(flat), BOOL)


def or_(parts: Iterable[Term]) -> Term:
    """Disjunction, flattened, without `false`; `true` absorbs."""
    flat: list[Term] = []
    for p in parts:
        if p is FALSE:
            continue
        if p is TRUE:
            return TRUE
        flat.extend(p.args if p.op == "or" else (p,))
    if not flat:
        return FALSE
    return flat[0] if len(flat) == 1 else mk("or", tuple(flat), BOOL)


def implies(a: Term, b: Term) -> Term:
    if a is TRUE:
        return b
    if a is FALSE or b is TRUE:
        return TRUE
    return mk("implies", (a, b), BOOL)


def eq(a: Term, b: Term) -> Term:
    return TRUE if a is b else mk("eq", (a, b), BOOL)


def ite(c: Term, a: Term, b: Term, sort: Sort | None = None) -> Term:
    if c is TRUE or a is b:
        return a
    if c is FALSE:
        return b
    return mk("ite", (c, a, b), sort or join_sorts(a.sort, b.sort))


def join_sorts(a: Sort, b: Sort) -> Sort:
    """The sort of a value that may be either: the sort itself, or `int` for two different integer types (`nat` where neither
    can be negative)."""
    if a is b:
        return a
    if a.is_integer and b.is_integer and "char" not in (a.name, b.name):
        return NAT if a.name[0] in "nu" and b.name[0] in "nu" else INT
    return a


def arith(op: str, a: Term, b: Term) -> Term:
    """`add`, `sub`, `mul`, `div`, `mod` (sort int), `lt`, `le` (sort Bool)."""
    return mk(op, (a, b), BOOL if op in ("lt", "le") else INT)


def app(sym: FnSym, args: Iterable[Term]) -> Term:
    return mk("app", tuple(args), sym.result, sym)


def quantify(op: str, sorts: tuple[Sort, ...], body: Term, result: Sort | None = None) -> Term:
    """`forall`, `exists`, `choose`, `lambda` over a body whose last len(sorts) loose variables are bound."""
    if op in ("forall", "exists"):
        return mk(op, (body,), BOOL, sorts) if sorts else body
    if op == "lambda":
        return mk(op, (body,), fn_sort(sorts, body.sort), sorts)
    return mk(op, (body,), result or (sorts[0] if len(sorts) == 1 else tuple_sort(sorts)), sorts)


# --- substitution and traversal -------------------------------------------------------------------------------------


def rewrite(t: Term, f: Callable[[Term], Term | None]) -> Term:
    """Replaces, from the top, every subterm for which `f` gives another term (arguments of the replaced term are visited
    first, so `f` sees terms whose arguments are already rewritten). `f` must not depend on binders."""
    memo: dict[Term, Term] = {}

    def go(t: Term) -> Term:
        done = memo.get(t)
        if done is None:
            args = tuple(map(go, t.args)) if t.args else t.args
            new = t if args == t.args else mk(t.op, args, t.sort, t.data)
            done = f(new)
            if done is None:
                done = new
            memo[t] = done
        return done

    return go(t)


def shift(t: Term, by: int, cutoff: int = 0) -> Term:
    """Adds `by` to every loose index that is at least `cutoff`."""
    if by == 0 or t.loose <= cutoff:
        return t
    memo: dict[tuple[Term, int], Term] = {}

    def go(t: Term, cutoff: int) -> Term:
        if t.loose <= cutoff:
            return t
        if t.op == "bound":
            return bound(t.data + by, t.sort)
        done = memo.get((t, cutoff))
        if done is None:
            inner = cutoff + len(t.data) if t.op in BINDERS else cutoff
            done = memo[t, cutoff] = mk(t.op, tuple(go(a, inner) for a in t.args), t.sort, t.data)
        return done

    return go(t, cutoff)


def instantiate(body: Term, args: tuple[Term, ...]) -> Term:
    """The body of a binder (or symbol) of len(args) variables with the arguments put in their place; loose indices of the
    body beyond them come down accordingly, those of the arguments are kept right under inner binders."""
    n = len(args)
    if body.loose == 0 or n == 0:
        return body
    memo: dict[tuple[Term, int], Term] = {}

    def go(t: Term, depth: int) -> Term:
        if t.loose <= depth:
            return t
        if t.op == "bound":
            k: int = t.data - depth
            return shift(args[n - 1 - k], depth) if k < n else bound(t.data - n, t.sort)
        done = memo.get((t, depth))
        if done is None:
            inner = depth + len(t.data) if t.op in BINDERS else depth
            done = memo[t, depth] = mk(t.op, tuple(go(a, inner) for a in t.args), t.sort, t.data)
        return done

    return go(body, 0)


def abstract(t: Term, variables: tuple[Term, ...]) -> Term:
    """The opposite of `instantiate`: free variables become the innermost bound ones, the last variable index 0."""
    n = len(variables)
    place = {v: n - 1 - k for k, v in enumerate(variables)}
    memo: dict[tuple[Term, int], Term] = {}

    def go(t: Term, depth: int) -> Term:
        if t.op == "var":
            k = place.get(t)
            return t if k is None else bound(k + depth, t.sort)
        if t.op == "bound":
            return bound(t.data + n, t.sort) if t.data >= depth else t
        if not t.args:
            return t
        done = memo.get((t, depth))
        if done is None:
            inner = depth + len(t.data) if t.op in BINDERS else depth
            args = tuple(go(a, inner) for a in t.args)
            done = memo[t, depth] = t if args == t.args else mk(t.op, args, t.sort, t.data)
        return done

    return go(t, 0)


def subterms(t: Term) -> Iterator[Term]:
    """Every different subterm once, parents before their arguments, in order of appearance."""
    seen = {t}
    stack = [t]
    while stack:
        t = stack.pop()
        yield t
        for a in reversed(t.args):
            if a not in seen:
                seen.add(a)
                stack.append(a)


def free_variables(t: Term) -> list[Term]:
    """The free variables, in order of appearance."""
    return [s for s in subterms(t) if s.op == "var"]


def symbols(t: Term, *, through_definitions: bool = True) -> list[FnSym]:
    """The function symbols in a term, in order of appearance; with `through_definitions` those of their bodies too."""
    found: dict[FnSym, None] = {}
    queue = [t]
    for t in queue:
        for s in subterms(t):
            if s.op == "app" and s.data not in found:
                found[s.data] = None
                if through_definitions:
                    queue.extend(b for b in (s.data.body, s.data.when) if b is not None)
    return list(found)
