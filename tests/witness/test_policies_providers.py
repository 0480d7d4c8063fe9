"""Providers: an OpenAI-compatible endpoint (one that the test starts), a command, a record, and the recorder."""

from __future__ import annotations

import json
import pickle
import sys
from pathlib import Path

import pytest

from referee.fence import FenceError, find_fence
from tests.witness.campaign_made import serving
from witness.policies.providers import Key, ProviderError, Reply, Request, Source, Usage, open_source
from witness.policies.providers.base import Kind
from witness.policies.providers.transcript import (
    SCHEMA,
    Recorder,
    line_of,
    mend,
    prompt_sha256,
    providers_in,
    read_transcript,
    write_transcript,
)

KEY = Key("p", "task", "direct", 17, 1)


def request(prompt: str = "say", **more: object) -> Request:
    return Request(KEY._replace(**more), prompt)


# --- an OpenAI-compatible endpoint -----------------------------------------------------------------------------------


def openai(**more: object) -> Source:
    pytest.importorskip("openai", reason="needs the extra: pip install 'samespec[models]'")
    return Source(Kind.OPENAI, "p", "small-model", **more)  # type: ignore[arg-type]


def test_a_model_is_asked_and_its_usage_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    source = openai(parameters={"temperature": 0.5})
    with serving(lambda prompt: f" {prompt}!\n") as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.address)
        monkeypatch.setenv("OPENAI_API_KEY", "secret")
        reply = open_source(source).ask(request("x" * 40))
    assert reply == Reply(" " + "x" * 40 + "!\n", Usage(10, 3), "stop")
    body = server.bodies[0]
    assert body == {"model": "small-model", "messages": [{"role": "user", "content": "x" * 40}], "temperature": 0.5}
    assert server.keys == ["Bearer secret"]


def test_no_sampling_parameter_is_sent_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    source = openai()
    with serving(lambda prompt: "0") as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.address)
        monkeypatch.setenv("OPENAI_API_KEY", "any")
        open_source(source).ask(request())
    assert set(server.bodies[0]) == {"model", "messages"}


def test_a_transient_failure_is_retried(monkeypatch: pytest.MonkeyPatch) -> None:
    source = openai(retries=2)
    said: list[str | int] = [503, 429, "answered"]
    monkeypatch.setattr("time.sleep", lambda seconds: None)
    with serving(lambda prompt: said.pop(0)) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.address)
        monkeypatch.setenv("OPENAI_API_KEY", "any")
        assert open_source(source).ask(request()).text == "answered"
    assert len(server.prompts) == 3


@pytest.mark.parametrize(
    ("status", "lasting", "words"),
    [(503, False, "answered 503"), (429, False, "answered 429"), (401, True, "OPENAI_API_KEY"), (404, True, "model's name")],
)
def test_what_stays_a_failure(status: int, lasting: bool, words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    source = openai(retries=0)
    with serving(lambda prompt: status) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.address)
        monkeypatch.setenv("OPENAI_API_KEY", "secret")
        with pytest.raises(ProviderError, match=words) as raised:
            open_source(source).ask(request())
    assert raised.value.lasting is lasting
    assert "secret" not in str(raised.value)


def test_nobody_listens(monkeypatch: pytest.MonkeyPatch) -> None:
    source = openai(retries=0)
    monkeypatch.setenv("OPENAI_BASE_URL", "http://user:password@127.0.0.1:9/v1?token=hidden")
    monkeypatch.setenv("OPENAI_API_KEY", "any")
    with pytest.raises(ProviderError, match=r"http://127\.0\.0\.1:9/v1 cannot be reached") as raised:
        open_source(source).ask(request())
    assert not raised.value.lasting
    assert "password" not in str(raised.value) and "hidden" not in str(raised.value)


def test_no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    source = openai()
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(ProviderError, match="OPENAI_API_KEY is not set"):
        open_source(source)


def test_no_client(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "openai", None)
    with pytest.raises(ProviderError, match=r"pip install 'samespec\[models\]'"):
        open_source(Source(Kind.OPENAI, "p", "m"))


def test_errors_travel_between_processes() -> None:
    error = pickle.loads(pickle.dumps(ProviderError("why", lasting=False)))
    assert (str(error), error.lasting) == ("why", False)


# --- a command -------------------------------------------------------------------------------------------------------


def command(code: str, **more: object) -> Source:
    return Source(Kind.COMMAND, "p", f"{sys.executable} -c '{code}'", **more)  # type: ignore[arg-type]


def test_a_command_gets_the_prompt_and_answers() -> None:
    source = command("import sys; sys.stdout.write(sys.stdin.read().upper())")
    assert open_source(source).ask(request("prompt ∀\n")) == Reply("PROMPT ∀\n")


def test_a_command_that_speaks_json() -> None:
    code = (
        "import sys, json; r = json.load(sys.stdin); "
        'print(json.dumps({"text": r["purpose"] + str(r["call"]) + r["prompt"], "usage": {"prompt": 5, "answer": 1}}))'
    )
    assert open_source(command(code, as_json=True)).ask(request("?")) == Reply("direct1?", Usage(5, 1))


def test_a_command_that_answers_text_to_json() -> None:
    assert open_source(command("print(1)", as_json=True)).ask(request()) == Reply("1\n")


def test_a_command_that_fails() -> None:
    with pytest.raises(ProviderError, match="exit status 3: no luck") as raised:
        open_source(command('import sys; sys.stderr.write("no luck"); sys.exit(3)')).ask(request())
    assert not raised.value.lasting


def test_a_command_that_takes_too_long_gave_no_answer() -> None:
    reply = open_source(command("import time; time.sleep(60)", seconds=0.5)).ask(request())
    assert reply == Reply("", ended="stopped by the limit on wall")


def test_a_command_that_prints_too_much_gave_no_answer() -> None:
    reply = open_source(command('print("x" * 100000)', output_bytes=1000)).ask(request())
    assert reply == Reply("", ended="stopped by the limit on output")


@pytest.mark.parametrize(
    ("line", "words"), [("no-such-program-here", "no such program"), ("'", "no command line"), (" ", "empty")]
)
def test_what_is_no_command(line: str, words: str) -> None:
    with pytest.raises(ProviderError, match=words):
        open_source(Source(Kind.COMMAND, "p", line))


def test_a_fenced_command_sees_the_files_it_names_and_no_others(tmp_path: Path) -> None:
    try:
        find_fence()
    except FenceError as error:
        pytest.skip(str(error))
    agent = tmp_path / "agent.sh"
    agent.write_text('#!/bin/sh\nread line\necho "$line in $(pwd)"\nwc -l < "$0"\n')
    agent.chmod(0o755)
    (tmp_path / "secret").write_text("secret")
    reply = open_source(Source(Kind.COMMAND, "p", str(agent), fenced=True)).ask(request("asked"))
    assert reply.text.split("\n")[:2] == ["asked in /build", "4"]
    spy = Source(Kind.COMMAND, "p", f"cat {tmp_path}/secret {tmp_path}/agent.sh", fenced=True)
    assert "secret" in open_source(spy).ask(request()).text  # files that the command line names are shown
    with pytest.raises(ProviderError, match="No such file"):
        open_source(Source(Kind.COMMAND, "p", f"sh -c 'cat {tmp_path}/secret'", fenced=True)).ask(request())


def test_a_file_beside_the_caller_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "agent.py").write_text("print(input()[::-1])")
    monkeypatch.chdir(tmp_path)
    assert open_source(Source(Kind.COMMAND, "p", f"{sys.executable} agent.py")).ask(request("abc")).text == "cba\n"


# --- records ---------------------------------------------------------------------------------------------------------


def write(path: Path, *lines: dict[str, object]) -> Path:
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def entry(**more: object) -> dict[str, object]:
    return {"schema": SCHEMA, **KEY._asdict(), "answer": "a", **more}


def test_a_transcript_answers_by_key(tmp_path: Path) -> None:
    second = entry(call=2, answer=" b\n", usage={"prompt": 1, "answer": 2}, ended="stop")
    file = write(tmp_path / "t.jsonl", entry(), second, entry(provider="q"))
    provider = open_source(Source(Kind.TRANSCRIPT, "p", str(file)))
    assert provider.ask(request()) == Reply("a")
    assert provider.ask(request(call=2)) == Reply(" b\n", Usage(1, 2), "stop")
    with pytest.raises(ProviderError, match=r"no answer is recorded for p, task, direct, label 17, call 3") as raised:
        provider.ask(request(call=3))
    assert raised.value.lasting
    assert providers_in(file) == ["p", "q"]


def test_a_transcript_says_whether_the_prompt_was_this_one(tmp_path: Path) -> None:
    file = write(tmp_path / "t.jsonl", entry(prompt_sha256=prompt_sha256("this")))
    provider = open_source(Source(Kind.TRANSCRIPT, "p", str(file)))
    assert provider.ask(request("this")).same_prompt is True
    assert provider.ask(request("that")).same_prompt is False


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("{", "2: not JSON"),
        ("[]", '2: not a line of a transcript: "schema"'),
        (json.dumps({"schema": "other"}), "schema"),
        (json.dumps(entry(call="1")), '"call" must be a whole number'),
        (json.dumps(entry(label=True)), '"label" must be a whole number'),
        (json.dumps(entry(answer=None)), '"answer" must be a text'),
        (json.dumps(entry(usage={"prompt": "many"})), '"usage" must have'),
    ],
)
def test_what_is_no_transcript(line: str, words: str, tmp_path: Path) -> None:
    file = tmp_path / "t.jsonl"
    file.write_text(json.dumps(entry()) + "\n" + line + "\n")
    with pytest.raises(ProviderError, match=words):
        read_transcript(file)


def test_no_transcript_there(tmp_path: Path) -> None:
    with pytest.raises(ProviderError, match="cannot be read"):
        open_source(Source(Kind.TRANSCRIPT, "p", str(tmp_path / "none")))


class Counting:
    name = "p"

    def __init__(self) -> None:
        self.count = 0

    def ask(self, request: Request) -> Reply:
        self.count += 1
        return Reply(f"answer {self.count} ∀", Usage(3, self.count), "stop")


def test_a_recorder_asks_once_and_its_file_is_a_transcript(tmp_path: Path) -> None:
    file, provider = tmp_path / "t.jsonl", Counting()
    first = [Recorder(provider, file).ask(request(call=n)) for n in (2, 1)]
    again = Recorder(provider, file)
    assert [again.ask(request(call=n)) for n in (2, 1)] == first and provider.count == 2
    assert again.ask(request("another prompt", call=1)).text == "answer 3 ∀"  # not the answer to this prompt
    replayed = open_source(Source(Kind.TRANSCRIPT, "p", str(file)))
    assert replayed.ask(request(call=2)) == Reply("answer 1 ∀", Usage(3, 1), "stop", same_prompt=True)
    assert replayed.ask(request("another prompt", call=1)).text == "answer 3 ∀"  # the later one


def test_a_record_in_order_says_the_same(tmp_path: Path) -> None:
    file = tmp_path / "t.jsonl"
    lines = [line_of(request(call=n), Reply(str(n), Usage(n, n), "stop")) for n in (3, 1, 2)]
    file.write_text("".join(lines))
    assert write_transcript(read_transcript(file)) == "".join(sorted(lines))


def test_a_line_that_was_cut_is_taken_off(tmp_path: Path) -> None:
    file = tmp_path / "t.jsonl"
    whole = line_of(request(), Reply("a"))
    file.write_text(whole + whole[:40])
    mend(file)
    assert file.read_text() == whole
    mend(file)
    assert file.read_text() == whole
    mend(tmp_path / "none")
    assert not (tmp_path / "none").exists()


def test_half_of_a_surrogate_pair_is_no_reason_to_stop(tmp_path: Path) -> None:
    file = tmp_path / "t.jsonl"
    file.write_text(json.dumps(entry(answer="x\ud800y")) + "\n")
    assert open_source(Source(Kind.TRANSCRIPT, "p", str(file))).ask(request()).text == "x?y"
