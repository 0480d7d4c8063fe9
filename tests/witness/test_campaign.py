"""A campaign from beginning to end: on recorded answers, on a server, with the solver; stopped and gone on with."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("scipy", reason="needs the extra: pip install 'samespec[experiments]'")
pytest.importorskip("matplotlib", reason="needs the extra: pip install 'samespec[experiments]'")
pytest.importorskip("markdown_it", reason="needs the extra: pip install 'samespec[experiments]'")

from experiments.report.folder import FolderError
from experiments.witness import units
from experiments.witness.options import CampaignError, Options
from experiments.witness.run import Unanswered, find_tasks, report_records, run_campaign, transcript_sources
from tests.witness.campaign_made import IS_SMALL, LARGER, TRANSCRIPT, made_tasks, serving
from witness.certificate import certificates_in, read_certificate, recheck
from witness.gates import Means
from witness.policies.calls import Policy
from witness.policies.providers import ProviderError, Source
from witness.policies.providers.base import Kind
from witness.policies.providers.transcript import SCHEMA
from witness.program import find_machine
from witness.store import write_task

BY_HAND = transcript_sources(TRANSCRIPT, ["by-hand"])


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("tasks")
    for task in made_tasks().values():
        write_task(root / task.name, task)
    return root


def options(folders: Path, output: Path, *only: str, **more: Any) -> Options:
    tasks = find_tasks([folders / name for name in only] or [folders])
    return Options(output, tasks, **{"sources": tuple(BY_HAND), "labels": (17,), **more})


def rows_in(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "results.jsonl").read_text().splitlines()]


def files_in(folder: Path) -> dict[str, bytes]:
    return {
        p.relative_to(folder).as_posix(): p.read_bytes() for p in folder.rglob("*") if p.is_file() and p.name != "timings.json"
    }


# --- all policies on recorded answers ------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def done(folders: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    output = tmp_path_factory.mktemp("campaign") / "c"
    run_campaign(options(folders, output, parser_repair=True))
    return output


def test_every_policy_ends_as_the_answers_say(done: Path) -> None:
    selected = {(r["task"], r["policy"]): (r["raw"]["certified"], r["raw"]["call"]) for r in rows_in(done)}
    assert selected == {
        (LARGER, "direct"): (True, 2),
        (LARGER, "intentshield"): (False, 2),
        (LARGER, "masked"): (True, 3),
        (LARGER, "judgment"): (False, 2),
        (LARGER, "phase"): (True, 1),
        (IS_SMALL, "direct"): (True, 3),
        (IS_SMALL, "intentshield"): (True, 1),
        (IS_SMALL, "masked"): (True, 3),
        (IS_SMALL, "judgment"): (False, 1),
        (IS_SMALL, "phase"): (True, 2),
    }


def test_the_summary_counts_them(done: Path) -> None:
    summary = json.loads((done / "summary.json").read_text())
    assert {p["policy"]: (p["certified"], p["episodes"]) for p in summary["policies"]} == {
        "direct": (2, 2), "phase": (2, 2), "masked": (2, 2), "intentshield": (1, 2), "judgment": (0, 2),
    }  # fmt: skip
    primary = summary["contrasts"][0]
    assert (primary["first"], primary["second"], primary["difference"]) == ("direct", "intentshield", 0.5)
    assert (primary["signs"]["favour"], primary["signs"]["against"], primary["signs"]["ties"]) == (1, 0, 1)
    assert summary["episodes"] == {"judged": 10, "without_a_candidate": 0, "errors": 0, "tasks": 2}


def test_answers_that_do_not_parse_stay_in_the_count(done: Path) -> None:
    summary = json.loads((done / "summary.json").read_text())
    counts = {p["policy"]: (p["unparsed_calls"], p["calls"]) for p in summary["policies"]}
    assert counts == {"direct": (0, 6), "phase": (2, 6), "masked": (1, 6), "intentshield": (0, 6), "judgment": (1, 6)}
    mended = {(r["task"], r["policy"]): r["mended"] for r in rows_in(done)}
    assert mended[LARGER, "phase"]["calls"][1]["repairs"] == ["surrounding text removed"]
    assert mended[IS_SMALL, "masked"]["calls"][0]["expression"] == "x < 10"
    assert mended[LARGER, "direct"]["calls"][0]["repairs"] == []


def test_every_answer_is_kept_byte_for_byte(done: Path) -> None:
    recorded = [json.loads(line) for line in TRANSCRIPT.read_text().splitlines()]
    wanted = {(r["task"], r["purpose"], r["call"]): r["answer"] for r in recorded if ":" not in r["purpose"]}
    found = {(r["task"], r["policy"], c["call"]): c["answer"] for r in rows_in(done) for c in r["calls"]}
    assert found == wanted


def test_phase_is_frozen_and_direct_is_not(done: Path) -> None:
    frozen = {(r["task"], r["policy"]): r["frozen"] for r in rows_in(done)}
    assert {k for k, v in frozen.items() if v is not None} == {(LARGER, "phase"), (IS_SMALL, "phase")}
    sums = (done / "SHA256SUMS").read_text()
    for record in filter(None, frozen.values()):
        assert f"{record['sha256']}  {record['file']}\n" in sums


def test_prompts_of_masked_and_intentshield_are_equally_long_for_equal_candidates(done: Path) -> None:
    calls = {(r["task"], r["policy"]): r["calls"] for r in rows_in(done)}
    for task in (LARGER, IS_SMALL):
        for n in (1, 2):
            lengths = []
            for policy in ("masked", "intentshield"):
                before = len(calls[task, policy][n - 1]["answer"].strip())
                lengths.append(calls[task, policy][n]["prompt_chars"] - before)
            assert lengths[0] == lengths[1]


def test_every_episode_has_a_certificate_that_can_be_checked_again(done: Path) -> None:
    found = certificates_in(done / "certificates")
    assert len(found) == 10
    counts = Counter(read_certificate(f)[1].certified for f in found)
    assert counts == {True: 7, False: 3}
    again = recheck(done / "certificates" / "by-hand" / LARGER / "phase-17", Means(find_machine()))
    assert again.stands and again.certificate.certified


def test_the_report_shows_all_of_it(done: Path) -> None:
    text = (done / "report.md").read_text()
    for part in ("**The mean difference over 2 tasks is 50.0 points", "Cohen's kappa 1.00", "`phase`: as `direct`", "u8::MAX"):
        assert part in text
    for name in ("policies", "outcomes", "tasks", "gap"):
        assert (done / "figures" / f"{name}.svg").stat().st_size > 1000 and f"figures/{name}.svg" in text
        assert (done / "figures" / f"{name}.png").read_bytes()[:4] == b"\x89PNG"
    page = (done / "report.html").read_text()
    assert page.count("data:image/svg+xml;base64,") == 4 and "<script" not in page


def test_the_hashes_are_those_of_the_files(done: Path) -> None:
    import hashlib

    lines = (done / "SHA256SUMS").read_text().splitlines()
    for line in lines:
        sha, name = line.split("  ", 1)
        assert hashlib.sha256((done / name).read_bytes()).hexdigest() == sha
    named = {line.split("  ", 1)[1] for line in lines}
    assert named == set(files_in(done)) - {"SHA256SUMS"}


def test_a_report_can_be_made_from_the_records_alone(done: Path, tmp_path: Path) -> None:
    again = json.loads(json.dumps(report_records([done], tmp_path / "r", 0)))
    summary = json.loads((done / "summary.json").read_text())
    assert {k: v for k, v in again.items() if k != "settings"} == {k: v for k, v in summary.items() if k != "settings"}
    assert (tmp_path / "r" / "figures" / "tasks.svg").read_bytes() == (done / "figures" / "tasks.svg").read_bytes()
    with pytest.raises(CampaignError, match="more than once: episode"):
        report_records([done, done / "results.jsonl"], tmp_path / "r2", 0)


# --- stopped, and gone on with -------------------------------------------------------------------------------------------


def test_a_finished_campaign_is_written_again_without_work(
    done: Path, folders: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(done, copy)
    monkeypatch.setattr("experiments.witness.run.run_units", lambda work, todo, jobs, done: _nothing(todo))
    run_campaign(options(folders, copy, parser_repair=True))
    assert files_in(copy) == files_in(done)


def _nothing(todo: Any) -> None:
    assert not todo


def test_a_stopped_campaign_goes_on_where_it_was(
    done: Path, folders: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(done, copy)
    rows = rows_in(copy)
    for name in ("results.jsonl", "summary.json", "report.md", "SHA256SUMS"):
        (copy / name).unlink()
    kept = [json.dumps({"unit": r["unit"], "seconds": 0.0, "rows": [r]}, ensure_ascii=False) for r in rows[:-1]]
    (copy / "unfinished.jsonl").write_text("\n".join(kept) + "\n" + '{"unit": "episode/by-hand/cut')
    asked: list[str] = []
    work = units.work
    monkeypatch.setattr("experiments.witness.run.work", lambda unit: asked.append(unit.name) or work(unit))
    run_campaign(options(folders, copy, parser_repair=True))
    assert asked == [rows[-1]["unit"]]
    assert files_in(copy) == files_in(done)


def test_other_settings_are_not_mixed_in(done: Path, folders: Path) -> None:
    with pytest.raises(FolderError, match="calls was 3 and is 2"):
        run_campaign(options(folders, done, parser_repair=True, calls=2))


# --- a server ------------------------------------------------------------------------------------------------------------


def model(tmp: Path, **more: Any) -> Source:
    pytest.importorskip("openai", reason="needs the extra: pip install 'samespec[models]'")
    return Source(Kind.OPENAI, "served", "small-model", retries=0, **more)


def served(prompt: str) -> str | int:
    """A model that looks for the hole, and mends what it is told about."""
    if "does not verify" in prompt:
        return "if a > b { a } else { b }"
    if "Assess your expression" in prompt:
        return "Assessment: fine.\n\nRevised Candidate: u8::MAX"
    if "not evaluated" in prompt:
        return "u8::MAX"
    return "a"


def test_all_policies_against_a_server(folders: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = model(tmp_path)
    with serving(served) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.address)
        monkeypatch.setenv("OPENAI_API_KEY", "secret")
        run_campaign(options(folders, tmp_path / "c", LARGER, sources=(source,)))
    assert len(server.prompts) == 15
    rows = {r["policy"]: r for r in rows_in(tmp_path / "c")}
    assert {p: r["raw"]["certified"] for p, r in rows.items()} == {
        "direct": False, "intentshield": False, "masked": True, "judgment": True, "phase": False,
    }  # fmt: skip
    assert [c["answer"] for c in rows["intentshield"]["calls"]] == ["a", *["if a > b { a } else { b }", "a"]]
    assert rows["direct"]["calls"][0]["usage"] == {"prompt": len(server.prompts[0]) // 4, "answer": 3}
    assert "secret" not in "".join(p.decode(errors="replace") for p in files_in(tmp_path / "c").values())
    settings = json.loads((tmp_path / "c" / "run.json").read_text())
    assert settings["providers"][0]["address"] == server.address and settings["providers"][0]["model"] == "small-model"
    _replays_the_same(folders, tmp_path)


def _replays_the_same(folders: Path, tmp_path: Path) -> None:
    """What was recorded, replayed as a transcript, gives the same records."""
    source = transcript_sources(tmp_path / "c" / "transcript.jsonl", ["served"])
    policies = (Policy.DIRECT, Policy.PHASE)
    run_campaign(options(folders, tmp_path / "again", LARGER, sources=tuple(source), policies=policies))
    first = {r["unit"]: r for r in rows_in(tmp_path / "c")}
    rows = rows_in(tmp_path / "again")
    assert len(rows) == 2
    for row in rows:
        assert all(c["same_prompt"] is True for c in row["calls"])
        assert [_judged(c) for c in row["calls"]] == [_judged(c) for c in first[row["unit"]]["calls"]]
        assert row["raw"]["call"] == first[row["unit"]]["raw"]["call"]


def _judged(call: dict[str, Any]) -> dict[str, Any]:
    return {k: call[k] for k in ("answer", "expression", "gates", "certified", "prompt_sha256", "usage", "ended")}


def test_a_server_that_fails_for_a_while(folders: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = model(tmp_path)
    answers: list[str | int] = ["a", "u8::MAX", 503, "b"]
    with serving(lambda prompt: answers.pop(0)) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.address)
        monkeypatch.setenv("OPENAI_API_KEY", "any")
        chosen = options(folders, tmp_path / "c", LARGER, sources=(source,), policies=(Policy.DIRECT,))
        with pytest.raises(Unanswered, match=r"1 of 1 units got no answer \(.*503.*run the same command again"):
            run_campaign(chosen)
        assert not (tmp_path / "c" / "results.jsonl").exists()
        run_campaign(chosen)
    assert len(server.prompts) == 4  # the two answers that were there already were not asked for again
    assert [c["answer"] for c in rows_in(tmp_path / "c")[0]["calls"]] == ["a", "u8::MAX", "b"]


def test_a_server_that_refuses_stops_the_campaign(folders: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = model(tmp_path)
    with serving(lambda prompt: 401) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.address)
        monkeypatch.setenv("OPENAI_API_KEY", "wrong")
        with pytest.raises(ProviderError, match="check OPENAI_API_KEY"):
            run_campaign(options(folders, tmp_path / "c", sources=(source,), policies=(Policy.DIRECT,)))
    assert len(server.prompts) == 1


# --- downstream ----------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def downstream(folders: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    output = tmp_path_factory.mktemp("downstream") / "c"
    policies = (Policy.DIRECT, Policy.INTENTSHIELD, Policy.PHASE)
    run_campaign(
        options(folders, output, LARGER, policies=policies, attempts=1, synthesizer="by-hand", repairer="by-hand")
    )
    return output


def test_contracts_are_revised_from_the_candidates_of_each_condition(downstream: Path) -> None:
    rows = {r["condition"]: r for r in rows_in(downstream) if r["kind"] == "revision"}
    assert list(rows) == ["intentshield-revised", "direct-revised", "phase-revised"]
    shield, direct, phase = rows.values()
    assert not shield["accepted"] and "no evidence" in shield["why"] and not shield["witness"]["certified"]
    assert direct["accepted"] and direct["implied"] is True and direct["witness"]["expression"] == "u8::MAX"
    assert "r == a || r == b" in direct["text"]
    assert phase["accepted"] and phase["implied"] is True and phase["witness"]["frozen"] is not None


def test_implementations_are_judged_by_both_contracts(downstream: Path) -> None:
    found = {
        r["condition"]: (r["attempts"][0]["meets"], r["attempts"][0]["correct"], r["attempts"][0]["succeeds"])
        for r in rows_in(downstream)
        if r["kind"] == "attempts"
    }
    assert found == {
        "original": ("pass", "fail", False),
        "intentshield-revised": ("pass", "fail", False),
        "direct-revised": ("pass", "pass", True),
        "phase-revised": ("pass", "fail", False),
        "true-spec": ("pass", "pass", True),
    }
    summary = json.loads((downstream / "summary.json").read_text())["downstream"]
    assert [(c["name"], c["succeeds"], c["revised"]) for c in summary["conditions"]] == [
        ("original", 0, 0), ("intentshield-revised", 0, 0), ("direct-revised", 1, 1), ("phase-revised", 0, 1),
        ("true-spec", 1, 0),
    ]  # fmt: skip
    text = (downstream / "report.md").read_text()
    assert "figures/downstream.svg" in text and "Downstream" in text


def test_a_freeze_that_was_changed_stops_its_revision(downstream: Path, folders: Path, tmp_path: Path) -> None:
    common = units.Common(downstream, None, 1_000_000, 3, False)
    row = next(r for r in rows_in(downstream) if r["kind"] == "revision" and r["condition"] == "phase-revised")
    witness = {**row["witness"], "frozen": {**row["witness"]["frozen"], "sha256": "0" * 64}}
    task = find_tasks([folders / LARGER])[0]
    found = units.work(units.RevisionUnit(task, "phase-revised", BY_HAND[0], witness, common))
    assert "changed after it was frozen" in found[0]["error"]


def test_the_solver_searches_revises_and_implements(folders: Path, tmp_path: Path) -> None:
    chosen = options(
        folders, tmp_path / "c", LARGER, sources=(), solver=True, attempts=2, synthesizer="solver", repairer="solver"
    )
    run_campaign(chosen)
    rows = rows_in(tmp_path / "c")
    assert [r["kind"] for r in rows] == ["episode", "revision", "attempts", "attempts", "attempts"]
    assert rows[0]["raw"]["certified"] and rows[0]["found"] == "certified"
    assert rows[1]["accepted"], rows[1]["why"]
    original, revised, true_spec = rows[2:]
    assert original["attempts"][0]["meets"] == "pass" and not original["attempts"][0]["succeeds"]
    assert revised["revised"] is True and true_spec["revised"] is None
    assert [len(r["attempts"]) for r in rows[2:]] == [1, 1, 1]  # it would write the same again
    assert revised["attempts"][0]["succeeds"] and true_spec["attempts"][0]["succeeds"]


def test_what_the_solver_does_not_find_stays_in_the_count(
    folders: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(units, "smallest_admitted", lambda task, contract: None)
    task = find_tasks([folders / LARGER])[0]
    common = units.Common(tmp_path, None, 1_000_000, 3, False)
    row = units.work(units.AttemptsUnit(task, "original", made_tasks()[LARGER].weakened, None, None, 1, common))[0]
    assert [(a["meets"], a["correct"], a["succeeds"]) for a in row["attempts"]] == [("unknown", "unknown", False)]
    assert "no expression of up to" in row["attempts"][0]["problem"]


# --- what cannot be run --------------------------------------------------------------------------------------------------


def test_options_that_contradict_each_other(folders: Path, tmp_path: Path) -> None:
    good = options(folders, tmp_path / "c", LARGER)
    for bad, words in (
        (replace(good, sources=()), "no provider"),
        (replace(good, tasks=()), "no tasks"),
        (replace(good, sources=(*BY_HAND, *BY_HAND)), "two providers are called by-hand"),
        (replace(good, attempts=1, synthesizer="nobody", repairer="by-hand"), "no provider is called nobody"),
    ):
        with pytest.raises(CampaignError, match=words):
            run_campaign(bad)
    assert not (tmp_path / "c").exists()


def test_an_answer_that_is_not_recorded(folders: Path, tmp_path: Path) -> None:
    with pytest.raises(ProviderError, match=r"no answer is recorded for by-hand, larger\.clause-dropped, direct, label 43"):
        run_campaign(options(folders, tmp_path / "c", LARGER, labels=(43,), policies=(Policy.DIRECT,)))


def test_a_task_that_changes_meanwhile(folders: Path, tmp_path: Path) -> None:
    shutil.copytree(folders / LARGER, tmp_path / LARGER)
    task = replace(find_tasks([tmp_path / LARGER])[0], sha256="0" * 64)
    unit = units.EpisodeUnit(task, BY_HAND[0], Policy.DIRECT, 17, units.Common(tmp_path, None, 1, 3, False))
    with pytest.raises(CampaignError, match="changed while the campaign ran"):
        units.work(unit)


def test_a_unit_that_cannot_be_judged_says_so(folders: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: Any, **__: Any) -> None:
        raise RuntimeError("nobody\n thought of this")

    monkeypatch.setattr(units, "run_episode", broken)
    summary = run_campaign(options(folders, tmp_path / "c", LARGER, policies=(Policy.DIRECT,)))
    assert summary["episodes"]["errors"] == 1 and not summary["policies"]
    assert "RuntimeError: nobody thought of this" in (tmp_path / "c" / "report.md").read_text()


def test_a_transcript_line(tmp_path: Path) -> None:
    """The committed transcript is one that a reader can follow: every line is complete."""
    for line in TRANSCRIPT.read_text().splitlines():
        assert json.loads(line)["schema"] == SCHEMA
