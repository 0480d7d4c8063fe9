"""Findings as SARIF 2.1.0, for code-scanning services and editors.

In: reviewed pairs. Out: one JSON text. Source: OASIS, "Static Analysis Results Interchange Format (SARIF) Version 2.1.0".
Columns count characters (`columnKind` says so). Two runs on the same input give the same bytes.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path, PurePath
from typing import Any
from urllib.parse import quote

from equiv.verdict import Place
from samespec import __version__
from samespec.render.json_report import dump
from samespec.render.review import RULES, Finding, Reviewed, findings

Json = dict[str, Any]
SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"


def sarif(reviewed: Sequence[Reviewed], *, strict: bool, exit_status: int) -> str:
    """The log: one run, one result for each finding."""
    names = list(RULES)
    run: Json = {
        "tool": {
            "driver": {
                "name": "samespec",
                "semanticVersion": __version__,
                "rules": [{"id": name, "shortDescription": {"text": text}} for name, text in RULES.items()],
            }
        },
        # The exit status says what was found; the run itself did not fail.
        "invocations": [{"executionSuccessful": True, "exitCode": exit_status}],
        "columnKind": "unicodeCodePoints",
        "results": [_result(f, names) for f in findings(reviewed, strict=strict)],
    }
    return dump({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]})


def _result(found: Finding, names: list[str]) -> Json:
    text = "\n".join([found.message, *found.details])
    key = "\0".join([found.rule, found.target, found.message])
    result: Json = {
        "ruleId": found.rule,
        "ruleIndex": names.index(found.rule),
        "level": found.level,
        "message": {"text": text},
        "partialFingerprints": {"contract/v1": hashlib.sha256(key.encode()).hexdigest()},
    }
    place = found.place or found.before
    if place is not None:
        result["locations"] = [_location(place) | {"logicalLocations": [{"fullyQualifiedName": found.target}]}]
    if found.before is not None and found.place is not None:
        result["relatedLocations"] = [_location(found.before) | {"id": 1, "message": {"text": "the original contract"}}]
    return result


def _location(place: Place) -> Json:
    return {
        "physicalLocation": {
            "artifactLocation": {"uri": uri(place.file)},
            "region": {"startLine": place.line, "startColumn": place.column},
        }
    }


def uri(path: str) -> str:
    """A path as a URI reference: relative where the path is."""
    pure = PurePath(path)
    return Path(path).as_uri() if pure.is_absolute() else quote(pure.as_posix())
