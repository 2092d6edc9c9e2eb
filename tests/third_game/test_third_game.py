"""A third game is one folder in the engine and its house bots: it plays, rates, replays and has its pages.

The engine is copied with Bust beside its own games and one name more in its registry, the house bots with three for it.
Everything else is the project as it is, so a way that asks for a game by its name, or knows only the two, fails here.
"""

import subprocess
import sys
from pathlib import Path

import pytest
from tests.third_game.kit import with_bust

HERE = Path(__file__).resolve().parent
INSIDE = HERE / "inside"


@pytest.fixture(scope="module")
def env(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    return with_bust(tmp_path_factory.mktemp("third"))


def test_every_file_of_tests_for_the_third_game_is_run() -> None:
    assert {path.stem for path in INSIDE.glob("inside_*.py")} == {"inside_commands", "inside_site"}


@pytest.mark.parametrize(
    "what", ["inside_commands", pytest.param("inside_site", marks=pytest.mark.long("a second way to the same game"))]
)
def test_a_third_game_needs_no_change_elsewhere(env: dict[str, str], root: Path, what: str, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", f"--basetemp={tmp_path / 'in'}"]
    ran = subprocess.run(
        [*command, str(INSIDE / f"{what}.py")], cwd=root, env=env, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stdout[-6000:] + ran.stderr[-2000:]
