"""A short run of what `make api-fuzz` does at length: no failure of the site, and no answer off the document."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.kits.api_fuzz import fuzz


@pytest.mark.parametrize("caller", ["organiser"])
def test_no_call_that_can_be_made_up_fails_or_is_answered_off_the_document(tmp_path: Path, caller: str) -> None:
    fuzzer = fuzz(tmp_path, caller, 2)
    assert fuzzer.broken == {}
    assert fuzzer.told.total() > 100
    assert not [name for name, status in fuzzer.told if status >= 500]
