"""House bots by their names, beside bots as files."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path

from gangland.games import GAME_NAMES
from gangland_ladder.local.bots import NoSuchBot, imported_games, is_folder_bot, read_bot


def house_bots() -> dict[str, dict[str, Path]]:
    """Return the files of the house bots: by game, then by name."""
    found: dict[str, dict[str, Path]] = {}
    for game in GAME_NAMES:
        folder = Path(str(files("gangland_bots"))) / game.replace("-", "_")
        paths = sorted(path for path in folder.glob("*.py") if not path.name.startswith("_"))
        found[game] = {path.stem: path for path in paths}
    return found


def paths_of(given: Sequence[Path], game: str | None) -> list[Path]:
    """Return the paths with that of a house bot in place of its name; a file of that name comes first.

    A name of both games' house is that of the game that is given, or else of the one that the other bots import.

    Raises:
        NoSuchBot: it cannot be told which game's house bot is meant.
    """
    named = {path for path in given if not path.exists() and path.suffix == "" and path.name == str(path)}
    if not named:
        return list(given)
    house = house_bots()
    files = [path for path in given if game is None and path not in named and (path.is_file() or is_folder_bot(path))]
    imported = [games for path in files if (games := imported_games(read_bot(path).source))]
    games = {game} if game is not None else set(GAME_NAMES).intersection(*imported)
    return [_meant(path, house, games) if path in named else path for path in given]


def _meant(path: Path, house: dict[str, dict[str, Path]], games: set[str]) -> Path:
    having = [game for game in GAME_NAMES if path.name in house[game]]
    fitting = [game for game in having if game in games]
    if not having:
        names = sorted({name for bots in house.values() for name in bots})
        raise NoSuchBot(f"no bot's file at {path}, and no house bot of that name; there are {', '.join(names)}")
    if len(fitting) != 1:
        raise NoSuchBot(f"which {path}? There is one of {' and one of '.join(having)}: say --game")
    return house[fitting[0]][path.name]
