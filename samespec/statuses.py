"""Exit statuses, the same for every subcommand."""

from __future__ import annotations

KEPT, NOT_KEPT = 0, 1
#: Wrong usage, unreadable input, or an error of samespec's own: never mistaken for a verdict.
USAGE = 2
UNDECIDED = 3
INTERRUPTED, BROKEN_PIPE = 130, 141
