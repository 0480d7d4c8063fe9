"""What all tests share: the `verus` marker, and that random examples are the same ones in every run."""

from __future__ import annotations

import os

import pytest
from hypothesis import settings

# The same examples in every run, found by nothing that an earlier run left behind.
settings.register_profile("same", derandomize=True, database=None, deadline=None)
settings.load_profile("same")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests marked `verus` run only where the environment variable VERUS names one."""
    if os.environ.get("VERUS"):
        return
    skip = pytest.mark.skip(reason="needs a Verus: set VERUS to its path")
    for item in items:
        if item.get_closest_marker("verus"):
            item.add_marker(skip)
