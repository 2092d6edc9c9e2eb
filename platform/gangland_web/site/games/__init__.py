"""What pages show of one game alone: a folder a game, named as its package is, with `PAGES` in its `__init__`.

A game without a folder has no page of its rules in a minute and no sample of its table; all other pages are the same
for all games.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Any, Final

from flask import Blueprint, Flask

from gangland.game import Event
from gangland.games import FIRST_GAME, package_of
from gangland.replay import Replay, load
from gangland_ladder.common.runtime import module_of
from gangland_ladder.playing.lessons.lesson import lesson_of
from gangland_ladder.viewer.film import Film

# Finding what a game brings, and its files.


def pages_of(game: str) -> Pages | None:
    """Return what a game brings, None if it has no folder or there is no such game."""
    module = module_of(__name__, game)
    found: Pages | None = None if module is None else module.PAGES
    return found


def text_of(game: str, name: str) -> str:
    """Return the text of a file in the folder of a game."""
    return (files(__package__) / package_of(game) / name).read_text(encoding="utf-8")


def template_of(game: str, name: str) -> str:
    """Return what a template in the folder of a game is called."""
    return f"{package_of(game)}/{name}"


def recorded_game(game: str) -> Replay:
    """Return the recorded game of the drawn round, out of the folder of a game."""
    return load(text_of(game, "round.json"))


def init_games(app: Flask) -> None:
    """Let templates lie in the folders of games, and ask which game has one."""
    app.register_blueprint(Blueprint("games", __name__, template_folder="."))
    app.jinja_env.globals.update(
        first_game=FIRST_GAME,
        has_lesson=lambda game: lesson_of(game) is not None,
        has_pages=lambda game: pages_of(game) is not None,
        package_of=package_of,
        template_of=template_of,
    )


# What a game may bring.

NAMES: Final = ("Fox", "Owl", "Crow")
"""What the bots at the drawn tables are called."""


@dataclass(frozen=True, slots=True)
class Pages:
    """What the folder of a game has besides its files.

    Those are `rules.html`, its rules in a minute; and `round.json`, the recorded game that is drawn there.

    `drawn_round`: which round of the recorded game is drawn; `draw`: makes of it what the template shows.
    """

    drawn_round: int
    draw: Callable[[Film, int], Any]


def happened_in(film: Film, number: int) -> tuple[Sequence[Event], list[tuple[int, int]]]:
    """Return the events of a round, and of each seat what it held before the round and after it."""
    held = dict(film.dice)
    return film.events[number], list(zip(held[number], held[number + 1], strict=True))
