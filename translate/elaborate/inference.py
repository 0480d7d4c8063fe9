"""Inference of the sorts that a source text leaves out.

In: sorts with holes. Out: the same without. A hole is a sort of kind "infer"; `unify` fills holes, `zonk` puts what was found in
their place, in sorts and in finished terms. Verus files are type-correct by assumption, so unification only ever learns: a
mismatch is reported as `False` and left to the caller.
"""

from __future__ import annotations

from collections.abc import Callable

from translate import terms as tm
from translate.terms import Sort, Term


class Unsupported(Exception):
    """A construct that is not translated. `construct` names it in a few words; `span` is its place in the file that is being
    elaborated (None: no place, for example a limit); `crate` says in which file."""

    def __init__(self, construct: str, span: object = None, crate: object = None) -> None:
        super().__init__(construct)
        self.construct, self.span, self.crate = construct, span, crate


class Inference:
    """A set of holes and what is known of them."""

    def __init__(self) -> None:
        self._known: dict[Sort, Sort] = {}
        self._count = 0
        #: Gives the instance of a datatype at other arguments; set by the elaborator, which knows its definition.
        self.instance: Callable[[Sort, tuple[Sort, ...]], Sort] = lambda s, args: Sort(s.kind, s.name, args, s.key)

    def hole(self) -> Sort:
        self._count += 1
        return Sort("infer", str(self._count))

    def resolve(self, s: Sort) -> Sort:
        """The sort at the end of the chain of holes (its arguments may still have holes)."""
        while s.kind == "infer":
            t = self._known.get(s)
            if t is None:
                return s
            s = t
        return s

    def unify(self, a: Sort, b: Sort) -> bool:
        """Makes the two sorts equal if it can. Different integer types count as equal: in specifications they mix freely."""
        a, b = self.resolve(a), self.resolve(b)
        if a is b:
            return True
        if a.kind == "infer":
            return self._bind(a, b)
        if b.kind == "infer":
            return self._bind(b, a)
        if a.is_integer and b.is_integer:
            return True
        if a.name == b.name == "array" and a.kind == b.kind == "boxed":
            lengths = _length_sort(a), _length_sort(b)
            same = a.key == b.key if None in lengths else self.unify(*lengths)  # type: ignore[arg-type]
            return self.unify(a.args[0], b.args[0]) and same
        if a.kind != b.kind or a.name != b.name or a.key != b.key or len(a.args) != len(b.args):
            return False
        results = [self.unify(x, y) for x, y in zip(a.args, b.args, strict=True)]  # all of them: each may learn something
        return all(results)

    def _bind(self, hole: Sort, s: Sort) -> bool:
        if _occurs(hole, self.zonk(s)):
            return False
        self._known[hole] = s
        return True

    def zonk(self, s: Sort, default: Sort | None = None) -> Sort:
        """The sort with all known holes filled; the others stay, or become `default`."""
        s = self.resolve(s)
        if s.kind == "infer":
            return default or s
        if not s.args or not has_hole(s):
            return s
        args = tuple(self.zonk(a, default) for a in s.args)
        if s.kind == "data" and s.name != "tuple":
            return self.instance(s, args)
        if s.kind == "data":
            return tm.tuple_sort(args)
        view = None if s.view is None else self.zonk(s.view, default)
        if s.key[:1] == "?":
            length, key = array_length(self.resolve(Sort("infer", s.key[1:])))
            return Sort(s.kind, s.name, args, key, view, length)
        return Sort(s.kind, s.name, args, s.key, view, s.length)

    def zonk_term(self, t: Term, default: Sort = tm.INT) -> Term:
        """The term with all holes in its sorts filled."""
        memo: dict[Term, Term] = {}

        def go(t: Term) -> Term:
            done = memo.get(t)
            if done is not None:
                return done
            args = tuple(map(go, t.args)) if t.args else t.args
            data = t.data
            if t.op in tm.BINDERS:
                data = tuple(self.zonk(s, default) for s in data)
            elif t.op == "app" and data.kind == "uninterpreted" and any(map(has_hole, (*data.params, data.result))):
                data = tm.uninterpreted(
                    data.name,
                    tuple(self.zonk(s, default) for s in data.params),
                    self.zonk(data.result, default),
                    origin=data.origin,
                    method=data.method,
                    key=data.key[1],
                )
            done = memo[t] = tm.mk(t.op, args, self.zonk(t.sort, default), data)
            return done

        return go(t)


_holes: dict[Sort, bool] = {}


def has_hole(s: Sort) -> bool:
    """Whether a sort has a hole anywhere."""
    if s.kind == "infer":
        return True
    if not s.args:
        return False
    found = _holes.get(s)
    if found is None:
        found = _holes[s] = s.key[:1] == "?" or any(map(has_hole, s.args)) or (s.view is not None and has_hole(s.view))
    return found


def _occurs(hole: Sort, s: Sort) -> bool:
    return s is hole or any(_occurs(hole, a) for a in s.args)


def array_length(s: Sort) -> tuple[int | None, str]:
    """The length of an array whose length is a const argument: a number, a hole, or a const parameter's name."""
    if s.kind == "infer":
        return None, f"?{s.name}"
    return (int(s.name), "") if s.name.isdigit() else (None, f"const {s.name}")


def _length_sort(s: Sort) -> Sort | None:
    """The const argument that an array's length is; None where it is a term of its own."""
    if s.length is not None:
        return tm.opaque_sort(str(s.length))
    if s.key[:1] == "?":
        return Sort("infer", s.key[1:])
    return tm.opaque_sort(s.key[6:]) if s.key.startswith("const ") else None
