"""What an author declared about a contract that is loose on purpose.

In: the words of `--any-of` and `--up-to`, or the table `[declared]` of a TOML file. Out: `Declared` records.

    [declared]
    "crate::sort" = "permutation"
    "find_index" = "index"
    "Queue::pop" = { result = "same", self = "view" }
    "solve" = "|a, b| a@.to_set() == b@.to_set()"

A key is the path of a function or the end of one. A value is a relation for every output that it can be about, or a table of
relations by output: `result` (or the result's own name) and the names of `&mut` parameters. A relation is one of the words of
`witness.same_output`, a closure of two parameters in Verus, or the path of a spec function that takes two values.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from witness.contract import WitnessError
from witness.same_output import Relation

#: The words that may be declared. `same` is what holds without a declaration; it can take an output out of a wider one.
WORDS = tuple(r for r in Relation if r is not Relation.OWN)
RESULT = "result"

_OUTPUT = re.compile(r"\s*([A-Za-z_]\w*)\s*=(?!=)\s*")
_PATH = re.compile(r"(?:[A-Za-z_]\w*)(?:::[A-Za-z_]\w*)*")


class DeclarationError(WitnessError):
    """A declaration that cannot be used; the message says which and what to write."""


@dataclass(frozen=True, slots=True)
class Declared:
    """One declared relation. `output` is None for every output that it can be about; `text` is what was written; `closure` is the
    relation as a Verus closure where it is the user's own, else ""."""

    output: str | None
    relation: Relation
    text: str
    closure: str = ""


def from_words(any_of: Iterable[str], up_to: Iterable[str]) -> list[Declared]:
    """The declarations of a command line. Raises `DeclarationError`."""
    found = []
    for word in any_of:
        output, text = _split(word)
        if text not in WORDS:
            raise DeclarationError(f"--any-of {word}: not one of {', '.join(WORDS)}; a relation of your own goes to --up-to")
        found.append(Declared(output, Relation(text), text))
    for word in up_to:
        output, text = _split(word)
        found.append(Declared(output, Relation.OWN, text, _closure(text, f"--up-to {word}")))
    return found


def from_file(path: Path) -> dict[str, list[Declared]]:
    """The table `[declared]` of a TOML file, by function; other tables are left alone. Raises `DeclarationError`."""
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not UTF-8 text"
        raise DeclarationError(f"{path}: cannot be read ({reason}); name a TOML file with a table [declared]") from None
    except tomllib.TOMLDecodeError as error:
        raise DeclarationError(f"{path}: is not TOML: {error}") from None
    table = data.get("declared")
    if not isinstance(table, dict):
        raise DeclarationError(f'{path}: has no table [declared]; write for example: [declared] "crate::sort" = "permutation"')
    return {function: _entry(path, function, value) for function, value in table.items()}


def declared_for(table: Mapping[str, list[Declared]], function: str) -> list[Declared]:
    """What a table says about the function at a path: the entry with the longest key that is the path or an end of it."""
    fitting = [k for k in table if function == k or function.endswith("::" + k)]
    return table[max(fitting, key=len)] if fitting else []


def _entry(path: Path, function: str, value: object) -> list[Declared]:
    if isinstance(value, str):
        return [_relation(None, value, f"{path}: declared.{function}")]
    if isinstance(value, dict) and value and all(isinstance(v, str) for v in value.values()):
        return [_relation(output, text, f"{path}: declared.{function}.{output}") for output, text in value.items()]
    raise DeclarationError(f"{path}: declared.{function}: must be a relation, or a table of relations by output")


def _relation(output: str | None, text: str, where: str) -> Declared:
    if text in WORDS:
        return Declared(output, Relation(text), text)
    return Declared(output, Relation.OWN, text, _closure(text, where))


def _split(word: str) -> tuple[str | None, str]:
    """`OUTPUT=RELATION` or `RELATION`."""
    found = _OUTPUT.match(word)
    return (None, word.strip()) if found is None else (found[1], word[found.end() :].strip())


def _closure(text: str, where: str) -> str:
    """A relation of the user's as a closure."""
    if text.startswith("|"):
        return text
    if _PATH.fullmatch(text) is None:
        raise DeclarationError(f"{where}: neither a closure `|a, b| …` nor the path of a spec function")
    return f"|first, second| {text}(first, second)"
