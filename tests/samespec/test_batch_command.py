"""`samespec batch` as a person runs it: real workers, real pairs, real signals."""

from __future__ import annotations

import importlib.resources
import json
import os
import pty
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import jsonschema
import pytest

from depgraph.model import Trust
from equiv.verdict import Question, Verdict
from samespec.batch import judge, output
from samespec.main import run
from samespec.render.json_report import QUESTION
from tests.samespec.test_reward import EDITS, ORIGINAL

SCHEMA = json.loads(importlib.resources.files("samespec").joinpath("schemas/batch-1.json").read_text())
VALID = jsonschema.Draft202012Validator(SCHEMA)
PATIENT = 240
COMMAND = [sys.executable, "-P", "-c", "from samespec.main import main; main()", "batch"]

#: The two differ in sums of three cubes that are 42, and nobody finds one soon.
BOMB = "verus! { proof fn f(x: int, y: int) -> (z: int) ensures x * x * x + y * y * y + z * z * z != 42 { 0 } }"


def records(*pairs):
    return [{"id": id_, "original": ORIGINAL, "submitted": text} for id_, text in pairs]


MANY = records(*((f"{name} {i}", text + f"// {i}\n") for i in range(3) for name, text in EDITS.items()))


@pytest.fixture
def pairs(tmp_path):
    def write(found, name="pairs.jsonl"):
        path = tmp_path / name
        path.write_text("".join((r if isinstance(r, str) else json.dumps(r)) + "\n" for r in found))
        return path

    return write


def started(*arguments, **more):
    env = {k: v for k, v in os.environ.items() if k != "SAMESPEC_CACHE"}
    return subprocess.Popen([*COMMAND, *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=env, **more)


def ran(*arguments, data=None):
    process = started(*arguments, stdin=subprocess.PIPE)
    out, err = process.communicate(None if data is None else data.encode(), timeout=PATIENT)
    return process.returncode, out.decode(), err.decode()


def results(text):
    found = [json.loads(line) for line in text.splitlines()]
    for value in found:
        VALID.validate(value)
        assert [k for k in SCHEMA["properties"] if k in value] == list(value)
    return found


def children(pid):
    return [int(p) for p in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()] if Path(f"/proc/{pid}").exists() else []


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    path = tmp_path_factory.mktemp("batch")
    (path / "pairs.jsonl").write_text("".join(json.dumps(r) + "\n" for r in MANY))
    status, out, err = ran(path / "pairs.jsonl", "--audit")
    assert status == 1
    assert err.startswith("24 items; 9 kept, 12 not kept, 3 undecided (")
    return out


def test_results(undisturbed):
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    found = results(undisturbed)
    assert [r["id"] for r in found] == [r["id"] for r in MANY]
    assert {r["id"].rsplit(" ", 1)[0]: r["kept"] for r in found} == {
        "same": True, "renamed": True, "weaker": False, "hollow": False, "assumed": False, "gone": False, "other code": True,
        "unreadable contract": None,
    }  # fmt: skip
    assert {r["verdict"] for r in found} == {"equivalent", "weakened", "missing", "unsupported"}


def test_the_schema_knows_every_word():
    definitions, properties = SCHEMA["$defs"], SCHEMA["properties"]
    assert properties["schema"]["const"] == SCHEMA["$id"] == output.SCHEMA
    assert definitions["verdict"]["enum"] == [str(v) for v in Verdict]
    questions = definitions["target"]["properties"]["counterexample"]["properties"]["question"]["enum"]
    assert questions == [QUESTION[q] for q in Question]
    kinds = properties["error"]["properties"]["kind"]["enum"]
    assert set(kinds) == {"input", "source", "target", judge.TIME, judge.MEMORY, judge.CRASH, judge.LOST, judge.INTERNAL}
    classes = properties["audit"]["items"]["properties"]["findings"]["items"]["properties"]["class"]["enum"]
    assert set(classes) == {str(t) for t in Trust if t.fatal or t is Trust.UNRESOLVED}


def test_a_line_says_what_check_says(undisturbed, tmp_path, capsys):
    (tmp_path / "original.rs").write_text(ORIGINAL)
    (tmp_path / "submitted.rs").write_text(EDITS["weaker"] + "// 0\n")
    status = run(["check", str(tmp_path / "original.rs"), str(tmp_path / "submitted.rs"), "--audit", "--format", "json"])
    report = json.loads(capsys.readouterr().out)
    (line,) = (r for r in results(undisturbed) if r["id"] == "weaker 0")
    assert (status, report["kept"]) == (1, line["kept"])
    for target, short in zip(report["targets"], line["targets"], strict=True):
        first = target["reasons"][0] if target["reasons"] else None
        assert short["verdict"] == target["verdict"]
        assert short["reason"] == (first and {"code": first["code"], "message": first["message"]})
        assert short["counterexample"] == (first and first["counterexample"])
    assert [c["clean"] for c in line["audit"]] == [c["clean"] for c in report["audit"]]


def test_the_same_lines_however_many_workers(undisturbed, pairs, tmp_path):
    status, _, err = ran(pairs(MANY), "--audit", "--jobs", 1, "--as-finished", "--output", tmp_path / "out", "--timings")
    assert (status, err.count("\n")) == (1, 1)
    found = results((tmp_path / "out").read_text())
    assert all(r.pop("timing")["seconds"] > 0 for r in found)
    plain = [json.dumps(r) for r in found]
    assert sorted(plain) == sorted(undisturbed.splitlines())


def test_killed_five_times_and_resumed(undisturbed, pairs, tmp_path):
    path, out = pairs(MANY), tmp_path / "out"
    arguments = (path, "--audit", "--output", out, "--jobs", 2)
    rng = random.Random(3)
    for i in range(5):
        process = started(*arguments, *(["--resume"] if i else []))
        # After the next few results, wherever it is then.
        goal = min(len(MANY) - 1, (out.read_bytes().count(b"\n") if out.exists() else 0) + rng.randrange(5))
        deadline = time.monotonic() + PATIENT
        while time.monotonic() < deadline and not (out.exists() and out.read_bytes().count(b"\n") >= goal):
            time.sleep(0.002)
        process.kill()
        process.communicate()
    with out.open("ab") as file:
        file.write(undisturbed.splitlines()[-1][:100].encode())  # as if the last line had been cut off
    status, text, err = ran(*arguments, "--resume")
    assert (status, text) == (1, "")
    assert "resumed" in err
    assert out.read_text() == undisturbed


def test_workers_that_are_killed_cost_nothing(undisturbed, pairs):
    process = started(pairs(MANY), "--audit", "--jobs", 2)
    deadline = time.monotonic() + PATIENT
    while time.monotonic() < deadline and len(children(process.pid)) < 2 and process.poll() is None:
        time.sleep(0.01)
    found = children(process.pid)  # one of each worker: a pair that kills two processes in a row is its own result
    for child in found:
        os.kill(child, signal.SIGKILL)
    out, _ = process.communicate(timeout=PATIENT)
    assert len(found) == 2
    assert out.decode() == undisturbed


def test_poisoned_items_cost_only_themselves(pairs, tmp_path):
    with (tmp_path / "large.rs").open("wb") as file:
        file.truncate(50 << 20)
    fine = records(("first", EDITS["same"]), ("last", EDITS["weaker"]))
    deep = "verus! { spec fn f() -> bool { " + "(" * 2000 + ")" * 2000 + " } }"
    bad = [
        {"id": "bomb", "original": BOMB, "submitted": BOMB.replace("42", "-1")},
        {"id": "large", "original": ORIGINAL, "submitted_path": "large.rs"},
        {"id": "deep", "original": ORIGINAL, "submitted": deep},
        {"id": "memory", "original": ORIGINAL, "submitted": ORIGINAL + "// " + "é" * 3_900_000},
        {"id": "target", "original": ORIGINAL, "submitted": ORIGINAL, "targets": ["nobody"]},
        "not JSON",
    ]
    path = pairs([fine[0], *bad, fine[1]])
    status, out, err = ran(path, "--timeout", 5, "--memory", 32, "--budget", 2_000_000_000, "--jobs", 1)
    found = {r["id"]: r for r in results(out)}
    assert {i: r["error"] and r["error"]["kind"] for i, r in found.items()} == {
        "first": None, "bomb": "time-limit", "large": "source", "deep": None, "memory": "memory-limit", "target": "target",
        None: "input", "last": None,
    }  # fmt: skip
    assert (found["first"]["kept"], found["deep"]["kept"], found["last"]["kept"]) == (True, None, False)
    assert "5 without a verdict (input 1, memory-limit 1, source 1, target 1, time-limit 1)" in err
    assert status == 1


def test_exit_statuses(pairs, capsys):
    for edits, status in ((["same", "renamed"], 0), (["same", "unreadable contract"], 3), (["weaker", "unreadable contract"], 1)):
        path = pairs(records(*((e, EDITS[e]) for e in edits)))
        assert run(["batch", str(path), "--jobs", "1"]) == status
    assert run(["batch", str(pairs([])), "--jobs", "1"]) == 3
    assert capsys.readouterr().err.splitlines()[-1].startswith("0 items; 0 kept, 0 not kept, 0 undecided (")


def test_standard_input_comes_out_at_once():
    process = started("-", "--jobs", 1, stdin=subprocess.PIPE)
    assert process.stdin is not None
    assert process.stdout is not None
    for record in records(("a", EDITS["same"]), ("b", EDITS["weaker"])):
        process.stdin.write(json.dumps(record).encode() + b"\n")
        process.stdin.flush()
        assert json.loads(process.stdout.readline())["id"] == record["id"], "while the next line is awaited"
    _, err = process.communicate(timeout=PATIENT)
    assert (process.returncode, err.decode()[:8]) == (1, "2 items;")


def test_an_interrupt(pairs, tmp_path):
    # Whoever runs the tests in the background may have them ignore interrupts.
    heard = {"preexec_fn": lambda: signal.signal(signal.SIGINT, signal.default_int_handler)}
    process = started("-", "--jobs", 1, "--output", tmp_path / "out", stdin=subprocess.PIPE, **heard)
    assert process.stdin is not None
    process.stdin.write(json.dumps(MANY[0]).encode() + b"\n")
    process.stdin.flush()
    while not (tmp_path / "out").exists() or not (tmp_path / "out").stat().st_size:
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    process.wait(PATIENT)
    assert process.stderr is not None
    assert process.returncode == 130
    assert process.stderr.read().decode().split("\n") == ["stopped; --resume goes on from here", "", "interrupted", ""]
    process.stdin.close()
    process.stdout.close()
    process.stderr.close()


def test_a_closed_pipe(pairs):
    process = started(pairs(MANY), "--jobs", 1)
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.readline()
    process.stdout.close()
    assert (process.wait(PATIENT), process.stderr.read()) == (141, b"")
    process.stderr.close()


def test_a_cache(pairs, tmp_path, undisturbed):
    arguments = (pairs(MANY), "--audit", "--cache", tmp_path / "cache")
    assert ran(*arguments)[1] == undisturbed
    status, out, err = ran(*arguments)
    assert (status, out) == (1, undisturbed)
    assert "24 from the cache" in err


def test_progress_on_a_terminal(pairs):
    path = pairs(MANY[:3])
    main, side = pty.openpty()
    process = subprocess.Popen([*COMMAND, str(path), "--jobs", "1"], stdout=subprocess.DEVNULL, stderr=side)
    os.close(side)
    seen = b""
    while True:
        try:
            chunk = os.read(main, 1000)
        except OSError:  # what a terminal says when the other end is closed
            break
        if not chunk:
            break
        seen += chunk
    os.close(main)
    assert process.wait(PATIENT) == 1
    assert b"3/3" in seen
    assert b"/s" in seen


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["nowhere.jsonl"], "nowhere.jsonl: cannot be read (No such file or directory); name a file of JSON lines, or -"),
        (["."], ".: cannot be read (Is a directory)"),
        (["FILE", "--resume"], "--resume needs the --output FILE to go on with"),
        (["FILE", "--address", "auto"], "--address goes with --engine ray"),
        (["FILE", "--output", "FILE"], "exists; --resume goes on with it, or name another file"),
        (["FILE", "--output", "FILE", "--resume"], "is no file of batch results; name another file"),
        (["FILE", "--cache", "FILE"], "cannot be made or read"),
        (["FILE", "--jobs", "0"], "0 is not in the range x>=1"),
        (["FILE", "--timeout", "0"], "0.0 is not in the range x>0"),
        ([], "Missing argument 'INPUT'"),
    ],
)
def test_wrong_usage(pairs, capsys, arguments, says):
    path = str(pairs(MANY[:1]))
    before = Path(path).read_bytes()
    assert run(["batch", *(path if a == "FILE" else a for a in arguments)]) == 2
    out, err = capsys.readouterr()
    assert says in err
    assert out == ""
    assert Path(path).read_bytes() == before
