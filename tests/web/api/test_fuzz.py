"""A short run of what `make api-fuzz` does at length: no failure of the site, and no answer off the document."""

from pathlib import Path

import pytest
from tests.kits.api_fuzz import CALLERS, fuzz


@pytest.mark.parametrize(
    ("caller", "every"),
    [("organiser", 5), *(pytest.param(name, 1, marks=pytest.mark.long("every call by each")) for name in CALLERS)],
)
def test_no_call_that_can_be_made_up_fails_or_is_answered_off_the_document(
    tmp_path: Path, caller: str, every: int
) -> None:
    fuzzer = fuzz(tmp_path, caller, 2, every=every)
    assert fuzzer.broken == {}
    assert fuzzer.told.total() > 100 // every
    assert not [name for name, status in fuzzer.told if status >= 500]
