"""The reports that are made of findings, by the name of their format.

In: a format, reviewed pairs. Out: text. Each format is imported when it is asked for.
"""

from __future__ import annotations

from collections.abc import Sequence

from samespec.render.review import Reviewed


def rendered(output: str, reviewed: Sequence[Reviewed], *, strict: bool, exit_status: int) -> str:
    """The report in the format `output`: "sarif", "junit", "markdown" or "github". Raises `ValueError` for another one."""
    match output:
        case "sarif":
            from samespec.render.sarif import sarif

            return sarif(reviewed, strict=strict, exit_status=exit_status)
        case "junit":
            from samespec.render.junit import junit

            return junit(reviewed, strict=strict)
        case "markdown":
            from samespec.render.markdown import markdown

            return markdown(reviewed, strict=strict)
        case "github":
            from samespec.render.github import github

            return github(reviewed, strict=strict)
        case _:
            raise ValueError(f"no report is called {output!r}")
