"""The pages of the documentation that `scripts/write_docs.py` makes."""

from pathlib import Path

import pytest
from tests.kits.script_kit import loaded_script

from gangland_ladder.common.runtime import MEANINGS

PAGES = ("api-calls.md", "bot-api.md", "command-line.md", "errors.md", "json.md", "tables.md")


@pytest.mark.parametrize("page", PAGES)
def test_a_page_says_what_the_program_has(root: Path, page: str) -> None:
    text = (root / "docs" / page).read_text(encoding="utf-8")
    assert text == loaded_script(root, "write_docs").pages()[page], "run scripts/write_docs.py"


def test_the_pages_on_commands_have_parts_that_are_made_and_the_exit_codes_are_listed(root: Path) -> None:
    assert set(MEANINGS) == {0, 1, 2, 3, 4, 130}
    for page in ("command-line.md", "json.md"):
        text = (root / "docs" / page).read_text(encoding="utf-8")
        assert "<!-- made: " in text
        if page == "command-line.md":
            assert all(f"\n- {code}: {meaning}\n" in text for code, meaning in MEANINGS.items())
