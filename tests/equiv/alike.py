"""Whether two terms are the same up to the names of variables, functions and types."""

from __future__ import annotations

from typing import Any

from translate import terms as tm
from translate.terms import FnSym, Sort, Term


class Alike:
    """Compares terms under one renaming, which grows: a name of the left stands for one name of the right, and back."""

    def __init__(self, variables: dict[str, str]) -> None:
        self.variables = variables
        self.pairs: dict[Any, Any] = {}
        self.back: dict[Any, Any] = {}
        self.seen: set[tuple[Term, Term]] = set()
        self.why = ""

    def copy(self) -> Alike:
        """One that knows the same, for a comparison that may fail."""
        other = Alike(self.variables)
        other.pairs, other.back, other.seen = dict(self.pairs), dict(self.back), set(self.seen)
        return other

    def terms(self, a: Term, b: Term) -> bool:
        if a is b and a.op != "var":
            return True
        if (a, b) in self.seen:
            return True
        if a.op != b.op or len(a.args) != len(b.args) or not self._data(a, b) or not self._same_sort(a, b):
            self.why = self.why or f"{a!r} and {b!r}"
            return False
        if not all(self.terms(x, y) for x, y in zip(a.args, b.args, strict=True)):
            return False
        self.seen.add((a, b))
        return True

    def _same_sort(self, a: Term, b: Term) -> bool:
        # The sort of an integer term says how it was written, not what it is.
        return (a.sort.is_integer and b.sort.is_integer and a.op not in ("cast", "var", "bound")) or self.sorts(a.sort, b.sort)

    def _data(self, a: Term, b: Term) -> bool:
        if a.op == "var":
            return self.variables.get(a.data, a.data) == b.data
        if a.op == "app":
            return self.symbols(a.data, b.data)
        if a.op in tm.BINDERS:
            return len(a.data) == len(b.data) and all(map(self.sorts, a.data, b.data))
        return bool(a.data == b.data)

    def symbols(self, f: FnSym, g: FnSym) -> bool:
        if f is g:
            return True
        if (f, g) in self.pairs.items() or self.pairs.get(f) is g:
            return True
        if f in self.pairs or g in self.back or f.kind != g.kind or len(f.params) != len(g.params):
            self.why = self.why or f"{f} and {g}"
            return False
        self.pairs[f], self.back[g] = g, f
        if not all(map(self.sorts, (*f.params, f.result), (*g.params, g.result))):
            return False
        for x, y in ((f.body, g.body), (f.when, g.when)):
            if (x is None) != (y is None) or (x is not None and y is not None and not self.terms(x, y)):
                self.why = self.why or f"definitions of {f.name} and {g.name}"
                return False
        return True

    def sorts(self, s: Sort, t: Sort) -> bool:
        if s is t:
            return True
        if self.pairs.get(s) is t:
            return True
        unknown = s.kind == "opaque" and t.kind in ("opaque", "data")
        if not unknown and (s.kind != t.kind or len(s.args) != len(t.args) or s.length != t.length):
            self.why = self.why or f"types {s} and {t}"
            return False
        if s.kind not in ("opaque", "data"):
            return s.name == t.name and all(map(self.sorts, s.args, t.args))
        if s in self.pairs or t in self.back:
            self.why = self.why or f"types {s} and {t}"
            return False
        self.pairs[s], self.back[t] = t, s
        if unknown:
            return True
        fields = [[f.sort for v in x.variants for f in v.fields] for x in (s, t)]
        return len(fields[0]) == len(fields[1]) and all(map(self.sorts, *fields))
