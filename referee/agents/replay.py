"""An agent that replays recorded submissions: `replay.py FILE`.

FILE is what `samespec referee export` writes: {"task/attempt/correction": {"solution": text, "usage": {…}}}. Where nothing is
recorded for a call, the solution stays as it is.
"""

import json
import os
import sys
from pathlib import Path


def main() -> None:
    recorded = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    task, attempt, correction = (os.environ[f"SAMESPEC_{name}"] for name in ("TASK", "ATTEMPT", "CORRECTION"))
    entry = recorded.get(f"{task}/{attempt}/{correction}")
    usage = {"tokens": 0, "dollars": 0.0}
    if entry is not None:
        Path("solution.rs").write_text(entry["solution"], encoding="utf-8")
        usage = entry.get("usage", usage)
    Path("usage.json").write_text(json.dumps(usage), encoding="utf-8")


if __name__ == "__main__":
    main()
