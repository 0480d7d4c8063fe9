"""The statistics of a campaign: the published figures from records with the published counts, and what must not be counted."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("scipy", reason="needs the extra: pip install 'samespec[experiments]'")
pytest.importorskip("matplotlib", reason="needs the extra: pip install 'samespec[experiments]'")

from experiments.witness import scores
from experiments.witness.cells import cells_of, read_records
from experiments.witness.downstream import comparisons_of, conditions_of, witness_for
from experiments.witness.options import CampaignError
from experiments.witness.run import report_records
from tests.witness.campaign_made import episode

# Twelve tasks of twelve outcomes each (four providers, three repeats), five of them residual. The published totals are kept:
# direct 85, intentshield 39, masked 71, judgment 34; one task favours intentshield, 4 to 2; the residual ones differ by 23 of 60.
# How the outcomes are spread over tasks otherwise is made up.
PROVIDERS = ("one", "two", "three", "four")
LABELS = (17, 43, 101)
RESIDUAL = 5
DIRECT = (8, 9, 9, 6, 8, 2, 8, 9, 7, 6, 7, 6)
SHIELD = (3, 4, 4, 1, 5, 4, 4, 4, 3, 2, 3, 2)
MASKED = (6, 6, 6, 5, 6, 5, 6, 7, 6, 6, 6, 6)
JUDGED = (3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 2, 2)
BOTH, ONLY = 74, 11


def places() -> Iterator[tuple[str, int]]:
    for label in LABELS:
        for provider in PROVIDERS:
            yield provider, label


def published() -> list[dict[str, Any]]:
    """Records with the published counts."""
    rows: list[dict[str, Any]] = []
    for policy, counts in (("direct", DIRECT), ("intentshield", SHIELD), ("masked", MASKED), ("judgment", JUDGED)):
        firsts, shield_not_last = (38, 0) if policy == "direct" else (0, 11 if policy == "intentshield" else 0)
        seen = 0
        for n, count in enumerate(counts):
            for k, (provider, label) in enumerate(places()):
                certified = k < count
                seen += certified
                call = 1 if certified and (seen <= firsts or seen <= shield_not_last) else 3
                row = episode(f"task{n:02}", policy, label, certified, provider=provider, stratum=stratum(n), call=call)
                rows.append(row)
    return [*rows, *phase(rows)]


def stratum(n: int) -> str:
    return "residual" if n < RESIDUAL else "total"


def phase(rows: Sequence[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """As direct, but for eleven cells on either side; 31 of the shared witnesses are the same text."""
    direct = [r for r in rows if r["policy"] == "direct"]
    lost = gained = shared = 0
    for r in direct:
        was = r["raw"]["certified"]
        now = was
        if was and lost < ONLY and r["label"] == 43:
            now, lost = False, lost + 1
        elif not was and gained < ONLY and r["label"] == 101:
            now, gained = True, gained + 1
        shared += was and now
        text = "0" if shared <= 31 else "1"
        yield episode(r["task"], "phase", r["label"], now, provider=r["provider"], stratum=r["stratum"], expression=text)


@pytest.fixture(scope="module")
def cells() -> list[scores.Cell]:
    return cells_of(published())


def test_the_counts_are_the_published_ones() -> None:
    assert (sum(DIRECT), sum(SHIELD), sum(MASKED), sum(JUDGED)) == (85, 39, 71, 34)


def test_the_primary_contrast(cells: list[scores.Cell]) -> None:
    found = scores.contrast(cells, "direct", "intentshield", 0)
    assert found is not None and found.estimate is not None
    assert found.counts == (85, 39, 144)
    assert f"{found.estimate.value:.1%}" == "31.9%"
    assert found.estimate.interval.low < found.estimate.value < found.estimate.interval.high
    assert (found.signs.favour, found.signs.against) == (11, 1) and f"{found.signs.p:.5f}" == "0.00635"
    again = scores.contrast(cells, "direct", "intentshield", 0)
    assert again == found
    other = scores.contrast(cells, "direct", "intentshield", 1)
    assert other is not None and other.estimate != found.estimate


def test_the_strata(cells: list[scores.Cell]) -> None:
    for name, difference in (("residual", "38.3%"), ("total", "27.4%")):
        found = scores.contrast([c for c in cells if c.stratum == name], "direct", "intentshield", 0)
        assert found is not None and found.estimate is not None
        assert f"{found.estimate.value:.1%}" == difference


def test_the_gap_in_two_parts(cells: list[scores.Cell]) -> None:
    found = scores.gap(cells)
    assert found is not None
    parts, counts = found
    assert counts == {"direct": (85, 144), "masked": (71, 144), "intentshield": (39, 144)}
    assert (f"{parts.total:.1%}", f"{parts.lower:.1%}", f"{parts.upper:.1%}") == ("31.9%", "22.2%", "9.7%")
    assert f"{parts.lower_share:.1%}" == "69.6%"


def test_first_draws(cells: list[scores.Cell]) -> None:
    found = scores.draws_of(cells)
    assert found is not None
    assert (found.first, found.episodes, found.calls) == (38, 144, 3)
    assert (f"{found.share:.1%}", f"{found.illustrated:.1%}", f"{found.observed:.1%}") == ("26.4%", "60.1%", "59.0%")


def test_two_runs_of_the_same_search(cells: list[scores.Cell]) -> None:
    found = scores.repeat(cells)
    assert found is not None
    assert (found.both, found.neither, found.only_first, found.only_second) == (74, 48, 11, 11)
    assert f"{found.kappa.kappa:.2f}" == "0.68" and f"{found.kappa.agreement:.1%}" == "84.7%"
    assert (found.identical, f"{found.identical / found.both:.1%}") == (31, "41.9%")
    assert 0.5 < found.expected < 1


def test_providers(cells: list[scores.Cell]) -> None:
    found = scores.families(cells, 0)
    assert found is not None
    assert list(found.contrasts) == list(PROVIDERS)
    assert (found.signs.favour, found.signs.p) == (4, 0.0625)


def test_selection_is_not_the_last_call(cells: list[scores.Cell]) -> None:
    assert scores.score(cells, "intentshield", 0).not_last == 11


def test_withheld_cases(cells: list[scores.Cell]) -> None:
    rows = [episode("t", "direct", n, True, withheld=1 if n < 79 else 0) for n in range(85)]
    found = scores.score(cells_of(rows), "direct", 0)
    assert (found.withheld, found.asked) == (79, 85) and f"{found.withheld / found.asked:.1%}" == "92.9%"
    without = [{**r, "withheld": 0} for r in rows]
    assert scores.score(cells_of(without), "direct", 0).asked == 0


def test_the_published_report(tmp_path: Path) -> None:
    file = tmp_path / "records.jsonl"
    file.write_text("".join(json.dumps(r) + "\n" for r in published()))
    summary = report_records([file], tmp_path / "report", 0)
    assert [c["first"] + "-" + c["second"] for c in summary["contrasts"]] == [f"{a}-{b}" for a, b in scores.PAIRS]
    text = (tmp_path / "report" / "report.md").read_text()
    for part in (
        "31.9 points", "11 tasks favour `direct`, 1 `intentshield`", "p = 0.0063", "22.2 points (69.6%", "9.7 points",
        "kappa 0.68", "84.7%", "60.1%", "31 of 74", "p = 0.062",
    ):  # fmt: skip
        assert part in text, part
    assert {p.stem for p in (tmp_path / "report" / "figures").glob("*.svg")} == {
        "policies", "outcomes", "tasks", "gap", "providers",
    }  # fmt: skip


# --- what is compared with what ------------------------------------------------------------------------------------------


def test_only_cells_that_both_have_are_compared() -> None:
    rows = [episode("a", "direct", 17, True), episode("a", "direct", 43, True), episode("a", "intentshield", 43, False)]
    rows += [episode("b", "direct", 17, True)]
    found = scores.contrast(cells_of(rows), "direct", "intentshield", 0)
    assert found is not None and found.counts == (1, 0, 1) and len(found.tasks) == 1
    assert scores.contrast(cells_of(rows), "direct", "phase", 0) is None
    assert scores.gap(cells_of(rows)) is None and scores.repeat(cells_of(rows)) is None


def test_a_task_counts_once_however_many_episodes_it_has() -> None:
    rows = [episode("big", p, n, p == "direct") for p in ("direct", "intentshield") for n in range(30)]
    rows += [episode("small", p, 0, p == "intentshield") for p in ("direct", "intentshield")]
    found = scores.contrast(cells_of(rows), "direct", "intentshield", 0)
    assert found is not None and found.estimate is not None
    assert found.estimate.value == 0.0 and (found.signs.favour, found.signs.against, found.signs.p) == (1, 1, 1.0)


def test_failures_are_the_first_gate_that_stops() -> None:
    rows = [
        episode("t", "direct", 1, False, failed="admitted"),
        episode("t", "direct", 2, False, failed="disagrees"),
        episode("t", "direct", 3, False, parses=False),
        episode("t", "direct", 4, True),
    ]
    unknown = episode("t", "direct", 5, False)
    unknown["raw"]["gates"]["rejected"] = "unknown"
    found = scores.failures(cells_of([*rows, unknown]), "direct")
    assert found == {"admitted fail": 1, "disagrees fail": 1, "unparsed": 1, "rejected unknown": 1}


def test_a_search_without_a_candidate_stays_in_the_count() -> None:
    none = {**episode("t", "solver", 0, False), "calls": [], "raw": None, "found": "not found"}
    proved = {**none, "task": "u", "found": "determined"}
    cells = cells_of([none, proved, episode("v", "solver", 0, True)])
    found = scores.score(cells, "solver", 0)
    assert (found.certified, found.episodes) == (1, 3)
    assert scores.failures(cells, "solver") == {"nothing": 1, "impossible": 1}


def test_the_readings_of_the_answers() -> None:
    raw = [episode("t", "direct", 1, True), episode("t", "direct", 2, False, parses=False)]
    raw += [episode("t", "intentshield", 1, False), episode("t", "intentshield", 2, False, parses=False)]
    for row in raw:
        mended = dict(episode("t", row["policy"], row["label"], row["label"] == 2 or row["raw"]["certified"])["raw"])
        row["mended"] = {**mended, "calls": row["calls"]}
    found = {r.reading: r for r in scores.readings(cells_of(raw), cells_of(raw, "mended"))}
    assert found["raw"].first == (1, 2) and found["raw"].first_unparsed == 1
    assert found["parser-repaired"].first == (2, 2) and found["parser-repaired"].second == (1, 2)
    assert found["parse-clean"].first == (1, 1) and found["parse-clean"].second == (0, 1)
    assert found["parse-clean"].difference == 1.0


# --- downstream ----------------------------------------------------------------------------------------------------------


def attempts(task: str, condition: str, succeeds: int, meets: int = 3) -> dict[str, Any]:
    one = {"answer": "0", "problem": None, "runs": "pass", "agrees": 16, "withheld_agrees": 2}
    made = [
        {**one, "meets": "pass" if n < meets else "fail", "correct": "pass" if n < succeeds else "fail", "succeeds": n < succeeds}
        for n in range(3)
    ]
    revised = condition.endswith("revised") or None
    return {"kind": "attempts", "task": task, "condition": condition, "by": "m", "revised": revised, "attempts": made}


def test_the_published_downstream_counts() -> None:
    """39, 30, 14 and 44 of 48, nine tasks for phase against intentshield and seven ties; thirteen against the original."""
    phase = [3] * 7 + [2] * 9
    shield = [3] * 7 + [1] * 9
    original = [0] * 4 + [1] * 8 + [2] * 3 + [0]
    true_spec = [3] * 12 + [2] * 4
    rows = []
    for name, counts in (
        ("phase-revised", phase), ("intentshield-revised", shield), ("original", original), ("true-spec", true_spec),
    ):  # fmt: skip
        rows += [attempts(f"t{n:02}", name, k) for n, k in enumerate(counts)]
    scored = {c.name: c for c in conditions_of(rows, 0)}
    assert {n: (c.succeeds, c.attempts) for n, c in scored.items()} == {
        "original": (14, 48), "intentshield-revised": (30, 48), "phase-revised": (39, 48), "true-spec": (44, 48),
    }  # fmt: skip
    found = {(c.first, c.second): c for c in comparisons_of(rows, 0)}
    one = found["phase-revised", "intentshield-revised"]
    assert one.estimate is not None and f"{one.estimate.value:.1%}" == "18.8%"
    assert (one.signs.favour, one.signs.against, one.signs.ties) == (9, 0, 7) and f"{one.signs.p:.6f}" == "0.003906"
    two = found["phase-revised", "original"]
    assert (two.signs.favour, two.signs.against, two.signs.ties) == (13, 0, 3) and f"{two.signs.p:.6f}" == "0.000244"


def test_the_candidate_of_a_condition() -> None:
    weak = episode("t", "intentshield", 17, False, failed="admitted", expression="refused")
    better = episode("t", "intentshield", 43, False, failed="rejected", expression="right")
    rows = [{**r, "frozen": None} for r in (weak, better)]
    assert witness_for("intentshield-revised", "t", rows)["expression"] == "right"  # type: ignore[index]
    assert witness_for("direct-revised", "t", rows) is None
    uncertified = {**episode("t", "direct", 17, False), "frozen": None}
    assert witness_for("direct-revised", "t", [uncertified]) is None
    certified = {**episode("t", "direct", 43, True, expression="yes"), "frozen": None}
    assert witness_for("direct-revised", "t", [uncertified, certified])["expression"] == "yes"  # type: ignore[index]
    assert witness_for("direct-revised", "other", [certified]) is None


# --- records that are none ---------------------------------------------------------------------------------------------------


def broken(**more: Any) -> dict[str, Any]:
    return {**episode("t", "direct", 17, True), **more}


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ([], '"kind"'),
        ({"kind": "episode"}, '"task"'),
        (broken(policy=None), '"policy" is missing'),
        (broken(raw=[]), '"raw" must be an object'),
        (broken(raw={**episode("t", "d", 1, True)["raw"], "certified": False}), "contradicts the gates"),
        (broken(raw={**episode("t", "d", 1, True)["raw"], "gates": {"admitted": "yes"}}), "pass, fail or unknown"),
        (broken(calls=[1]), r'"calls\[0\]" must be an object'),
        (broken(calls=[{}]), r'"calls\[0\]\.problem" is missing'),
        ({"kind": "attempts", "task": "t", "condition": "original"}, '"attempts" is missing'),
    ],
)
def test_what_is_no_record(row: Any, words: str, tmp_path: Path) -> None:
    file = tmp_path / "records.jsonl"
    file.write_text(json.dumps(episode("t", "direct", 1, True)) + "\n" + json.dumps(row) + "\n")
    with pytest.raises(CampaignError, match=f"records.jsonl:2: not a record of a campaign: .*{words}"):
        read_records(file)


def test_files_of_records(tmp_path: Path) -> None:
    with pytest.raises(CampaignError, match="cannot be read"):
        read_records(tmp_path / "none")
    (tmp_path / "empty").write_text("\n")
    with pytest.raises(CampaignError, match="no records"):
        read_records(tmp_path / "empty")
    row = episode("t", "direct", 1, True)
    unfinished = tmp_path / "unfinished.jsonl"
    unfinished.write_text(json.dumps({"unit": "u", "rows": [row], "seconds": 1}) + "\n" + '{"unit": "cut')
    assert read_records(unfinished) == [row]
    (tmp_path / "bad").write_text('{"cut\n' + json.dumps(row) + "\n")
    with pytest.raises(CampaignError, match="bad:1: not JSON"):
        read_records(tmp_path / "bad")
    (tmp_path / "folder").mkdir()
    with pytest.raises(CampaignError, match="no records in it; name a campaign"):
        report_records([tmp_path / "folder"], tmp_path / "o", 0)
