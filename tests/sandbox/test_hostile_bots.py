"""Every folder of tests/hostile: contained, blamed by the right name, and gone without a trace."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from tests.sandbox.trial import play

HOSTILE = Path(__file__).resolve().parent.parent / "hostile"
FOLDERS = sorted(folder.name for folder in HOSTILE.iterdir() if (folder / "expect.toml").is_file())


def test_there_are_hostile_bots_enough() -> None:
    assert len(FOLDERS) >= 80


@pytest.mark.parametrize("name", FOLDERS)
def test_a_hostile_bot_is_contained_and_blamed_by_name_and_leaves_nothing_behind(name: str) -> None:
    expected = tomllib.loads((HOSTILE / name / "expect.toml").read_text())
    kinds = expected["kind"] if isinstance(expected["kind"], list) else [expected["kind"]]

    told = play((HOSTILE / name / "bot.py").read_bytes(), filename=f"{name}.py", game=expected["game"])

    assert told.kind in kinds, told
    if told.kind != "none":
        assert told.stage == expected["stage"], told
    assert "ESCAPED" not in told.log, told.log
    assert told.left == []
    assert told.message.isprintable() or all(char.isprintable() or char == "\n" for char in told.message)
