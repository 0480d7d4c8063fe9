"""The service: the same answers as the library, whatever else comes in at the same time."""

from __future__ import annotations

import asyncio
import json
import random
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from samespec.batch.judge import Job, judge
from samespec.batch.shared import SharedPool

httpx = pytest.importorskip("httpx", reason="httpx is not installed: pip install 'samespec[test]'")
uvicorn = pytest.importorskip("uvicorn", reason="uvicorn is not installed: pip install 'samespec[serve]'")
pytest.importorskip("fastapi", reason="fastapi is not installed: pip install 'samespec[serve]'")

from samespec.service.app import create_app  # noqa: E402
from samespec.service.limits import Settings  # noqa: E402

BUDGET = 3_000_000
SETTINGS = Settings(workers=2, waiting=2000, body_mb=1, lines=50, seconds=60.0, memory_mb=1024, budget=BUDGET)


def file(promise: str) -> str:
    return f"use vstd::prelude::*;\nverus! {{\nfn f(x: u8, y: u8) -> (r: u16)\n    ensures {promise},\n{{\n    0\n}}\n}}\n"


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    pool = SharedPool(2)
    config = uvicorn.Config(create_app(pool, SETTINGS), log_level="error", lifespan="off")
    server = uvicorn.Server(config)
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen(2048)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
        thread.start()
        while not server.started:
            time.sleep(0.01)
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        server.should_exit = True
        thread.join(20)
    pool.close()


@pytest.fixture
def client(address: str) -> Iterator[Any]:
    with httpx.Client(base_url=address, timeout=120) as made:
        yield made


def expected(original: str, submitted: str) -> dict[str, Any]:
    return dict(judge(Job(original, submitted, None, "contract", False, False, BUDGET)).value)


def test_check(client: Any) -> None:
    original, weaker = file("r == x + y"), file("r >= x")
    answer = client.post("/check", json={"original": original, "submitted": weaker}).json()
    assert {k: v for k, v in answer.items() if k != "schema"} == expected(original, weaker)
    assert (answer["kept"], answer["verdict"]) == (False, "weakened")
    assert client.post("/check", json={"original": original, "submitted": file("x + y == r")}).json()["kept"] is True


def test_audit(client: Any) -> None:
    hole = file("r == x + y").replace("0\n}", "proof { assume(false); } 0\n}")
    answer = client.post("/audit", json={"submitted": hole}).json()
    assert answer["clean"] is False
    assert answer["audit"][0]["findings"][0]["hatch"] == "assume"
    assert client.post("/audit", json={"submitted": file("r >= 0")}).json()["clean"] is True


def test_batch(client: Any) -> None:
    lines = [{"id": n, "original": file("r == x"), "submitted": file(p)} for n, p in enumerate(("x == r", "r >= x", "true"))]
    lines.insert(1, {"id": "path", "original_path": "/etc/passwd", "submitted": "x"})
    text = "\n".join([*map(json.dumps, lines), "not json"])
    found = [json.loads(line) for line in client.post("/batch", content=text).text.splitlines()]
    assert [f["id"] for f in found] == [0, "path", 1, 2, None]
    assert [f["kept"] for f in found] == [True, None, False, False, None]
    assert "a path would be one of the server's" in found[1]["error"]["message"]
    assert found[4]["error"]["kind"] == "input"


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"original": "x"}, "submitted"),
        ({"original": "x", "submitted": ""}, "submitted"),
        ({"original": "x", "submitted": "y", "mode": "both"}, "mode"),
        ({"original": "x", "submitted": "y", "bugdet": 3}, "bugdet"),
        ({"original": "x\0", "submitted": "y"}, "original"),
        ({"original": 3, "submitted": "y"}, "original"),
    ],
)
def test_a_bad_request_says_which_field(client: Any, body: dict[str, Any], field: str) -> None:
    answer = client.post("/check", json=body)
    assert answer.status_code == 422
    assert answer.json()["detail"][0]["field"] == field


def test_limits(client: Any) -> None:
    large = client.post("/check", json={"original": "x" * (2 << 20), "submitted": "y"})
    assert large.status_code == 413

    def parts() -> Iterator[bytes]:
        for _ in range(40):
            yield b"x" * (1 << 16)

    assert client.post("/check", content=parts()).status_code == 413  # without a length beforehand
    many = "\n".join(json.dumps({"id": n, "original": "x", "submitted": "y"}) for n in range(51))
    assert client.post("/batch", content=many).status_code == 413


def test_who_announces_too_much_and_sends_nothing_is_answered(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("samespec.service.limits.REST_SECONDS", 0.2)
    host, port = address.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=60) as connection:
        connection.sendall(b"POST /check HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999\r\n\r\n")
        assert connection.recv(1 << 16).startswith(b"HTTP/1.1 413 ")


def test_a_file_that_a_text_names_is_not_read(client: Any, tmp_path: Path) -> None:
    (tmp_path / "secret.rs").write_text("compile_error!(\"a secret\");")
    text = file("r == x") + f'include!("{tmp_path / "secret.rs"}");\nmod secret;\n'
    for path in ("/check", "/audit"):
        answer = client.post(path, json={"original": text, "submitted": text})
        assert answer.status_code == 200 and "a secret" not in answer.text


def test_health_metrics_and_the_api(client: Any) -> None:
    assert client.get("/health").json()["status"] == "ok"
    client.get("/made/up")
    metrics = client.get("/metrics").text
    assert 'samespec_requests_total{path="other",status="404"}' in metrics
    assert "made" not in metrics
    api = client.get("/openapi.json").json()
    assert {"/check", "/audit", "/batch", "/health", "/metrics"} == set(api["paths"])


def test_the_page_loads_nothing_from_elsewhere(client: Any) -> None:
    page = client.get("/")
    assert page.headers["content-security-policy"].startswith("default-src 'none'")
    for name in ("/", "/page.js", "/page.css"):
        assert "http" not in client.get(name).text.replace("http-equiv", "")


def test_a_thousand_requests_at_once(address: str) -> None:
    """Malformed ones among them: every well-formed one gets the answer that it gets alone."""
    chance = random.Random(7)
    promises = ["r == x", "x == r", "r >= x", "r <= x + 3", "r == x, true", "r == x && r == x", "false", "r < x", "r + 0 == x"]
    pairs = [(file(a), file(b)) for a in promises[:3] for b in promises]
    right = {pair: expected(*pair) for pair in pairs}
    bad = ["{", '{"original": "x"}', "[]", json.dumps({"original": "fn (", "submitted": "}"}), "\x00\xff", "null"]
    asked: list[Any] = [chance.choice(pairs) if chance.random() < 0.8 else chance.choice(bad) for _ in range(1000)]

    async def ask(client: Any, what: tuple[str, str] | str) -> tuple[int, Any]:
        if isinstance(what, str):
            answer = await client.post("/check", content=what.encode("latin-1"), headers={"Content-Type": "application/json"})
        else:
            answer = await client.post("/check", json={"original": what[0], "submitted": what[1]})
        return answer.status_code, answer.json()

    async def everything() -> list[tuple[int, Any]]:
        limits = httpx.Limits(max_connections=1000, max_keepalive_connections=0)
        async with httpx.AsyncClient(base_url=address, timeout=600, limits=limits) as client:
            return list(await asyncio.gather(*(ask(client, what) for what in asked)))

    found = asyncio.run(everything())
    for what, (status, answer) in zip(asked, found, strict=True):
        if isinstance(what, str):
            assert status == 422 or answer["kept"] is None, (what, answer)
        else:
            assert status == 200
            assert {k: v for k, v in answer.items() if k != "schema"} == right[what]


def test_a_full_service_says_so() -> None:
    from fastapi.testclient import TestClient

    class Stuck(SharedPool):
        def judge(self, job: Job, limits: Any) -> dict[str, Any]:
            released.wait(30)
            return {"verdict": "equivalent", "kept": True, "error": None}

    released = threading.Event()
    app = create_app(Stuck(1), Settings(workers=1, waiting=0, budget=BUDGET))
    body = {"original": "x", "submitted": "y"}
    with TestClient(app) as client:
        first = threading.Thread(target=client.post, args=("/check",), kwargs={"json": body})
        first.start()
        while client.get("/health").json()["under_way"] == 0:
            time.sleep(0.01)
        second = client.post("/check", json=body)
        released.set()
        first.join()
    assert (second.status_code, second.headers["retry-after"]) == (503, "1")
