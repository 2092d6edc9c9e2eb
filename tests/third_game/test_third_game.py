"""A third game is one folder in the engine and its house bots: it plays, rates, replays and has its pages.

The engine is copied, and the game Bust added to it; everything else is the project as it is.
"""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from tests.third_game.kit import with_bust

from gangland.games import GAME_NAMES, game_named, package_of

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


FILES = {".py", ".html", ".js", ".css", ".toml", ".json"}
EXAMPLE = "an example that can be typed or sent, in help or in the reference that is made of it"
EXCEPTIONS = {
    "platform/gangland_ladder/errors.toml": "the text of the page on errors: bots that show what is meant",
    "platform/gangland_ladder/cli/check.py": EXAMPLE,
    "platform/gangland_ladder/cli/new.py": EXAMPLE, "platform/gangland_ladder/cli/ladder.py": EXAMPLE,
    "platform/gangland_web/ops/admin_tournaments.py": EXAMPLE, "platform/gangland_web/api/bots.py": EXAMPLE,
    "platform/gangland_web/api/organizing.py": EXAMPLE, "platform/gangland_web/api/openapi.py": EXAMPLE,
    "platform/gangland_web/services/accounts.py": "words that a password may not be",
    "sandbox/gangland_sandbox/probes.py": "the doctor's bot: a bot is written for some game, and nothing is played",
}  # fmt: skip
"""By file, why it names a game outside that game's folders."""
WORDS = ("COLOUR_NAMES", "TOKEN_NAMES", "SYMBOL_NAMES", "WarningCard")
"""What the packages of single games export, and nothing else has."""
DECIDES = re.compile(r"[!=]=|\bin \(|\bif\b|\bcase\b|\bimport\b|\bget\(")


def naming(root: Path) -> set[str]:
    written = [re.split("[- ]", words) for name in GAME_NAMES for words in (name, game_named(name).title)]
    named = re.compile("|".join([*WORDS, *("[-_ ]?".join(parts) for parts in written)]), re.IGNORECASE)
    own = {*GAME_NAMES, *map(package_of, GAME_NAMES)}
    found = set()
    for top in ("platform", "sandbox"):
        for path in (root / top).rglob("*"):
            inside = path.relative_to(root)
            mine = own & {*inside.parts[:-1], inside.stem}
            if path.suffix in FILES and not mine and named.search(path.read_text(encoding="utf-8")):
                found.add(inside.as_posix())
    return found


def test_nothing_names_a_game_outside_its_own_folders(root: Path) -> None:
    assert naming(root) == set(EXCEPTIONS)


def test_examples_decide_nothing(root: Path) -> None:
    for name, reason in EXCEPTIONS.items():
        if reason == EXAMPLE:
            lines = (root / name).read_text(encoding="utf-8").splitlines()
            named = [line for line in lines if any(game in line or package_of(game) in line for game in GAME_NAMES)]
            assert named, name
            assert not [line for line in named if DECIDES.search(line)], name
