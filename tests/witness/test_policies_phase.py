"""Phase: nothing of compiler, verifier or cases reaches discovery before its freeze."""

from __future__ import annotations

import ast
import hashlib
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.witness.campaign_made import LARGER, made_tasks
from witness.contract import WitnessError
from witness.gates import Means
from witness.model import Candidate, Gate, GateResult, Judgement, Outcome, Task
from witness.policies import calls, episodes
from witness.policies.calls import Policy
from witness.policies.episodes import run_episode
from witness.policies.freeze import Frozen, freeze, frozen_bytes, thaw
from witness.policies.providers import Reply, Request, Usage
from witness.policies.view import view_of

POLICIES = Path(episodes.__file__).parent
NOBODY = Means(None)


class Provider:
    """Answers from a list, and keeps what it was asked."""

    name = "listed"

    def __init__(self, texts: tuple[str, ...] = ("u8::MAX", "a", " b\n")) -> None:
        self.texts = texts
        self.asked: list[Request] = []

    def ask(self, request: Request) -> Reply:
        self.asked.append(request)
        return Reply(self.texts[request.key.call - 1], Usage(10, 2))


class Gates:
    """Stands in for the gates: everything gets the same outcome. `at` says how many freezes there were when they were asked."""

    def __init__(self, outcome: Outcome, file: Path) -> None:
        self.outcome, self.file = outcome, file
        self.frozen_then: list[str | None] = []

    def judge(self, task: Task, candidates: list[Candidate], means: Means) -> list[Judgement]:
        there = hashlib.sha256(self.file.read_bytes()).hexdigest() if self.file.exists() else None
        self.frozen_then.append(there)
        said = tuple(GateResult(g, self.outcome, "stand-in", f"says {self.outcome}", {"compiled": True}) for g in Gate)
        return [Judgement(c, said) for c in candidates]


def run(policy: Policy, outcome: Outcome, folder: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Provider, Gates, Any]:
    file = folder / f"{policy}-{outcome}.json"
    provider, gates = Provider(), Gates(outcome, file)
    monkeypatch.setattr(episodes, "judge", gates.judge)
    found = run_episode(made_tasks()[LARGER], policy, 17, provider, NOBODY, freeze_at=file)
    return provider, gates, found


def test_the_freeze_is_the_same_whatever_the_gates_say(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hashes, prompts = set(), set()
    for outcome in Outcome:
        provider, gates, found = run(Policy.PHASE, outcome, tmp_path, monkeypatch)
        hashes.add(found.frozen.sha256)
        prompts.add(tuple(r.prompt for r in provider.asked))
        assert gates.frozen_then == [found.frozen.sha256]  # the gates were asked once, and the freeze was there
    assert len(hashes) == 1 and len(prompts) == 1


def test_intentshield_prompts_change_with_what_the_gates_say(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The test above can fail: a policy that is told shows it."""
    seen = set()
    for outcome in Outcome:
        provider, gates, _ = run(Policy.INTENTSHIELD, outcome, tmp_path, monkeypatch)
        seen.add(tuple(r.prompt for r in provider.asked))
        assert gates.frozen_then[0] is None
    assert len(seen) == len(Outcome)


@pytest.mark.parametrize("policy", [Policy.DIRECT, Policy.MASKED, Policy.JUDGMENT])
def test_untold_policies_ask_the_same_whatever_the_gates_say(
    policy: Policy, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = {tuple(r.prompt for r in run(policy, outcome, tmp_path, monkeypatch)[0].asked) for outcome in Outcome}
    assert len(seen) == 1


def test_phase_asks_what_direct_asks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    direct, _, _ = run(Policy.DIRECT, Outcome.PASS, tmp_path, monkeypatch)
    phase, _, _ = run(Policy.PHASE, Outcome.PASS, tmp_path, monkeypatch)
    assert [r.prompt for r in direct.asked] == [r.prompt for r in phase.asked]
    assert all(a.key != b.key for a, b in zip(direct.asked, phase.asked, strict=True))  # no answer is used twice


def test_gates_that_fail_leave_the_freeze_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: Any) -> list[Judgement]:
        raise WitnessError("the gates are closed")

    monkeypatch.setattr(episodes, "judge", broken)
    file = tmp_path / "frozen.json"
    with pytest.raises(WitnessError, match="closed"):
        run_episode(made_tasks()[LARGER], Policy.PHASE, 17, Provider(), NOBODY, freeze_at=file)
    assert [d["answer"] for d in json.loads(file.read_text())["draws"]] == ["u8::MAX", "a", " b\n"]


def test_what_is_judged_is_what_was_frozen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _, _, found = run(Policy.PHASE, Outcome.PASS, tmp_path, monkeypatch)
    assert [j.candidate.text for j in found.raw.judgements] == ["u8::MAX", "a", "b"]
    data = found.frozen.path.read_bytes()
    assert hashlib.sha256(data).hexdigest() == found.frozen.sha256
    view = view_of(made_tasks()[LARGER])
    assert data == frozen_bytes(view, 17, "listed", found.draws)
    assert thaw(found.frozen) == found.draws


def test_a_changed_freeze_is_not_judged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _, _, found = run(Policy.PHASE, Outcome.PASS, tmp_path, monkeypatch)
    file = found.frozen.path
    file.write_bytes(file.read_bytes().replace(b"u8::MAX", b"u8::MIN"))
    with pytest.raises(WitnessError, match="changed after it was frozen"):
        thaw(found.frozen)


def test_a_freeze_is_never_replaced(tmp_path: Path) -> None:
    view = view_of(made_tasks()[LARGER])
    draws = calls.independent(view, 17, lambda call, prompt: Reply(str(call)))
    first = freeze(tmp_path / "f.json", view, 17, "p", draws)
    assert freeze(tmp_path / "f.json", view, 17, "p", draws) == first  # the same again is no change
    other = (replace(draws[0], candidate="x"), *draws[1:])
    with pytest.raises(WitnessError, match="never replaced"):
        freeze(tmp_path / "f.json", view, 17, "p", other)
    assert thaw(first) == draws


def test_a_freeze_that_is_gone(tmp_path: Path) -> None:
    with pytest.raises(WitnessError, match="cannot be read"):
        thaw(Frozen(tmp_path / "none.json", "0"))


def test_phase_without_a_file_is_refused() -> None:
    with pytest.raises(ValueError, match="freeze"):
        run_episode(made_tasks()[LARGER], Policy.PHASE, 17, Provider(), NOBODY)


def test_discovery_has_no_way_to_the_gates() -> None:
    """The modules that discovery is made of import nothing that judges, neither directly nor by way of each other."""
    judging = {"witness.gates", "witness.embedded", "witness.program", "witness.certificate", "witness.verus_gates"}
    todo = [POLICIES / name for name in ("calls.py", "view.py", "prompts.py", "answers.py", "block.py")]
    todo += sorted((POLICIES / "providers").glob("*.py"))
    root = POLICIES.parent.parent
    seen: set[Path] = set()
    while todo:
        file = todo.pop()
        if file in seen:
            continue
        seen.add(file)
        for name in _imports(file):
            assert name not in judging, f"{file}: {name}"
            path = root.joinpath(*name.split(".")).with_suffix(".py")
            if name.startswith("witness.policies.") and path.is_file():
                todo.append(path)
    assert POLICIES / "feedback.py" not in seen and POLICIES / "block.py" in seen
    assert "witness.gates" in set(_imports(POLICIES / "episodes.py"))  # what it looks for is there to be found


def _imports(file: Path) -> list[str]:
    tree = ast.parse(file.read_text(encoding="utf-8"))
    return [n.module for n in ast.walk(tree) if isinstance(n, ast.ImportFrom) and n.module] + [
        a.name for n in ast.walk(tree) if isinstance(n, ast.Import) for a in n.names
    ]
