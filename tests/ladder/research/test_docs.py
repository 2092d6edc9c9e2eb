"""The examples of docs/research.md are run, and print what stands there."""

import doctest
from pathlib import Path

import pytest
from tests.kits.script_kit import examples


def test_the_examples_for_research_print_what_the_page_says(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("two_dice.py", "four_on_black.py", "all_in.py"):
        (tmp_path / name).write_text(examples()[name], encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    found = doctest.testfile(str(root / "docs" / "research.md"), module_relative=False)
    assert found.attempted > 20
    assert found.failed == 0, capsys.readouterr().out
