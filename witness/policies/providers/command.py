"""A command as a provider: the prompt on its standard input, the answer on its standard output.

In: prompts (as text, or the whole request as JSON). Out: what it printed; if that is a JSON object with a `text`, then that text,
and its `usage`. A call that runs into a limit gave no answer, and stays in the count; a command that fails is an error.
"""

from __future__ import annotations

import json
import shlex
import shutil
from pathlib import Path
from typing import Any

from referee.fence import Fence, FenceError, Job, Runner, Unfenced, find_fence
from referee.process import Limits, Ran
from witness.policies.providers.base import ProviderError, Reply, Request, Source, Usage, clean

REQUEST = "samespec/witness-request/1"


class CommandProvider:
    """A command, run anew for each call."""

    def __init__(self, source: Source) -> None:
        self._source = source
        try:
            words = shlex.split(source.what)
        except ValueError as error:
            raise ProviderError(f"{source.what}: no command line: {error}", lasting=True) from None
        if not words:
            raise ProviderError("the command is empty", lasting=True)
        self._words = [_absolute(w) for w in words]
        if shutil.which(self._words[0]) is None:
            raise ProviderError(f"{words[0]}: no such program, or it may not be executed", lasting=True)
        self._runner: Runner = self._fence() if source.fenced else Unfenced()
        self._seen = tuple(p for p in (Path(w) for w in self._words) if p.is_absolute() and p.exists())

    @property
    def name(self) -> str:
        return self._source.name

    def ask(self, request: Request) -> Reply:
        source = self._source
        limits = Limits(wall=source.seconds, output_bytes=source.output_bytes)
        shown = self._seen if isinstance(self._runner, Fence) else ()
        ran = self._runner.run(Job(tuple(self._words), limits, stdin=self._input(request).encode(), read_only=shown))
        if ran.stopped is not None:
            return Reply("", ended=f"stopped by the limit on {ran.stopped}")
        if ran.status != 0:
            said = " ".join(ran.stderr.decode(errors="replace").split())[-300:] or ran.note
            how = f"signal {-ran.status}" if ran.status < 0 else f"exit status {ran.status}"
            raise ProviderError(f"`{source.what}` failed with {how}: {said or 'it said nothing'}", lasting=False)
        return self._reply(ran)

    def _fence(self) -> Fence:
        try:
            return find_fence()
        except FenceError as error:
            raise ProviderError(str(error), lasting=True) from error

    def _input(self, request: Request) -> str:
        if not self._source.as_json:
            return request.prompt
        key = request.key
        record = {
            "schema": REQUEST,
            "task": key.task,
            "purpose": key.purpose,
            "label": key.label,
            "call": key.call,
            "prompt": request.prompt,
        }
        return json.dumps(record, ensure_ascii=False) + "\n"

    def _reply(self, ran: Ran) -> Reply:
        try:
            text = ran.stdout.decode()
        except UnicodeDecodeError:
            return Reply(ran.stdout.decode(errors="replace"), ended="not UTF-8")
        if not self._source.as_json:
            return Reply(text)
        try:
            record = json.loads(text)
        except ValueError:
            return Reply(text)
        if not isinstance(record, dict) or not isinstance(record.get("text"), str):
            return Reply(text)
        return Reply(clean(record["text"]), _usage(record.get("usage")))


def _usage(used: Any) -> Usage | None:
    if isinstance(used, dict) and all(isinstance(used.get(k), int) for k in ("prompt", "answer")):
        return Usage(used["prompt"], used["answer"])
    return None


def _absolute(word: str) -> str:
    """A file that is named relative to here, by its whole path: the command runs in a folder of its own."""
    path = Path(word)
    return str(path.resolve()) if not path.is_absolute() and path.is_file() else word
