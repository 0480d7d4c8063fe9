"""How the concrete evaluator compiles each operator on truth values, integers, functions and datatypes.

In: a term and the unit that compiles it. Out: a closure from the frame to the value. `CASES` here and in
`translate.readings.collection_operations` have exactly the operators of `translate.terms.OPS`; a test compares
them. Binders and calls are the unit's own business.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, Protocol, TypeAlias

from translate.readings.guards import Env
from translate.readings.inhabitants import fits, int_range
from translate.readings.outcomes import (
    MAX_BITS,
    Code,
    Frame,
    TooLarge,
    Undetermined,
    Undivided,
    Universe,
    Unspecified,
    call,
    is_plain,
    same,
)
from translate.terms import BOOL, Sort, Term
from translate.values import DataValue


class Unit(Protocol):
    """What the cases need of the compiler."""

    usize_bits: int
    world: Universe
    variables: Any
    context: Any

    def comp(self, term: Term, env: Env, top: int) -> Code: ...
    def args(self, term: Term, env: Env, top: int) -> list[Code]: ...
    def quantifier(self, term: Term, env: Env, top: int) -> Code: ...
    def choose(self, term: Term, env: Env, top: int) -> Code: ...
    def closure(self, term: Term, env: Env, top: int) -> Code: ...
    def comprehension(self, term: Term, lam: Term, env: Env, top: int) -> Code: ...
    def bind(self, values: list[Code], body: Term, env: Env, top: int) -> Code: ...
    def call(self, term: Term, env: Env, top: int) -> Code: ...


Case: TypeAlias = Callable[[Unit, Term, Env, int], Code]
CASES: Final[dict[str, Case]] = {}


def registrar(cases: dict[str, Case]) -> Callable[..., Callable[[Case], Case]]:
    """A decorator that enters a function as the case of some operators."""

    def case(*ops: str) -> Callable[[Case], Case]:
        def register(f: Case) -> Case:
            cases.update(dict.fromkeys(ops, f))
            return f

        return register

    return case


case: Final = registrar(CASES)


def constant(value: Any) -> Code:
    return lambda f: value


def _fail(error: Undetermined) -> Code:
    def fail(f: Frame) -> Any:
        raise error.with_traceback(None)

    return fail


# --- variables and literals -----------------------------------------------------------------------------------------


@case("var")
def _var(u: Unit, t: Term, env: Env, top: int) -> Code:
    slot = u.variables.get(t)
    return _fail(Unspecified(t)) if slot is None else lambda f: f[slot]


@case("bound")
def _bound(u: Unit, t: Term, env: Env, top: int) -> Code:
    slot = env[-1 - t.data]
    return lambda f: f[slot]


@case("lit")
def _lit(u: Unit, t: Term, env: Env, top: int) -> Code:
    return constant(t.data)


@case("rec")
def _rec(u: Unit, t: Term, env: Env, top: int) -> Code:
    raise ValueError(f"unfinished recursive group: {t!r}")


@case("word")
def _word(u: Unit, t: Term, env: Env, top: int) -> Code:
    if t.data == "usize::BITS":
        return constant(u.usize_bits)
    kind, end = t.data.split("::")
    return constant(int_range(Sort("int", kind), u.usize_bits)[end == "MAX"])


# --- logic ----------------------------------------------------------------------------------------------------------


@case("not")
def _not(u: Unit, t: Term, env: Env, top: int) -> Code:
    a = u.comp(t.args[0], env, top)
    return lambda f: not a(f)


@case("and", "or")
def _junction(u: Unit, t: Term, env: Env, top: int) -> Code:
    parts = u.args(t, env, top)
    decides = t.op == "or"
    context = u.context

    def junction(f: Frame) -> bool:
        pending: Undetermined | None = None
        for k, p in enumerate(parts):
            try:
                if bool(p(f)) is decides:
                    return decides
            except Undivided as e:
                if context.peeks:
                    raise
                return peek(f, parts[k + 1 :], e)
            except Undetermined as e:
                pending = pending or e
        if pending is not None:
            raise pending.with_traceback(None)
        return not decides

    def peek(f: Frame, rest: list[Code], problem: Undivided) -> bool:
        """Whether a later part decides although an earlier one is not the same for all integers that are looked at together. Not
        within another such look: it would follow a recursion on them without end."""
        context.peeks = True
        try:
            for p in rest:
                try:
                    if bool(p(f)) is decides:
                        return decides
                except Undetermined:
                    continue
        finally:
            context.peeks = False
        raise problem.with_traceback(None)


    return junction


@case("implies")
def _implies(u: Unit, t: Term, env: Env, top: int) -> Code:
    a, b = u.args(t, env, top)

    def implies(f: Frame) -> Any:
        try:
            if not a(f):
                return True
        except Undivided:
            raise
        except Undetermined as e:
            pending = e
        else:
            return b(f)
        if b(f):
            return True
        raise pending.with_traceback(None)

    return implies


@case("ite")
def _ite(u: Unit, t: Term, env: Env, top: int) -> Code:
    c, a, b = u.args(t, env, top)
    sort, world = t.sort, u.world

    def ite(f: Frame) -> Any:
        try:
            return a(f) if c(f) else b(f)
        except Undivided:
            raise
        except Undetermined as e:
            pending = e
        try:
            c(f)
        except Undetermined:
            x = a(f)
            if same(x, b(f), sort, t, world):
                return x
        raise pending.with_traceback(None)

    return ite


@case("eq")
def _eq(u: Unit, t: Term, env: Env, top: int) -> Code:
    left, right = t.args
    if left is right:
        return constant(True)
    a, b = u.args(t, env, top)
    sort, world = left.sort, u.world
    if left.op == right.op == "ctor":
        if left.data != right.data:
            return constant(False)
        pairs = [
            (u.comp(x, env, top), u.comp(y, env, top), x.sort) for x, y in zip(left.args, right.args, strict=True) if x is not y
        ]

        def fieldwise(f: Frame) -> bool:
            pending: Undetermined | None = None
            for x, y, s in pairs:
                try:
                    if not same(x(f), y(f), s, t, world):
                        return False
                except Undetermined as e:
                    pending = pending or e
            if pending is not None:
                raise pending.with_traceback(None)
            return True

        return fieldwise
    if sort.kind in ("bool", "int", "opaque") or is_plain(sort):
        return lambda f: a(f) == b(f)
    return lambda f: same(a(f), b(f), sort, t, world)


@case("forall", "exists")
def _quantifier(u: Unit, t: Term, env: Env, top: int) -> Code:
    return u.quantifier(t, env, top)


@case("choose")
def _choose(u: Unit, t: Term, env: Env, top: int) -> Code:
    return u.choose(t, env, top)


@case("lambda")
def _lambda(u: Unit, t: Term, env: Env, top: int) -> Code:
    return u.closure(t, env, top)


@case("apply")
def _apply(u: Unit, t: Term, env: Env, top: int) -> Code:
    fn = t.args[0]
    values = [u.comp(a, env, top) for a in t.args[1:]]
    if fn.op == "lambda":
        return u.bind(values, fn.args[0], env, top)
    function = u.comp(fn, env, top)
    if len(values) == 1:
        value = values[0]
        return lambda f: call(function(f), (value(f),))
    return lambda f: call(function(f), tuple(v(f) for v in values))


@case("app")
def _app(u: Unit, t: Term, env: Env, top: int) -> Code:
    return u.call(t, env, top)


# --- integers -------------------------------------------------------------------------------------------------------


@case("add", "sub", "neg", "lt", "le")
def _arith(u: Unit, t: Term, env: Env, top: int) -> Code:
    if t.op == "neg":
        (n,) = u.args(t, env, top)
        return lambda f: -n(f)
    left, right = t.args
    a, b = u.args(t, env, top)
    k = right.data if right.op == "lit" else None
    if left is right and t.op in ("lt", "le"):
        return constant(t.op == "le")
    match t.op, k:
        case "add", None:
            return lambda f: a(f) + b(f)
        case "add", _:
            return lambda f: a(f) + k
        case "sub", None:
            return lambda f: a(f) - b(f)
        case "sub", _:
            return lambda f: a(f) - k
    if left.op == "lit":
        c = left.data
        return (lambda f: c < b(f)) if t.op == "lt" else (lambda f: c <= b(f))
    return (lambda f: a(f) < b(f)) if t.op == "lt" else (lambda f: a(f) <= b(f))


@case("mul")
def _mul(u: Unit, t: Term, env: Env, top: int) -> Code:
    a, b = u.args(t, env, top)

    def mul(f: Frame) -> int:
        product: int = a(f) * b(f)
        if product.bit_length() > MAX_BITS:
            raise TooLarge(t)
        return product

    return mul


@case("div", "mod")
def _division(u: Unit, t: Term, env: Env, top: int) -> Code:
    a, b = u.args(t, env, top)
    quotient = t.op == "div"

    def division(f: Frame) -> Any:
        x, y = a(f), b(f)
        if y == 0:
            return u.context.unspecified(t, t.op, x)
        # Euclidean: the remainder is never negative, whatever the divisor's sign.
        remainder: int = x % abs(y)
        return (x - remainder) // y if quotient else remainder

    return division


@case("cast")
def _cast(u: Unit, t: Term, env: Env, top: int) -> Code:
    a = u.comp(t.args[0], env, top)
    sort, bits = t.sort, u.usize_bits
    if t.args[0].sort is BOOL:
        return lambda f: int(a(f))
    lo, hi = int_range(sort, bits)
    if lo is None and hi is None:
        return a
    char = sort.name == "char"

    kind = f"as {sort}"

    def cast(f: Frame) -> Any:
        x: int = a(f)
        if (lo is not None and x < lo) or (hi is not None and x > hi) or (char and not fits(x, sort)):
            return u.context.unspecified(t, kind, x)
        return x

    return cast


def _wrap(sort: Sort, usize_bits: int) -> tuple[int | None, Callable[[int], int]]:
    """The width of a bit operation's type, and an integer taken into it (two's complement)."""
    lo, hi = int_range(sort, usize_bits)
    if lo is None or hi is None or sort.name == "char":
        return None, lambda x: x
    if lo == 0:
        return hi.bit_length(), lambda x: x & hi
    width = hi.bit_length() + 1
    return width, lambda x: ((x - lo) & ((1 << width) - 1)) + lo


@case("bitand", "bitor", "bitxor", "bitnot")
def _bits(u: Unit, t: Term, env: Env, top: int) -> Code:
    _, wrap = _wrap(t.sort, u.usize_bits)
    if t.op == "bitnot":
        (n,) = u.args(t, env, top)
        return lambda f: wrap(~n(f))
    a, b = u.args(t, env, top)
    match t.op:
        case "bitand":
            return lambda f: wrap(a(f) & b(f))
        case "bitor":
            return lambda f: wrap(a(f) | b(f))
    return lambda f: wrap(a(f) ^ b(f))


@case("shl", "shr")
def _shift(u: Unit, t: Term, env: Env, top: int) -> Code:
    a, b = u.args(t, env, top)
    width, wrap = _wrap(t.sort, u.usize_bits)
    left = t.op == "shl"

    def shift(f: Frame) -> int:
        x, by = wrap(a(f)), b(f)
        if by < 0 or (width is not None and by >= width):
            raise Unspecified(t)
        if by > MAX_BITS:
            raise TooLarge(t)
        return wrap(x << by) if left else x >> by

    return shift


# --- datatypes ------------------------------------------------------------------------------------------------------


@case("ctor")
def _ctor(u: Unit, t: Term, env: Env, top: int) -> Code:
    parts = u.args(t, env, top)
    name, variant = t.sort.name, t.data
    if not parts:
        return constant(DataValue(name, variant))
    return lambda f: DataValue(name, variant, tuple([p(f) for p in parts]))


@case("is")
def _is(u: Unit, t: Term, env: Env, top: int) -> Code:
    variant = t.data
    if t.args[0].op == "ctor":
        return constant(t.args[0].data == variant)
    a = u.comp(t.args[0], env, top)
    return lambda f: a(f).variant == variant


@case("field")
def _field(u: Unit, t: Term, env: Env, top: int) -> Code:
    variant, index = t.data
    of = t.args[0]
    if of.op == "ctor":
        return u.comp(of.args[index], env, top) if of.data == variant else _fail(Unspecified(t))
    a = u.comp(of, env, top)

    def field(f: Frame) -> Any:
        value = a(f)
        if value.variant != variant:
            raise Unspecified(t)
        return value.fields[index]

    return field


@case("view")
def _view(u: Unit, t: Term, env: Env, top: int) -> Code:
    a = u.comp(t.args[0], env, top)
    return lambda f: a(f).view
