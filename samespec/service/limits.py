"""What a request may cost: its size, and how many are under way.

In: settings. Out: a middleware that refuses what is too large before it is read whole, and a gate that lets so many requests
wait for a worker and turns the others away at once. Time and memory are the workers' own limits (`samespec.batch.process`).
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass

from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

#: Of a request that is refused as too large, so many times as much as one may have is still let come, for so many seconds.
REST, REST_SECONDS = 4, 5.0


@dataclass(frozen=True, slots=True)
class Settings:
    """`workers` processes; `waiting` requests may wait for one; `body_mb` is the size of a request, `lines` how many lines a
    batch may have; `seconds` and `memory_mb` are for one pair; `budget` bounds what a request may ask for."""

    workers: int
    waiting: int = 1024
    body_mb: int = 20
    lines: int = 1000
    seconds: float = 60.0
    memory_mb: int = 2048
    budget: int = 3_000_000


class Full(Exception):
    """As many requests are under way as may be."""


class Gate:
    """Counts the requests under way."""

    def __init__(self, most: int) -> None:
        self.most, self.inside = most, 0

    @asynccontextmanager
    async def room(self) -> AsyncIterator[None]:
        """Raises `Full`. Only the event loop's own thread comes here."""
        if self.inside >= self.most:
            raise Full
        self.inside += 1
        try:
            yield
        finally:
            self.inside -= 1


class BodyLimit:
    """Refuses a body of more than `most` bytes with status 413, by its announced length or as it comes.

    What is on its way is let come, and thrown away, before the answer: a connection that is closed on a client in the midst of
    sending is reset, and the client may never see why. That has bounds of its own (`REST`, `REST_SECONDS`).
    """

    def __init__(self, app: ASGIApp, most: int) -> None:
        self.app, self.most = app, most

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        announced = next((value for name, value in scope["headers"] if name == b"content-length"), b"0")
        if announced.isdigit() and int(announced) > self.most:
            await self._let_come(receive)
            await self._refuse(send)
            return
        came = 0

        async def limited() -> Message:
            nonlocal came
            message = await receive()
            came += len(message.get("body", b""))
            if came > self.most:
                if message.get("more_body", False):
                    await self._let_come(receive)
                raise HTTPException(413, self._words)
            return message

        await self.app(scope, limited, send)

    async def _let_come(self, receive: Receive) -> None:
        """The rest of a request that is refused, unless it is too long or takes too long."""
        left = REST * self.most
        with suppress(TimeoutError):
            async with asyncio.timeout(REST_SECONDS):
                while left > 0:
                    message = await receive()
                    if message["type"] != "http.request" or not message.get("more_body", False):
                        return
                    left -= len(message.get("body", b""))

    @property
    def _words(self) -> str:
        return f"the request is larger than {self.most >> 20} MiB"

    async def _refuse(self, send: Send) -> None:
        text = json.dumps({"detail": self._words}).encode()
        headers = [(b"content-type", b"application/json"), (b"connection", b"close")]
        await send({"type": "http.response.start", "status": 413, "headers": headers})
        await send({"type": "http.response.body", "body": text})

