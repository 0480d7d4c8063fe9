"""The last section of a report: where its figures come from, and how to make it again.

In: the settings of a run. Out: a section of a `Document`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from experiments.report.document import Document
from experiments.report.table import code, escape


def sources(doc: Document, s: Mapping[str, Any], command: str) -> None:
    """What a reader needs to check the report, and to make it again; `s` are the settings of the run."""
    doc.heading("Where this comes from")
    lines = [f"seed {s['seed']}; budget {s['budget']} Z3 resource units for each question"]
    lines += [f"{escape(name)} {escape(version)}" for name, version in s["versions"].items()]
    lines.append(f"samespec's code: SHA-256 {code(s['code_sha256'])}")
    lines.append(f"the files that were judged, together: SHA-256 {code(s['inputs_sha256'])} (one by one: `tables/inputs.csv`)")
    doc.bullets(lines)
    doc.prose(
        """Every answer, one a line: `results.jsonl`. The figures of this report for programs: `summary.json`. The hash of every
        file: `SHA256SUMS` (`sha256sum --check SHA256SUMS`). The same command with the same files and seed writes the same
        bytes; only `timings.json` differs."""
    )
    doc.block(_command(s, command))


def _command(s: Mapping[str, Any], command: str) -> str:
    source = {"corpus": "", "tasks": " --tasks DIR", "originals": " --originals DIR"}[s["source"]]
    more = "".join(f" --{k} {s[k]}" for k in ("mutants", "sample", "largest") if s.get(k) is not None)
    senses = "".join(f" --sense {sense}" for sense in s.get("senses", []))
    return f"samespec experiment {command}{source}{more}{senses} --seed {s['seed']} --budget {s['budget']} --output FOLDER"
