"""A reader's own folder of originals, and edits of them.

In: a folder in VeriContest's layout: any number of folders below it, each with `spec.rs` (the contract, without code or proof)
and `verified.rs` (the same contract with both). Out: for each of them, pairs to judge.

The edits of one original are:

- `spec.rs` to `verified.rs`: honest, as the layout has it, unless the audit finds that the proof takes something on trust (code
  that may not end, say): of that the layout says nothing, and the pair is not counted;
- so many mutants of `verified.rs` that keep the meaning by construction;
- so many that should break it. Whether they do is asked of the checker, and the answer counts as known only where the
  evaluator has replayed values that show it, or where the reason needs none (the target is gone, its interface is another,
  nothing can call it). The rest is not counted.

The mutants are chosen by the seed and the folder's name, so that they do not depend on which other folders are there.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

from equiv.check import read_crate
from equiv.targets import targets_of
from experiments.compare.judge import Judgement
from experiments.compare.pairs import BY_CONSTRUCTION, BY_LAYOUT, BY_VALUES, DISCARDED, ON_TRUST, UNCONFIRMED, Pair
from experiments.mutation import CANDIDATE, KEPT, Mutant, mutants
from experiments.mutation.confirm import CONFIRMED, judged
from experiments.mutation.confirm import DISCARDED as KEPT_AFTER_ALL
from translate.room import deep_stack
from translate.source import SourceError, SourceText, from_text, read_source

SPEC, VERIFIED = "spec.rs", "verified.rs"
LAYOUT = f"folders that each hold {SPEC} (the contract) and {VERIFIED} (contract, code and proof)"


class OriginalsError(Exception):
    """A folder without originals; the message says what is looked for."""


@dataclass(frozen=True, slots=True)
class Original:
    """One folder: its path below the root, and the two texts."""

    name: str
    spec: str
    verified: str

    @property
    def spec_source(self) -> SourceText:
        return from_text(f"{self.name}/{SPEC}", self.spec)

    @property
    def verified_source(self) -> SourceText:
        return from_text(f"{self.name}/{VERIFIED}", self.verified)


def find_originals(root: Path, sample: int | None = None, seed: int = 0) -> tuple[list[Original], list[str]]:
    """The originals below a folder, sorted by path, and what was passed over, in sentences. With `sample`, so many of them,
    chosen by the seed. Raises `OriginalsError`."""
    if not root.is_dir():
        raise OriginalsError(f"{root}: is not a folder; name one with {LAYOUT}")
    folders = sorted({p.parent for p in root.rglob(SPEC) if not _hidden(p.relative_to(root))})
    alone = [f for f in folders if not (f / VERIFIED).is_file()]
    passed = [f"{_name(f, root)}: has {SPEC}, and no {VERIFIED} beside it" for f in alone]
    chosen = [f for f in folders if f not in set(alone)]
    if not chosen:
        raise OriginalsError(f"{root}: holds no originals; it should have {LAYOUT}")
    if sample is not None and sample < len(chosen):
        chosen = sorted(Random(seed).sample(chosen, sample))
    found = []
    for folder in chosen:
        try:
            found.append(Original(_name(folder, root), read_source(folder / SPEC).text, read_source(folder / VERIFIED).text))
        except SourceError as error:
            passed.append(str(error).replace(str(root), "…"))
    return found, passed


def _hidden(path: Path) -> bool:
    return any(part.startswith(".") for part in path.parts)


def _name(folder: Path, root: Path) -> str:
    below = folder.relative_to(root).as_posix()
    return root.resolve().name if below == "." else below


def seed_of(seed: int, name: str, what: str) -> int:
    """A seed for one folder, by its name."""
    return int.from_bytes(hashlib.sha256(f"{seed}:{name}:{what}".encode()).digest()[:8], "big")


def contract_targets(original: Original) -> tuple[str, ...]:
    """The functions with a contract in `spec.rs`, as paths."""
    with deep_stack():
        return tuple(dict.fromkeys(r.path for r in targets_of(read_crate(original.spec_source), None)))


def pair_of_files(original: Original, targets: tuple[str, ...]) -> Pair:
    """`spec.rs` to `verified.rs`."""
    return Pair(
        name=f"{original.name}/{VERIFIED}",
        group=original.name,
        kind="body-changed",
        kept=True,
        contract_kept=True,
        label=BY_LAYOUT,
        why="The code and its proof are filled in.",
        original=original.spec,
        submitted=original.verified,
        targets=targets,
    )


def mutant_pairs(original: Original, targets: tuple[str, ...], *, label: str, seed: int, count: int) -> Iterator[Pair]:
    """So many mutants of `verified.rs` of one label, or as many as there are."""
    found = mutants(
        original.verified_source, targets=targets, label=label, seed=seed_of(seed, original.name, label), count=count
    )
    for number, mutant in enumerate(found, 1):
        yield _pair(original, targets, mutant, number)


def _pair(original: Original, targets: tuple[str, ...], mutant: Mutant, number: int) -> Pair:
    keeps = True if mutant.label == KEPT else None
    word = "kept" if keeps else "candidate"
    return Pair(
        name=f"{original.name}/{word}-{number}-{mutant.name}",
        group=original.name,
        kind=mutant.kind,
        kept=keeps,
        contract_kept=keeps,
        label=BY_CONSTRUCTION if keeps else UNCONFIRMED,
        why=mutant.why,
        original=original.verified,
        submitted=mutant.text,
        targets=targets,
    )


def labelled(pair: Pair, found: Judgement) -> Pair:
    """A candidate with the answer that the checker's report allows; the two files of an original without one where the proof
    takes something on trust; other pairs as they are."""
    if pair.label == BY_LAYOUT and found.found is not None and found.found.holes:
        return replace(pair, kept=None, label=ON_TRUST)
    if pair.label != UNCONFIRMED:
        return pair
    status = judged(found.report, CANDIDATE).status
    if status == CONFIRMED:
        return replace(pair, kept=False, contract_kept=False, label=BY_VALUES)
    return replace(pair, label=DISCARDED) if status == KEPT_AFTER_ALL else pair


def skipped(original: Original, targets: Sequence[str]) -> str | None:
    """Why an original gives no pairs, or None."""
    return None if targets else f"no function of {SPEC} has a contract"
