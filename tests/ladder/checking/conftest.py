"""What tests of checks share: a process that plays bots in the jail."""

from collections.abc import Iterator

import pytest

from gangland_ladder.local.processes import Tables


@pytest.fixture(scope="module")
def tables() -> Iterator[Tables]:
    with Tables(workers=1) as running:
        yield running
