"""A third game is one folder in the engine and its house bots: it plays, rates, replays and has its pages.

The engine is copied with Bust beside its own games and one name more in its registry, the house bots with three for it.
Everything else is the project as it is, so a way that asks for a game by its name, or knows only the two, fails here.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
INSIDE = HERE / "inside"


@pytest.fixture(scope="module")
def with_bust(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder whose packages come before the project's own: the engine and the house bots, with Bust."""
    folder = tmp_path_factory.mktemp("third")
    for source, package, game in (("engine", "gangland", "bust"), ("bots", "gangland_bots", "bots")):
        shutil.copytree(root / source / package, folder / package, ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copytree(HERE / game, folder / package / "bust", ignore=shutil.ignore_patterns("__pycache__"))
    registry = folder / "gangland" / "games.py"
    text = registry.read_text(encoding="utf-8")
    begins = "GAME_NAMES = ("
    assert text.count(begins) == 1
    registry.write_text(text.replace(begins, f'{begins}"bust", '), encoding="utf-8")
    return folder


@pytest.mark.parametrize("what", sorted(path.stem for path in INSIDE.glob("inside_*.py")))
def test_a_third_game_needs_no_change_elsewhere(with_bust: Path, root: Path, what: str, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", f"--basetemp={tmp_path / 'in'}"]
    ran = subprocess.run(
        [*command, str(INSIDE / f"{what}.py")],
        cwd=root,
        env={**os.environ, "PYTHONPATH": str(with_bust)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout[-6000:] + ran.stderr[-2000:]
