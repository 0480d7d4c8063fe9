"""Z3 assertions as portable SMT-LIB 2.6 text, for other solvers and for people.

In: Z3 formulas as the Z3 reading makes them. Out: a script that Z3 and cvc5 both accept, the same text in every run.

What only Z3 has is written otherwise: a lambda, and a constant array, becomes an array symbol with an axiom that gives its
elements (where it mentions bound variables, a function of them). Shared subterms are bound by `let`, so the text is about as
large as the problem in memory.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any, Final

import z3

from translate.readings.z3_builder import Expr

_SIMPLE: Final = re.compile(r"[A-Za-z~!$%^&*_+=<>?/-][A-Za-z0-9~!@$%^&*_+=<>.?/-]*")

#: Symbols that a theory or the language defines; a function of the problem with such a name gets another one.
_TAKEN: Final = frozenset(
    """! _ as BINARY DECIMAL exists HEXADECIMAL forall let match NUMERAL par STRING true false not and or xor => = distinct ite
    + - * / div mod abs divisible < <= > >= to_real to_int is_int select store const Int Bool Real Array BitVec String RegLan
    Seq Set Tuple Bag Relation Map lambda int_to_bv ubv_to_int sbv_to_int bv2nat int2bv nat2bv bvand bvor bvxor bvnot bvneg
    bvadd bvsub bvmul bvudiv bvurem bvshl bvlshr bvashr concat extract repeat is tester update emptyset union inter
    intersection setminus difference member subset insert singleton card complement universe exp sin cos tan pi iand pow2 log2
    int.pow2 char default map filter fold rev re str seq set bag tuple unit nil cons""".split()
)

_OPERATORS: Final = {
    z3.Z3_OP_TRUE: "true",
    z3.Z3_OP_FALSE: "false",
    z3.Z3_OP_EQ: "=",
    z3.Z3_OP_DISTINCT: "distinct",
    z3.Z3_OP_ITE: "ite",
    z3.Z3_OP_AND: "and",
    z3.Z3_OP_OR: "or",
    z3.Z3_OP_IFF: "=",
    z3.Z3_OP_XOR: "xor",
    z3.Z3_OP_NOT: "not",
    z3.Z3_OP_IMPLIES: "=>",
    z3.Z3_OP_LE: "<=",
    z3.Z3_OP_GE: ">=",
    z3.Z3_OP_LT: "<",
    z3.Z3_OP_GT: ">",
    z3.Z3_OP_ADD: "+",
    z3.Z3_OP_SUB: "-",
    z3.Z3_OP_UMINUS: "-",
    z3.Z3_OP_MUL: "*",
    z3.Z3_OP_IDIV: "div",
    z3.Z3_OP_MOD: "mod",
    z3.Z3_OP_SELECT: "select",
    z3.Z3_OP_STORE: "store",
    z3.Z3_OP_BV2INT: "ubv_to_int",
    z3.Z3_OP_BAND: "bvand",
    z3.Z3_OP_BOR: "bvor",
    z3.Z3_OP_BXOR: "bvxor",
    z3.Z3_OP_BSHL: "bvshl",
    z3.Z3_OP_BLSHR: "bvlshr",
    z3.Z3_OP_BASHR: "bvashr",
    z3.Z3_OP_SLT: "bvslt",
    z3.Z3_OP_SLEQ: "bvsle",
}


class NotPortable(Exception):
    """An expression that this module has no portable text for."""


def script(assertions: Sequence[Expr], *, comments: Iterable[str] = (), rlimit: int = 0) -> str:
    """The script that asks whether the assertions are satisfiable together.

    `comments` are put at the top, line by line. `rlimit` (0: none) is the budget in the solver's own units of work.
    """
    return _Script().text(assertions, comments, rlimit)


class _Script:
    def __init__(self) -> None:
        self.names: dict[tuple[str, int], str] = {}  # (kind, id) -> symbol
        self.used: set[str] = set(_TAKEN)
        self.declarations: list[str] = []
        self.axioms: list[str] = []
        self.arrays: dict[tuple[int, ...], str] = {}
        self.alive: list[Any] = []
        self.bound = 0

    def text(self, assertions: Sequence[Expr], comments: Iterable[str], rlimit: int) -> str:
        asserted = []
        for a in assertions:
            text = f"(assert {self.scope(a, ())})"
            asserted += [*self.axioms, text]
            self.axioms.clear()
        lines = [f"; {line}".rstrip() for c in comments for line in c.splitlines() or [""]]
        if rlimit:
            lines.append(f"(set-option :rlimit {rlimit})")
        lines += ["(set-logic ALL)", *self.declarations, *asserted, "(check-sat)"]
        return "\n".join(lines) + "\n"

    # --- names ----------------------------------------------------------------------------------------------------------

    def symbol(self, name: str) -> str:
        """A legal symbol for a name, different from all others."""
        name = re.sub(r"[|\\]|[^\x20-\x7e]", "_", name) or "_"
        if name[0] in "@.":
            name = "_" + name
        base, n = name, 1
        while name in self.used:
            n += 1
            name = f"{base}.{n}"
        self.used.add(name)
        return name if _SIMPLE.fullmatch(name) else f"|{name}|"

    def named(self, kind: str, thing: Any) -> tuple[str, bool]:
        """The symbol of a sort or function, and whether it is new."""
        ident = kind, thing.get_id()
        found = self.names.get(ident)
        if found is not None:
            return found, False
        self.alive.append(thing)
        self.names[ident] = self.symbol(str(thing.name()))
        return self.names[ident], True

    def sort(self, s: Any) -> str:
        match s.kind():
            case z3.Z3_INT_SORT:
                return "Int"
            case z3.Z3_BOOL_SORT:
                return "Bool"
            case z3.Z3_ARRAY_SORT:
                return f"(Array {self.sort(s.domain())} {self.sort(s.range())})"
            case z3.Z3_BV_SORT:
                return f"(_ BitVec {s.size()})"
            case z3.Z3_UNINTERPRETED_SORT:
                name, new = self.named("sort", s)
                if new:
                    self.declarations.append(f"(declare-sort {name} 0)")
                return name
            case z3.Z3_DATATYPE_SORT:
                if ("sort", s.get_id()) not in self.names:
                    self.datatypes(s)
                return self.names["sort", s.get_id()]
        raise NotPortable(f"sort {s}")

    def datatypes(self, s: Any) -> None:
        """Declares a datatype with those that it is made of."""
        group = []
        stack = [s]
        while stack:
            d = stack.pop()
            if d.kind() == z3.Z3_ARRAY_SORT:
                stack += [d.domain(), d.range()]
            elif d.kind() == z3.Z3_DATATYPE_SORT and self.named("sort", d)[1]:
                group.append(d)
                for v in range(d.num_constructors()):
                    c = d.constructor(v)
                    stack += [c.domain(k) for k in range(c.arity())]
        bodies = []
        for d in group:
            variants = []
            for v in range(d.num_constructors()):
                c = d.constructor(v)
                fields = "".join(
                    f" ({self.named('function', d.accessor(v, k))[0]} {self.sort(c.domain(k))})" for k in range(c.arity())
                )
                variants.append(f"({self.named('function', c)[0]}{fields})")
            bodies.append(f"({' '.join(variants)})")
        heads = " ".join(f"({self.names['sort', d.get_id()]} 0)" for d in group)
        self.declarations.append(f"(declare-datatypes ({heads}) ({' '.join(bodies)}))")

    def function(self, f: Any) -> str:
        name, new = self.named("function", f)
        if new:
            params = " ".join(self.sort(f.domain(k)) for k in range(f.arity()))
            self.declarations.append(f"(declare-fun {name} ({params}) {self.sort(f.range())})")
        return name

    # --- terms ----------------------------------------------------------------------------------------------------------

    def scope(self, root: Expr, env: tuple[tuple[str, str], ...]) -> str:
        """The text of an expression; what it shares is bound by `let`. `env` are the (name, sort)s of the bound variables,
        the innermost last."""
        uses: dict[int, int] = {}
        order: list[Expr] = []
        stack: list[tuple[Expr, bool]] = [(root, False)]
        while stack:
            e, done = stack.pop()
            if done:
                order.append(e)
                continue
            i = e.get_id()
            uses[i] = uses.get(i, 0) + 1
            if uses[i] == 1:
                stack.append((e, True))
                if z3.is_app(e):
                    stack += [(c, False) for c in reversed(e.children())]
        texts: dict[int, str] = {}
        bindings: list[tuple[str, str]] = []
        for e in order:
            text = self.node(e, texts, env)
            if uses[e.get_id()] > 1 and text.startswith("(") and e.get_id() != root.get_id():
                self.bound += 1
                name = self.symbol(f"let{self.bound}")
                bindings.append((name, text))
                text = name
            texts[e.get_id()] = text
        text = texts[root.get_id()]
        for name, value in reversed(bindings):
            text = f"(let (({name} {value})) {text})"
        return text

    def node(self, e: Expr, texts: dict[int, str], env: tuple[tuple[str, str], ...]) -> str:
        """The text of an expression from the texts of its arguments."""
        if z3.is_var(e):
            index: int = z3.get_var_index(e)
            return env[-1 - index][0]
        if z3.is_quantifier(e):
            return self.array_symbol(e, env) if e.is_lambda() else self.quantifier(e, env)
        args = [texts[c.get_id()] for c in e.children()]
        decl = e.decl()
        kind = decl.kind()
        if z3.is_int_value(e):
            n = e.as_long()
            return str(n) if n >= 0 else f"(- {-n})"
        if z3.is_bv_value(e):
            return f"(_ bv{e.as_long()} {e.size()})"
        if kind == z3.Z3_OP_CONST_ARRAY:
            return self.array_symbol(e, env)
        if kind == z3.Z3_OP_INT2BV:
            head = f"(_ int_to_bv {e.size()})"
        elif kind in (z3.Z3_OP_DT_IS, z3.Z3_OP_DT_RECOGNISER):
            self.sort(e.arg(0).sort())
            head = f"(_ is {self.constructor_of(e)})"
        elif kind in (z3.Z3_OP_DT_CONSTRUCTOR, z3.Z3_OP_DT_ACCESSOR):
            self.sort(e.sort())
            for c in e.children():
                self.sort(c.sort())
            head = self.named("function", decl)[0]
        elif kind == z3.Z3_OP_UNINTERPRETED:
            head = self.function(decl)
        elif kind in _OPERATORS:
            head = _OPERATORS[kind]
        else:
            raise NotPortable(f"operator {decl}")
        return f"({head} {' '.join(args)})" if args else head

    def constructor_of(self, test: Expr) -> str:
        s = test.arg(0).sort()
        for v in range(s.num_constructors()):
            if s.recognizer(v).eq(test.decl()):
                return self.named("function", s.constructor(v))[0]
        raise NotPortable(f"test {test.decl()}")

    def variables(self, e: Expr, depth: int) -> list[tuple[str, str]]:
        """Names and sorts for the variables that a binder binds; inner binders have other names than outer ones."""
        return [(self.variable(depth + k), self.sort(e.var_sort(k))) for k in range(e.num_vars())]

    def variable(self, k: int) -> str:
        ident = "variable", k
        if ident not in self.names:
            self.names[ident] = self.symbol(f"x{k}")
        return self.names[ident]

    def quantifier(self, e: Expr, env: tuple[tuple[str, str], ...]) -> str:
        own = self.variables(e, len(env))
        inner = env + tuple(own)
        body = self.scope(e.body(), inner)
        patterns = []
        for k in range(e.num_patterns()):
            terms = [self.plain(t, inner) for t in e.pattern(k).children()]
            patterns.append(f" :pattern ({' '.join(terms)})")
        if patterns:
            body = f"(! {body}{''.join(patterns)})"
        word = "forall" if e.is_forall() else "exists"
        return f"({word} ({' '.join(f'({n} {s})' for n, s in own)}) {body})"

    def plain(self, e: Expr, env: tuple[tuple[str, str], ...]) -> str:
        """Text without `let`, for patterns."""
        texts = {c.get_id(): self.plain(c, env) for c in e.children()} if z3.is_app(e) else {}
        return self.node(e, texts, env)

    # --- arrays that only Z3 has ------------------------------------------------------------------------------------------

    def array_symbol(self, e: Expr, env: tuple[tuple[str, str], ...]) -> str:
        """A symbol for a lambda or constant array, a function of the bound variables in it, and its axiom."""
        used = sorted(_loose(e))  # de Bruijn indices, 0 the innermost
        outer = [env[-1 - k] for k in reversed(used)]
        ident = (e.get_id(), *(len(env) - 1 - k for k in used))
        name = self.arrays.get(ident)
        if name is None:
            self.alive.append(e)
            name = self.arrays[ident] = self.symbol(f"array{len(self.arrays) + 1}")
            self.declarations.append(f"(declare-fun {name} ({' '.join(s for _, s in outer)}) {self.sort(e.sort())})")
            if z3.is_quantifier(e):
                own = self.variables(e, len(env))
                element = self.scope(e.body(), env + tuple(own))
            else:
                own = [(self.variable(len(env)), self.sort(e.sort().domain()))]
                element = self.scope(e.arg(0), env)
            array = f"({name} {' '.join(n for n, _ in outer)})" if outer else name
            access = array
            for n, _ in own:
                access = f"(select {access} {n})"
            binders = " ".join(f"({n} {s})" for n, s in [*outer, *own])
            self.axioms.append(f"(assert (forall ({binders}) (! (= {access} {element}) :pattern ({access}))))")
        return f"({name} {' '.join(n for n, _ in outer)})" if outer else name


def _loose(e: Expr) -> set[int]:
    """The de Bruijn indices of the variables that are free in an expression."""
    memo: dict[tuple[int, int], set[int]] = {}

    def go(e: Expr, depth: int) -> set[int]:
        ident = e.get_id(), depth
        if ident not in memo:
            if z3.is_var(e):
                index = z3.get_var_index(e)
                memo[ident] = {index - depth} if index >= depth else set()
            elif z3.is_quantifier(e):
                memo[ident] = go(e.body(), depth + e.num_vars())
            else:
                memo[ident] = set().union(*(go(c, depth) for c in e.children()))
        return memo[ident]

    return go(e, 0)
