"""An obligation as a Verus file: what to paste, to see for oneself.

In: an obligation (premises, goal, variables: terms), and the elaborations of the two files that its names come from. Out: the
text of a complete Verus file: the datatypes, every specification function that is not vstd's, and one proof function that
requires the premises and ensures the goal. Verus proves it, or a person finds out why it does not.

Definitions are those of each file; where the two files mean different things by one name, the names get `_original` and
`_submitted` behind them. Everything stands in one module, so paths become plain names.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from translate import syntax as sx
from translate import terms as tm
from translate.elaborate.elaborator import Elaborator
from translate.elaborate.inference import Unsupported
from translate.elaborate.types import TRANSPARENT, TypeScope
from translate.names import Ref
from translate.readings.verus_text import MAX_NODES, Naming, to_verus
from translate.terms import FnSym, Sort, Term

#: Columns of the text.
WIDTH = 96
#: A text of more characters than this helps nobody.
MAX_TEXT = 200_000

KEYWORDS = frozenset(
    """as async await break const continue crate dyn else enum extern false fn for if impl in let loop match mod move mut pub
    ref return self Self static struct super trait true type unsafe use where while abstract become box do final macro
    override priv typeof unsized virtual yield try union gen raw assert assume assume_specification axiom broadcast by
    checked choose closed decreases default_ensures ensures exec exists forall ghost global has implies int invariant
    invariant_except_break invariant_ensures is isnt matches mode nat no_unwind old open opens_invariants proof
    recommends requires returns reveal spec tracked tuple uninterp via when with""".split()
)
#: Names that mean something wherever the prelude is in scope.
PRELUDE = frozenset(
    """Seq Set Map Multiset ISet IMap Option Some None Result Ok Err Vec String Box Rc Arc Ghost Tracked View DeepView bool char
    str u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize f32 f64 vstd std core alloc main seq set map spec_fn FnSpec Ordering
    Range arbitrary equal assert_by admit assume_ Copy Clone Default Iterator From Into Drop Eq Ord""".split()
)
#: Types of the standard library that need a `use`.
USES = {
    "HashMap": "std::collections::HashMap", "HashSet": "std::collections::HashSet", "VecDeque": "std::collections::VecDeque",
    "BTreeMap": "std::collections::BTreeMap", "BTreeSet": "std::collections::BTreeSet", "Ordering": "core::cmp::Ordering",
    "Range": "core::ops::Range", "HashMapWithView": "vstd::hash_map::HashMapWithView", "Rc": "std::rc::Rc",
    "StringHashMap": "vstd::hash_map::StringHashMap", "HashSetWithView": "vstd::hash_set::HashSetWithView",
    "Arc": "std::sync::Arc",
}  # fmt: skip
#: Functions of vstd that are called by their path.
VSTD_PATHS = {
    "abs": "vstd::math::abs", "max": "vstd::math::max", "min": "vstd::math::min", "clip": "vstd::math::clip",
    "add": "vstd::math::add", "sub": "vstd::math::sub", "mul": "vstd::math::mul", "div": "vstd::math::div",
    "pow": "vstd::arithmetic::power::pow", "pow2": "vstd::arithmetic::power2::pow2", "log": "vstd::arithmetic::logarithm::log",
    "arbitrary": "vstd::pervasive::arbitrary", "set_int_range": "vstd::set_lib::set_int_range",
}  # fmt: skip


class NoLemma(Exception):
    """An obligation without a text that could be pasted; says why."""


class Side(NamedTuple):
    """One of the two files: "original" or "submitted", and its elaboration."""

    label: str
    el: Elaborator


class Premise(NamedTuple):
    """A premise, and where it comes from in a few words (a comment in the text; "" for none)."""

    term: Term
    comment: str = ""


@dataclass(frozen=True, slots=True)
class Lemma:
    """`text` is the file, `name` that of its proof function. `functions`, `types` and `variables` say what things are called in
    it."""

    name: str
    text: str
    functions: dict[FnSym, str] = field(repr=False)
    types: dict[Sort, str] = field(repr=False)
    variables: dict[Term, str] = field(repr=False)


def lemma(
    name: str,
    premises: Sequence[Premise],
    goal: Premise,
    variables: Sequence[Term],
    sides: Sequence[Side],
    comments: Iterable[str] = (),
) -> Lemma:
    """The obligation that the premises imply the goal, as a Verus file. Raises `NoLemma` where it has no text."""
    writer = _Writer(name, premises, goal, variables, sides)
    try:
        text = writer.file(comments)
    except Unsupported as problem:
        raise NoLemma(f"{problem.construct} has no Verus text of its own") from problem
    if len(text) > MAX_TEXT:
        raise NoLemma("too large to be written down")
    return Lemma(writer.lemma_name, text, writer.names.functions, writer.types.names, writer.names.variables)


def identifier(text: str) -> str:
    """The text as an identifier of Verus that is no keyword: `old(v)` becomes `old_v`."""
    plain = re.sub(r"[^A-Za-z0-9_]+", "_", text).strip("_") or "x"
    if plain[0].isdigit():
        plain = f"x{plain}"
    return f"{plain}_" if plain in KEYWORDS or plain in PRELUDE else plain


def comment(text: str) -> str:
    """A comment of one line that holds nothing that ends it or hides."""
    folded = " ".join(text.split())
    return "// " + "".join(c if c.isprintable() else f"\\u{{{ord(c):x}}}" for c in folded)


class _Names:
    """Identifiers, each given once."""

    def __init__(self) -> None:
        self.used: set[str] = set()

    def fresh(self, wanted: str) -> str:
        name, n = wanted, 2
        while name in self.used:
            name, n = f"{wanted}_{n}", n + 1
        self.used.add(name)
        return name


# --- types -------------------------------------------------------------------------------------------------------


class _Types:
    """The sorts of a lemma: what they are called, and the items that define them."""

    def __init__(self, sides: Sequence[Side], used: _Names) -> None:
        self.sides, self.used = sides, used
        self.names: dict[Sort, str] = {}  # of opaque sorts
        self.by_definition: dict[tuple[str, str], str] = {}
        self.items: dict[tuple[str, str], tuple[Sort, Ref, Elaborator]] = {}
        self.opaque: dict[Sort, None] = {}
        self.inside: dict[Sort, None] = {}  # opaque sorts in fields: they need a declaration
        self.uses: dict[str, None] = {}
        self.sizes: dict[str, None] = {}  # constants that array lengths name
        self._seen: set[Sort] = set()

    def collect(self, s: Sort) -> None:
        """Notes what a sort needs to be declared."""
        if s in self._seen:
            return
        self._seen.add(s)
        for a in s.args:
            if s.kind != "opaque":
                self.collect(a)
        if s.view is not None:
            self.collect(s.view)
        match s.kind:
            case "opaque":
                self.opaque[s] = None
            case "boxed" if s.name == "array" and s.length is None and s.key:
                self.sizes[size_of(s)] = None
            case "boxed" if s.name in USES:
                self.uses[USES[s.name]] = None
            case "data" if s.name != "tuple":
                self._collect_data(s)
            case "data":
                for f in s.variants[0].fields:
                    self.collect(f.sort)

    def _collect_data(self, s: Sort) -> None:
        for _, el in self.sides:
            ref = el.types.item_of.get(s)
            if ref is None or not isinstance(ref.item, sx.Struct | sx.Enum) or ref.crate is None:
                continue
            if ref.crate.name == "vstd":
                self.by_definition[s.name, s.key] = s.name
                if s.name in USES:
                    self.uses[USES[s.name]] = None
            else:
                self.items.setdefault((s.name, s.key), (s, ref, el))
            break
        else:
            if s.name in PRELUDE:
                self.by_definition[s.name, s.key] = s.name
            else:
                raise NoLemma(f"the definition of type {s} is not at hand")
        for v in s.variants:
            for f in v.fields:
                self.collect(f.sort)

    def name_all(self) -> None:
        """Gives every collected sort its name."""
        for _, ref, el in self.items.values():
            scope, own = _own_scope(ref, el)
            for f in (f for fields in _fields(ref) for f in fields):
                inner = el.inference.zonk(el.types.sort(f.type, scope), tm.INT)
                self.inside.update(dict.fromkeys(o for o in opaque_in(inner) if o not in own))
        self.opaque.update(self.inside)
        count: dict[str, int] = {}
        for name, _ in self.items:
            count[name] = count.get(name, 0) + 1
        for (name, key), (s, _, _) in self.items.items():
            wanted = identifier(name)
            if count[name] > 1:
                homes = [label for label, el in self.sides if s in el.types.item_of]
                wanted = f"{wanted}_{homes[0]}" if len(homes) == 1 else wanted
            self.by_definition[name, key] = self.used.fresh(wanted)
        for s in self.opaque:
            self.names[s] = self.used.fresh(identifier(str(s)))

    def data(self, s: Sort) -> str:
        """The name of a datatype."""
        if (s.name, s.key) not in self.by_definition:
            raise NoLemma(f"the definition of type {s} is not at hand")
        return self.by_definition[s.name, s.key]

    def text(self, s: Sort) -> str:
        """A sort as a type of the lemma's file."""
        inner = ", ".join(map(self.text, s.args))
        match s.kind:
            case "opaque":
                return self.names[s]
            case "data" if s.name == "tuple":
                return f"({inner}{',' if len(s.args) == 1 else ''})"
            case "data":
                return self.data(s) + (f"<{inner}>" if inner else "")
            case "fn":
                *params, result = s.args
                return f"spec_fn({', '.join(map(self.text, params))}) -> {self.text(result)}"
            case "boxed" if s.name == "slice":
                return f"&[{inner}]"
            case "boxed" if s.name == "str":
                return "&str"
            case "boxed" if s.name == "array":
                return f"[{inner}; {size_of(s) if s.length is None else s.length}]"
            case "bool" | "int":
                return str(s)
        head = {"seq": "Seq", "set": "Set", "map": "Map", "multiset": "Multiset"}.get(s.kind, s.name)
        return f"{head}<{inner}>" if inner else head

    def pointer(self, s: Sort, variant: int, index: int) -> str:
        """The pointer that a field's type is in its source text: terms see through it, and Rust does not."""
        found = self.items.get((s.name, s.key))
        if found is None:
            return ""
        _, ref, el = found
        f = _fields(ref)[variant][index]
        scope = el.scope_of(ref)
        return _pointer_of(f.type, scope) if isinstance(f.type, sx.PathType) else ""

    def definitions(self) -> list[str]:
        unknown = [f"#[verifier::external_body]\nstruct {self.names[s]} {{}}" for s in self.inside]
        return unknown + [self._definition(*found) for found in self.items.values()]

    def _definition(self, s: Sort, ref: Ref, el: Elaborator) -> str:
        item = ref.item
        assert isinstance(item, sx.Struct | sx.Enum)
        scope, own = _own_scope(ref, el)
        head = self.by_definition[s.name, s.key] + (f"<{', '.join(own.values())}>" if own else "")

        def body(fields: list[sx.FieldDef], shape: str, pad: str) -> str:
            shown = [(f.name, self._field_type(f.type, scope, el, own)) for f in fields]
            if shape == "unit":
                return ""
            if shape == "tuple":
                return f"({', '.join(t for _, t in shown)})"
            return " {\n" + "".join(f"{pad}    {n}: {t},\n" for n, t in shown) + f"{pad}}}"

        if isinstance(item, sx.Struct):
            end = ";" if item.shape in ("unit", "tuple") else ""
            return f"struct {head}{body(item.fields, item.shape, '')}{end}"
        variants = "".join(f"    {v.name}{body(v.fields, v.shape, '    ')},\n" for v in item.variants)
        return f"enum {head} {{\n{variants}}}"

    def _field_type(self, t: sx.Type, scope: TypeScope, el: Elaborator, own: dict[Sort, str]) -> str:
        """A type as it stands in a definition, with its pointers, and with names of the lemma."""
        sort = el.inference.zonk(el.types.sort(t, scope), tm.INT)
        if isinstance(t, sx.PathType) and t.path.qself is None and t.path.segments:
            ref = scope.crate.resolve([x.name for x in t.path.segments], scope.module, "types")
            args = t.path.segments[-1].args
            if ref is not None and isinstance(ref.item, sx.Struct | sx.Enum) and args is not None and not args.parenthesised:
                inner = [self._field_type(a, scope, el, own) for a in args.args if isinstance(a, sx.Type)]
                pointer = _pointer_of(t, scope)
                if pointer:
                    return f"{pointer}<{', '.join(inner)}>"
                head = self._own(sort, own).split("<", 1)[0]
                return f"{head}<{', '.join(inner)}>" if inner else head
        return self._own(sort, own)

    def _own(self, sort: Sort, own: dict[Sort, str]) -> str:
        """A sort's text, where type parameters of the definition keep their names."""
        before = {s: self.names.get(s) for s in own}
        self.names.update(own)
        try:
            return self.text(sort).replace("&[", "&'static [").replace("&str", "&'static str")
        except KeyError as missing:
            raise NoLemma(f"type {missing.args[0]} in a definition has no name here") from missing
        finally:
            for s, name in before.items():
                if name is None:
                    self.names.pop(s, None)
                else:
                    self.names[s] = name


def size_of(s: Sort) -> str:
    """The constant that is an array's length."""
    name = s.key.removeprefix("const ")
    if not name.isidentifier():
        raise NoLemma(f"an array of length `{name or 'unknown'}` has no type of its own")
    return name


def _own_scope(ref: Ref, el: Elaborator) -> tuple[TypeScope, dict[Sort, str]]:
    """The scope inside a type's definition, and its type parameters by name."""
    item = ref.item
    assert isinstance(item, sx.Struct | sx.Enum)
    params = [g.name for g in item.generics.params if g.kind != "lifetime"]
    scope = el.scope_of(ref)
    scope.generics = {p: tm.opaque_sort(p) for p in params}
    scope.self_path = (ref, tuple(scope.generics.values()))
    return scope, {tm.opaque_sort(p): p for p in params}


def _fields(ref: Ref) -> list[list[sx.FieldDef]]:
    item = ref.item
    if isinstance(item, sx.Struct):
        return [item.fields]
    assert isinstance(item, sx.Enum)
    return [v.fields for v in item.variants]


def _pointer_of(t: sx.PathType, scope: TypeScope) -> str:
    name = t.path.segments[-1].name
    ref = scope.crate.resolve([x.name for x in t.path.segments], scope.module, "types")
    library = ref is not None and ref.crate is not None and ref.crate.name == "vstd"
    return name if library and name in TRANSPARENT else ""


# --- functions and variables ---------------------------------------------------------------------------------------


class _LemmaNames(Naming):
    """What the printer calls things."""

    exact = True

    def __init__(self, types: _Types) -> None:
        self.types = types
        self.functions: dict[FnSym, str] = {}
        self.called: dict[FnSym, tuple[str, bool]] = {}
        self.variables: dict[Term, str] = {}
        self.names: set[str] = set()

    def variable(self, t: Term) -> str:
        return self.variables.get(t) or str(t.data)

    def function(self, sym: FnSym) -> tuple[str, bool]:
        return self.called[sym]

    def sort(self, s: Sort) -> str:
        return self.types.text(s)

    def data(self, s: Sort) -> str:
        return s.name if s.name == "tuple" else self.types.data(s)

    def pointer(self, s: Sort, variant: int, index: int) -> str:
        return self.types.pointer(s, variant, index)

    def taken(self) -> Iterable[str]:
        return self.names


class _Writer:
    def __init__(
        self, name: str, premises: Sequence[Premise], goal: Premise, variables: Sequence[Term], sides: Sequence[Side]
    ) -> None:
        self.premises, self.goal, self.sides = premises, goal, sides
        self.used = _Names()
        self.types = _Types(sides, self.used)
        self.names = _LemmaNames(self.types)
        terms = [p.term for p in premises] + [goal.term]
        free = [v for t in terms for v in tm.free_variables(t)]
        self.variables = list(dict.fromkeys([*variables, *free]))
        self.homes = _homes(sides)
        self.symbols = self._symbols(terms)
        self._collect(terms)
        self.lemma_name = self.used.fresh(identifier(f"obligation_{name}"))
        for v in self.variables:
            self.names.variables[v] = v.data if v.data in self.types.sizes else self.used.fresh(identifier(str(v.data)))
        self.types.name_all()
        self._name_functions()
        self.names.names |= {n for n, _ in self.names.called.values()} | self.used.used

    # --- what there is ---------------------------------------------------------------------------------------------

    def _symbols(self, terms: Sequence[Term]) -> list[FnSym]:
        """The functions in terms and in the definitions (with their measures) of those that have to be printed."""
        found: dict[FnSym, None] = {}
        queue = list(terms)
        for t in queue:
            for s in tm.subterms(t):
                if s.op == "app" and s.data not in found:
                    found[s.data] = None
                    if not self._spelled(s.data):
                        queue.extend(_parts(s.data))
        return list(found)

    def _spelled(self, sym: FnSym) -> bool:
        """Whether a function is part of the language's library: called by its name, not defined here."""
        home = self.homes.get(sym)
        ref = None if home is None else home[0]
        library = sym.origin == "vstd" if ref is None or ref.crate is None else ref.crate.name == "vstd"
        return library and (_is_literal(sym) or sym.method or _plain(sym) in VSTD_PATHS)

    def _collect(self, terms: Sequence[Term]) -> None:
        for v in self.variables:
            self.types.collect(v.sort)
        for t in terms:
            self._collect_sorts(t)
        for sym in self.symbols:
            if not self._spelled(sym):
                for s in (*sym.params, sym.result):
                    self.types.collect(s)
                for t in _parts(sym):
                    self._collect_sorts(t)

    def _collect_sorts(self, t: Term) -> None:
        for s in tm.subterms(t):
            self.types.collect(s.sort)
            if s.op in tm.BINDERS:
                for bound in s.data:
                    self.types.collect(bound)

    # --- names -----------------------------------------------------------------------------------------------------

    def _name_functions(self) -> None:
        printed = [s for s in self.symbols if not self._spelled(s)]
        wanted = {s: self._wanted(s) for s in printed}
        for side in ("original", "submitted"):  # of two functions of one file, each gets its whole path
            mine = [s for s in printed if side in self._sides(s)]
            names = [wanted[s] for s in mine]
            twice = {s for s in mine if names.count(wanted[s]) > 1}
            wanted.update({s: identifier(_without_generics(s.name).replace("::", "_")) for s in twice})
        for sym in self.symbols:
            if self._spelled(sym):
                plain = _plain(sym)
                path = VSTD_PATHS.get(plain, plain)
                name = plain if sym.method else path + (f"::<{self.types.text(sym.result)}>" if plain == "arbitrary" else "")
                self.names.called[sym] = (name, sym.method)
                continue
            same = [s for s in printed if wanted[s] == wanted[sym]]
            name = wanted[sym]
            sides = self._sides(sym)
            if len(same) > 1 and len(sides) == 1:
                name = f"{name}_{sides[0]}"
            name = self.used.fresh(name)
            self.names.functions[sym] = name
        for sym in printed:
            name = self.names.functions[sym]
            generics = self._generics(sym)
            inferred = {o for s in sym.params for o in opaque_in(s)}
            if generics and not set(generics) <= inferred:
                name += f"::<{', '.join(self.types.text(g) for g in generics)}>"
            self.names.called[sym] = (name, False)

    def _wanted(self, sym: FnSym) -> str:
        """The last part of the path, with the type before it for a method."""
        path = [p for p in re.split(r"::", _without_generics(sym.name)) if p]
        shown = path[-1] if len(path) < 2 or not (path[-2][:1].isupper() or sym.method) else f"{path[-2]}_{path[-1]}"
        return identifier(shown)

    def _sides(self, sym: FnSym) -> list[str]:
        home = self.homes.get(sym)
        return [] if home is None else home[1]

    def _generics(self, sym: FnSym) -> list[Sort]:
        """The type parameters that a function's definition mentions, itself or through what it calls."""
        found: dict[Sort, None] = {}
        seen = {sym}
        queue = [sym]
        for s in queue:
            sorts = [*s.params, s.result]
            for part in _parts(s):
                for t in tm.subterms(part):
                    sorts.append(t.sort)
                    sorts.extend(t.data if t.op in tm.BINDERS else ())
                    if t.op == "app" and t.data not in seen and not self._spelled(t.data):
                        seen.add(t.data)
                        queue.append(t.data)
            for sort in sorts:
                found.update(dict.fromkeys(o for o in opaque_in(sort) if o not in self.types.inside))
        return list(found)

    # --- text ------------------------------------------------------------------------------------------------------

    def file(self, comments: Iterable[str]) -> str:
        definitions = self.types.definitions()
        functions = [self._function(s) for s in self.symbols if s in self.names.functions]
        proof = self._proof()
        uses = "".join(f"use {path};\n" for path in self.types.uses)
        parts = "\n\n".join([*definitions, *functions, proof])
        head = "".join(comment(c) + "\n" for c in comments)
        return f"{head}use vstd::prelude::*;\n{uses}\nverus! {{\n\n{parts}\n\n}} // verus!\n\nfn main() {{}}\n"

    def _function(self, sym: FnSym) -> str:
        generics = self._generics(sym)
        sizes = [v for s in (*sym.params, sym.result) for v in _sizes_in(s)]
        params = [f"const {n}: usize" for n in dict.fromkeys(sizes)]
        arguments = self._parameters(sym)
        listed = ", ".join(f"{v.data}: {self.types.text(v.sort)}" for v in arguments)
        shown = [*(self.types.text(g) for g in generics), *params]
        head = f"spec fn {self.names.functions[sym]}" + (f"<{', '.join(shown)}>" if shown else "")
        result = self.types.text(sym.result)
        if result.startswith("&") and sum(self.types.text(v.sort).startswith("&") for v in arguments) != 1:
            result = f"&'static {result[1:]}"
        head += f"({listed}) -> {result}"
        if sym.body is None:
            return f"uninterp {head};"

        def text(t: Term, sort: Sort | None = None) -> str:
            return self._text(tm.instantiate(t, arguments), 4, sort)

        clauses = ""
        if sym.decreases:
            measures = [text(t) for t in (*sym.decreases, *([] if sym.when is None else [sym.when]))]
            measures = [f"({m})" if "{" in m else m for m in measures]
            *measures, when = measures if sym.when is not None else [*measures, ""]
            clauses = f"\n    decreases {', '.join(measures)}" + (f" when {when}" if when else ",")
        body = text(sym.body, sym.result)
        return f"{head}{clauses}{chr(10) if clauses else ' '}{{\n    {body}\n}}"

    def _parameters(self, sym: FnSym) -> tuple[Term, ...]:
        home = self.homes.get(sym)
        fn = None if home is None else home[0].item
        wanted = [f"a{i}" for i in range(len(sym.params))]
        if isinstance(fn, sx.Fn) and len(fn.params) == len(wanted):
            wanted = [
                ("self_" if p.self_kind is not None else identifier(p.name)) if p.name or p.self_kind is not None else w
                for p, w in zip(fn.params, wanted, strict=True)
            ]
        local = _Names()
        local.used = set(self.names.functions.values()) | {n.split("::")[0] for n, _ in self.names.called.values()}
        return tuple(tm.var(local.fresh(w), s) for w, s in zip(wanted, sym.params, strict=True))

    def _proof(self) -> str:
        generics = [self.types.text(s) for s in self.types.opaque if s not in self.types.inside]
        generics += [f"const {n}: usize" for n in self.types.sizes]
        params = [
            f"{self.names.variables[v]}: {self.types.text(v.sort)}" for v in self.variables if v.data not in self.types.sizes
        ]
        head = f"proof fn {self.lemma_name}" + (f"<{', '.join(generics)}>" if generics else "")
        one = f"{head}({', '.join(params)})"
        head = one if len(one) <= WIDTH else f"{head}(\n" + "".join(f"    {p},\n" for p in params) + ")"
        given = "".join(self._clause(p) for p in self.premises)
        requires = f"\n    requires\n{given}" if given else "\n"
        return f"{head}{requires}    ensures\n{self._clause(self.goal)}{{\n}}"

    def _clause(self, p: Premise) -> str:
        shown = self._text(p.term, 8)
        if "{" in shown:  # a clause ends where its function's body may begin
            shown = f"({shown})"
        return (f"        {comment(p.comment)}\n" if p.comment else "") + f"        {shown},\n"

    def _text(self, t: Term, indent: int, sort: Sort | None = None) -> str:
        if t.size > MAX_NODES:
            raise NoLemma("too large to be written down")
        return to_verus(t, WIDTH, names=self.names, sort=sort, indent=indent)


def _parts(sym: FnSym) -> list[Term]:
    """The terms of a definition: body, condition, measures."""
    return [t for t in (sym.body, sym.when, *(sym.decreases if sym.body is not None else ())) if t is not None]


def _plain(sym: FnSym) -> str:
    return _without_generics(sym.name).rsplit("::", 1)[-1]


def _without_generics(name: str) -> str:
    """A path without type arguments, wherever they stand."""
    kept, depth = [], 0
    for i, c in enumerate(name):
        arrow = c == ">" and i > 0 and name[i - 1] == "-"
        if c == "<":
            depth += 1
        elif c == ">" and not arrow:
            depth = max(0, depth - 1)
        elif depth == 0:
            kept.append(c)
    return "".join(kept).strip(":") or re.sub(r"[^A-Za-z0-9_:]+", "_", name)


def _is_literal(sym: FnSym) -> bool:
    return sym.kind == "uninterpreted" and (sym.name.startswith('"') or sym.name == "array")


def opaque_in(s: Sort) -> list[Sort]:
    if s.kind == "opaque":
        return [s]
    return [o for a in s.args for o in opaque_in(a)]


def _sizes_in(s: Sort) -> list[str]:
    own = [size_of(s)] if s.kind == "boxed" and s.name == "array" and s.length is None and s.key else []
    return own + [n for a in s.args for n in _sizes_in(a)]


def _homes(sides: Sequence[Side]) -> dict[FnSym, tuple[Ref, list[str]]]:
    """Where each function is defined, and in which of the files."""
    found: dict[FnSym, tuple[Ref, list[str]]] = {}
    for label, el in sides:
        for _, meanings, ref in el.meanings.values():
            for m in meanings:
                if isinstance(m, FnSym):
                    found.setdefault(m, (ref, []))[1].append(label)
    return found


#: What `LogicalTest` calls for each obligation: name, premises, goal, variables; gives the text, or None where there is none.
LemmaHook = Callable[[str, Sequence[Premise], Premise, Sequence[Term]], str | None]
