"""The report on a campaign: acceptance, correctness, cost and censoring, each apart, each with its own denominator.

In: a verified log. Out: JSON, and text for people. Proportions carry the exact interval of Clopper and Pearson; attempts at one
task are not independent of each other, and the text says so.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from referee.log import Verified
from referee.outcome import Correctness, Outcome
from referee.statistics import clopper_pearson, pass_at_k

TRUST = """\
What was checked, and by whom
  the referee   ran {verus}; an accepted file means "the referee accepted": Verus emits no proof object that
                somebody else could check.
  the screen    looked for forbidden constructs (by name and by closure audit), counted them, and had the embedded solver
                show that each contract is kept. A contract that is not shown to be kept was screened out.
  the fence     {fence}
  the tests     ran the erased executable code on withheld cases; they sample, they prove nothing.
  the cost      tokens and dollars are the agent's own word; wall time is the referee's.
Nobody checked
  that the task's own contract says what somebody wanted; that Verus, Z3, rustc, bubblewrap and the kernel are right;
  that samespec's reading of Verus is right; that what the agent knew before (its training) held no solution.
"""


def _rate(part: int, whole: int) -> dict[str, Any]:
    low, high = clopper_pearson(part, whole)
    return {"part": part, "whole": whole, "low": round(low, 4), "high": round(high, 4)} if whole else {"part": part, "whole": 0}


def report_data(found: Verified) -> dict[str, Any]:
    """Everything that the report says, as data."""
    attempts = [r.body for r in found.of("attempt")]
    calls = [r.body for r in found.of("call")]
    starts = found.of("campaign")
    outcomes = Counter(a["outcome"] for a in attempts)
    scored = [a for a in attempts if Outcome(a["outcome"]).scored]
    passed = [a for a in scored if a["outcome"] == Outcome.PASS]
    reached = [a for a in attempts if a["calls"] > 0]
    tested = [a for a in attempts if a["correctness"] in (Correctness.PASSED, Correctness.FAILED)]
    tasks = list(dict.fromkeys(a["task"] for a in attempts))
    per_task = []
    for task in tasks:
        mine = [a for a in attempts if a["task"] == task]
        per_task.append(
            {
                "task": task,
                "attempts": len(mine),
                "outcomes": dict(Counter(a["outcome"] for a in mine)),
                "would_be": dict(Counter(a["would_be"] for a in mine if a["would_be"])),
                "correctness": dict(Counter(a["correctness"] for a in mine)),
            }
        )
    counted = [(sum(a["task"] == t for a in scored), sum(a["task"] == t for a in passed)) for t in tasks]
    most = max((n for n, _ in counted), default=0)
    verified_by = starts[0].body["verus"] if starts else None
    return {
        "log": {"records": len(found.records), "head": found.head, "problem": found.problem, "ended": bool(found.of("end"))},
        "manifest": starts[0].body["manifest"] if starts else None,
        "agent": starts[0].body["agent"] if starts else None,
        "fenced": bool(starts) and all(r.body["fenced"] for r in (*starts, *found.of("call"))),
        "fence": starts[0].body["fence"] if starts else None,
        "verus": verified_by,
        "probes": {r.body["name"]: r.body["passed"] for r in found.of("probe")},
        "attempts": len(attempts),
        "outcomes": {str(o): outcomes.get(o, 0) for o in Outcome},
        "acceptance": _rate(len(passed), len(scored)),
        "pass_at_k": {str(k): pass_at_k(counted, k) for k in range(1, most + 1)} if verified_by else {},
        "correctness": {
            **_rate(sum(a["correctness"] == Correctness.PASSED for a in tested), len(tested)),
            "unscorable": sum(a["correctness"] == Correctness.UNSCORABLE for a in attempts),
            "not_run": sum(a["correctness"] == Correctness.NOT_RUN for a in attempts),
        },
        "accepted_but_incorrect": sum(a["correctness"] == Correctness.FAILED for a in passed),
        "censoring": {
            "halted": _rate(outcomes.get(Outcome.HALT, 0), len(reached)),
            "would_be": dict(Counter(a["would_be"] for a in attempts if a["would_be"])),
            "inexpressible": _rate(outcomes.get(Outcome.INEXPRESSIBLE, 0), len(attempts)),
            "unreached": _rate(outcomes.get(Outcome.UNREACHED, 0), len(attempts)),
            "unreached_why": dict(Counter(a["why"] for a in attempts if a["outcome"] == Outcome.UNREACHED)),
            "errors": _rate(outcomes.get(Outcome.ERROR, 0), len(reached)),
        },
        "cost": {
            "calls": len(calls),
            "wall": round(sum(c["usage"]["wall"] for c in calls), 1),
            "tokens": sum(c["usage"]["tokens"] for c in calls),
            "dollars": round(sum(c["usage"]["dollars"] for c in calls), 4),
            "calls_without_usage": sum(not c["usage"]["reported"] for c in calls),
        },
        "screened_for": dict(Counter(f["code"] for c in calls if c["screen"] is not None for f in c["screen"]["findings"][:1])),
        "contained": {
            "stopped": dict(Counter(c["agent"]["stopped"] for c in calls if c["agent"]["stopped"])),
            "left_processes_behind": sum(c["agent"]["left_behind"] > 0 for c in calls),
        },
        "tasks": per_task,
    }


def report_text(found: Verified) -> str:
    """The report for people."""
    return "\n".join(_lines(report_data(found))) + "\n"


def _lines(d: dict[str, Any]) -> Iterator[str]:
    log = d["log"]
    state = "verifies" if log["problem"] is None else f"DOES NOT VERIFY: {log['problem']}"
    yield f"log: {log['records']} records, {state}, head {log['head'][:16]}…{'' if log['ended'] else ', not ended'}"
    yield f"manifest {str(d['manifest'])[:16]}…, agent: {' '.join(d['agent'] or ['none'])}"
    yield f"verus: {d['verus'] or 'NOT THERE: nothing could be accepted'}; fence: {d['fence']}"
    probes = ", ".join(f"{name} {'pass' if ok else 'FAIL'}" for name, ok in d["probes"].items())
    yield f"probes: {probes or 'none ran'}"
    yield ""
    yield f"{'task':<20} {'attempts':>8}  outcomes; withheld tests"
    for task in d["tasks"]:
        outcomes = ", ".join(f"{k} {v}" for k, v in task["outcomes"].items())
        would = ", ".join(f"{v} would have been {k}" for k, v in task["would_be"].items())
        tests = ", ".join(f"{k} {v}" for k, v in task["correctness"].items())
        yield f"{task['task']:<20} {task['attempts']:>8}  {outcomes}{f' ({would})' if would else ''}; {tests}"
    yield ""
    if d["verus"]:
        yield f"acceptance   {_shown(d['acceptance'], 'of PASS + FAIL + SCREEN')}"
    else:
        yield f"acceptance   not measured: no Verus ({d['outcomes']['SCREEN']} of {d['attempts']} were screened out)"
    for k, value in d["pass_at_k"].items():
        yield f"  pass@{k}     {value:.3f}"
    c = d["correctness"]
    yield f"correctness  {_shown(c, 'of the attempts whose tests ran')}; {c['unscorable']} unscorable, {c['not_run']} not run"
    if d["accepted_but_incorrect"]:
        yield f"             {d['accepted_but_incorrect']} accepted although withheld tests failed: read their contracts"
    z = d["censoring"]
    would = ", ".join(f"{v} {k}" for k, v in z["would_be"].items())
    yield "censoring"
    would = f"; would have been: {would}" if would else ""
    yield f"  HALT           {_shown(z['halted'], 'of the attempts that were made')}{would}"
    yield f"  INEXPRESSIBLE  {_shown(z['inexpressible'], 'of all attempts')}"
    why = "; ".join(f"{v}: {k}" for k, v in z["unreached_why"].items())
    yield f"  UNREACHED      {_shown(z['unreached'], 'of all attempts')}{f' ({why})' if why else ''}"
    yield f"  ERROR          {_shown(z['errors'], 'of the attempts that were made')}"
    k = d["cost"]
    unread = f"; {k['calls_without_usage']} calls reported no usage" if k["calls_without_usage"] else ""
    yield f"cost         {k['calls']} calls, {k['wall']} s wall, {k['tokens']} tokens, {k['dollars']:.4f} dollars{unread}"
    if d["screened_for"]:
        yield f"screened for {', '.join(f'{code} {n}' for code, n in sorted(d['screened_for'].items()))}"
    contained = d["contained"]
    if contained["stopped"] or contained["left_processes_behind"]:
        stops = ", ".join(f"{n} by the limit on {limit}" for limit, n in contained["stopped"].items())
        behind = contained["left_processes_behind"]
        yield f"contained    calls stopped: {stops or 'none'}; calls that left processes behind: {behind}"
    yield "             (intervals: exact, 95 %; attempts at one task are not independent, so they are descriptive)"
    yield ""
    fence = f"held the agent and the compilers: {d['fence']}" if d["fenced"] else "was not there: results are unfenced"
    yield TRUST.format(verus=f"Verus {d['verus']}" if d["verus"] else "no Verus: nothing was accepted", fence=fence).rstrip()


def _shown(rate: dict[str, Any], of: str) -> str:
    if not rate["whole"]:
        return f"0 {of}: there are none"
    return f"{rate['part']}/{rate['whole']} [{rate['low']:.3f}, {rate['high']:.3f}] {of}"
