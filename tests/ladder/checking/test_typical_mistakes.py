"""Every typical mistake is told by `gangland check` with its code and first words; other ways in: tests/flow."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.flow.mistakes_kit import Mistake, mistakes, told, written
from tests.kits.command_kit import gangland


@pytest.mark.parametrize("mistake", mistakes(), ids=lambda one: one.what)
def test_a_typical_mistake_is_told_by_its_code_and_in_its_words(mistake: Mistake, tmp_path: Path) -> None:
    done = gangland("check", written(mistake, tmp_path / "here"), "--game", mistake.game, "--json")

    assert done.code == 1, done.err
    found = told(json.loads(done.out)["problems"][0])
    assert found.code == mistake.code
    assert found.head.startswith(mistake.says), found
