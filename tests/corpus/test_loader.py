"""The loader of the corpus: what a record may say, and what it is refused for."""

from __future__ import annotations

from pathlib import Path

import pytest

from corpus.tasks import AUDITS, KINDS, PROOF_KINDS, VERDICTS, load_tasks
from depgraph.hatches import catalogue

TASK = 'title = "t"\ndescription = "d"\nfield = "f"\ntarget = "f"\n'
KEPT = 'kind = "formatting"\nverdict = "equivalent"\nkept = true\nwhy = "w"\n'
FILE = "use vstd::prelude::*;\nverus! { fn f(x: u8) -> (r: u8) ensures r == x { x } }\n"
HOLE = 'kind = "proof-hole"\nverdict = "equivalent"\nkept = false\nwhy = "w"\n'


def folder(root: Path, edit: str, task: str = TASK) -> Path:
    where = root / "task" / "edits" / "edit"
    where.mkdir(parents=True)
    (root / "task" / "task.toml").write_text(task)
    (root / "task" / "original.rs").write_text(FILE)
    (where / "submitted.rs").write_text(FILE)
    (where / "edit.toml").write_text(edit)
    return root


def test_a_hole_in_the_proof(tmp_path: Path) -> None:
    (task,) = load_tasks(folder(tmp_path, HOLE + 'audit = "escaped"\nhatch = "assume"\ndepth = 2\n'))
    (edit,) = task.edits
    assert (edit.kept, edit.verdict, edit.audit, edit.hatch, edit.depth) == (False, "equivalent", "escaped", "assume", 2)
    assert task.proof is None


def test_without_a_word_the_audit_is_clean(tmp_path: Path) -> None:
    (task,) = load_tasks(folder(tmp_path, KEPT))
    (edit,) = task.edits
    assert (edit.kept, edit.audit, edit.hatch, edit.depth) == (True, "clean", None, None)


def test_a_broken_contract_may_lean_on_a_hole_too(tmp_path: Path) -> None:
    text = 'kind = "target-external"\nverdict = "missing"\nkept = false\naudit = "unverified"\nwhy = "w"\n'
    (task,) = load_tasks(folder(tmp_path, text))
    assert (task.edits[0].audit, task.edits[0].hatch) == ("unverified", None)


def test_a_proof_beside_the_original(tmp_path: Path) -> None:
    root = folder(tmp_path, KEPT)
    (root / "task" / "proof.rs").write_text(FILE + "// proved\n")
    assert load_tasks(root)[0].proof == FILE + "// proved\n"


@pytest.mark.parametrize(
    ("edit", "complaint"),
    [
        (HOLE, "audit: is missing, and the kind 'proof-hole' needs it"),
        (HOLE + 'audit = "escaped"\n', "hatch: is missing"),
        (HOLE + 'audit = "clean"\nhatch = "assume"\n', "audit: 'clean' contradicts the kind 'proof-hole'"),
        (HOLE + 'audit = "dirty"\nhatch = "assume"\n', "audit: 'dirty' is not one of clean, diverges, escaped, unverified"),
        (HOLE + 'audit = "escaped"\nhatch = ""\n', "hatch: must be a text"),
        (HOLE + 'audit = "escaped"\nhatch = "assume"\ndepth = -1\n', "depth: must be an integer, 0 or more"),
        (HOLE + 'audit = "escaped"\nhatch = "assume"\ndepth = true\n', "depth: must be an integer"),
        (HOLE.replace("false", "true") + 'audit = "escaped"\nhatch = "assume"\n', "kept: contradicts the verdict"),
        (KEPT + 'hatch = "assume"\n', "hatch: contradicts the audit"),
        (KEPT + 'depth = 1\n', "depth: of which hatch?"),
        ('kind = "formatting"\nverdict = "equivalent"\nkept = false\nwhy = "w"\n', "kept: contradicts the verdict"),
        ('kind = "formatting"\nverdict = "weakened"\nkept = false\nwhy = "w"\n', "kind: 'formatting' contradicts kept = false"),
        ('kind = "formating"\nverdict = "equivalent"\nkept = true\nwhy = "w"\n', "kind: 'formating' is not a known kind"),
    ],
)
def test_what_contradicts_itself_is_refused(tmp_path: Path, edit: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=r"edit\.toml: ") as refused:
        load_tasks(folder(tmp_path, edit))
    assert complaint in str(refused.value)
    assert str(tmp_path / "task" / "edits" / "edit" / "edit.toml") in str(refused.value)


def test_the_documented_kinds_are_the_known_ones() -> None:
    text = (Path(__file__).parents[2] / "corpus" / "README.md").read_text()
    rows = [line.split("|")[1] for line in text.split("## Kinds")[1].splitlines() if line.startswith("| `")]
    named = {word.strip(" `") for row in rows for word in row.split(",")}
    assert named == KINDS


def test_the_words_of_the_corpus_are_those_of_the_audit() -> None:
    assert {h.trust.value for h in catalogue().values() if h.trust is not None} - {"unresolved", "trusted-original"} == AUDITS - {
        "clean"
    }
    assert PROOF_KINDS < KINDS and not PROOF_KINDS & VERDICTS
