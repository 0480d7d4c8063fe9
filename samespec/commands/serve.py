"""`samespec serve`: the HTTP service."""

from __future__ import annotations

import os

import click


@click.command(
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="""
    \b
    Examples:
      samespec serve                          on http://127.0.0.1:8650, with a page for people
      samespec serve --port 9000 --workers 8
      curl -s localhost:8650/check -H 'Content-Type: application/json' -d @pair.json
    """,
)
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen at; there is no password.")
@click.option("--port", type=click.IntRange(0, 65535), default=8650, show_default=True)
@click.option("--workers", type=click.IntRange(1), help="Processes that judge (default: one for each core).")
@click.option("--waiting", type=click.IntRange(0), default=1024, show_default=True, help="Requests that may wait for a worker.")
@click.option("--body-mb", type=click.IntRange(1), default=20, show_default=True, help="Largest request, in MiB.")
@click.option("--lines", type=click.IntRange(1), default=1000, show_default=True, help="Most lines of one batch.")
@click.option("--seconds", type=click.FloatRange(0, min_open=True), default=60.0, show_default=True, help="Time for one pair.")
@click.option("--memory-mb", type=click.IntRange(128), default=2048, show_default=True, help="Memory for one pair.")
@click.option("--budget", type=click.IntRange(1), help="Most work a request may ask for, in Z3's resource units an obligation.")
def serve(
    host: str,
    port: int,
    workers: int | None,
    waiting: int,
    body_mb: int,
    lines: int,
    seconds: float,
    memory_mb: int,
    budget: int | None,
) -> int:
    """Serve check, audit and batch over HTTP, for training clusters and editors.

    End points: POST /check, /audit, /batch; GET /health, /metrics (Prometheus), /openapi.json, and / (a page on which one can
    paste two contracts). Needs `pip install 'samespec[serve]'`.

    There is no password and no encryption: serve on a network that you trust. Texts that come in are judged as they are; no file
    that they name is read, and nothing in them is run.
    """
    try:
        import uvicorn

        from samespec.service.app import create_app
    except ImportError as error:
        raise click.ClickException(f"{error.name} is not installed: pip install 'samespec[serve]'") from error
    from samespec import api
    from samespec.batch.shared import SharedPool
    from samespec.service.limits import Settings

    count = workers or len(os.sched_getaffinity(0))
    settings = Settings(count, waiting, body_mb, lines, seconds, memory_mb, budget or api.default_budget())
    pool = SharedPool(count)
    try:
        uvicorn.run(create_app(pool, settings), host=host, port=port, log_level="warning", server_header=False)
    finally:
        pool.close()
    return 0
