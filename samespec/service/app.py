"""The end points: check, audit, batch, health, metrics, and the page for people.

In: a pool of worker processes and settings. Out: an ASGI application. Every verdict comes from the code of `samespec batch`: the
same pair has the same answer there. Texts that come in are judged as they are: no file that they name is read.
"""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import anyio
import anyio.to_thread
from fastapi import FastAPI, HTTPException, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import FileResponse, JSONResponse, StreamingResponse
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from samespec import __version__
from samespec.batch.items import BadLine, Item, read_items, text_problem
from samespec.batch.judge import AUDIT, CHECK, Job, failed
from samespec.batch.output import SCHEMA
from samespec.batch.process import Limits
from samespec.batch.shared import SharedPool
from samespec.fingerprint import fingerprint
from samespec.service.limits import BodyLimit, Full, Gate, Settings
from samespec.service.models import AuditRequest, CheckRequest

Json = dict[str, Any]
_STATIC = Path(__file__).with_name("static")
_PAGES = (("/", "page.html", "text/html"), ("/page.js", "page.js", "text/javascript"), ("/page.css", "page.css", "text/css"))
#: The page runs its own script and asks its own server; nothing else.
_POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; form-action 'none'"


class Metrics:
    """Counters of one service, for Prometheus."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        make: dict[str, Any] = {"registry": self.registry}
        self.requests = Counter("samespec_requests_total", "Requests, by end point and status.", ["path", "status"], **make)
        self.verdicts = Counter("samespec_verdicts_total", "Answers, by verdict or kind of error.", ["verdict"], **make)
        self.inside = Gauge("samespec_requests_under_way", "Requests under way.", **make)
        self.seconds = Histogram("samespec_judge_seconds", "Seconds from the request for a worker to its answer.", **make)


def create_app(pool: SharedPool, settings: Settings) -> FastAPI:
    """The application; whoever serves it closes the pool."""
    app = FastAPI(
        title="samespec",
        version=__version__,
        description="Did the contract of a Verus function survive the edit?",
        docs_url=None,  # these pages would load their scripts from elsewhere
        redoc_url=None,
    )
    service = _Service(pool, settings)
    app.add_middleware(BodyLimit, most=settings.body_mb << 20)
    app.middleware("http")(service.counted)
    app.exception_handler(Full)(_full)
    app.exception_handler(RequestValidationError)(_invalid)
    app.post("/check", summary="Did the contracts survive?")(service.check)
    app.post("/audit", summary="What do the proofs lean on?")(service.audit)
    app.post(
        "/batch",
        summary="Many pairs: JSON lines in, JSON lines out, as by samespec batch",
        openapi_extra={"requestBody": {"content": {"application/x-ndjson": {"schema": {"type": "string"}}}, "required": True}},
    )(service.batch)
    app.get("/health", summary="Is the service up?")(service.health)
    app.get("/metrics", summary="Counters for Prometheus", response_class=Response)(service.metrics_page)
    for name, file, kind in _PAGES:
        app.get(name, include_in_schema=False)(_file(file, kind))
    return app


def _file(name: str, kind: str) -> Callable[[], FileResponse]:
    def send() -> FileResponse:
        headers = {"Content-Security-Policy": _POLICY, "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer"}
        return FileResponse(_STATIC / name, media_type=f"{kind}; charset=utf-8", headers=headers)

    return send


async def _full(_request: Request, _error: Exception) -> JSONResponse:
    return JSONResponse({"detail": "too many requests are under way; try again"}, 503, {"Retry-After": "1"})


async def _invalid(_request: Request, error: Exception) -> JSONResponse:
    """What is wrong with a request, field by field; what came is not sent back."""
    assert isinstance(error, RequestValidationError)
    problems = [{"field": ".".join(map(str, e["loc"][1:])), "message": e["msg"]} for e in error.errors()]
    return JSONResponse({"detail": problems}, 422)


class _Service:
    def __init__(self, pool: SharedPool, settings: Settings) -> None:
        self.pool, self.settings = pool, settings
        self.gate = Gate(settings.workers + settings.waiting)
        self.limits = Limits(settings.seconds, settings.memory_mb)
        self.metrics = Metrics()
        self.threads = anyio.CapacityLimiter(settings.workers)

    # --- judging -----------------------------------------------------------------------------------------------------

    async def check(self, request: CheckRequest) -> Json:
        """The answer for one pair, as in `samespec batch` (samespec/schemas/batch-1.json), without an id."""
        targets = None if request.targets is None else tuple(request.targets)
        budget = min(request.budget or self.settings.budget, self.settings.budget)
        job = Job(request.original, request.submitted, targets, request.mode, request.audit, request.strict, budget)
        return {"schema": SCHEMA, **await self.judged(job)}

    async def audit(self, request: AuditRequest) -> Json:
        """What the proofs of the targets lean on: `audit` has a closure for each."""
        targets = None if request.targets is None else tuple(request.targets)
        job = Job(request.original or "", request.submitted, targets, "contract", True, False, self.settings.budget, AUDIT)
        return await self.judged(job)

    async def batch(self, request: Request) -> StreamingResponse:
        """As `samespec batch`; texts only: a path would be one of the server's. Results come in the order of the lines."""
        body = await request.body()
        items = list(read_items(io.BytesIO(body), Path("/nowhere")))
        if len(items) > self.settings.lines:
            raise HTTPException(413, f"more than {self.settings.lines} lines; send them in parts")
        paths = _with_paths(body)
        return StreamingResponse(self._lines(items, paths), media_type="application/x-ndjson")

    async def _lines(self, items: list[Item | BadLine], paths: set[int]) -> Any:
        """Result lines, in order, as they are done; so many at a time as there are workers."""
        done: dict[int, Json] = {}
        ready = anyio.Event()

        async def one(number: int, item: Item | BadLine) -> None:
            nonlocal ready
            done[number] = await self._item(item, paths)
            ready.set()

        async with anyio.create_task_group() as group:
            under_way, at = 0, 0
            for number in range(len(items)):
                while at < len(items) and under_way < self.settings.workers:
                    group.start_soon(one, at, items[at])
                    at, under_way = at + 1, under_way + 1
                while number not in done:
                    await ready.wait()
                    ready = anyio.Event()
                under_way -= 1
                yield json.dumps(done.pop(number), ensure_ascii=False) + "\n"

    async def _item(self, item: Item | BadLine, paths: set[int]) -> Json:
        head = {"schema": SCHEMA, "id": item.id}
        if item.line in paths:
            message = "a path would be one of the server's; send the text"
            return {**head, **failed("input", message, line=item.line)}
        if isinstance(item, BadLine):
            return {**head, **failed(item.kind, item.message, line=item.line, field=item.field)}
        job = Job(item.original, item.submitted, item.targets, item.mode, False, False, self.settings.budget, CHECK)
        try:
            return {**head, **await self.judged(job)}
        except HTTPException as error:
            return {**head, **failed("source", str(error.detail), line=item.line)}

    async def judged(self, job: Job) -> Json:
        """The answer of a worker. Raises `HTTPException` for what is no text of a Rust file."""
        for name in ("original", "submitted"):
            text = getattr(job, name)
            problem = text_problem(text) if text or name == "submitted" else None
            if problem is not None:
                raise HTTPException(422, [{"field": name, "message": problem}])
        async with self.gate.room():
            with self.metrics.inside.track_inprogress(), self.metrics.seconds.time():
                value: Json = await anyio.to_thread.run_sync(self.pool.judge, job, self.limits, limiter=self.threads)
        error = value["error"]
        self.metrics.verdicts.labels(str(value.get("verdict", AUDIT)) if error is None else error["kind"]).inc()
        return value

    # --- about the service -------------------------------------------------------------------------------------------

    async def health(self) -> Json:
        """Up, and which code decides."""
        return {
            "status": "ok",
            "version": __version__,
            "code": fingerprint(),
            "workers": self.settings.workers,
            "under_way": self.gate.inside,
        }

    async def metrics_page(self) -> Response:
        return Response(generate_latest(self.metrics.registry), media_type=CONTENT_TYPE_LATEST)

    async def counted(self, request: Request, call: Callable[[Request], Any]) -> Response:
        """Counts a request under the path of its end point: what somebody makes up is one path."""
        response: Response = await call(request)
        known = {"/check", "/audit", "/batch", "/health", "/metrics", "/openapi.json", *(name for name, _, _ in _PAGES)}
        path = request.url.path if request.url.path in known else "other"
        self.metrics.requests.labels(path, str(response.status_code)).inc()
        return response


def _with_paths(body: bytes) -> set[int]:
    """The numbers of the lines that name files."""
    return {n for n, line in enumerate(_split(body), 1) if b"_path" in line and _names_path(line)}


def _split(body: bytes) -> Iterator[bytes]:
    yield from io.BytesIO(body)


def _names_path(line: bytes) -> bool:
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        return False
    return isinstance(record, dict) and any(record.get(f"{side}_path") is not None for side in ("original", "submitted"))
