"""Certificates: what is written, and that replaying finds every difference."""

from __future__ import annotations

import hashlib
import json
import re
import sys
from pathlib import Path

import pytest

from equiv.verdict import Obligation, TargetReport, Verdict
from samespec.evidence import CERTIFICATE
from samespec.main import run
from samespec.solvers import solver_named
from tests.samespec.conftest import ORIGINAL, PROVED, REFUTED, TARGETS


@pytest.fixture
def evidence(fake, pair):
    """A certificate of a weakened contract, in "ev"."""
    fake.verdicts = [Verdict.WEAKENED, Verdict.EQUIVALENT]
    assert run(["check", *pair, "--evidence", "ev"]) == 1
    return Path("ev")


def certificate(directory):
    return json.loads((directory / CERTIFICATE).read_text())


def test_what_is_written(fake, evidence, capsys):
    assert fake.calls[0]["want_smt2"] is True
    names = {p.relative_to(evidence).as_posix() for p in evidence.rglob("*") if p.is_file()}
    assert names == {
        "README.txt",
        "certificate.json",
        "inputs/original.rs",
        "inputs/submitted.rs",
        "crate.Solution.find/accepts-1.smt2",
        "crate.Solution.find/promises-1.smt2",
    }
    assert (evidence / "inputs/original.rs").read_text() == ORIGINAL
    assert not [p for p in Path().iterdir() if p.name.startswith(".")]
    written = certificate(evidence)
    assert written["schema"] == "samespec/certificate/1"
    assert written["inputs"]["original"]["sha256"] == hashlib.sha256(ORIGINAL.encode()).hexdigest()
    assert set(written["versions"]) == {"samespec", "python", "z3-solver", "tree-sitter", "tree-sitter-rust"}
    first, second = written["targets"][0]["obligations"]
    assert (first["answer"], first["expected"], first["replay"]) == (
        "proved",
        "unsat",
        "z3 crate.Solution.find/accepts-1.smt2",
    )
    assert second["clause"] == "ensures r > x"
    assert written["targets"][1]["obligations"][0]["file"] is None


def test_the_same_certificate_twice(fake, pair, evidence):
    before = (evidence / CERTIFICATE).read_bytes()
    assert run(["check", *pair, "--evidence", "ev"]) == 1
    assert (evidence / CERTIFICATE).read_bytes() == before


def test_byte_order_mark_is_kept_in_the_copy(fake, pair):
    Path("original.rs").write_bytes(b"\xef\xbb\xbf" + ORIGINAL.encode())
    run(["check", *pair, "--evidence", "ev"])
    assert run(["recheck", "ev"]) == 0


@pytest.mark.parametrize("solver", ["z3-python", "cvc5"])
def test_recheck_finds_everything_the_same(evidence, capsys, solver):
    assert run(["recheck", "ev", "--solver", solver]) == 0
    assert capsys.readouterr().out.splitlines()[-1].startswith("same: all 11 steps")


def test_recheck_with_a_program(evidence, capsys):
    """Any program that takes an .smt2 file will do; this one knows a single answer."""
    program = Path("oracle").resolve()
    program.write_text(f"#!{sys.executable}\nimport sys\nopen(sys.argv[1]).read()\nprint('unsat')\n")
    program.chmod(0o755)
    assert run(["recheck", "ev", "--solver", str(program)]) == 1
    out = capsys.readouterr().out
    assert "≠" in out
    assert "crate.Solution.find/promises-1.smt2: sat in the certificate, now unsat" in out
    assert out.splitlines()[-1].startswith("different: 1 of 11 steps")


def test_a_solver_without_an_answer_contradicts_nothing(evidence, capsys):
    program = Path("lost").resolve()
    program.write_text(f"#!{sys.executable}\nprint('unknown (INCOMPLETE)')\n")
    program.chmod(0o755)
    assert run(["recheck", "ev", "--solver", str(program)]) == 1
    out = capsys.readouterr().out
    assert "? " in out
    assert "≠" not in out
    assert out.splitlines()[-1].endswith("; 2 of them because one side has no answer")


@pytest.mark.parametrize("file", ["inputs/original.rs", "crate.Solution.find/accepts-1.smt2"])
def test_recheck_sees_a_changed_file(evidence, capsys, file):
    with (evidence / file).open("a") as f:
        f.write("\n")
    assert run(["recheck", "ev"]) == 1
    assert "≠ sha256 of" in capsys.readouterr().out


def test_recheck_sees_another_answer_and_another_verdict(fake, evidence, capsys):
    fake.verdicts = [Verdict.WEAKENED, Verdict.UNDECIDED]
    text = "(assert true)\n(check-sat)\n"
    (evidence / "crate.Solution.find/accepts-1.smt2").write_text(text)
    edited = certificate(evidence)
    edited["targets"][0]["obligations"][0]["sha256"] = hashlib.sha256(text.encode()).hexdigest()
    (evidence / CERTIFICATE).write_text(json.dumps(edited))
    assert run(["recheck", "ev"]) == 1
    out = capsys.readouterr().out
    assert "accepts-1.smt2: unsat in the certificate, now sat" in out
    assert "verdict on crate::same: equivalent in the certificate, now no such target" in out
    assert "verdict on crate::hard: none in the certificate, now undecided" in out


def test_recheck_shows_the_steps_on_request(evidence, capsys):
    run(["recheck", "ev", "-v"])
    assert "= answer to promises-1 of crate::Solution::find: refuted\n" in capsys.readouterr().out


# --- directories ---


def test_foreign_directories_are_left_alone(fake, pair, capsys):
    Path("mine").mkdir()
    Path("mine/thesis.txt").write_text("years of work")
    assert run(["check", *pair, "--evidence", "mine"]) == 2
    assert "thesis.txt" in capsys.readouterr().err
    assert Path("mine/thesis.txt").read_text() == "years of work"
    assert not fake.calls


def test_a_certificate_with_foreign_files_is_left_alone(fake, pair, evidence, capsys):
    (evidence / "notes.txt").write_text("mine")
    assert run(["check", *pair, "--evidence", "ev"]) == 2
    assert "notes.txt" in capsys.readouterr().err


def test_a_file_is_no_directory(fake, pair, capsys):
    assert run(["check", *pair, "--evidence", "original.rs"]) == 2
    assert "not a directory" in capsys.readouterr().err


def test_new_parents_and_empty_directories_will_do(fake, pair):
    Path("empty").mkdir()
    assert run(["check", *pair, "--evidence", "a/b/c"]) == 0
    assert run(["check", *pair, "--evidence", "empty"]) == 0
    assert run(["recheck", "a/b/c"]) == run(["recheck", "empty"]) == 0


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda c: c.update(schema="other/1"), "not a certificate in the schema"),
        (lambda c: c.pop("inputs"), "is damaged"),
        (lambda c: c["request"].update(budget="many"), "is damaged"),
        (lambda c: c["inputs"]["original"].update(copy="../../etc/passwd"), "is damaged"),
        (lambda c: c["targets"][0]["obligations"][0].update(file="/etc/passwd"), "is damaged"),
        (lambda c: c["targets"][0]["obligations"][0].update(file="missing.smt2"), "cannot be read"),
        (lambda c: c["targets"].append(7), "is damaged"),
    ],
)
def test_damaged_certificates(evidence, capsys, change, message):
    edited = certificate(evidence)
    change(edited)
    (evidence / CERTIFICATE).write_text(json.dumps(edited))
    assert run(["recheck", "ev"]) == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize("text", ["", "[" * 100_000, "[]", "\x00"])
def test_certificates_that_are_none(evidence, capsys, text):
    (evidence / CERTIFICATE).write_text(text)
    assert run(["recheck", "ev"]) == 2
    assert "Error: ev" in capsys.readouterr().err


def test_a_link_out_of_the_directory_is_not_followed(evidence, capsys):
    Path("secret").write_text("x")
    copy = evidence / "inputs/original.rs"
    copy.unlink()
    copy.symlink_to(Path("secret").resolve())
    assert run(["recheck", "ev"]) == 2
    assert "leads out of" in capsys.readouterr().err


def test_hostile_names_become_plain_file_names(fake, pair, monkeypatch):
    names = ["../../x", "a/b", "a_b", "A_B", "", "..", "é" * 300]
    obligations = tuple(
        Obligation(n, REFUTED.question, None, REFUTED.answer, "z3", smt2=REFUTED.smt2, expected="sat") for n in names
    )
    target = TargetReport("<T as ../U>::inputs", Verdict.WEAKENED, obligations=obligations)
    monkeypatch.setitem(TARGETS, Verdict.WEAKENED, target)
    fake.verdicts = [Verdict.WEAKENED]
    assert run(["check", *pair, "--evidence", "ev"]) == 1
    files = [o["file"] for o in certificate(Path("ev"))["targets"][0]["obligations"]]
    assert len({f.lower() for f in files}) == len(names)
    assert all(re.fullmatch(r"[A-Za-z0-9._-]+/[A-Za-z0-9._-]+\.smt2", f) for f in files)
    assert run(["recheck", "ev"]) == 0


# --- solvers ---


@pytest.mark.parametrize("solver", ["z3-python", "cvc5"])
@pytest.mark.parametrize(
    ("script", "answer"),
    [
        (PROVED.smt2, "unsat"),
        (REFUTED.smt2, "sat"),
        ("(set-logic ALL)\n(declare-fun f (Int) Int)\n(assert (= (f 1) 2))\n(check-sat)\n(get-model)\n", "sat"),
        ("(assert (nonsense))\n(check-sat)\n", "error"),
        ("", "error: no answer"),
        ("\xff", "error"),
    ],
)
def test_solvers(solver, script, answer):
    assert solver_named(solver).answer(script.encode("latin-1")).startswith(answer)


# --- nothing faked ---

TASK = Path(__file__).parents[2] / "corpus" / "tasks" / "sort"


@pytest.mark.parametrize(
    ("edit", "status"), [("no_descent", 0), ("compared_with_itself", 1), ("already_sorted", 1)]
)
def test_a_real_certificate_replays(tmp_path, monkeypatch, edit, status):
    monkeypatch.chdir(tmp_path)
    files = [str(TASK / "original.rs"), str(TASK / "edits" / edit / "submitted.rs")]
    assert run(["check", *files, "--evidence", "ev"]) == status
    scripts = list(Path("ev").rglob("*.smt2"))
    assert scripts
    assert run(["recheck", "ev"]) == 0
    for script in scripts:
        # Another solver may find no answer; it must not find the opposite one.
        first, second = (solver_named(s).answer(script.read_bytes()) for s in ("z3-python", "cvc5"))
        assert {first, second} != {"sat", "unsat"}
        assert not second.startswith("error"), second
