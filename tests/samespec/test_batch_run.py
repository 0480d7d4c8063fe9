"""A batch as a whole, with workers that answer at once: the same lines whatever happens to it."""

from __future__ import annotations

import io
import json
import random
import time
from pathlib import Path

import pytest

from equiv.verdict import CheckReport, Reason, TargetReport, Verdict
from samespec.batch import run as batch_run
from samespec.batch.judge import Job, Judged, failed, judge
from samespec.batch.output import ResultFile, Stream
from samespec.batch.run import Options, run_batch
from samespec.cache import Cache


class Fake:
    """Answers with the submitted text; keeps count."""

    def __init__(self, did, lasting=True):
        self.did, self.lasting = did, lasting

    def prepare(self):
        pass

    def judge(self, job):
        self.did.append(job.submitted)
        if job.submitted.startswith("slow"):
            time.sleep(0.05)
        kept = {"k": True, "b": False}.get(job.submitted[-1])
        value = {**failed("target", ""), "verdict": "equivalent", "kept": kept, "reason": job.submitted, "error": None}
        if job.submitted.startswith("bomb"):
            value = failed("time-limit", "no verdict")
        return Judged(value, self.lasting and value["error"] is None, 1.5)

    def close(self):
        pass


def lines(*records):
    return [r if isinstance(r, str) else json.dumps({"original": "o", **r}) for r in records]


SOME = lines(
    {"id": "a", "submitted": "slow k"},
    {"id": "b", "submitted": "1 b"},
    "{",
    {"id": "c", "submitted": "2 u"},
    {"id": "d", "submitted": "1 b"},
    {"id": "b", "submitted": "again k"},
    {"id": "e", "submitted": "bomb"},
    {"id": "f", "submitted_path": "nowhere.rs"},
)


def go(output, data, *, workers=3, did=None, **more):
    did = [] if did is None else did
    cache = more.pop("cache", None)
    pool = [Fake(did) for _ in range(workers)]
    stream = io.BytesIO("\n".join(data).encode())
    return run_batch(stream, Path(), pool, output, Options(1000, **more), cache=cache)


def text(data, **more):
    out = io.BytesIO()
    summary = go(Stream(out), data, **more)
    return out.getvalue().decode().splitlines(), summary


def ids(found):
    return [json.loads(line)["id"] for line in found]


def test_in_order_and_counted():
    found, summary = text(SOME)
    assert ids(found) == ["a", "b", None, "c", "d", "b", "e", "f"]
    assert (summary.items, summary.kept, summary.broken, summary.undecided, summary.errors) == (8, 1, 2, 1, 4)
    assert summary.by_error == {"input": 2, "time-limit": 1, "source": 1}
    errors = [json.loads(line)["error"] for line in found]
    assert [e and (e["kind"], e["line"], e["field"]) for e in errors] == [
        None,
        None,
        ("input", 3, None),
        None,
        None,
        ("input", 6, "id"),
        ("time-limit", None, None),
        ("source", 8, "submitted_path"),
    ]
    assert text(SOME, workers=1)[0] == found


def test_as_they_finish():
    found, summary = text(SOME, ordered=False)
    assert sorted(found) == sorted(text(SOME)[0])
    assert summary.items == 8
    assert ids(found)[-1] != "f", "the slow one is not waited for"


def test_the_same_pair_is_judged_once():
    did = []
    data = lines(*({"id": i, "submitted": f"{i % 3} k"} for i in range(30)))
    found, summary = text(data, did=did)
    assert sorted(did) == ["0 k", "1 k", "2 k"]
    assert (summary.cached, summary.kept) == (27, 30)
    assert [json.loads(line)["reason"] for line in found] == [f"{i % 3} k" for i in range(30)]


def test_timings_are_apart():
    found, _ = text(SOME[:1] * 1, timings=True)
    assert json.loads(found[0])["timing"] == {"seconds": 1.5, "cached": False}
    plain = json.loads(found[0])
    del plain["timing"]
    assert json.dumps(plain) == text(SOME[:1])[0][0]


def test_the_input_hash_knows_everything_that_is_asked():
    base = {"id": 1, "submitted": "x k"}
    variants = [
        ({}, {}),
        ({"submitted": "y k"}, {}),
        ({"original": "other"}, {}),
        ({"targets": ["f"]}, {}),
        ({"mode": "proof"}, {}),
        ({}, {"strict": True}),
        ({}, {"audit": True}),
    ]
    hashes = [json.loads(text(lines({**base, **fields}), **asked)[0][0])["input"] for fields, asked in variants]
    assert len(set(hashes)) == len(hashes)
    assert json.loads(text(lines({**base, "id": 2}))[0][0])["input"] == hashes[0], "the id does not decide"


def test_a_cache_answers(tmp_path):
    did = []
    with_cache = Cache(tmp_path / "c")
    first, _ = text(SOME, did=did, cache=with_cache)
    before = len(did)
    second, summary = text(SOME, did=did, cache=with_cache)
    assert first == second
    assert did[before:] == ["bomb"], "what a limit ended is tried again"
    assert summary.cached == 4
    with_cache.close()


def test_what_the_clock_decided_is_not_kept(tmp_path):
    cache = Cache(tmp_path / "c")
    run_batch(io.BytesIO(SOME[0].encode()), Path(), [Fake([], lasting=False)], Stream(io.BytesIO()), Options(1), cache=cache)
    assert len(cache) == 0
    cache.close()


def test_results_wait_in_bounded_number(monkeypatch):
    monkeypatch.setattr(batch_run, "_WAITING", 4)
    data = lines({"id": "first", "submitted": "slow k"}, *({"id": i, "submitted": f"{i} k"} for i in range(50)))
    found, _ = text(data)
    assert ids(found) == ["first", *range(50)]


# --- stopped and resumed ---------------------------------------------------------------------------------------------


class Killed(BaseException):
    pass


class Dying(ResultFile):
    """A result file whose process is killed after so many bytes: in the midst of a line, if it comes to that."""

    left = 0

    def write(self, mark, line):
        if self.left < len(line):
            super().write(mark, line[: self.left])
            raise Killed
        self.left -= len(line)
        super().write(mark, line)

    def finish(self, order):
        if self.left < 100:
            raise Killed
        super().finish(order)


def killed(path, data, after, **more):
    """One run that ends after so many bytes; whether it came to its end."""
    out = Dying(path, resume=path.exists())
    out.left = after
    try:
        go(out, data, **more)
    except Killed:
        return False
    finally:
        out.close()
    return True


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("ordered", [True, False])
def test_killed_and_resumed(tmp_path, seed, ordered):
    rng = random.Random(seed)
    whole, _ = text(SOME)
    path = tmp_path / "out"
    for _ in range(5):
        killed(path, SOME, rng.randrange(1500), ordered=ordered)
    assert killed(path, SOME, 1 << 30, ordered=ordered)
    found = path.read_text().splitlines()
    assert (found if ordered else sorted(found)) == (whole if ordered else sorted(whole))


def test_resumed_input_that_changed(tmp_path):
    path = tmp_path / "out"
    assert killed(path, SOME, 1 << 30)
    changed = [SOME[4], *SOME[:4], lines({"id": "new", "submitted": "new k"})[0]]
    did = []
    assert killed(path, changed, 1 << 30, did=did)
    assert did == ["new k"], "only what is new is judged"
    assert path.read_text().splitlines() == text(changed)[0]


def test_resumed_with_other_options(tmp_path):
    path = tmp_path / "out"
    assert killed(path, SOME, 1 << 30)
    assert killed(path, SOME, 1 << 30, strict=True)
    assert path.read_text().splitlines() == text(SOME, strict=True)[0]


def test_resumed_as_they_finish_then_in_order(tmp_path):
    path = tmp_path / "out"
    killed(path, SOME, 1200, ordered=False)
    assert killed(path, SOME, 1 << 30)
    assert path.read_text().splitlines() == text(SOME)[0]
    assert list(tmp_path.iterdir()) == [path]


def test_the_summary_of_a_resumed_batch_counts_all(tmp_path):
    path = tmp_path / "out"
    assert killed(path, SOME, 1 << 30)
    out = ResultFile(path, resume=True)
    summary = go(out, SOME)
    out.close()
    assert (summary.items, summary.resumed, summary.errors, summary.broken) == (8, 8, 4, 2)


# --- the judge -------------------------------------------------------------------------------------------------------


def test_memory_that_ran_out_is_no_verdict(monkeypatch):
    import equiv.check

    for message in ("internal error (MemoryError: )", "internal error (Z3Exception: b'out of memory')"):
        target = TargetReport("crate::f", Verdict.UNSUPPORTED, (Reason("internal-error", message),))
        report = CheckReport("o", "s", "", "", (target,))
        monkeypatch.setattr(equiv.check, "check_sources", lambda *a, report=report, **k: report)
        with pytest.raises(MemoryError):
            judge(Job("o", "s", None, "contract", False, False, 1))


def test_no_file_that_a_text_names_is_read(tmp_path, monkeypatch):
    import depgraph.crate_loader

    def refused(path):
        pytest.fail(f"{path} was read")

    monkeypatch.setattr(depgraph.crate_loader, "read_source", refused)
    other = tmp_path / "other.rs"
    other.write_text("pub proof fn lemma() ensures false { assume(false); }")
    text = "verus! { fn f(x: u8) -> (r: u8) ensures r >= x { x } }"
    for more in (f'#[path = "{other}"] mod other;', f'include!("{other}");', "mod other;"):
        leaning = text.replace("{ x }", "{ proof { other::lemma(); lemma(); } 0 }")
        value = judge(Job(text, f"{leaning}\n{more}\n", None, "contract", True, False, 1000)).value
        assert value["kept"] is None, "what stands in that file is unknown"


@pytest.mark.parametrize("moved", ["mod m { pub fn f(x: u8) -> (r: u8) ensures r >= x { assume(false); 0 } } pub use m::f;"])
def test_a_target_that_moved_is_audited_where_it_stands(moved):
    text = "verus! { fn f(x: u8) -> (r: u8) ensures r >= x { x } }"
    value = judge(Job(text, f"verus! {{ {moved} }}", None, "contract", True, False, 100_000)).value
    assert (value["kept"], value["reason"]["code"]) == (False, "assume")
