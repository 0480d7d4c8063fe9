"""A contract revised from a witness by a provider, and whether it is any good.

In: a task, a candidate that is wrong on a case, a provider. Out: a `Revision`. The provider is asked for the function's signature
with stronger clauses (`prompts.repair`); what it answers takes the place of the signature in the weakened file, and is accepted
only if

1. the file reads as a contract, and no name in it is without a meaning;
2. `equiv` shows that it is stronger than the weakened contract: it refines it, and is not equivalent;
3. it rejects the witness: an input shows it;
4. it keeps the correct implementation: no official case breaks it. Whether the full contract promises all that it promises is
   asked of `equiv` too, and recorded; a revision may want more than the intent does, and no case show it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from equiv.check import check_sources
from equiv.verdict import Answer, Verdict
from translate import syntax as sx
from translate import terms as tm
from translate.names import Crate
from translate.parser import parse_file
from translate.source import SourceText, from_text
from translate.vstd import library
from witness.contract import Opened, WitnessError, find_function, open_function, working
from witness.embedded import Verifier
from witness.language import NotAllowed, read_expression
from witness.model import Candidate, Case, Task
from witness.numbers import Panic
from witness.policies import prompts
from witness.policies.block import expected_of, inputs_of, output_of
from witness.policies.providers.base import Key, Provider, Request
from witness.policies.view import view_of
from witness.run import run

PURPOSE: Final = "repair"
#: Z3's resource units for one question about a revision.
BUDGET: Final = 1_000_000
_FENCE: Final = re.compile(r"```[A-Za-z0-9_-]*[ \t]*\n(.*?)```", re.DOTALL)
#: Values in the repair prompt are shown whole, up to so many characters.
_WHOLE: Final = 2_000


@dataclass(frozen=True, slots=True)
class Revision:
    """`text` is the file with the revised contract where it was accepted, else None, and `why` says why not. `implied` says
    whether the full contract promises all that the revised one does (None: not decided, or not asked). `signature` is what stands
    between the function's name and its body."""

    text: str | None
    why: str
    signature: str = ""
    implied: bool | None = None

    @property
    def accepted(self) -> bool:
        return self.text is not None


def ask_for_revision(task: Task, witness: Candidate, provider: Provider, purpose: str, budget: int = BUDGET) -> Revision:
    """Asks a provider for a stronger contract, and checks what it answers. `purpose` is the condition that it is for.

    Raises `ProviderError`.
    """
    shown = _failing_case(task, witness)
    if shown is None:
        return Revision(None, "the candidate gives no wrong output on a visible case: there is no evidence to repair from")
    case, output = shown
    prompt = prompts.repair(
        view_of(task), witness.expression, inputs_of(task, case, _WHOLE), expected_of(task, case, _WHOLE), output
    )
    reply = provider.ask(Request(Key(provider.name, task.name, f"{PURPOSE}:{purpose}", 1, 1), prompt))
    try:
        text, signature = revised_text(task, reply.text)
    except WitnessError as problem:
        return Revision(None, str(problem))
    return check_revision(task, text, signature, witness, budget)


def _failing_case(task: Task, witness: Candidate) -> tuple[Case, str] | None:
    """The first visible case on which a candidate gives a wrong output, and that output."""
    if not witness.parses:
        return None
    names = [p.name for p in task.parameters]
    with working():
        opened = open_function("weakened.rs", task.weakened, task.function)
        tree = read_expression(witness.expression, opened)
        for case in task.visible:
            try:
                output = run(tree, dict(zip(names, case.inputs, strict=True)), opened.word)
            except Panic:
                continue
            stays = tuple(x for p, x in zip(task.parameters, case.inputs, strict=True) if p.mutable)
            if stays != case.final or (task.result_sort is not None and output != case.output):
                return case, output_of(task, output, stays, _WHOLE)
    return None


# --- the answer ----------------------------------------------------------------------------------------------------------


def revised_text(task: Task, answer: str) -> tuple[str, str]:
    """The weakened file with the signature of an answer, and that signature (from behind the name). Raises `WitnessError`."""
    header = _header(answer, task.function.rsplit("::", 1)[-1])
    with working():
        source = from_text("weakened.rs", task.weakened)
        fn = find_function(Crate(source, parse_file(source), library()), task.function).item
        assert isinstance(fn, sx.Fn) and fn.body is not None
        start, end = fn.name_span.end, fn.body.start
    data = source.data
    return (data[:start] + header.encode() + b"\n" + data[end:]).decode(), " ".join(header.split())


def _header(answer: str, name: str) -> str:
    """What the answer writes between the function's name and its body."""
    blocks = [b for b in _FENCE.findall(answer) if re.search(r"\bfn\b", b)]
    text = blocks[-1] if blocks else answer
    at = re.search(r"\b(?:pub\b[^{};]*?)?fn\s+" + re.escape(name) + r"\b", text)
    if at is None:
        raise WitnessError(f"the answer has no signature of `{name}`")
    text = text[at.start() :].strip()
    for end in ("", " {}", ";"):
        for tail in (text, text.rstrip(" \t\n;}")):
            found = _parsed(tail + end, name)
            if found is not None:
                return found
    raise WitnessError(f"the signature of `{name}` in the answer does not parse as Verus")


def _parsed(text: str, name: str) -> str | None:
    with working():
        source = from_text("answer.rs", "verus! {\n" + text + "\n}\n")
        crate = Crate(source, parse_file(source), library())
        if crate.file.problems or crate.gaps:
            return None
        found = [r.item for r in crate.functions if isinstance(r.item, sx.Fn) and r.item.name == name]
        if len(found) != 1:
            return None
        fn = found[0]
        end = fn.body.start if fn.body is not None else fn.span.end
        return source.data[fn.name_span.end : end].decode().rstrip().removesuffix(";")


# --- the checks ----------------------------------------------------------------------------------------------------------


def check_revision(task: Task, text: str, signature: str, witness: Candidate, budget: int = BUDGET) -> Revision:
    """Whether a revised file is a repair (see above)."""
    try:
        with working():
            why = _wrong(task, text, witness, budget)
    except WitnessError as problem:
        why = f"the revised contract does not read as one: {problem}"
    if why is not None:
        return Revision(None, why, signature)
    target = f"crate::{task.function}"
    before, after, full = (from_text(n, t) for n, t in (("weakened", task.weakened), ("revised", text), ("full", task.full)))
    verdict = _verdict(before, after, target, budget)
    if verdict is not Verdict.REFINES:
        return Revision(None, f"the revised contract is not shown to be stronger: equiv says `{verdict}`", signature)
    implied = _verdict(after, full, target, budget)
    decided = implied not in (Verdict.UNDECIDED, Verdict.UNSUPPORTED)
    return Revision(text, "accepted", signature, implied.kept() if decided else None)


def _verdict(original: SourceText, submitted: SourceText, target: str, budget: int) -> Verdict:
    return check_sources(original, submitted, targets=[target], budget=budget).targets[0].verdict


def _wrong(task: Task, text: str, witness: Candidate, budget: int) -> str | None:
    """What is wrong with a revised file, as far as it shows without `equiv`."""
    opened = open_function("revised.rs", text, task.function)
    unknown = _unknown_names(opened) - _unknown_names(open_function("weakened.rs", task.weakened, task.function))
    if unknown:
        return f"the revised contract speaks of {', '.join(sorted(unknown))}, which the file does not define"
    verifier = Verifier(opened, budget)
    for case in (*task.visible, *task.withheld):
        broken = verifier.breaks(case.inputs, case.output, case.final)
        if broken is not None:
            return f"the revised contract forbids an official output: `{broken}`"
        if not verifier.accepts(case.inputs):
            return "the revised contract no longer allows the inputs of an official case for certain"
    try:
        tree = read_expression(witness.expression, opened)
    except NotAllowed as refused:
        return f"the witness is no expression there: {refused.message}"
    if verifier.verify(tree, [c.inputs for c in task.visible]).answer is not Answer.REFUTED:
        return "the revised contract is not shown to reject the witness"
    return None


def _unknown_names(opened: Opened) -> set[str]:
    terms = [*opened.requires, *opened.ensures]
    return {s.name for t in terms for s in tm.symbols(t) if s.kind == "uninterpreted"}
