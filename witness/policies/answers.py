"""What a provider answered, as the text of a candidate.

In: an answer, byte for byte. Out: the text that the gates are given. Nothing is mended here: an answer that is not one expression
is a candidate that does not parse, and stays in the count (`witness.parser_repair` is the wrapper that mends, applied to all
policies alike and after the fact).
"""

from __future__ import annotations

import re
from typing import Final

_REVISED: Final = re.compile(r"^[ \t>*_#]*revised[ \t]+(?:candidate|expression)[ \t*_]*:[ \t*_]*", re.I | re.M)


def plain(answer: str) -> str:
    """The whole answer, without white space around it."""
    return answer.strip()


def revised(answer: str) -> str:
    """What stands behind the last `Revised Candidate:` of an assessment; the whole answer where there is no such label (which
    then does not parse)."""
    found = list(_REVISED.finditer(answer))
    return answer[found[-1].end() :].strip() if found else answer.strip()
