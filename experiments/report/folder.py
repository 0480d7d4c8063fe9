"""The folder of a report: what has been found so far, what the run was made from, and the files at the end.

In: a path, and the settings of the run. Out: files. While a run is on, every finished unit is a line of `unfinished.jsonl`; a run
that was stopped goes on there when it is started again with the same settings. At the end the rows stand in `results.jsonl`,
sorted, the times in `timings.json`, and `SHA256SUMS` has the hash of every file but the times.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

Row: TypeAlias = dict[str, Any]

RUN, RESULTS, UNFINISHED, TIMINGS, SUMS = "run.json", "results.jsonl", "unfinished.jsonl", "timings.json", "SHA256SUMS"
#: The key of a row that names its unit.
UNIT = "unit"


class FolderError(Exception):
    """A folder that cannot take the report; the message says why and what to do."""


class ReportFolder:
    """A report in the making. `rows` are those of the finished units, by unit.

    Raises `FolderError` where the folder holds something else, or a run with other settings.
    """

    def __init__(self, path: Path, settings: Mapping[str, Any]) -> None:
        self.path = path
        self.settings = dict(settings)
        self.rows: dict[str, list[Row]] = {}
        self.seconds: dict[str, float] = {}
        self.written: set[str] = set()
        try:
            self._open()
        except OSError as error:
            raise FolderError(f"{path}: cannot be written ({error.strerror}); name a folder that can") from error

    def _open(self) -> None:
        if self.path.exists() and not self.path.is_dir():
            raise FolderError(f"{self.path}: is a file; name a folder")
        run = self.path / RUN
        if run.exists():
            self._compare(run)
            try:
                self._read()
            except (ValueError, KeyError, TypeError) as error:
                message = f"its results are not what this program wrote ({type(error).__name__}: {error})"
                raise FolderError(f"{self.path}: {message}; remove the folder, or name a new one") from error
        elif self.path.exists() and any(self.path.iterdir()):
            raise FolderError(f"{self.path}: is not empty, and holds no report; name a new folder")
        self.path.mkdir(parents=True, exist_ok=True)
        self._put(RUN, dump(self.settings))

    def _compare(self, run: Path) -> None:
        """The settings of the run that the folder holds must be these."""
        try:
            old = json.loads(run.read_text(encoding="utf-8"))
        except ValueError as error:
            raise FolderError(f"{run}: is not JSON ({error}); name a new folder") from error
        now = json.loads(dump(self.settings))
        if old != now:
            keys = [*now, *(k for k in old if k not in now)] if isinstance(old, dict) else list(now)
            other = [k for k in keys if not isinstance(old, dict) or old.get(k) != now.get(k)]
            what = "; ".join(_difference(k, old, now) for k in other)
            raise FolderError(f"{self.path}: holds a run with other settings ({what}); name a new folder, or remove this one")

    def _read(self) -> None:
        """What earlier runs found. The last line of an interrupted one may be cut short: that unit is done again."""
        finished = self.path / RESULTS
        if finished.exists():
            for line in finished.read_text(encoding="utf-8").splitlines():
                row = json.loads(line)
                self.rows.setdefault(row[UNIT], []).append(row)
            times = json.loads((self.path / TIMINGS).read_text(encoding="utf-8")) if (self.path / TIMINGS).exists() else {}
            self.seconds = times.get("units", {})
            return
        begun = self.path / UNFINISHED
        if begun.exists():
            whole = begun.read_bytes().rpartition(b"\n")[0]
            for entry in whole.splitlines():
                found = json.loads(entry)
                self.rows[found["unit"]] = found["rows"]
                self.seconds[found["unit"]] = found["seconds"]
            begun.write_bytes(whole + b"\n" if whole else b"")

    # --- while it runs ---------------------------------------------------------------------------------------------

    def add(self, unit: str, rows: Sequence[Row], seconds: float) -> None:
        """Keeps what a unit gave, at once. A unit has at least one row."""
        assert rows
        self.rows[unit] = [{UNIT: unit, **row} for row in rows]
        self.seconds[unit] = round(seconds, 3)
        line = json.dumps({"unit": unit, "seconds": self.seconds[unit], "rows": self.rows[unit]}, ensure_ascii=False)
        try:
            with (self.path / UNFINISHED).open("a", encoding="utf-8") as file:
                file.write(line + "\n")
        except OSError as error:
            raise FolderError(f"{self.path / UNFINISHED}: cannot be written ({error.strerror})") from error

    # --- at the end ------------------------------------------------------------------------------------------------

    def finish(self, units: Sequence[str], wall: float, jobs: int) -> list[Row]:
        """All rows, in the order of the units; writes the results, and the times in their own file. `wall` is what this run
        took, in seconds: 0 where everything was there already, and then the times stay what they were."""
        rows = [row for unit in units for row in self.rows[unit]]
        self.write(RESULTS, "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows))
        if wall or not (self.path / TIMINGS).exists():
            units_ = {u: self.seconds.get(u, 0.0) for u in units}
            times = {"wall_seconds_of_the_last_run": round(wall, 1), "jobs": jobs, "units": units_}
            self._put(TIMINGS, dump(times))
        (self.path / UNFINISHED).unlink(missing_ok=True)
        return rows

    def write(self, name: str, data: str | bytes) -> None:
        """Writes one file of the report; `name` is relative to the folder. Raises `FolderError`."""
        self._put(name, data)
        self.written.add(name)

    def seal(self) -> None:
        """Writes the hashes of the report's files, in the form that `sha256sum --check` reads."""
        names = sorted(self.written | {RUN})
        lines = [f"{hashlib.sha256((self.path / n).read_bytes()).hexdigest()}  {n}\n" for n in names]
        self._put(SUMS, "".join(lines))

    def _put(self, name: str, data: str | bytes) -> None:
        target = self.path / name
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            aside = target.with_name(target.name + ".part")
            aside.write_bytes(data.encode("utf-8") if isinstance(data, str) else data)
            aside.replace(target)
        except OSError as error:
            raise FolderError(f"{target}: cannot be written ({error.strerror})") from error


def _difference(key: str, old: Any, now: Mapping[str, Any]) -> str:
    """One setting that differs, in words; hashes and long values are only named."""
    before = old.get(key) if isinstance(old, dict) else None
    after = now.get(key)
    if key == "code_sha256":
        return "samespec's code has changed"
    if key == "inputs_sha256":
        return "the originals or edits have changed"
    shown = f"{key} was {json.dumps(before, ensure_ascii=False)} and is {json.dumps(after, ensure_ascii=False)}"
    return shown if len(shown) <= 160 else key


def dump(value: Any) -> str:
    """JSON for people and programs: indented, in the order of the keys."""
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"
