"""`samespec check` and `samespec compare`: what they print, and the exit status."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from equiv.verdict import MeaningChange, Place, Reason, SpecChange, TargetReport, Verdict
from samespec import __version__
from samespec.main import SUBCOMMANDS, run
from samespec.render.text import CONFIRMED, visible
from tests.samespec.conftest import CHANGE, TARGETS

STATUS = {
    Verdict.EQUIVALENT: 0,
    Verdict.REFINES: 0,
    Verdict.WEAKENED: 1,
    Verdict.VACUOUS: 1,
    Verdict.INTERFACE_CHANGED: 1,
    Verdict.MISSING: 1,
    Verdict.UNDECIDED: 3,
    Verdict.UNSUPPORTED: 3,
}


@pytest.mark.parametrize("verdict", list(Verdict))
def test_exit_status_of_each_verdict(fake, pair, capsys, verdict):
    fake.verdicts = [verdict]
    assert run(["check", *pair]) == STATUS[verdict]
    out = capsys.readouterr().out.splitlines()
    assert out[0].startswith("✓✗?"[(0, 1, 3).index(STATUS[verdict])])
    assert f"{TARGETS[verdict].target}: {verdict}" in out[0]
    assert out[-1] == CONFIRMED


@pytest.mark.parametrize(
    ("verdicts", "status", "last"),
    [
        ([], 3, "undecided: nothing to check: no function of original.rs has a contract"),
        ([Verdict.EQUIVALENT], 0, "kept: 1 target"),
        ([Verdict.EQUIVALENT, Verdict.REFINES], 0, "kept: all 2 targets"),
        ([Verdict.EQUIVALENT, Verdict.UNDECIDED], 3, "undecided: 1 of 2 targets (the others are kept)"),
        ([Verdict.UNDECIDED, Verdict.WEAKENED, Verdict.REFINES], 1, "not kept: 1 of 3 targets (1 more undecided)"),
        ([Verdict.MISSING, Verdict.VACUOUS], 1, "not kept: 2 of 2 targets"),
        ([Verdict.UNSUPPORTED], 3, "undecided: 1 of 1 target"),
    ],
)
def test_several_targets(fake, pair, capsys, verdicts, status, last):
    fake.verdicts = verdicts
    assert run(["check", *pair]) == status
    assert capsys.readouterr().out.splitlines()[-2] == last


def test_strict_does_not_accept_a_stronger_contract(fake, pair, capsys):
    fake.verdicts = [Verdict.REFINES]
    assert run(["check", "--strict", *pair]) == 1
    assert capsys.readouterr().out.startswith(
        "✗ crate::stronger: refines (not accepted with --strict)\nnot kept: 1 of 1 target\n"
    )


def test_the_whole_text_of_a_broken_contract(fake, pair, capsys):
    fake.verdicts = [Verdict.WEAKENED]
    run(["check", *pair])
    assert capsys.readouterr().out == (
        "✗ crate::Solution::find: weakened (ensures-weakened)\n"
        "    A postcondition no longer follows.\n"
        "      original.rs:1:41: ensures r > x\n"
        "    with a = vec![3, 1], r = 0:\n"
        "      holds: ensures r >= x\n"
        "      fails: ensures r > x\n"
        "      replayed: the evaluator agrees\n"
        "    spec function `sorted` is defined otherwise:\n"
        "      original.rs:3:1:\n"
        "      - spec fn sorted(s: Seq<i32>) -> bool {\n"
        "      -     forall|i: int| true\n"
        "      - }\n"
        "      submitted.rs:4:1:\n"
        "      + spec fn sorted(s: Seq<i32>) -> bool { true }\n"
        "    note: taken as the same unknown function on both sides: `mystery`\n"
        "    note: visibility changed\n"
        "not kept: 1 of 1 target\n"
        "confirmed: not run (samespec's embedded solver decided; Verus was not asked)\n"
    )


def test_core_of_a_vacuous_contract(fake, pair, capsys):
    fake.verdicts = [Verdict.VACUOUS]
    run(["check", *pair])
    out = capsys.readouterr().out
    assert "✗ crate::never: vacuous\n" in out
    assert "these clauses contradict each other:\n    submitted: requires x < 5\n    submitted: requires x > 5\n" in out


def test_verbose_shows_places_and_obligations(fake, pair, capsys):
    fake.verdicts = [Verdict.WEAKENED]
    run(["check", "-v", *pair])
    out = capsys.readouterr().out
    assert "    original.rs:1:13\n    submitted.rs:1:13\n" in out
    assert "[proved] accepts every input it used to (z3, 12 units)" in out
    assert "[refuted] promises at least as much: ensures r > x (z3, 34 units)" in out


def test_changes_that_no_target_reaches_and_notes(fake, pair, capsys):
    gone = MeaningChange("spec function", "lost", "spec fn lost() -> int { 1 }", "", Place("original.rs", 9, 1), None)
    fake.unreached = (SpecChange("crate::sorted", CHANGE, "different"), SpecChange("crate::lost", gone, "gone"))
    fake.notes = ("submitted.rs:7:1: an item could not be read",)
    assert run(["check", *pair]) == 0
    out = capsys.readouterr().out
    assert "! crate::sorted: different (no target's contract reaches it)\n" in out
    assert "    spec function `lost` is gone:\n" in out
    assert "note: submitted.rs:7:1: an item could not be read\n" in out


def test_long_definitions_are_shown_as_a_diff(fake, pair, capsys, monkeypatch):
    old = "\n".join(f"line {n}" for n in range(40))
    change = MeaningChange("type", "Big", old, old.replace("line 20", "line twenty"), None, None)
    monkeypatch.setitem(
        TARGETS, Verdict.WEAKENED, TargetReport("f", Verdict.WEAKENED, (Reason("x", "y"),), meaning=(change,))
    )
    fake.verdicts = [Verdict.WEAKENED]
    run(["check", *pair])
    out = capsys.readouterr().out
    assert "      -line 20\n      +line twenty\n" in out
    assert "line 35" not in out


def test_options_reach_the_check(fake, pair):
    run(["check", *pair, "--fn", "a", "--fn", "b::c", "--budget", "7"])
    run(["check", *pair])
    assert fake.calls[0] == {"targets": ("a", "b::c"), "budget": 7, "want_smt2": False}
    assert fake.calls[1]["targets"] is None


# --- what goes wrong ---


@pytest.mark.parametrize(
    "args",
    [
        ["check"],
        ["check", "original.rs"],
        ["check", "original.rs", "submitted.rs", "--budget", "0"],
        ["check", "original.rs", "submitted.rs", "--format", "yaml"],
        ["check", "original.rs", "submitted.rs", "--no-such-option"],
        ["no-such-command"],
        ["compare", "original.rs"],
        ["compare", "--corpus", "original.rs"],
        ["recheck", "no-such-directory"],
        ["recheck", ".", "--solver", "no-such-solver"],
    ],
)
def test_wrong_usage(fake, pair, capsys, args):
    assert run(args) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "Error: " in captured.err


@pytest.mark.parametrize("content", [None, b"", b"\x7fELF\x00\x00", b"fn f() { \xff\xfe }"])
@pytest.mark.parametrize("which", ["original.rs", "submitted.rs"])
def test_unreadable_input(fake, pair, capsys, content, which):
    if content is None:
        Path(which).unlink()
    else:
        Path(which).write_bytes(content)
    assert run(["check", *pair]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith(f"Error: {which}")
    assert captured.err.count("\n") == 1


@pytest.mark.parametrize(
    ("text", "note"),
    [
        ("fn f() {}\n", "note: original.rs has no `verus!` block"),
        ("verus! {\n  fn f( -> ensures\n}\n", "not parsed: original.rs:2:"),
        ("verus! { fn f() { ((( }\n", "not parsed: original.rs:1:"),
        ("(" * 20_000, "not parsed: original.rs:1:1: nesting: too many brackets"),
        ("verus! { fn f() requires " + "(" * 10_000 + "1" + ")" * 10_000 + " { } }", "original.rs:1:"),
    ],
)
def test_where_no_target_was_found_the_report_says_why(pair, capsys, text, note):
    Path("original.rs").write_text(text)
    assert run(["check", *pair]) == 3
    assert note in capsys.readouterr().out


def test_a_directory_is_no_input(fake, pair, capsys):
    assert run(["check", ".", "submitted.rs"]) == 2
    assert "is a directory" in capsys.readouterr().err


def test_unknown_target(fake, pair, capsys):
    fake.error = fake.UnknownTarget("original.rs: no function `nix`; it has f")
    assert run(["check", *pair, "--fn", "nix"]) == 2
    assert capsys.readouterr().err == "Error: original.rs: no function `nix`; it has f\n"


@pytest.mark.parametrize("error", [ValueError("odd\nthing"), RecursionError("deep"), AssertionError()])
def test_internal_errors_are_one_message_and_no_verdict(fake, pair, capsys, error):
    fake.error = error
    assert run(["check", *pair]) == 2
    err = capsys.readouterr().err
    assert err.startswith(f"internal error: {type(error).__name__}")
    assert "SAMESPEC_DEBUG=1" in err
    assert "Traceback" not in err
    assert len(err.splitlines()) == 2


def test_debug_shows_the_traceback_and_keeps_the_status(fake, pair, capsys, monkeypatch):
    monkeypatch.setenv("SAMESPEC_DEBUG", "1")
    fake.error = ValueError("odd")
    assert run(["check", *pair]) == 2
    assert "Traceback" in capsys.readouterr().err


def test_an_interrupt_is_no_verdict(fake, pair):
    fake.error = KeyboardInterrupt()
    assert run(["check", *pair]) == 130


def test_a_closed_pipe_is_no_verdict():
    """`samespec list | head -0`, say: the reader is gone before the writer writes."""
    read, write = os.pipe()
    os.close(read)
    try:
        done = subprocess.run(
            [sys.executable, "-m", "samespec.main", "check", "--help"],
            stdout=write,
            stderr=subprocess.PIPE,
            check=False,
        )
    finally:
        os.close(write)
    assert done.returncode == 141
    assert done.stderr == b""


# --- what text is safe to print ---


def test_source_text_cannot_repaint_the_terminal(fake, pair, capsys, monkeypatch):
    hostile = TargetReport("crate::f\x1b[2K", Verdict.WEAKENED, (Reason("x", "a\x1b[1Ab\u202ec\x9bd"),))
    monkeypatch.setitem(TARGETS, Verdict.WEAKENED, hostile)
    fake.verdicts = [Verdict.WEAKENED]
    run(["check", *pair])
    out = capsys.readouterr().out
    assert not set(out) & {"\x1b", "\u202e", "\x9b"}
    assert r"a\u{1b}[1Ab\u{202e}c\u{9b}d" in out


def test_visible_keeps_what_is_harmless():
    assert visible("naïve ∀x\n\tπ") == "naïve ∀x\n\tπ"
    assert visible("a\rb") == r"a\u{d}b"


@pytest.mark.parametrize(
    ("env", "args", "colored"),
    [({}, [], False), ({}, ["--color"], True), ({"NO_COLOR": "1"}, ["--color"], True), ({}, ["--no-color"], False)],
)
def test_colors(fake, pair, capsys, monkeypatch, env, args, colored):
    monkeypatch.delenv("NO_COLOR", raising=False)
    for name, value in env.items():
        monkeypatch.setenv(name, value)
    run(["check", *pair, *args])
    assert ("\x1b[" in capsys.readouterr().out) is colored


@pytest.mark.parametrize(("no_color", "colored"), [("", True), ("1", False)])
def test_colors_on_a_terminal(fake, pair, capsys, monkeypatch, no_color, colored):
    monkeypatch.setenv("NO_COLOR", no_color)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    run(["check", *pair])
    assert ("\x1b[" in capsys.readouterr().out) is colored


# --- compare, help ---


def test_compare(fake, pair, capsys):
    assert run(["compare", *pair]) == 0
    assert capsys.readouterr().out == (
        "crate::f\n"
        "  textual  ✗ not kept    the text differs\n"
        "  ast      ✓ kept        equal\n"
        "  logical  ? cannot say  undecided\n"
    )


def test_compare_json(fake, pair, capsys):
    assert run(["compare", *pair, "--format", "json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["schema"] == "samespec/compare/1"
    assert document["targets"][0]["answers"][1] == {"test": "ast", "kept": True, "why": "equal"}


def test_help_and_version(capsys):
    assert run(["--help"]) == 0
    out = capsys.readouterr().out
    assert all(f"  {name} " in out for name in SUBCOMMANDS)
    assert run(["--version"]) == 0
    assert __version__ in capsys.readouterr().out


def test_every_subcommand_has_help(capsys):
    for name in SUBCOMMANDS:
        assert run([name, "--help"]) == 0
        assert f"samespec {name}" in capsys.readouterr().out


def test_help_loads_no_solver():
    script = (
        "import sys; from samespec.main import run; run(['--help']); "
        "sys.exit(any(m in sys.modules for m in ('z3', 'sympy', 'networkx', 'tree_sitter')))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=False)
    assert done.returncode == 0


# --- nothing faked: a task of the corpus, from the command line to the exit status ---

ROOT = Path(__file__).parents[2]
TASK = ROOT / "corpus" / "tasks" / "sort"


def real(*args):
    command = [sys.executable, "-m", "samespec.main", "check", "original.rs", *args]
    env = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUTF8": "1"}
    return subprocess.run(command, capture_output=True, check=False, cwd=TASK, env=env, encoding="utf-8")


def test_a_real_honest_edit():
    done = real("edits/diagonal_included/submitted.rs", "--fn", "sort")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("✓ crate::sort: equivalent (same text, other definitions)\n")


def test_a_real_attack():
    done = real("edits/compared_with_itself/submitted.rs")
    assert (done.returncode, done.stderr) == (1, "")
    assert "✗ crate::sort: weakened (ensures-weakened)\n" in done.stdout
    assert "      original.rs:25:9: ensures ascending(final(v)@)\n" in done.stdout
    assert "    with old(v) = vec![" in done.stdout
    assert "      replayed: " in done.stdout
    assert "      -     forall|i: int, j: int| 0 <= i < j < s.len() ==> s[i] <= s[j]\n" in done.stdout


def test_real_json_is_the_same_twice():
    texts = [real("edits/compared_with_itself/submitted.rs", "--format", "json").stdout for _ in range(2)]
    cut = [t[: t.index('"timing"')] for t in texts]
    assert cut[0] == cut[1]
    assert json.loads(texts[0])["targets"][1]["reasons"][0]["counterexample"]["replayed"] is True


def test_a_real_unknown_target_names_the_known_ones():
    done = real("edits/compared_with_itself/submitted.rs", "--fn", "quicksort")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("Error: ")
    assert "crate::sort" in done.stderr
