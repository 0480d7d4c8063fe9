"""Verdicts as JUnit XML, for the test pages of continuous-integration services.

In: reviewed pairs. Out: XML text. A pair of files is a test suite, a target a test case: broken is a failure, undecided or
unsupported an error, since nobody knows. Source: the JUnit reports of Ant and Maven Surefire, which services read.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from xml.etree import ElementTree

from samespec.render.review import ERROR, Reviewed, findings

#: Characters that XML 1.0 cannot hold, however they are written.
_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def junit(reviewed: Sequence[Reviewed], *, strict: bool) -> str:
    """The whole report."""
    root = ElementTree.Element("testsuites", name="samespec")
    totals = {"tests": 0, "failures": 0, "errors": 0}
    for pair in reviewed:
        suite = ElementTree.SubElement(root, "testsuite", name=_clean(pair.report.submitted))
        found = findings([pair], strict=strict)
        contracts = {f.target: f for f in found if f.rule not in ("code-changed", "proof-hole", "not-confirmed")}
        cases = [(t.target, contracts.get(t.target), f"contract: {t.verdict}") for t in pair.report.targets]
        cases += [(f.target, f, f.rule) for f in found if f.target not in contracts or contracts[f.target] is not f]
        counts = dict.fromkeys(totals, 0)
        for name, finding, what in cases:
            counts["tests"] += 1
            case = ElementTree.SubElement(suite, "testcase", classname=_clean(pair.report.submitted), name=_clean(name))
            if finding is None:
                continue
            kind = "failure" if finding.level == ERROR else "error"
            counts[f"{kind}s"] += 1
            place = finding.place or finding.before
            where = [] if place is None else [str(place)]
            note = ElementTree.SubElement(case, kind, type=_clean(what), message=_clean(finding.message))
            note.text = _clean("\n".join([*where, *finding.details]))
        for name, count in counts.items():
            suite.set(name, str(count))
            totals[name] += count
    for name, count in totals.items():
        root.set(name, str(count))
    ElementTree.indent(root)
    return ElementTree.tostring(root, encoding="unicode", xml_declaration=False) + "\n"


def _clean(text: str) -> str:
    return _FORBIDDEN.sub("\ufffd", text)
