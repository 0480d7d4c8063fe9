"""Freezing, the driver's refusals, corrections with feedback, budgets, replay, the report, the demo."""

from __future__ import annotations

import json
import shutil
import socket
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from corpus.tasks import Task
from referee.agents.standard_proofs import PROOFS, proof, target_body
from referee.budget import Usage
from referee.demo import run_demo
from referee.feedback import contract_of, feedback, task_files
from referee.fence import Fence, Unfenced, python_runtime
from referee.judge import Judgement
from referee.log import Log, LogError, verify
from referee.loop import MANIFEST, Campaign, Plan, Refused, replay_file
from referee.manifest import ManifestError, differences, harness_hash, make_manifest, read_manifest
from referee.outcome import Correctness, Outcome
from referee.report import report_data, report_text
from referee.screen import screen
from referee.task import TaskError, load_task, without_body
from referee.verus import read_output
from tests.referee.conftest import LEMMA, RECORDINGS, Freeze, lemma_task, log_of, run_campaign

SPOIL = "sed -i 's/x \\* x >= 0/true/' solution.rs"


def script(folder: Path, text: str, usage: str = '{"tokens": 10, "dollars": 0.1}') -> Path:
    path = folder / "agent.sh"
    path.write_text(f"{text}\n" + (f"echo '{usage}' > usage.json\n" if usage else ""))
    for part in (folder, path):
        part.chmod(0o755)
    return path


# --- the frozen world -----------------------------------------------------------------------------------------------------


def test_what_differs_is_named(tmp_path: Path, fence: Fence) -> None:
    from referee.budget import Budget

    task = lemma_task(tmp_path / "task", **{"prediction.toml": "pass = 0.5\n"})
    manifest = make_manifest([task], verus=None, budget=Budget(), runner=fence)
    assert differences(manifest, verus=None, runner=fence) == []
    assert set(manifest["tasks"]["task"]["files"]) == {"task.toml", "given.rs", "reference.rs", "prediction.toml"}
    assert manifest["predictions"] == {"task": {"pass": 0.5}}
    (task / "prediction.toml").write_text("pass = 0.9\n")
    (task / "reference.rs").unlink()
    (task / "withheld.toml").write_text("")
    assert differences(manifest, verus=None, runner=fence) == [
        "task task: withheld.toml was added",
        "task task: reference.rs is gone",
        "task task: prediction.toml has changed",
    ]
    manifest["rustc"] = {"path": "/other/rustc", "version": "rustc 1.0", "sha256": "0"}
    manifest["harness"] = "0" * 64
    said = differences(manifest, verus=None, runner=fence)
    assert any(line.startswith("rustc: ") for line in said)
    assert any(line.startswith("harness: was 0000") for line in said)


def test_the_harness_is_part_of_the_world(tmp_path: Path) -> None:
    for package in ("referee", "translate", "equiv", "depgraph"):
        (tmp_path / package).mkdir()
        (tmp_path / package / "code.py").write_text("answer = 1\n")
    before = harness_hash(tmp_path)
    (tmp_path / "equiv" / "code.py").write_text("answer = 2\n")
    assert harness_hash(tmp_path) != before


def test_a_manifest_that_was_edited_is_refused(tmp_path: Path, freeze: Freeze) -> None:
    campaign = freeze([lemma_task(tmp_path / "task")])
    path = campaign / MANIFEST
    path.write_text(path.read_text().replace('"wall": 20.0', '"wall": 9000.0'))
    with pytest.raises(ManifestError, match="changed after it was frozen"):
        read_manifest(path)


def test_a_run_refuses_a_changed_world_and_says_what(tmp_path: Path, fence: Fence, freeze: Freeze) -> None:
    task = lemma_task(tmp_path / "task")
    campaign = freeze([task])
    (task / "given.rs").write_text(LEMMA + "\n")
    with pytest.raises(ManifestError, match=r"task task: given\.rs has changed"):
        run_campaign(campaign, fence, ["/bin/true"])
    found = verify(log_of(campaign))
    assert found.records[-1].kind == "refused"
    assert not found.of("call")


def test_a_run_refuses_unless_every_last_verdict_is_a_pass(tmp_path: Path, fence: Fence, freeze: Freeze) -> None:
    campaign = freeze([lemma_task(tmp_path / "task")], probed=False)
    opened = Campaign(campaign, fence, None)
    opened.probe(["canary", "hidden-files", "symlinked-build"])
    body = {**opened.log.of("probe")[0].body, "name": "network", "passed": False}
    opened.log.append("probe", body)
    opened.log.append("probe", {**body, "name": "compile-path", "passed": True, "manifest": "of another world"})
    opened.manifest["compiler_executes"] = None
    with pytest.raises(Refused, match="not a pass: network, compile-path"):
        opened.run(Plan(("/bin/true",), 1, 0))
    opened.close()
    assert verify(log_of(campaign)).of("call") == []


def test_a_campaign_begun_otherwise_is_not_mixed(tmp_path: Path, freeze: Freeze) -> None:
    campaign = freeze([lemma_task(tmp_path / "task")], runner=Unfenced())
    run_campaign(campaign, Unfenced(), ["/bin/true"])
    with pytest.raises(Refused, match="begun in another way"):
        run_campaign(campaign, Unfenced(), ["/bin/true"], attempts=2)
    first = Campaign(campaign, Unfenced(), None)
    with pytest.raises(LogError, match="another run"):
        Campaign(campaign, Unfenced(), None)
    first.close()


def test_unfenced_runs_are_marked_in_every_record(tmp_path: Path, freeze: Freeze) -> None:
    campaign = freeze([lemma_task(tmp_path / "task")], runner=Unfenced())
    run_campaign(campaign, Unfenced(), ["/bin/true"])
    found = verify(log_of(campaign))
    assert found.of("campaign")[0].body["fenced"] is False
    assert all(r.body["fenced"] is False for r in (*found.of("call"), *found.of("attempt")))
    assert "results are unfenced" in report_text(found)


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"task.toml": 'title = "t"\ndescription = "d"\n'}, "target: must be a text"),
        ({"task.toml": 'title = "t"\ndescription = "d"\ntarget = "f"\nmode = "x"\n'}, "mode: must be one of"),
        ({"task.toml": 'title = "t"\ndescription = "d"\ntarget = "f"\nother = 1\n'}, "other: no such field"),
        ({"task.toml": "title = "}, "task.toml"),
        ({"withheld.toml": "[[cases]]\noutput = 1\n"}, "needs inputs"),
    ],
)
def test_a_task_that_is_incomplete_is_refused(tmp_path: Path, files: dict[str, str], message: str) -> None:
    with pytest.raises(TaskError, match=message):
        load_task(lemma_task(tmp_path / "task", **files))


# --- the loop -----------------------------------------------------------------------------------------------------------


def test_a_correction_gets_the_reasons_and_the_contract_again(tmp_path: Path, fence: Fence, freeze: Freeze) -> None:
    agent = script(tmp_path, f"if [ -f feedback.json ]; then cp feedback.json seen; cp original.rs solution.rs; else {SPOIL}; fi")
    campaign = freeze([lemma_task(tmp_path / "task")])
    run_campaign(campaign, fence, ["/bin/sh", str(agent)], attempts=2, corrections=2, show=[agent])
    found = verify(log_of(campaign))
    calls = [(r.body["attempt"], r.body["correction"], r.body["outcome"]) for r in found.of("call")]
    assert calls == [(1, 0, "SCREEN"), (1, 1, "UNREACHED"), (2, 0, "SCREEN"), (2, 1, "UNREACHED")]
    assert [r.body["usage"]["tokens"] for r in found.of("attempt")] == [20, 20]
    assert all(r.body["contract_restated"] for r in found.of("call"))


def test_the_last_correction_ends_the_attempt(tmp_path: Path, fence: Fence, freeze: Freeze) -> None:
    agent = script(tmp_path, SPOIL)
    campaign = freeze([lemma_task(tmp_path / "task")])
    run_campaign(campaign, fence, ["/bin/sh", str(agent)], corrections=1, show=[agent])
    (attempt,) = verify(log_of(campaign)).of("attempt")
    assert (attempt.body["outcome"], attempt.body["calls"]) == ("SCREEN", 2)


def test_budgets_of_tokens_and_dollars_halt(tmp_path: Path, fence: Fence, freeze: Freeze) -> None:
    agent = script(tmp_path, SPOIL)
    for name, budget in (("tokens", {"tokens": 20}), ("dollars", {"dollars": 0.15})):
        campaign = freeze([lemma_task(tmp_path / f"task-{name}")], name, **budget)
        run_campaign(campaign, fence, ["/bin/sh", str(agent)], corrections=5, show=[agent])
        (attempt,) = verify(log_of(campaign)).of("attempt")
        assert (attempt.body["outcome"], attempt.body["would_be"], attempt.body["calls"]) == ("HALT", "SCREEN", 2)
        assert attempt.body["why"].startswith(name)
    data = report_data(verify(log_of(campaign)))
    assert data["censoring"]["halted"]["part"] == 1
    assert data["acceptance"]["whole"] == 0


def test_the_campaigns_cap_leaves_attempts_unreached(tmp_path: Path, fence: Fence, freeze: Freeze) -> None:
    agent = script(tmp_path, SPOIL)
    campaign = freeze([lemma_task(tmp_path / "task")], campaign_dollars=0.15)
    run_campaign(campaign, fence, ["/bin/sh", str(agent)], attempts=4, show=[agent])
    found = verify(log_of(campaign))
    assert [r.body["outcome"] for r in found.of("attempt")] == ["SCREEN", "SCREEN", "UNREACHED", "UNREACHED"]
    assert found.of("attempt")[2].body["why"].startswith("the campaign's cap was reached")


def test_a_metered_agent_that_reports_nothing_is_an_error(tmp_path: Path, fence: Fence, freeze: Freeze) -> None:
    agent = script(tmp_path, "true", usage="")
    campaign = freeze([lemma_task(tmp_path / "task")], tokens=100)
    run_campaign(campaign, fence, ["/bin/sh", str(agent)], show=[agent])
    (attempt,) = verify(log_of(campaign)).of("attempt")
    assert (attempt.body["outcome"], attempt.body["would_be"]) == ("ERROR", None)


def test_inexpressible_is_the_tasks_word_and_costs_nothing(tmp_path: Path, fence: Fence, freeze: Freeze) -> None:
    toml = 'title = "t"\ndescription = "d"\ntarget = "square"\ninexpressible = "needs floating point"\n'
    campaign = freeze([lemma_task(tmp_path / "a", **{"task.toml": toml}), lemma_task(tmp_path / "b")])
    run_campaign(campaign, fence, ["/bin/true"])
    found = verify(log_of(campaign))
    assert [r.body["outcome"] for r in found.of("attempt")] == ["INEXPRESSIBLE", "UNREACHED"]
    data = report_data(found)
    assert (data["censoring"]["inexpressible"]["part"], data["censoring"]["inexpressible"]["whole"]) == (1, 2)


def test_a_replayed_campaign_ends_as_the_first_did(tmp_path: Path, fence: Fence, freeze: Freeze) -> None:
    agent = script(tmp_path, f"[ -f feedback.json ] && cp original.rs solution.rs || {SPOIL}")
    task = lemma_task(tmp_path / "task")
    first, second = freeze([task], "first"), freeze([task], "second")
    run_campaign(first, fence, ["/bin/sh", str(agent)], corrections=1, show=[agent])
    recording = tmp_path / "recording.json"
    recording.write_text(json.dumps(replay_file(first, verify(log_of(first)).records)))
    run_campaign(second, fence, ["@replay", str(recording)], corrections=1, show=[recording])
    seen = [[(r.body["submission"], r.body["outcome"], r.body["usage"]["tokens"]) for r in verify(log_of(f)).of("call")]
            for f in (first, second)]  # fmt: skip
    assert seen[0] == seen[1]
    assert len(seen[0]) == 2


def test_a_gateway_is_shown_and_recorded(tmp_path: Path, fence: Fence, freeze: Freeze) -> None:
    tmp_path.chmod(0o755)
    path = tmp_path / "model.sock"
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(path))
        path.chmod(0o777)
        listener.listen(1)
        listener.settimeout(20)
        program, needed = python_runtime()
        agent = script(
            tmp_path,
            f"{program} -I -c \"import socket; s = socket.socket(socket.AF_UNIX); s.connect('/gateway.sock'); s.send(b'hello')\"",
        )
        campaign = freeze([lemma_task(tmp_path / "task")])
        opened = Campaign(campaign, fence, None)
        opened.run(Plan(("/bin/sh", str(agent)), 1, 0, (agent, *needed), path))
        opened.close()
        peer, _ = listener.accept()
        with peer:
            assert peer.recv(5) == b"hello"
    assert verify(log_of(campaign)).of("campaign")[0].body["gateway"] == str(path)


def test_an_agent_sees_only_its_files(tmp_path: Path, fence: Fence, freeze: Freeze) -> None:
    agent = script(tmp_path, "ls -A > solution.rs; ls / >> solution.rs; env | sort >> solution.rs; cat task.json >> solution.rs")
    campaign = freeze([lemma_task(tmp_path / "task")])
    run_campaign(campaign, fence, ["/bin/sh", str(agent)], show=[agent])
    (call,) = verify(log_of(campaign)).of("call")
    seen = (campaign / "artifacts" / call.body["submission"]).read_text()
    assert seen.startswith("original.rs\nsolution.rs\ntask.json\n")
    assert "SAMESPEC_TASK=task" in seen
    assert '"text": "x * x >= 0"' in seen
    assert "gateway" not in seen


# --- what an agent is told --------------------------------------------------------------------------------------------------


def judged(tmp_path: Path, submitted: str) -> tuple[Any, Judgement]:
    task = load_task(lemma_task(tmp_path / "task"))
    return task, Judgement(Outcome.SCREEN, "why", screen(task.given, submitted, targets=["square"]))


def test_feedback_names_modified_clauses_with_values(tmp_path: Path) -> None:
    task, last = judged(tmp_path, LEMMA.replace("x * x >= 0", "x * x >= -1"))
    said = feedback(task, last, attempt=1, correction=1)
    (clause,) = said["modified_clauses"]
    assert (clause["function"], clause["code"]) == ("crate::square", "ensures-weakened")
    assert said["unsound_constructs"] == []
    assert said["contract"]["clauses"] == [{"kind": "ensures", "text": "x * x >= 0"}]


def test_feedback_names_unsound_constructs(tmp_path: Path) -> None:
    task, last = judged(tmp_path, LEMMA.replace("{\n}\n", "{\n    assume(false);\n}\n"))
    said = feedback(task, last, attempt=1, correction=1)
    assert said["unsound_constructs"][0] == {
        "layer": 1, "code": "forbidden-construct", "message": "`assume` in the agent's part of the file", "line": 9,
    }  # fmt: skip


def test_feedback_has_the_verifiers_diagnostics(tmp_path: Path) -> None:
    task = load_task(lemma_task(tmp_path / "task"))
    result = read_output((RECORDINGS / "post_fail.stdout.json").read_text(), (RECORDINGS / "post_fail.stderr.txt").read_text(), 1)
    said = feedback(task, Judgement(Outcome.FAIL, result.why, None, result), attempt=2, correction=1)
    assert said["diagnostics"][0]["message"] == "postcondition not satisfied"
    assert said["outcome"] == "FAIL"


def test_nothing_withheld_is_ever_given(tmp_path: Path, corpus: dict[str, Task]) -> None:
    from referee.task import write_corpus_task

    task = load_task(write_corpus_task(corpus["meter"], tmp_path / "meter"))
    assert len(task.cases) == 6
    assert "unimplemented!()" in task.given
    files = task_files(replace(task), task.given, attempt=1, correction=0, last=None)
    assert set(files) == {"solution.rs", "original.rs", "task.json"}
    assert b"4294967295" not in b"".join(files.values())


def test_a_contract_is_restated_as_it_is_worded(corpus: dict[str, Task]) -> None:
    contract = contract_of(corpus["swap_at"].original, corpus["swap_at"].target)
    assert contract["mode"] == "exec"
    assert {c["kind"] for c in contract["clauses"]} == {"requires", "ensures"}
    assert contract["signature"].startswith("pub fn swap_at(") or "fn " in contract["signature"]


def test_the_standard_proofs_are_proofs_of_the_target(corpus: dict[str, Task]) -> None:
    given = without_body(corpus["power_adds"].original, "power_adds")
    place = target_body(given, "power_adds")
    assert place is not None
    assert given[place[0] : place[1]] == "{\n}"
    contract = contract_of(given, "power_adds")
    written = [proof(kind, contract) for kind in PROOFS]
    assert written[0] == ""
    assert written[1] == "    assert(power(b, m + n) == power(b, m) * power(b, n)) by (nonlinear_arith);\n"
    assert written[3] == "    if b > 0 {\n        power_adds((b - 1) as int, m, n);\n    }\n"
    assert target_body(corpus["sort"].original, "sort") is not None


# --- the report -----------------------------------------------------------------------------------------------------------


def test_the_columns_of_the_report_have_their_own_denominators(tmp_path: Path) -> None:
    """Records made by hand: two tasks, four attempts each."""
    log = Log(tmp_path / "log.jsonl")
    log.append("campaign", {"manifest": "m", "agent": ["a"], "verus": "0.2026", "fenced": True, "fence": "bubblewrap"})
    plan: dict[str, list[tuple[str, str | None, str]]] = {
        "one": [("PASS", None, "passed"), ("FAIL", None, "failed"), ("SCREEN", None, "not run"), ("HALT", "PASS", "passed")],
        "two": [
            ("PASS", None, "failed"),
            ("ERROR", None, "unscorable"),
            ("UNREACHED", None, "not run"),
            ("PASS", None, "passed"),
        ],
    }
    for task, attempts in plan.items():
        for number, (outcome, would_be, correctness) in enumerate(attempts, 1):
            body = {"task": task, "attempt": number, "outcome": outcome, "would_be": would_be, "correctness": correctness}
            calls = 0 if outcome == "UNREACHED" else 1
            log.append("attempt", {**body, "why": "cap", "calls": calls, "usage": Usage().as_json(), "fenced": True})
    log.close()
    found = verify(tmp_path / "log.jsonl")
    data = report_data(found)
    assert (data["acceptance"]["part"], data["acceptance"]["whole"]) == (3, 5)
    assert (data["correctness"]["part"], data["correctness"]["whole"]) == (3, 5)
    assert (data["censoring"]["halted"]["part"], data["censoring"]["halted"]["whole"]) == (1, 7)
    assert (data["censoring"]["unreached"]["part"], data["censoring"]["unreached"]["whole"]) == (1, 8)
    assert data["censoring"]["would_be"] == {"PASS": 1}
    assert data["accepted_but_incorrect"] == 1
    assert data["pass_at_k"]["1"] == pytest.approx((1 / 3 + 1) / 2)
    text = report_text(found)
    assert "acceptance   3/5 [0.147, 0.947] of PASS + FAIL + SCREEN" in text
    assert 'an accepted file means "the referee accepted"' in text
    assert "Nobody checked" in text
    assert Correctness.PASSED in text


def test_the_demo_runs_both_agents_and_prints_their_reports(tmp_path: Path, fence: Fence) -> None:
    tmp_path.chmod(0o755)
    said: list[str] = []
    tasks = ("hex_value", "midpoint", "odd_square", "power_adds", "root_exists", "mean_bound")
    logs = run_demo(tmp_path / "demo", fence, None, said.append, tasks=tasks, attempts=1)
    text = "\n".join(said)
    for log in logs:
        found = verify(log)
        assert found.problem is None
        assert {r.body["task"] for r in found.of("attempt")} == set(tasks)
        assert not any(r.body["outcome"] == Outcome.PASS for r in found.of("attempt"))  # there is no Verus here
    assert text.count("acceptance   not measured: no Verus") == 2
    assert text.count("What was checked, and by whom") == 2
    screened = [r for r in verify(logs[1]).of("call") if r.body["outcome"] == Outcome.SCREEN]
    assert {r.body["task"] for r in screened} == set(tasks)  # each recording begins with an edit that breaks the contract
    replayed = report_data(verify(logs[1]))
    if shutil.which("rustc") is not None:
        assert (replayed["correctness"]["part"], replayed["correctness"]["whole"]) == (2, 2)
