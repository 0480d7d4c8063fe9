"""`samespec compare --corpus`: the counting."""

from __future__ import annotations

import json

from corpus.tasks import load_tasks
from samespec.corpus_table import Judged, corpus_json, corpus_text, judge_corpus, scores
from samespec.main import run

JUDGED = [
    Judged("a/honest", True, {"textual": False, "logical": True}),
    Judged("a/attack", False, {"textual": True, "logical": False}),
    Judged("b/hard", True, {"textual": True, "logical": None}),
]


def test_scores():
    textual, logical = scores(JUDGED)
    assert (textual.test, textual.fooled, textual.wrong) == ("textual", ("a/attack",), ("a/honest",))
    assert (textual.undecided, textual.right) == ((), ("b/hard",))
    assert (logical.fooled, logical.wrong) == ((), ())
    assert (logical.undecided, logical.right) == (("b/hard",), ("a/honest", "a/attack"))


def test_the_table():
    assert corpus_text(JUDGED, color=False) == (
        "3 edits: 2 keep the contract, 1 break it\n"
        "\n"
        "         fooled by broken  wrong about honest  undecided  right\n"
        "textual               1/1                 1/2          0      1\n"
        "logical               0/1                 0/2          1      2\n"
        "\n"
        "textual, fooled by:\n"
        "  a/attack\n"
        "\n"
        "textual, wrong about:\n"
        "  a/honest\n"
        "\n"
        "logical, undecided on:\n"
        "  b/hard\n"
    )


def test_many_mistakes_are_counted_and_some_named():
    judged = [Judged(f"t/{n}", False, {"textual": True}) for n in range(8)]
    assert "textual, fooled by:\n  t/0, t/1, t/2, t/3, t/4 and 3 more\n" in corpus_text(judged, color=False)


def test_json():
    document = json.loads(corpus_json(JUDGED))
    assert document["schema"] == "samespec/compare-corpus/1"
    assert document["edits"] == {"kept": 2, "broken": 1, "proof_holes": 0}
    assert document["tests"][1]["undecided"] == ["b/hard"]


def test_every_test_answers_on_a_real_task(capsys):
    judged = judge_corpus(500_000, [t for t in load_tasks() if t.name == "is_even"])
    assert judged
    assert all(list(j.answers) == ["textual", "subset-strict", "subset-naive", "ast", "logical", "logical+audit"] for j in judged)
    assert capsys.readouterr().err == ""  # no progress where nobody watches


def test_a_hole_in_the_proof_is_broken_and_only_the_audit_sees_it(tmp_path):
    holes = "{ assume(false); x }"
    file = "use vstd::prelude::*;\nverus! {\nfn f(x: u8) -> (r: u8) ensures r == x BODY\n}\n"
    edit = tmp_path / "identity" / "edits" / "hole"
    edit.mkdir(parents=True)
    (tmp_path / "identity" / "original.rs").write_text(file.replace("BODY", "{ x }"))
    (edit / "submitted.rs").write_text(file.replace("BODY", holes))
    (tmp_path / "identity" / "task.toml").write_text('title = "t"\ndescription = "d"\nfield = "x"\ntarget = "f"\n')
    (edit / "edit.toml").write_text(
        'kind = "proof-hole"\nverdict = "equivalent"\nkept = false\nwhy = "w"\naudit = "escaped"\nhatch = "assume"\n'
    )
    judged = judge_corpus(500_000, load_tasks(tmp_path))
    assert [(j.kept, j.hole) for j in judged] == [(False, True)]
    assert judged[0].answers["logical"] is True
    assert judged[0].answers["logical+audit"] is False
    assert corpus_text(judged, color=False).startswith(
        "1 edits: 0 keep the contract, 0 break it, 1 keeps it and breaks the proof\n"
    )


def test_the_command(monkeypatch, capsys):
    monkeypatch.setattr("samespec.corpus_table.judge_corpus", lambda budget: JUDGED)
    assert run(["compare", "--corpus"]) == 0
    assert capsys.readouterr().out == corpus_text(JUDGED, color=False)
    assert run(["compare", "--corpus", "--format", "json"]) == 0
    assert capsys.readouterr().out == corpus_json(JUDGED)
