"""The records of providers, and the interface that all of them have.

In: nothing. Out: `Key`, `Request`, `Reply`, `Provider`, `Source`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple, Protocol

from witness.model import Json


class ProviderError(Exception):
    """No answer, and why. `lasting` says that asking again will not help: a wrong key, an unknown model, nothing recorded."""

    def __init__(self, message: str, *, lasting: bool = True) -> None:  # the default lets it travel between processes
        super().__init__(message)
        self.lasting = lasting


class Key(NamedTuple):
    """What names one call: `purpose` is a policy, or `repair:…` and `synthesis:…` in the downstream comparison; `label` the
    tracking label of the episode (the number of the attempt, downstream); `call` counts from 1."""

    provider: str
    task: str
    purpose: str
    label: int
    call: int

    def __str__(self) -> str:
        return f"{self.provider}, {self.task}, {self.purpose}, label {self.label}, call {self.call}"


@dataclass(frozen=True, slots=True)
class Request:
    key: Key
    prompt: str


class Usage(NamedTuple):
    """Tokens, as the provider counts them."""

    prompt: int
    answer: int


@dataclass(frozen=True, slots=True)
class Reply:
    """`text` is the answer, byte for byte ("" where there was none: then `ended` says why). `ended` is how it ended, in the
    provider's words ("" where it does not say). `same_prompt` is for recorded answers: whether the recorded prompt was this one,
    None where the record does not tell."""

    text: str
    usage: Usage | None = None
    ended: str = ""
    same_prompt: bool | None = None


def clean(text: str) -> str:
    """The text as it can be written down: half of a surrogate pair has no bytes, and becomes a question mark."""
    return text.encode("utf-8", "replace").decode()


class Provider(Protocol):
    """`name` is what records call it."""

    @property
    def name(self) -> str: ...

    def ask(self, request: Request) -> Reply:
        """Raises `ProviderError`."""
        ...


class Kind(StrEnum):
    OPENAI = "openai"
    COMMAND = "command"
    TRANSCRIPT = "transcript"


@dataclass(frozen=True, slots=True)
class Source:
    """How to open a provider, as plain data: it goes into other processes and into the settings of a run.

    `what` is a model, a command line or a file. `parameters` are added to each request to a model. `seconds` and `output_bytes`
    bound one call of a command, `seconds` one request to a model; `retries` is how often a model's endpoint is asked again after
    a transient failure; `fenced` puts a command behind the referee's fence; `as_json` gives it the whole request as JSON.
    """

    kind: Kind
    name: str
    what: str
    parameters: Mapping[str, Json] = field(default_factory=dict)
    seconds: float = 600.0
    output_bytes: int = 1 << 20
    retries: int = 6
    fenced: bool = False
    as_json: bool = False


def open_source(source: Source) -> Provider:
    """The provider that a source describes. Raises `ProviderError` where it cannot be used at all."""
    match source.kind:
        case Kind.OPENAI:
            from witness.policies.providers.openai_api import OpenAiProvider

            return OpenAiProvider(source)
        case Kind.COMMAND:
            from witness.policies.providers.command import CommandProvider

            return CommandProvider(source)
        case Kind.TRANSCRIPT:
            from witness.policies.providers.transcript import TranscriptProvider

            return TranscriptProvider(source)
