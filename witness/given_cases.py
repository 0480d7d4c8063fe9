"""Cases that a person wrote down: what must come out for what goes in.

In: a TOML file with `[[cases]]`, in the form that corpus/README.md describes. Out: `GivenCase` records, and for a contract the
values of a case as values of its sorts.

Raises `CaseError` with the file, the case and the field for everything that does not fit.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from translate.elaborate.contracts import Contract
from translate.readings.inhabitants import in_range
from translate.terms import Sort, Term
from translate.values import Value
from witness.contract import WitnessError
from witness.data import from_json

FIELDS = frozenset({"fn", "inputs", "output", "final"})


class CaseError(WitnessError):
    """A case that cannot be used; the message names file, case and field."""


@dataclass(frozen=True, slots=True)
class GivenCase:
    """One case as it stands in the file. `number` counts from 1; `function` is "" where the case does not say; `where` is the
    file and the place in it, for messages. `output` is None where there is none."""

    number: int
    where: str
    function: str
    inputs: Mapping[str, Any]
    output: Any
    final: Mapping[str, Any]

    def is_about(self, path: str, only: bool) -> bool:
        """Whether the case is one of the function at a path; one that names none is, where that is the only function asked
        about."""
        return only if not self.function else path == self.function or path.endswith("::" + self.function)


def load_cases(path: Path) -> list[GivenCase]:
    """All cases of a file, in order. A `target` at the top of the file is the function of the cases that name none."""
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not UTF-8 text"
        raise CaseError(f"{path}: cannot be read ({reason}); name a TOML file with [[cases]]") from None
    except tomllib.TOMLDecodeError as error:
        raise CaseError(f"{path}: is not TOML: {error}") from None
    cases = data.get("cases")
    if not isinstance(cases, list) or not cases:
        raise CaseError(f"{path}: has no [[cases]]; write for example: [[cases]] inputs = {{ x = 3 }} output = 4")
    target = data.get("target", "")
    return [_case(f"{path}: case {n}", n, case, target if isinstance(target, str) else "") for n, case in enumerate(cases, 1)]


def _case(where: str, number: int, case: object, target: str) -> GivenCase:
    if not isinstance(case, dict):
        raise CaseError(f"{where}: must be a table")
    unknown = [f for f in case if f not in FIELDS]
    if unknown:
        raise CaseError(f"{where}: {unknown[0]}: no such field; a case has inputs, output, final and fn")
    function, inputs, final = case.get("fn", target), case.get("inputs"), case.get("final", {})
    if not isinstance(function, str):
        raise CaseError(f"{where}: fn: must be the path of a function")
    if not isinstance(inputs, dict) or not isinstance(final, dict):
        raise CaseError(f"{where}: {'final' if isinstance(inputs, dict) else 'inputs'}: must be a table by parameter name")
    return GivenCase(number, where, function, inputs, case.get("output"), final)


def case_values(case: GivenCase, contract: Contract) -> dict[Term, Value]:
    """The values of a case for the variables of a contract: its inputs and, where they are given, its outputs."""
    values: dict[Term, Value] = {}
    names = [_parameter(v) for v in contract.inputs]
    for name in case.inputs:
        if name not in names:
            raise CaseError(f"{case.where}: inputs.{name}: no such parameter; there are: {', '.join(names) or 'none'}")
    for v, name in zip(contract.inputs, names, strict=True):
        if name not in case.inputs:
            raise CaseError(f"{case.where}: inputs.{name}: is missing")
        values[v] = _value(case.inputs[name], v.sort, f"{case.where}: inputs.{name}")
    changed = {_parameter(v): v for v in contract.outputs}
    for name, given in case.final.items():
        if name in changed:
            values[changed[name]] = _value(given, changed[name].sort, f"{case.where}: final.{name}")
        elif name not in names:
            raise CaseError(f"{case.where}: final.{name}: no such `&mut` parameter; there are: {', '.join(changed) or 'none'}")
    if contract.result is not None and case.output is not None:
        values[contract.result] = _value(case.output, contract.result.sort, f"{case.where}: output")
    if contract.result is None and case.output is not None:
        raise CaseError(f"{case.where}: output: the function returns nothing; what it changes goes to final")
    return values


def _parameter(v: Term) -> str:
    """The parameter that a variable of a contract belongs to."""
    name = str(v.data)
    for prefix in ("old(", "final("):
        if name.startswith(prefix):
            return name.removeprefix(prefix).removesuffix(")")
    return name


def _value(given: Any, sort: Sort, where: str) -> Value:
    try:
        value = from_json(given, sort, where)
    except WitnessError as problem:
        raise CaseError(str(problem)) from None
    if not in_range(value, sort):
        raise CaseError(f"{where}: {json.dumps(given, default=str)} is no value of type `{sort}`")
    return value
