"""Z3's answers in the cache: asked once, the same report, and a wrong entry makes no wrong verdict."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from equiv.check import check_sources
from equiv.decide import Decider
from equiv.verdict import CheckReport, Verdict
from samespec.batch.judge import Job, judge
from samespec.batch.questions import Questions, questions_in
from samespec.batch.worker import Trees
from samespec.cache import Cache
from translate.source import from_text

FILE = (
    "verus! {{ spec fn sum(s: Seq<u8>) -> int decreases s.len() {{ if s.len() == 0 {{ 0 }} else {{ s[0] + sum(s.skip(1)) }} }}"
    " fn f(a: Vec<u8>, k: u8) -> (r: u64) requires a.len() < 1000, ensures {} {{ {} }} }}"
)
CLAUSES = "r as int * (k + 1) >= sum(a@), r <= k * k + 7"
#: Postconditions, and the verdict of a file with them
EDITS = {
    "sum(a@) <= (k + 1) * r || r > 7 + k * k, r <= 7 + k * k": Verdict.EQUIVALENT,
    "r <= 7 + k * k, r as int * k + r >= sum(a@), r * k <= k * k * k + 7 * k": Verdict.EQUIVALENT,
    "r as int * (k + 1) >= sum(a@), r <= k * k + 8": Verdict.WEAKENED,
}


class Memory:
    """A store that counts."""

    def __init__(self) -> None:
        self.kept: dict[str, dict[str, object]] = {}
        self.found = self.missed = 0

    def get(self, key: str) -> dict[str, object] | None:
        found = self.kept.get(key)
        self.found += found is not None
        self.missed += found is None
        return json.loads(json.dumps(found))

    def put(self, key: str, value: dict[str, object]) -> None:
        self.kept[key] = value


def checked(clauses: str, store: object = None, body: str = "0") -> CheckReport:
    old, new = from_text("old.rs", FILE.format(CLAUSES, "0")), from_text("new.rs", FILE.format(clauses, body))
    return check_sources(old, new, targets=["f"], store=store)  # type: ignore[arg-type]


@pytest.mark.parametrize("clauses", list(EDITS))
def test_asked_once_and_the_same_report(clauses: str, monkeypatch: pytest.MonkeyPatch) -> None:
    plain, store = checked(clauses), Memory()
    assert plain.targets[0].verdict is EDITS[clauses]
    assert checked(clauses, store) == plain
    assert store.missed and store.missed == len(store.kept)

    def never(*_: object) -> None:
        raise AssertionError("Z3 is asked again")

    monkeypatch.setattr(Decider, "_run_anew", never)
    again = checked(clauses, store, "k as u64")  # another body: the same questions
    assert again.targets[0].obligations == plain.targets[0].obligations
    assert again.targets[0].reasons == plain.targets[0].reasons


def test_another_budget_is_another_question() -> None:
    store = Memory()
    checked(next(iter(EDITS)), store)
    found = store.found
    old = from_text("old.rs", FILE.format(CLAUSES, "0"))
    check_sources(old, from_text("new.rs", FILE.format(next(iter(EDITS)), "0")), targets=["f"], budget=2_999_999, store=store)
    assert store.found == found


def test_a_model_that_is_none_is_not_believed() -> None:
    """Values are replayed, wherever they come from."""
    clauses = next(iter(EDITS))
    store = Memory()
    checked(clauses, store)
    for value in store.kept.values():
        value["answer"] = "sat"  # what was proved
        value["values"] = [[0, ["boxed", ["seq", []], 0]], [1, 1], [2, 1]]
    report = checked(clauses, store)
    assert report.targets[0].verdict is not Verdict.WEAKENED


@pytest.mark.parametrize("value", [{}, {"answer": "sat"}, {"answer": "sat", "rlimit": 1, "why_none": None, "values": [[99, 1]]}])
def test_an_entry_of_another_form_is_not_taken(value: dict[str, object]) -> None:
    clauses = list(EDITS)[2]
    store = Memory()
    plain = checked(clauses, store)
    store.kept = dict.fromkeys(store.kept, value)
    assert checked(clauses, store) == plain


def test_in_a_directory(tmp_path: Path) -> None:
    clauses = list(EDITS)[2]
    plain = checked(clauses)
    cache = Cache(tmp_path / "c")
    assert checked(clauses, Questions(cache)) == plain
    assert len(cache) > 0
    cache.close()
    other = questions_in(tmp_path / "c")
    assert other is not None
    assert checked(clauses, other) == plain
    (tmp_path / "open").mkdir()
    (tmp_path / "open").chmod(0o777)
    assert questions_in(tmp_path / "open") is None


def test_an_original_is_parsed_once() -> None:
    trees, parsed = Trees(), []

    def parse(source):  # type: ignore[no-untyped-def]
        parsed.append(source.sha256)
        return trees.parse(source)

    first, second = (FILE.format(e, "0") for e in list(EDITS)[:2])
    jobs = [Job(FILE.format(CLAUSES, "0"), s, ("f",), "contract", False, False, 3_000_000) for s in (first, second)]
    alone = [judge(job).value for job in jobs]
    assert [judge(job, parse).value for job in jobs] == alone
    assert len(parsed) == 4 and len(trees._kept) == 3
