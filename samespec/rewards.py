"""The reward for training loops: `samespec.reward(original, submitted)`.

>>> import samespec
>>> samespec.reward(original_text, submitted_text).value
1.0

In: two texts (or paths of files). Out: a `Reward`: 1.0 where the contract is kept and nothing unsound holds up the proof, 0.0
where not, with the reason and the evidence. It does not run Verus: whether the submission verifies is another factor, and the
loop has to multiply it in.

Work is done in worker processes, which are kept: a hostile or enormous submission cannot stop, bloat or take down the program
that asks. `reward` may be called from any number of threads (they share the workers; each call has one to itself) and
processes (each has its own), also after a fork. The answer depends on the arguments alone.
"""

from __future__ import annotations

import atexit
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from samespec.batch.shared import SharedPool


@dataclass(frozen=True, slots=True)
class Reward:
    """`value` is 1.0 (kept), 0.0 (not kept), or what the caller gives for undecided (None by default: nobody knows, and the
    loop should leave the sample out). `kept` is the answer itself: True, False, or None. `reason` says in one sentence why it
    is not kept, `code` in a stable word (as in docs/json.md; "" where it is kept). `evidence` is the result as in
    `samespec/batch/1`: verdicts, counterexamples, findings of the audit."""

    value: float | None
    kept: bool | None
    reason: str
    code: str
    evidence: dict[str, Any]

    def __float__(self) -> float:
        """The value. Raises `ValueError` where it is None."""
        if self.value is None:
            raise ValueError(f"undecided, so without a value: {self.reason}; pass undecided=… to reward() to give it one")
        return self.value


def reward(
    original: str | Path,
    submitted: str | Path,
    targets: Sequence[str] | None = None,
    mode: str = "contract",
    audit: bool = True,
    *,
    strict: bool = False,
    undecided: float | None = None,
    budget: int | None = None,
    timeout: float = 120.0,
    memory_mb: int = 2048,
) -> Reward:
    """What a submission earns for keeping the contract.

    A `str` is the text of a file, a `Path` names one. `targets` are functions' paths (default: all of the original that have
    a contract). `mode` "proof": executable code must be the same as well. `audit`: nothing that nobody proved may hold up the
    proof, unless the original trusted it already. `strict` accepts no stronger contract. `undecided` is the value of a pair
    that is neither proved kept nor shown broken: one that is not decided, not supported, or over `timeout` (seconds) or
    `memory_mb`. `budget` is in Z3's resource units an obligation.

    A submission that is no text of a Rust file (empty, or not UTF-8) is not kept. Raises `ValueError` for what only the
    caller can set right: an original that cannot be read, a target that is not in it, an unknown mode;
    `samespec.cache.CacheError` where SAMESPEC_CACHE names a directory that cannot be used; `OSError` for a path that cannot
    be opened.
    """
    from samespec.api import default_budget
    from samespec.batch.items import MODES, text_problem
    from samespec.batch.judge import Job, failed
    from samespec.batch.process import Limits
    from translate.source import MAX_BYTES

    if mode not in MODES:
        raise ValueError(f"mode {mode!r}: it must be one of {', '.join(MODES)}")
    if isinstance(targets, str) or (targets is not None and not targets):
        raise ValueError("targets must be a list of functions' paths, or None for all with a contract")
    before, after = _text(original), _text(submitted)
    problem = text_problem(before)
    if problem is not None:
        raise ValueError(f"original: {problem}")
    problem = text_problem(after)
    if problem is not None:
        # One that is too large may be a Rust file all the same.
        kept = None if len(after) > MAX_BYTES // 4 else False
        message = f"the submission cannot be read: {problem}"
        return Reward(undecided if kept is None else 0.0, kept, message, "unreadable", failed("source", problem))
    asked = None if targets is None else tuple(targets)
    job = Job(before, after, asked, mode, audit, strict, default_budget() if budget is None else budget)
    value = _POOL.judge(job, Limits(timeout, memory_mb))
    error = value["error"]
    if error is not None:
        if error["kind"] == "target":
            raise ValueError(error["message"])
        return Reward(undecided, None, error["message"], error["kind"], value)
    answer, why = value["kept"], value["reason"] or {"message": "", "code": ""}
    return Reward(undecided if answer is None else float(answer), answer, why["message"], why["code"], value)


def _text(given: str | Path) -> str:
    """The text of one side; bytes that are not UTF-8 become what `text_problem` refuses."""
    return given.read_bytes().decode("utf-8", errors="surrogateescape") if isinstance(given, Path) else given


_POOL = SharedPool()


def _forked() -> None:
    """A child of a fork has workers and a cache of its own: it must not share the pipes of its parent."""
    global _POOL
    _POOL = SharedPool()


atexit.register(lambda: _POOL.close())
os.register_at_fork(after_in_child=_forked)
