"""Any OpenAI-compatible endpoint, by way of the `openai` client.

In: prompts. Out: the first choice of a chat completion of one user message. Key and address come from the environment
(OPENAI_API_KEY, OPENAI_BASE_URL): neither is written down anywhere. No sampling parameter is sent unless the source names it, so
the endpoint's defaults apply. Transient failures (connection, time-out, 408, 409, 429, 5xx) are retried by the client, with its
exponential back-off; an answer without text (a refusal, a filter, a limit) is an answer, and stays in the count.
"""

from __future__ import annotations

import os
from typing import Any
from urllib.parse import urlsplit

from witness.policies.providers.base import ProviderError, Reply, Request, Source, Usage, clean

INSTALL = "the OpenAI-compatible provider needs the client: pip install 'samespec[models]'"
NO_KEY = (
    "OPENAI_API_KEY is not set; set it (any text will do for a local server that wants none), and OPENAI_BASE_URL to the address "
    "of an endpoint other than OpenAI's"
)
_CHECK_KEY = "; check OPENAI_API_KEY"
_ADVICE = {401: _CHECK_KEY, 403: _CHECK_KEY, 404: "; check the model's name and OPENAI_BASE_URL"}


class OpenAiProvider:
    """One model at the endpoint that the environment names."""

    def __init__(self, source: Source) -> None:
        try:
            import openai
        except ImportError:
            raise ProviderError(INSTALL, lasting=True) from None
        if not os.environ.get("OPENAI_API_KEY"):
            raise ProviderError(NO_KEY, lasting=True)
        self._openai = openai
        self._source = source
        self._client = openai.OpenAI(timeout=source.seconds, max_retries=source.retries)
        self.address = _bare(str(self._client.base_url))

    @property
    def name(self) -> str:
        return self._source.name

    def ask(self, request: Request) -> Reply:
        openai, source = self._openai, self._source
        body: dict[str, Any] = dict(source.parameters)
        try:
            made = self._client.chat.completions.create(
                model=source.what, messages=[{"role": "user", "content": request.prompt}], **body
            )
        except openai.APIStatusError as error:
            if _filtered(error):
                return Reply("", ended="content_filter")
            transient = error.status_code in (408, 409, 429) or error.status_code >= 500
            message = f"{self.address} answered {error.status_code} for {source.what}: {_short(error.message)}"
            raise ProviderError(message + _ADVICE.get(error.status_code, ""), lasting=not transient) from error
        except openai.APIConnectionError as error:
            why = _short(str(error.__cause__ or error))
            raise ProviderError(f"{self.address} cannot be reached: {why}", lasting=False) from error
        except (openai.OpenAIError, TypeError, ValueError) as error:
            raise ProviderError(f"{self.address}: {_short(str(error))}", lasting=True) from error
        return self._reply(made)

    def _reply(self, made: Any) -> Reply:
        choices = getattr(made, "choices", None)
        if not choices:
            raise ProviderError(f"{self.address}: the answer is no chat completion: it has no choices", lasting=False)
        said = choices[0].message.content
        used = made.usage
        usage = None if used is None else Usage(int(used.prompt_tokens or 0), int(used.completion_tokens or 0))
        return Reply(clean(said) if isinstance(said, str) else "", usage, str(choices[0].finish_reason or ""))


def _filtered(error: Any) -> bool:
    """Whether a refused request is the endpoint's way of refusing to answer."""
    return error.status_code == 400 and "content_filter" in str(getattr(error, "code", "") or "")


def _bare(address: str) -> str:
    """An address without what may be secret in it."""
    parts = urlsplit(address)
    port = f":{parts.port}" if parts.port else ""
    return f"{parts.scheme}://{parts.hostname or ''}{port}{parts.path}".rstrip("/")


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= 300 else text[:299] + "…"
