"""Tests of names and elaboration work on terms of their own: a symbol is called by the first file that defines it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from translate.terms import own_terms

OWN = ("test_names", "test_elaborate", "test_vocabulary", "test_macro_rules")


@pytest.fixture(autouse=True)
def _own_terms(request: pytest.FixtureRequest) -> Iterator[None]:
    if request.node.path.stem.startswith(OWN):
        with own_terms():
            yield
    else:
        yield
