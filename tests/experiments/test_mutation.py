"""The mutation engine: its edits are exact, its labels hold, and the same seed makes the same mutants."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from random import Random

import click
import pytest

from corpus.tasks import BROKEN_KINDS, KEPT_KINDS, Task, load_tasks
from equiv.check import check_sources
from equiv.targets import UnknownTarget
from equiv.verdict import Verdict
from experiments.mutation import CANDIDATE, KEPT, RULES, Mutant, Work, combined, confirm, mutants, pick, rules_of
from experiments.mutation.engine import made, proposals
from experiments.mutation.text import Edit, Tokens, apply_edits
from experiments.mutation.tree import Opaque, occurrences
from translate.parser import parse_file
from translate.source import SourceText, from_text
from translate.syntax import Span

TASKS = load_tasks()
SAMPLE = TASKS[::4]


def source_of(task: Task) -> SourceText:
    return from_text(f"{task.name}.rs", task.original)


def in_verus(text: str) -> SourceText:
    return from_text("test.rs", f"use vstd::prelude::*;\n\nverus! {{\n\n{text}\n}}\n")


def texts(source: SourceText, *names: str) -> list[str]:
    """The mutants of some rules, white space folded."""
    return [" ".join(m.text.split()) for m in mutants(source, kinds=names)]


def verdicts(source: SourceText, mutant: Mutant) -> set[Verdict]:
    return {t.verdict for t in check_sources(source, from_text("mutant.rs", mutant.text)).targets}


# --- edits -----------------------------------------------------------------------------------------------------------


def test_edits_are_made_at_byte_offsets() -> None:
    source = from_text("a.rs", "é = ü; // ∀")
    assert apply_edits(source, [Edit(Span(5, 7), "x"), Edit(Span(0, 2), "y")]) == "y = x; // ∀"


def test_insertions_at_one_place_keep_their_order() -> None:
    source = from_text("a.rs", "ab")
    assert apply_edits(source, [Edit(Span(1, 1), "1"), Edit(Span(1, 1), "2")]) == "a12b"


def test_edits_that_overlap_are_refused() -> None:
    source = from_text("a.rs", "abcdef")
    with pytest.raises(ValueError, match="overlaps"):
        apply_edits(source, [Edit(Span(0, 3), ""), Edit(Span(2, 4), "")])


def test_parentheses_around_a_clause_belong_to_it() -> None:
    source = in_verus("fn f(a: u8)\n    requires\n        (/* ( */ (a < 3)),\n        a < 4,\n{\n}")
    clause = parse_file(source).items[1].clauses[0]  # type: ignore[union-attr]
    tokens = Tokens(source)
    assert source.snippet(tokens.with_parentheses(clause.exprs[0].span)) == "(/* ( */ (a < 3))"
    assert source.snippet(tokens.with_comma(tokens.with_parentheses(clause.exprs[1].span))) == "a < 4,"


def test_a_shadowed_name_is_not_followed() -> None:
    source = in_verus("spec fn f(i: int) -> bool {\n    i > 0 && forall|i: int| i == i\n}")
    work = Work(source)
    body = proposals(work, next(r for r in RULES if r.name == "parameter-renamed"))
    assert body == []
    fn = parse_file(in_verus("fn f(i: u8) requires i > 0 && forall|i: int| i == i {}")).items[1]
    with pytest.raises(Opaque):
        occurrences(fn.clauses[0], "i")  # type: ignore[union-attr]


# --- rules -----------------------------------------------------------------------------------------------------------


def test_rules_use_the_kinds_of_the_corpus() -> None:
    for rule in RULES:
        assert rule.kind in (KEPT_KINDS if rule.kept else BROKEN_KINDS), rule.name
    assert len({r.name for r in RULES}) == len(RULES)


@pytest.mark.parametrize("task", TASKS, ids=lambda t: t.name)
def test_every_mutant_parses_and_differs(task: Task) -> None:
    source = source_of(task)
    work = Work(source)
    rng = Random(task.name)
    seen = set()
    for rule in RULES:
        found = proposals(work, rule)
        for target, proposal in rng.sample(found, min(2, len(found))):
            mutant = made(work, target, rule, proposal)  # raises where it does not parse
            assert mutant.text != task.original
            assert mutant.why.endswith(".")
            assert mutant.kind in (KEPT_KINDS if mutant.label == KEPT else BROKEN_KINDS)
            # What lies outside of the edits stays as it was.
            first = min(e.span.start for e in proposal.edits)
            last = max(e.span.end for e in proposal.edits)
            assert mutant.text.encode().startswith(source.data[:first])
            assert mutant.text.encode().endswith(source.data[last:])
            seen.add(rule.name)
    assert len(seen) > 15


@pytest.mark.parametrize("task", SAMPLE, ids=lambda t: t.name)
def test_kept_mutants_are_never_called_broken(task: Task) -> None:
    source = source_of(task)
    work = Work(source)
    rng = Random(f"kept {task.name}")
    for rule in rng.sample(rules_of(label=KEPT), 24):
        mutant = pick(work, rule, rng)
        if mutant is not None:
            found = verdicts(source, mutant)
            assert found <= {Verdict.EQUIVALENT, Verdict.REFINES, Verdict.UNDECIDED}, (mutant.name, mutant.why)


@pytest.mark.parametrize("task", SAMPLE[:4], ids=lambda t: t.name)
def test_combinations_are_kept_too(task: Task) -> None:
    source = source_of(task)
    mutant = combined(Work(source), rules_of(label=KEPT), Random(5), 3)
    assert mutant is not None
    assert len(mutant.rules) == 3
    assert len(set(mutant.rules)) == 3
    assert not verdicts(source, mutant) & {Verdict.WEAKENED, Verdict.VACUOUS, Verdict.INTERFACE_CHANGED, Verdict.MISSING}


KEPT_EXAMPLES = [
    (
        "range-moved-along",
        "forall|i: int| 0 <= i < v.len() ==> v[i] > 0",
        "forall|i: int| 0 + 1 <= i < v.len() + 1 ==> v[i - 1] > 0",
    ),
    ("quantifier-dual", "forall|i: int| p(i)", "!(exists|i: int| !p(i))"),
    ("quantifier-split", "forall|i: int| p(i) && q(i)", "(forall|i: int| p(i)) && (forall|i: int| q(i))"),
    ("guard-moved", "forall|i: int| a > 0 && p(i) ==> q(i)", "(a > 0) ==> (forall|i: int| (p(i)) ==> q(i))"),
    ("implication-contraposed", "a > 0 ==> p(1)", "!p(1) ==> !(a > 0)"),
    ("de-morgan", "!(p(1) && q(1))", "!p(1) || !q(1)"),
    ("chain-split", "0 <= a < b", "0 <= a && a < b"),
    ("index-view", "v[0] == 1", "(v@[0]) == 1"),
    ("length-view", "v@.len() == 1", "(v.len()) == 1"),
    ("comparison-negated", "a < b", "!(a >= b)"),
    ("commuted", "2 * a == 4", "(a * 2) == 4"),
    ("strictness-changed", "a <= b", "a < b + 1"),
    ("spec-function-inlined", "p(a + 1)", "(((a + 1) as int) > 0)"),
    ("literal-respelt", "a < 100000", "a < 100_000"),
    ("clause-split", "p(1) && q(1)", "p(1), q(1)"),
    ("guard-entered", "a > 0 ==> forall|i: int| p(i)", "forall|i: int| (a > 0) ==> p(i)"),
    ("equivalence-spelt", "p(1) <==> q(1)", "p(1) == q(1)"),
    ("let-inlined", "({ let c = a + 1; c < b })", "({ (a + 1) < b })"),
    ("spec-parameters-swapped", "w(a, (b as int))", "w(b as int, (a))"),
]


@pytest.mark.parametrize(("rule", "before", "after"), KEPT_EXAMPLES, ids=[e[0] for e in KEPT_EXAMPLES])
def test_a_rule_makes_its_rewrite_and_keeps_the_meaning(rule: str, before: str, after: str) -> None:
    spec = "".join(
        f"spec fn {head} -> bool {{\n    {value}\n}}\n\n"
        for head, value in (("p(x: int)", "x > 0"), ("q(x: int)", "x < 9"), ("w(x: u32, y: int)", "x < y"))
    )
    source = in_verus(f"{spec}fn f(v: &Vec<u32>, a: u32, b: u32)\n    requires\n        {before},\n{{\n}}")
    found = texts(source, rule)
    assert any(f"requires {after}," in text for text in found), found
    for mutant in mutants(source, kinds=[rule]):
        assert verdicts(source, mutant) == {Verdict.EQUIVALENT}


def test_names_are_changed_wherever_they_are_used() -> None:
    source = in_verus(
        "spec fn big(n: int) -> bool {\n    n > 5\n}\n\n"
        "proof fn f(n: int)\n    requires big(n),\n    ensures big(n) && n > 5,\n{ assert(big(n)); }"
    )
    (renamed,) = texts(source, "spec-function-renamed")
    assert renamed.count("big_1(") == 4
    assert "big(" not in renamed
    parameters = texts(source, "parameter-renamed")
    assert any("fn f(n_1: int) requires big(n_1), ensures big(n_1) && n_1 > 5, { assert(big(n_1)); }" in t for t in parameters)


def test_a_variable_that_would_be_captured_keeps_a_function_from_being_inlined() -> None:
    source = in_verus(
        "spec fn all(n: int) -> bool {\n    forall|i: int| i < n\n}\n\n"
        "proof fn f(i: int, k: int)\n    requires all(i), all(k),\n{}"
    )
    found = texts(source, "spec-function-inlined")
    assert len(found) == 1
    assert "all(i), (forall|i: int| i < (k))" in found[0]


def test_a_recursive_function_is_not_inlined() -> None:
    source = in_verus(
        "spec fn e(n: nat) -> bool {\n    n == 0 || o(n)\n}\n\nspec fn o(n: nat) -> bool {\n    e((n - 1) as nat)\n}\n\n"
        "proof fn f(n: nat)\n    requires e(n),\n{}"
    )
    assert texts(source, "spec-function-inlined") == []


def test_the_bindings_of_matches_stay_in_scope() -> None:
    source = in_verus("fn f(o: Option<u8>)\n    requires\n        o matches Some(k) && k > 3 ==> k < 9,\n{}")
    for mutant in mutants(source, label=KEPT):
        assert not verdicts(source, mutant) - {Verdict.EQUIVALENT, Verdict.REFINES}, mutant.text


# --- candidates ------------------------------------------------------------------------------------------------------

BROKEN_EXAMPLES = [
    ("clause-dropped", "r <= v.len(), r >= a", Verdict.WEAKENED),
    ("guard-emptied", "forall|i: int| 0 <= i < v.len() ==> v[i] <= r", Verdict.WEAKENED),
    ("bound-moved", "forall|i: int| 0 <= i < v.len() ==> v[i] <= r", Verdict.WEAKENED),
    ("equality-loosened", "r == a + 1", Verdict.WEAKENED),
    ("or-for-and", "r > 1 && a > 2", Verdict.WEAKENED),
    ("exists-for-forall", "forall|i: int| 0 <= i < v.len() ==> v[i] <= r", Verdict.WEAKENED),
    ("moved-to-recommends", "r > 1", Verdict.WEAKENED),
    ("false-required", "r > 1", Verdict.VACUOUS),
    ("contradiction-required", "r > 1", Verdict.VACUOUS),
    ("target-external", "r > 1", Verdict.MISSING),
    ("parameters-swapped", "r > a", Verdict.WEAKENED),
]


@pytest.mark.parametrize(("rule", "ensures", "verdict"), BROKEN_EXAMPLES, ids=[e[0] for e in BROKEN_EXAMPLES])
def test_candidates_are_confirmed(rule: str, ensures: str, verdict: Verdict) -> None:
    source = in_verus(f"fn f(v: &Vec<u32>, a: u32, b: u32) -> (r: u32)\n    ensures\n        {ensures},\n{{\n}}")
    found = list(mutants(source, kinds=[rule]))
    assert found
    for mutant in found:
        assert mutant.label == CANDIDATE
        confirmation = confirm(source, mutant)
        assert (confirmation.status, confirmation.verdict) == ("confirmed", verdict), mutant.text


def test_a_candidate_that_keeps_the_contract_is_discarded() -> None:
    source = in_verus("fn f(a: u32) -> (r: u32)\n    ensures\n        r == a,\n        r <= a,\n{\n}")
    dropped = [m for m in mutants(source, kinds=["clause-dropped"]) if "<=" not in m.text]
    assert [confirm(source, m).status for m in dropped] == ["discarded"]


# --- seeds and the command -------------------------------------------------------------------------------------------


def test_the_same_seed_makes_the_same_mutants() -> None:
    source = source_of(next(t for t in TASKS if t.name == "sort"))
    first = list(mutants(source, seed=3, count=30))
    assert first == list(mutants(source, seed=3, count=30))
    assert len(first) == 30
    assert [m.text for m in first] != [m.text for m in mutants(source, seed=4, count=30)]
    assert {m.label for m in first} == {KEPT, CANDIDATE}


def test_targets_and_kinds_are_respected() -> None:
    source = source_of(next(t for t in TASKS if t.name == "sort"))
    found = list(mutants(source, targets=["sort"], kinds=["clause-dropped", "reordered"]))
    assert {m.target for m in found} == {"crate::sort"}
    assert {m.kind for m in found} == {"clause-dropped", "reordered"}
    with pytest.raises(UnknownTarget):
        list(mutants(source, targets=["nothing"]))
    with pytest.raises(ValueError, match="unknown kind"):
        list(mutants(source, kinds=["nonsense"]))


def original(name: str) -> str:
    return str(next(t for t in TASKS if t.name == name).path)


def mutate(*args: str) -> int:
    from samespec.commands.mutate import mutate_command

    status = mutate_command(list(args), standalone_mode=False)
    assert isinstance(status, int)
    return status


def test_the_command_writes_folders(tmp_path: Path) -> None:
    folder = tmp_path / "out"
    assert mutate(original("max_index"), "--count", "6", "--seed", "1", "--confirm", "--output", str(folder)) == 0
    edits = sorted((folder / "edits").iterdir())
    assert len(edits) == 6
    assert (folder / "original.rs").read_text() == Path(original("max_index")).read_text()
    for edit in edits:
        record = tomllib.loads((edit / "edit.toml").read_text())
        assert {"kind", "label", "why", "target", "rules", "confirmation"} <= set(record)
        assert edit.name.endswith(record["kind"])
        assert not parse_file(from_text("a", (edit / "submitted.rs").read_text())).problems
        if record["label"] == KEPT:
            assert record["verdict"] == "equivalent"
            assert record["kept"] is True


def test_the_command_prints_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert mutate(original("sort"), "--kind", "clause-dropped", "--json") == 0
    data = json.loads(capsys.readouterr().out)
    assert {m["kind"] for m in data["mutants"]} == {"clause-dropped"}
    assert all("verus!" in m["text"] for m in data["mutants"])


def test_the_command_lists_kinds(capsys: pytest.CaptureFixture[str]) -> None:
    assert mutate("--list-kinds") == 0
    listed = capsys.readouterr().out
    assert all(rule.name in listed for rule in RULES)


def test_the_command_refuses_what_it_cannot_use(tmp_path: Path) -> None:
    (tmp_path / "full").write_text("x")
    for args, said in (
        ([str(tmp_path / "missing.rs")], "no such file"),
        ([original("sort"), "--kind", "nonsense"], "unknown kind 'nonsense'"),
        ([original("sort"), "--fn", "nothing"], "no function `nothing`"),
        ([original("sort"), "--count", "1", "--output", str(tmp_path / "full")], "is there already"),
        ([], "a FILE is needed"),
    ):
        with pytest.raises(click.ClickException) as error:
            mutate(*args)
        assert said in error.value.format_message()
