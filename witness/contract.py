"""A function's contract, opened for questions about candidates.

In: the text of a file and a function's path. Out: `Opened`: its names, its types, its clauses as terms. It lives inside one
`translate.terms.own_terms()`: what is opened in one piece of work does not mix with terms of another.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from translate import syntax as sx
from translate import terms as tm
from translate.elaborate.contracts import Contract, read_contract
from translate.elaborate.elaborator import Elaborator
from translate.elaborate.inference import Unsupported
from translate.elaborate.types import TypeScope
from translate.names import Crate, Ref
from translate.parser import ParseFailure, parse_file
from translate.room import deep_stack
from translate.source import SourceText, from_text
from translate.terms import Sort, Term
from translate.vstd import library
from witness.model import Parameter


class WitnessError(Exception):
    """Input that this room cannot work with: the message names the file, the place and the remedy."""


@dataclass(slots=True)
class Opened:
    """A function of a file, with its contract as terms of the current piece of work."""

    source: SourceText
    crate: Crate
    ref: Ref
    fn: sx.Fn
    elaborator: Elaborator
    contract: Contract
    types: TypeScope

    @property
    def word_bits(self) -> int | None:
        """The width of `usize` where the file fixes it."""
        return self.crate.word_bits

    @property
    def word(self) -> int:
        """The width of `usize` in concrete runs."""
        return self.crate.word_bits or 64

    @property
    def requires(self) -> list[Term]:
        return [c.term for c in self.contract.requires]

    @property
    def ensures(self) -> list[Term]:
        return [c.term for c in self.contract.ensures]

    @property
    def outputs(self) -> list[Term]:
        """The variables that an output gives values: those of `&mut` parameters on return, and the result."""
        result = self.contract.result
        return [*self.contract.outputs, *([] if result is None else [result])]

    @property
    def mutable(self) -> list[int]:
        """The positions of the `&mut` parameters."""
        return [i for i, v in enumerate(self.contract.inputs) if str(v.data).startswith("old(")]

    def parameters(self) -> tuple[Parameter, ...]:
        """The parameters as records."""
        found = []
        for i, (p, v) in enumerate(zip(self.fn.params, self.contract.inputs, strict=True)):
            shown = p.self_kind if p.type is None else self.source.folded(p.type.span)
            found.append(Parameter(p.name or f"arg{i}", shown or "self", v.sort, i in self.mutable))
        return tuple(found)

    @property
    def result_sort(self) -> Sort | None:
        return None if self.contract.result is None else self.contract.result.sort

    @property
    def result_type(self) -> str:
        """The text of the result's type, "" for a function that returns nothing."""
        if self.contract.result is None or self.fn.ret_type is None:
            return ""
        return self.source.folded(self.fn.ret_type.span)

    def body(self, expression: str) -> str:
        """The file's text with an expression as the function's body."""
        assert self.fn.body is not None
        group = self.fn.body
        data = self.source.data
        return (data[: group.start] + f"{{\n    {expression}\n}}".encode() + data[group.end :]).decode()


@contextmanager
def working() -> Iterator[None]:
    """One piece of work: terms of its own, and room for deep trees."""
    with deep_stack(), tm.own_terms():
        yield


def open_function(name: str, text: str, function: str) -> Opened:
    """Opens a function's contract. `name` stands for the file in messages; `function` is its path, or the end of it.

    Raises `WitnessError` where there is no such function, where it is not executable, or where its contract has no translation.
    """
    source = from_text(name, text)
    crate = Crate(source, parse_file(source), library())
    for problem in (*crate.file.problems, *crate.gaps):
        raise WitnessError(f"{source.place(problem.span.start)}: not read for certain: {problem.construct}: {problem.message}")
    ref = find_function(crate, function)
    fn = ref.item
    assert isinstance(fn, sx.Fn)
    where = source.place(fn.name_span.start)
    if fn.mode != "exec":
        raise WitnessError(f"{where}: `{fn.name}` is a {fn.mode} function; a witness is a program: name an executable function")
    if fn.body is None:
        raise WitnessError(f"{where}: `{fn.name}` has no body; name a function that is implemented in the file")
    elaborator = Elaborator(crate)
    try:
        contract = read_contract(elaborator, ref)
    except Unsupported as problem:
        at = source.place(problem.span.start) if isinstance(problem.span, sx.Span) and problem.crate is crate else where
        raise WitnessError(f"{at}: not translated: {problem.construct}") from problem
    except ParseFailure as problem:
        raise WitnessError(f"{source.place(problem.span.start)}: {problem.construct}: {problem.message}") from problem
    except RecursionError as problem:
        raise WitnessError(f"{where}: the contract is nested too deeply") from problem
    return Opened(source, crate, ref, fn, elaborator, contract, _scope(elaborator, ref, fn))


def find_function(crate: Crate, function: str) -> Ref:
    """The function of a path (with or without `crate::`), or of the end of one."""
    wanted = function.removeprefix("crate::")
    functions = [r for r in crate.functions if isinstance(r.item, sx.Fn)]
    found = [r for r in functions if r.path.removeprefix("crate::") == wanted]
    found = found or [r for r in functions if r.path.endswith("::" + wanted)]
    if len(found) == 1:
        return found[0]
    if found:
        paths = ", ".join(r.path for r in found)
        raise WitnessError(f"{crate.source.path}: `{function}` names several functions: {paths}; give more of the path")
    known = [r.path.removeprefix("crate::") for r in functions if isinstance(r.item, sx.Fn) and r.item.mode == "exec"]
    listed = ", ".join(known[:12]) + (", …" if len(known) > 12 else "")
    raise WitnessError(f"{crate.source.path}: no function `{function}`; executable functions: {listed or 'none'}")


def _scope(elaborator: Elaborator, ref: Ref, fn: sx.Fn) -> TypeScope:
    """Where the function's body stands, for the names in it: its generic parameters are types of which nothing is known."""
    assert ref.crate is not None and ref.module is not None
    scope = TypeScope(ref.crate, ref.module)
    owners = [ref.owner.generics] if isinstance(ref.owner, sx.Impl | sx.Trait) else []
    for generics in (*owners, fn.generics):
        scope.generics.update({g.name: tm.opaque_sort(g.name) for g in generics.params if g.kind != "lifetime"})
    if isinstance(ref.owner, sx.Impl):
        scope.self_sort = elaborator.types.sort(ref.owner.self_type, scope)
    return scope
