"""Where an expression stands: the names it can see.

`Typed` is what elaboration returns everywhere: a term and the type that the expression has in the source, which can be narrower
than the term's own sort (the literal `1u32` is an integer literal of type u32).
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import NamedTuple

from translate.elaborate.types import TypeScope
from translate.terms import Sort, Term


class Typed(NamedTuple):
    """A term, and the sort of the expression it came from."""

    term: Term
    sort: Sort


@dataclass(slots=True)
class Scope:
    """`locals` are the variables in scope. `pre` and `post` are what `old(x)` and `final(x)` see of the `&mut` parameters."""

    types: TypeScope
    locals: dict[str, Typed] = field(default_factory=dict)
    pre: dict[str, Typed] = field(default_factory=dict)
    post: dict[str, Typed] = field(default_factory=dict)

    def bind(self, names: dict[str, Typed]) -> Scope:
        """The scope with more variables (inner ones shadow)."""
        return replace(self, locals={**self.locals, **names}) if names else self

    def in_types(self, types: TypeScope) -> Scope:
        return replace(self, types=types)

    def before(self) -> Scope:
        """As `old(…)` sees it. Variables bound inside the clause keep their meaning."""
        return self.bind({n: v for n, v in self.pre.items() if self.is_parameter(n)})

    def after(self) -> Scope:
        """As `final(…)` sees it."""
        return self.bind({n: v for n, v in self.post.items() if self.is_parameter(n)})

    def is_parameter(self, name: str) -> bool:
        current = self.locals.get(name)
        return current is not None and current in (self.pre.get(name), self.post.get(name))
