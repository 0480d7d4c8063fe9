"""Normal forms: syntactic rewriting that keeps a term's meaning.

In: a Bool term. Out: an equivalent term in which definitions that end are unfolded, polynomial arithmetic is collected,
conjunctions and disjunctions are flat, sorted and free of repetitions, implications have one premise, and quantifiers
are split over conjunctions, merged and freed of variables that do not occur. Two clauses that differ only by such changes get
the same normal form, and no solver is asked.

Every rule holds for all values, unspecified ones included: nothing here assumes that an index is in range or a divisor not zero.
"""

from __future__ import annotations

from itertools import permutations

from translate import terms as tm
from translate.terms import Term

#: A term whose normal form would be larger than this is left to the solver as it is.
MAX_SIZE = 60_000

#: Rewriting steps for one term: definitions can unfold to exponentially many calls.
MAX_STEPS = 200_000
#: A quantifier of several variables up to this size gets them in one order.
MAX_ORDERED = 600
#: An equivalence of at most this size is written as its two implications.
MAX_IFF = 2_000

_Poly = dict[tuple[Term, ...], int]


class Normalizer:
    """Normal forms, remembered per term.

    Without `arithmetic`, sums, products and comparisons are only put in order, not computed: then a theorem of arithmetic keeps
    its own shape instead of becoming `true`.
    """

    def __init__(self, *, arithmetic: bool = True) -> None:
        self.arithmetic = arithmetic
        self._left = MAX_STEPS
        self._done: dict[Term, Term] = {}

    def normal(self, t: Term) -> Term:
        """The normal form of a term; the term itself where that would be very large."""
        self._left = MAX_STEPS
        try:
            return self._normal(t)
        except (_TooLarge, RecursionError):
            return t

    def conjuncts(self, t: Term) -> list[Term]:
        """The normal form as a list of conjuncts."""
        n = self.normal(t)
        return list(n.args) if n.op == "and" else [] if n is tm.TRUE else [n]

    def _normal(self, t: Term) -> Term:
        done = self._done.get(t)
        if done is None:
            self._left -= 1
            if t.size > MAX_SIZE or self._left < 0:
                raise _TooLarge
            done = self._done[t] = self._rewritten(t)
        return done

    def _rewritten(self, t: Term) -> Term:
        if t.op == "app" and t.data.kind == "defined":
            body: Term = t.data.body
            return self._normal(tm.instantiate(body, t.args))
        if t.op == "apply" and t.args[0].op == "lambda":
            return self._normal(tm.instantiate(t.args[0].args[0], t.args[1:]))
        args = tuple(map(self._normal, t.args))
        return self._step(t if args == t.args else tm.mk(t.op, args, t.sort, t.data))

    def _step(self, t: Term) -> Term:
        """One term whose arguments are normal."""
        a = t.args
        if not self.arithmetic and t.op in _ARITHMETIC:
            return _ordered(t)
        if t.op in _COMMUTATIVE and a[1].tag < a[0].tag:
            return tm.mk(t.op, (a[1], a[0]), t.sort, t.data)
        match t.op:
            case "not":
                return self._negate(a[0])
            case "and" | "or":
                return self._join(t.op, a)
            case "implies":
                if a[1].op == "and":
                    return self._join("and", tuple(self._step(tm.mk("implies", (a[0], c), tm.BOOL)) for c in a[1].args))
                return self._join("or", (self._negate(a[0]), a[1]))
            case "eq":
                return self._equality(t)
            case "le":
                return _comparison(a[0], a[1], 0)
            case "lt":
                return _comparison(a[0], a[1], 1)
            case "add" | "sub" | "mul" | "neg":
                return _from_poly(_poly(t))
            case "div" | "mod" if self.arithmetic and a[1].op == "lit" and a[1].data > 0:
                return self._quotient(t, a[1].data)
            case "ite":
                return self._ite(t)
            case "forall" | "exists":
                return self._quantifier(t)
            case "apply" if a[0].op == "lambda":
                return self._normal(tm.instantiate(a[0].args[0], a[1:]))
            case "field" if a[0].op == "ctor" and a[0].data == t.data[0]:
                index: int = t.data[1]
                return a[0].args[index]
            case "is" if a[0].op == "ctor":
                return tm.lit(a[0].data == t.data)
            case "seq.len":
                return self._length(t)
            case "map.index" if a[0].op == "map.insert":
                m, k, v = a[0].args
                rest = self._normal(tm.mk("map.index", (m, a[1]), t.sort))
                return self._step(tm.mk("ite", (self._equality(tm.mk("eq", (a[1], k), tm.BOOL)), v, rest), t.sort))
            case "map.index" if a[0].op == "map.remove":
                m, k = a[0].args
                if self._equality(tm.mk("eq", (a[1], k), tm.BOOL)) is tm.FALSE:
                    return self._normal(tm.mk("map.index", (m, a[1]), t.sort))
            case "cast" if a[0].op == "lit" and a[0].sort is tm.BOOL:
                return tm.lit(int(a[0].data))
            case "cast" if a[0].op == "lit" and a[0].sort.is_integer:
                low, high = tm.word_range(t.sort.name)
                if (
                    t.sort.name not in ("usize", "isize", "char")
                    and (low is None or low <= a[0].data)
                    and (high is None or a[0].data <= high)
                ):
                    return a[0]
            case "lambda":
                return _eta(t)
        return t

    def _quotient(self, t: Term, d: int) -> Term:
        """`(d * a + b) / d` is `a + b / d`, and `(d * a + b) % d` is `b % d`: Euclidean, for d > 0."""
        poly = _poly(t.args[0])
        rest = {m: c % d for m, c in poly.items() if c % d}
        whole = {m: c // d for m, c in poly.items() if c // d}
        if t.op == "mod" and not rest:
            return tm.ZERO
        if list(rest) in ([], [()]):  # a constant between 0 and d - 1 is left
            return _from_poly(whole) if t.op == "div" else tm.lit(rest[()])
        left = tm.arith(t.op, _from_poly(rest), t.args[1])
        if t.op == "mod" or not whole:
            return left
        return _from_poly(_sum(whole, {(left,): 1}))

    def _length(self, t: Term) -> Term:
        s = t.args[0]
        match s.op:
            case "seq.lit":
                return tm.lit(len(s.args))
            case "seq.push":
                return self._normal(tm.arith("add", tm.mk("seq.len", (s.args[0],), tm.NAT), tm.ONE))
            case "seq.add":
                left, right = (tm.mk("seq.len", (x,), tm.NAT) for x in s.args)
                return self._normal(tm.arith("add", left, right))
        return t

    def _equality(self, t: Term) -> Term:
        a, b = t.args
        if a is b:
            return tm.TRUE
        if self.arithmetic and a.sort.is_integer and b.sort.is_integer:
            poly = _subtract(_poly(a), _poly(b))
            if not poly:
                return tm.TRUE
            if list(poly) == [()]:
                return tm.FALSE
            # One sign for both orders: the leading coefficient is positive.
            lead = max(poly, key=_monomial_key)
            if poly[lead] < 0:
                poly = {m: -c for m, c in poly.items()}
            return tm.mk("eq", _sides(poly), tm.BOOL)
        if a.sort is tm.BOOL:
            if a.op == "lit":
                return b if a.data else self._negate(b)
            if b.op == "lit":
                return a if b.data else self._negate(a)
            if a.size + b.size <= MAX_IFF:
                ways = (self._join("or", (self._negate(a), b)), self._join("or", (a, self._negate(b))))
                return self._join("and", ways)
            if a.op == "not" and b.op == "not":
                a, b = a.args[0], b.args[0]
        if b.tag < a.tag:
            a, b = b, a
        return tm.mk("eq", (a, b), tm.BOOL)

    def _ite(self, t: Term) -> Term:
        c, a, b = t.args
        if c.op == "lit":
            return a if c.data else b
        if a is b:
            return a
        if c.op == "not":
            c, a, b = c.args[0], b, a
        if t.sort is tm.BOOL:
            return self._join("and", (self._join("or", (self._negate(c), a)), self._join("or", (c, b))))
        other = self._negate(c)
        if other.op != "not" and other.tag < c.tag:
            c, a, b = other, b, a
        return tm.mk("ite", (c, a, b), t.sort)

    def _quantifier(self, t: Term) -> Term:
        op, sorts, body = t.op, t.data, t.args[0]
        split = "and" if op == "forall" else "or"
        if body.op == split:
            parts = tuple(self._quantifier(tm.mk(op, (b,), tm.BOOL, sorts)) for b in body.args)
            return self._join(split, parts)
        if body.op == op:  # ∀x. ∀y: one binder
            return self._quantifier(tm.mk(op, (body.args[0],), tm.BOOL, sorts + body.data))
        if op == "forall" and body.op == "or":
            nested = next((b for b in body.args if b.op == op), None)
            if nested is not None:  # ∀x. a ∨ ∀y. b is ∀x, y. a ∨ b
                k = len(nested.data)
                rest = tuple(nested.args[0] if b is nested else tm.shift(b, k) for b in body.args)
                return self._quantifier(tm.mk(op, (self._step(tm.mk("or", rest, tm.BOOL)),), tm.BOOL, sorts + nested.data))
        if op == "exists" and body.op == "and":
            nested = next((b for b in body.args if b.op == op), None)
            if nested is not None:
                k = len(nested.data)
                rest = tuple(nested.args[0] if b is nested else tm.shift(b, k) for b in body.args)
                return self._quantifier(tm.mk(op, (self._step(tm.mk("and", rest, tm.BOOL)),), tm.BOOL, sorts + nested.data))
        if body.loose == 0 and body.op == "lit" and all(s.kind in ("int", "bool", "seq", "set", "map") for s in sorts):
            return body  # every such sort has a value
        inner = "or" if op == "forall" else "and"
        outside = [b for b in body.args if b.loose == 0 or _unbound(b, len(sorts))] if body.op == inner else []
        if outside:  # what does not depend on the variables stands before the quantifier
            inside = self._join(inner, tuple(b for b in body.args if b not in outside))
            freed = tuple(tm.shift(b, -len(sorts)) for b in outside)
            return self._join(inner, (*freed, self._quantifier(tm.mk(op, (inside,), tm.BOOL, sorts))))
        rebased = self._rebase(op, sorts, body)
        return self._ordered(_tidy_binder(op, sorts, body)) if rebased is None else self._normal(rebased)

    def _ordered(self, t: Term) -> Term:
        """A quantifier of two or three variables with these in one order, whichever they were written in."""
        n = len(t.data) if t.op in ("forall", "exists") else 1
        if not 2 <= n <= 3 or t.size > MAX_ORDERED:
            return t
        variables = tuple(tm.var(f"%n{k}", s) for k, s in enumerate(t.data))
        opened = tm.instantiate(t.args[0], variables)
        ways = []
        for order in permutations(variables):
            body = self._normal(tm.abstract(opened, order))
            ways.append(tm.mk(t.op, (body,), tm.BOOL, tuple(v.sort for v in order)))
        return min(ways, key=_order)

    def _rebase(self, op: str, sorts: tuple[tm.Sort, ...], body: Term) -> Term | None:
        """A range that starts at another number than 0 is shifted to 0: `1 <= k <= n` and `0 <= i < n` become one range."""
        if not self.arithmetic:
            return None
        guards = body.args if body.op == ("or" if op == "forall" else "and") else (body,)
        for guard in guards:
            if guard.op != "le":
                continue
            # In a `forall` the guard is negated: k <= m says that the range starts at m + 1.
            at, number = guard.args if op == "forall" else guard.args[::-1]
            if at.op != "bound" or at.data >= len(sorts) or number.op != "lit":
                continue
            start = number.data + 1 if op == "forall" else number.data
            k = len(sorts) - 1 - at.data
            if start != 0 and sorts[k] is tm.INT and self._starts(guards, op, at) == 1:
                n = len(sorts)
                args = tuple(tm.bound(n - 1 - i, x) for i, x in enumerate(sorts))
                moved = tm.arith("add", args[k], tm.lit(start))
                # The body is re-bound under the same binder: loose indices beyond it stay as they are.
                inner = tm.instantiate(tm.shift(body, n, n), (*args[:k], moved, *args[k + 1 :]))
                return tm.mk(op, (inner,), tm.BOOL, sorts)
        return None

    def _starts(self, guards: tuple[Term, ...], op: str, at: Term) -> int:
        """How many guards say where the range of a variable starts."""
        side = 0 if op == "forall" else 1
        return sum(g.op == "le" and g.args[side] is at and g.args[1 - side].op == "lit" for g in guards)

    def _join(self, op: str, parts: tuple[Term, ...]) -> Term:
        """A junction in which `a <= b` and `b <= a` are one equation (and `a < b` or `b < a` its negation)."""
        t = _junction(op, parts)
        if not self.arithmetic or t.op != op or sum(a.op == "le" for a in t.args) < 2:
            return t
        there = dict.fromkeys(t.args)
        for a in t.args:
            if a.op != "le" or a not in there:
                continue
            if op == "and":
                other = tm.mk("le", a.args[::-1], tm.BOOL)
            else:  # not (b <= a), not (a <= b)
                low = _comparison(a.args[1], a.args[0], 1)
                other = a if low.op != "le" else _comparison(low.args[0], low.args[1], 1)
            if other in there and other is not a:
                del there[a], there[other]
                low = a if op == "and" else _comparison(a.args[1], a.args[0], 1)
                same = self._equality(tm.mk("eq", low.args, tm.BOOL))
                there[same if op == "and" else self._negate(same)] = None
        return t if len(there) == len(t.args) else _junction(op, tuple(there))

    def _negate(self, t: Term) -> Term:
        """The negation of a normal term, pushed inwards."""
        match t.op:
            case "lit":
                return tm.lit(not t.data)
            case "not":
                return t.args[0]
            case "and":
                return self._join("or", tuple(map(self._negate, t.args)))
            case "or":
                return self._join("and", tuple(map(self._negate, t.args)))
            case "le" if self.arithmetic:  # normal comparisons are all of this form
                return _comparison(t.args[1], t.args[0], 1)
            case "le" | "lt":
                return tm.mk("lt" if t.op == "le" else "le", (t.args[1], t.args[0]), tm.BOOL)
            case "forall" | "exists":
                other = "exists" if t.op == "forall" else "forall"
                return tm.mk(other, (self._negate(t.args[0]),), tm.BOOL, t.data)
        return tm.mk("not", (t,), tm.BOOL)


class _TooLarge(Exception):
    pass


_COMMUTATIVE = frozenset({"bitand", "bitor", "bitxor", "set.union", "set.intersect", "multiset.add"})
_ARITHMETIC = frozenset({"le", "lt", "add", "sub", "mul", "neg"})


def _ordered(t: Term) -> Term:
    """A sum or product with its operands in order; any other operation as it is."""
    if t.op in ("add", "mul") and t.args[1].tag < t.args[0].tag:
        return tm.mk(t.op, (t.args[1], t.args[0]), t.sort, t.data)
    return t


def _junction(op: str, parts: tuple[Term, ...]) -> Term:
    """A flat, sorted conjunction or disjunction without repetitions."""
    unit, zero = (tm.TRUE, tm.FALSE) if op == "and" else (tm.FALSE, tm.TRUE)
    flat: dict[Term, None] = {}
    for p in parts:
        for q in p.args if p.op == op else (p,):
            if q is zero:
                return zero
            if q is not unit:
                flat[q] = None
    for q in flat:
        if q.op == "not" and q.args[0] in flat:
            return zero
    dual = "or" if op == "and" else "and"
    if any(q.op == dual for q in flat):  # beside a, `a or b` says nothing
        flat = {q: None for q in flat if q.op != dual or not any(a in flat for a in q.args)}
    if not flat:
        return unit
    items = sorted(flat, key=_order)
    return items[0] if len(items) == 1 else tm.mk(op, tuple(items), tm.BOOL)


def _order(t: Term) -> int:
    return t.tag


def _tidy_binder(op: str, sorts: tuple[tm.Sort, ...], body: Term) -> Term:
    """Bound variables that do not occur are dropped, and the others stand in order of their first occurrence, so that
    `forall|i, j|` and `forall|j, i|` agree."""
    n = len(sorts)
    variables = tuple(tm.var(f"%n{k}", s) for k, s in enumerate(sorts))
    opened = tm.instantiate(body, variables)
    occurring = [v for v in tm.free_variables(opened) if v in variables]
    dropped = [v for v in variables if v not in occurring]
    if any(v.sort.kind not in ("int", "bool", "seq", "set", "map", "multiset") for v in dropped):
        return tm.mk(op, (body,), tm.BOOL, sorts)  # the sort might have no value
    if len(occurring) == n and n == 1:
        return tm.mk(op, (body,), tm.BOOL, sorts)
    if not occurring:
        return opened
    return tm.mk(op, (tm.abstract(opened, tuple(occurring)),), tm.BOOL, tuple(v.sort for v in occurring))


def _unbound(t: Term, n: int) -> bool:
    """Whether a term mentions none of the n innermost loose variables."""
    stack, seen = [(t, 0)], set()
    while stack:
        s, depth = stack.pop()
        if s.loose <= depth or (s, depth) in seen:
            continue
        seen.add((s, depth))
        if s.op == "bound" and s.data - depth < n:
            return False
        inside = depth + len(s.data) if s.op in tm.BINDERS else depth
        stack.extend((a, inside) for a in s.args)
    return True


def _eta(t: Term) -> Term:
    """`|x| f(x)` is f."""
    body = t.args[0]
    n = len(t.data)
    if body.op == "apply" and len(body.args) == n + 1 and body.args[0].loose == 0:
        if (
            all(a.op == "bound" and a.data == n - 1 - i for i, a in enumerate(body.args[1:]))
            and body.args[0].sort.args[:-1] == t.data
        ):
            return body.args[0]
    return t


# --- polynomials -----------------------------------------------------------------------------------------------------


def _monomial_key(m: tuple[Term, ...]) -> tuple[int, ...]:
    return (len(m), *(t.tag for t in m))


def _poly(t: Term) -> _Poly:
    """A term as a polynomial over its non-arithmetic parts: monomial (sorted factors) to coefficient, none of them 0."""
    match t.op:
        case "lit":
            return {(): t.data} if t.data else {}
        case "add":
            return _sum(_poly(t.args[0]), _poly(t.args[1]))
        case "sub":
            return _subtract(_poly(t.args[0]), _poly(t.args[1]))
        case "neg":
            return {m: -c for m, c in _poly(t.args[0]).items()}
        case "mul":
            left, right = _poly(t.args[0]), _poly(t.args[1])
            if len(left) * len(right) > 400:
                return {(t,): 1}
            result: _Poly = {}
            for m, c in left.items():
                for n, d in right.items():
                    key = tuple(sorted(m + n, key=_order))
                    result[key] = result.get(key, 0) + c * d
            return {m: c for m, c in result.items() if c}
    return {(t,): 1}


def _sum(a: _Poly, b: _Poly) -> _Poly:
    result = dict(a)
    for m, c in b.items():
        result[m] = result.get(m, 0) + c
    return {m: c for m, c in result.items() if c}


def _subtract(a: _Poly, b: _Poly) -> _Poly:
    return _sum(a, {m: -c for m, c in b.items()})


def _from_poly(p: _Poly) -> Term:
    """The term of a polynomial: monomials in a fixed order, constants last."""
    result: Term | None = None
    for m in sorted(p, key=_monomial_key, reverse=True):
        c = p[m]
        part: Term | None = None
        for f in m:
            part = f if part is None else tm.arith("mul", part, f)
        part = tm.lit(c) if part is None else part if c == 1 else tm.arith("mul", tm.lit(c), part)
        result = part if result is None else tm.arith("add", result, part)
    return tm.ZERO if result is None else result


def _sides(p: _Poly) -> tuple[Term, Term]:
    """A polynomial that is 0 as `positive part == negative part`."""
    left = {m: c for m, c in p.items() if c > 0}
    right = {m: -c for m, c in p.items() if c < 0}
    return _from_poly(left), _from_poly(right)


def _comparison(a: Term, b: Term, strict: int) -> Term:
    """`a + strict <= b` with terms collected and a common factor taken out."""
    poly = _subtract(_poly(a), _poly(b))
    poly = _sum(poly, {(): strict} if strict else {})
    constant = poly.pop((), 0)
    if not poly:
        return tm.lit(constant <= 0)
    divisor = 0
    for c in poly.values():
        divisor = _gcd(divisor, c)
    if divisor > 1:  # k*p + c <= 0 is p + ceil(c/k) <= 0 over the integers
        poly = {m: c // divisor for m, c in poly.items()}
        constant = -((-constant) // divisor)
    if constant:
        poly[()] = constant
    return tm.mk("le", _sides(poly), tm.BOOL)


def _gcd(a: int, b: int) -> int:
    while b:
        a, b = b, a % b
    return abs(a)
