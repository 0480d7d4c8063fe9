"""`confirm`: the two answers side by side; without Verus nothing is confirmed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from corpus.tasks import ROOT as CORPUS
from equiv.check import check_sources
from equiv.verdict import Answer, CheckReport, Obligation, Question, TargetReport, Verdict
from referee.confirm import Agreement, Compared, Confirmation, compare, confirm, confirmation_json, confirmation_lines
from referee.fence import Unfenced
from referee.verus import VerusKind, VerusResult, find_verus, functions_of, read_output
from samespec.commands.confirm import confirm_command
from tests.referee.conftest import RECORDINGS
from translate.parser import parse_file
from translate.source import from_text, read_source

TASK = CORPUS / "midpoint"
EDITS = sorted(p for p in (TASK / "edits").iterdir())


def recorded(name: str) -> VerusResult:
    stdout, stderr = (RECORDINGS / f"{name}.stdout.json").read_text(), (RECORDINGS / f"{name}.stderr.txt").read_text()
    return read_output(stdout, stderr, 0 if json.loads(stdout)["verification-results"]["success"] else 1)


HOLDS, FAILS = recorded("obligation_holds"), recorded("obligation_fails")
LEMMA = "target__requires_kept"
TEXT = (RECORDINGS / "obligation_holds.rs").read_text()


def accepted_lemma() -> VerusResult:
    """The recording of a lemma file that Verus proves, its crate called as this module calls it."""
    names = tuple(n.replace("obligation_holds::", "obligation::") for n in HOLDS.functions)
    return VerusResult(VerusKind.ACCEPTED, verified=HOLDS.verified, functions=names)


@pytest.mark.parametrize(
    ("answer", "proved", "agreement"),
    [
        (Answer.PROVED, True, Agreement.AGREE),
        (Answer.PROVED, False, Agreement.UNSURE),
        (Answer.REFUTED, True, Agreement.DISAGREE),
        (Answer.REFUTED, False, Agreement.AGREE),
        (Answer.UNKNOWN, True, Agreement.VERUS_ALONE),
        (Answer.UNKNOWN, False, Agreement.OPEN),
    ],
)
def test_the_answers_side_by_side(answer: Answer, proved: bool, agreement: Agreement) -> None:
    assert compare(answer, accepted_lemma() if proved else FAILS, LEMMA, TEXT)[0] is agreement


def test_a_lemma_that_verus_does_not_read_is_no_answer() -> None:
    for name in ("syntax_error", "type_error"):
        assert compare(Answer.PROVED, recorded(name), LEMMA, TEXT)[0] is Agreement.NOT_ASKED
    assert compare(Answer.PROVED, HOLDS, "another", TEXT)[0] is Agreement.NOT_ASKED
    assert compare(Answer.PROVED, read_output("", "", 0), LEMMA, TEXT)[0] is Agreement.NOT_ASKED


def report(verdict: Verdict = Verdict.EQUIVALENT) -> CheckReport:
    return CheckReport("o", "s", "0", "0", (TargetReport("crate::f", verdict),))


def confirmation(agreement: Agreement, plain: VerusKind = VerusKind.ACCEPTED, named: bool = True) -> Confirmation:
    obligation = Obligation("promises-1", Question.PROMISES, None, Answer.PROVED, "z3")
    one = Compared("crate::f", obligation, agreement, "why")
    result = VerusResult(plain, "why", 1)
    return Confirmation(report(), True, (one,), result, result, (("crate::f", named),), "0.2026", "bubblewrap")


def test_only_steady_agreement_is_confirmed() -> None:
    assert confirmation(Agreement.AGREE).confirmed is True
    assert confirmation(Agreement.VERUS_ALONE).confirmed is True
    assert confirmation(Agreement.UNSURE).confirmed is None
    assert confirmation(Agreement.NOT_ASKED).confirmed is None
    assert confirmation(Agreement.DISAGREE).confirmed is False
    assert confirmation(Agreement.AGREE, VerusKind.REJECTED).confirmed is False
    assert confirmation(Agreement.AGREE, VerusKind.ERROR).confirmed is None
    assert confirmation(Agreement.AGREE, VerusKind.STOPPED).confirmed is None
    assert confirmation(Agreement.AGREE, named=False).confirmed is False


def test_a_disagreement_is_loud() -> None:
    text = "\n".join(confirmation_lines(confirmation(Agreement.DISAGREE)))
    assert "‼ crate::f promises-1: DISAGREE" in text
    assert "One of the two is wrong: please report it" in text
    assert "confirmed: NO" in text


def test_without_verus_nothing_is_confirmed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("VERUS", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    kept = next(e for e in EDITS if "kept = true" in (e / "edit.toml").read_text())
    done = CliRunner().invoke(confirm_command, [str(TASK / "original.rs"), str(kept / "submitted.rs")], standalone_mode=False)
    assert done.return_value == 3
    assert "confirmed: not run (no Verus here; get a release from" in done.output
    as_json = ["--format", "json", str(TASK / "original.rs"), str(kept / "submitted.rs")]
    data = json.loads(CliRunner().invoke(confirm_command, as_json, standalone_mode=False).output)
    assert (data["confirmed"], data["kept"]) == ("not run", True)


def test_a_named_verus_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    arguments = ["--verus", str(tmp_path / "none"), str(TASK / "original.rs"), str(TASK / "original.rs")]
    done = CliRunner().invoke(confirm_command, arguments)
    assert done.exit_code != 0
    assert "is not a program" in done.output


def test_every_obligation_has_a_lemma_with_a_name() -> None:
    for edit in EDITS[:6]:
        files = read_source(TASK / "original.rs"), read_source(edit / "submitted.rs")
        for target in check_sources(*files, want_lemmas=True).targets:
            for obligation in target.obligations:
                if obligation.lemma is not None:
                    parsed = parse_file(from_text("lemma.rs", obligation.lemma))
                    assert not parsed.problems
                    assert any(fn.mode == "proof" for _, fn in functions_of(parsed.items, ""))


@pytest.mark.verus
def test_the_real_verus_agrees_on_the_corpus() -> None:
    verus = find_verus()
    for edit in EDITS[:4]:
        found = confirm(read_source(TASK / "original.rs"), read_source(edit / "submitted.rs"), verus=verus, runner=Unfenced())
        assert found.ran
        assert not found.disagreements, confirmation_lines(found)
        assert confirmation_json(found)["obligations"] is not None
