"""What the tests of policies and campaigns share: two small tasks, an OpenAI-compatible server, records of a campaign."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from witness.model import Task
from witness.program import Machine, find_machine
from witness.tasks import Source, make_tasks

TRANSCRIPT = Path(__file__).with_name("data") / "transcript.jsonl"
LARGER, IS_SMALL = "larger.clause-dropped", "is_small.output-relation-dropped"

_LARGER = """use vstd::prelude::*;

verus! {

// Nobody who looks for a witness may see this lemma.
proof fn one_of_the_two(a: u8, b: u8, r: u8)
    ensures
        r == a || r == b || r != a,
{
}

pub fn larger(a: u8, b: u8) -> (r: u8)
    ensures
        r >= a,
        r >= b,
        r == a || r == b,
{
    if a > b { a } else { b }
}

fn main() {
}

} // verus!
"""

_IS_SMALL = """use vstd::prelude::*;

verus! {

pub fn is_small(x: u8) -> (small: bool)
    ensures
        small == (x < 10),
{
    x < 10
}

fn main() {
}

} // verus!
"""


@cache
def machine() -> Machine:
    """The compiler; tests that need it are skipped where there is none."""
    found = find_machine()
    if found is None:
        pytest.skip("no rustc on this machine: nothing can be judged")
    return found


@cache
def made_tasks() -> dict[str, Task]:
    """A residual task and a total omission, by name."""
    sources = (
        (Source("larger", "larger.rs", "The larger of two numbers.", "larger", _LARGER, _LARGER), "r == a || r == b"),
        (Source("is_small", "is_small.rs", "Whether a number is below ten.", "is_small", _IS_SMALL, _IS_SMALL), "small"),
    )
    found = {}
    for source, clause in sources:
        made = make_tasks(source, machine(), wanted=_wanted(clause))
        assert not made.refused, made.refused
        found.update({t.name: t for t in made.tasks[:1]})
    return found


def _wanted(clause: str) -> Callable[[Any], bool]:
    return lambda w: w.omission.clause.startswith(clause) and w.omission.becomes == ""


# --- a server ------------------------------------------------------------------------------------------------------------


class Server:
    """Answers chat completions with what `answer` makes of the prompt: a text, or a status code to fail with. `prompts` are those
    that came, `bodies` the whole requests, `keys` the authorization headers."""

    def __init__(self, answer: Callable[[str], str | int]) -> None:
        self.answer = answer
        self.prompts: list[str] = []
        self.bodies: list[dict[str, Any]] = []
        self.keys: list[str] = []
        self.address = ""


@contextmanager
def serving(answer: Callable[[str], str | int]) -> Iterator[Server]:
    """An OpenAI-compatible server on loopback."""
    server = Server(answer)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            prompt = body["messages"][0]["content"]
            server.prompts.append(prompt)
            server.bodies.append(body)
            server.keys.append(self.headers.get("Authorization", ""))
            said = server.answer(prompt) if self.path == "/v1/chat/completions" else 404
            status = said if isinstance(said, int) else 200
            data = json.dumps(_error(said) if isinstance(said, int) else _completion(body["model"], prompt, said)).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *args: Any) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as http:
        server.address = f"http://127.0.0.1:{http.server_address[1]}/v1"
        thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        thread.start()
        try:
            yield server
        finally:
            http.shutdown()
            thread.join()


def _completion(model: str, prompt: str, text: str) -> dict[str, Any]:
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 0,
        "model": model,
        "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text}}],
        "usage": {"prompt_tokens": len(prompt) // 4, "completion_tokens": 3, "total_tokens": len(prompt) // 4 + 3},
    }


def _error(status: int) -> dict[str, Any]:
    return {"error": {"message": f"made to fail with {status}", "type": "test", "code": "made"}}


# --- records -------------------------------------------------------------------------------------------------------------


def episode(
    task: str,
    policy: str,
    label: int,
    certified: bool,
    *,
    provider: str = "model",
    stratum: str = "residual",
    expression: str = "0",
    call: int = 1,
    parses: bool = True,
    first: bool = False,
    withheld: int | None = 1,
    failed: str = "rejected",
) -> dict[str, Any]:
    """The record of an episode, as `results.jsonl` has it. `first`: whether the first call is a witness by itself."""
    gates = dict.fromkeys(("admitted", "rejected", "runs", "disagrees"), "pass")
    if not parses:
        gates = dict.fromkeys(gates, "fail")
    elif not certified:
        gates[failed] = "fail"
    outcome = {
        "call": call,
        "expression": expression,
        "problem": None if parses else "1:1: not an expression",
        "gates": gates,
        "compiled": parses,
        "certified": certified,
        "divergences": 3 if certified else 0,
        "withheld_divergences": withheld if certified else 0,
    }
    witnesses = {call, 1} if first else {call}
    calls = [{**outcome, "call": n, "certified": certified and n in witnesses, "prompt_chars": 1000} for n in (1, 2, 3)]
    return {
        "kind": "episode",
        "task": task,
        "stratum": stratum,
        "visible": 16,
        "withheld": 2,
        "provider": provider,
        "policy": policy,
        "label": label,
        "calls": calls,
        "raw": outcome,
        "mended": None,
    }
