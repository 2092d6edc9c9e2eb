"""A game's options on the command line: `--option NAME=VALUE`, once for each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import typer

from gangland.games import game_named
from gangland_ladder.cli.settings import read
from gangland_ladder.local import matches
from gangland_ladder.local.bots import NoSuchBot
from gangland_sandbox.limits import Profile

Given = Annotated[
    list[str] | None,
    typer.Option(
        "--option",
        metavar="NAME=VALUE",
        help="An option of the game, such as deck=box18 or characters=dealt; a list with commas. May be given again.",
    ),
]


def options_of(game: str, seats: int, given: Sequence[str] | None) -> dict[str, object]:
    """Return the options that differ from their defaults, as replays record them.

    Raises:
        NoSuchBot: an option that the game does not have, or a value that it does not allow at so many seats.
    """
    try:
        return matches.options_of(game, seats, _named(game, given or []))
    except ValueError as refused:
        raise NoSuchBot(str(refused)) from refused


def tables_of(game: str, given: Sequence[str] | None) -> tuple[dict[str, object], list[int]]:
    """Return the options as `options_of` does, and the table sizes that they allow: a cast is for one, others for all.

    Raises:
        NoSuchBot: an option that the game does not have, or a value that it allows at no table.
    """
    sizes = game_named(game).table_sizes
    allowed = [seats for seats in sizes if _allows(game, seats, given)]
    return options_of(game, (allowed or sizes)[0], given), allowed


def _allows(game: str, seats: int, given: Sequence[str] | None) -> bool:
    try:
        options_of(game, seats, given)
    except NoSuchBot:
        return False
    return True


def words(options: dict[str, object]) -> str:
    """Return the options as they are given on a command line, with a space before each."""
    return "".join(f" --option {name}={_text(value)}" for name, value in options.items())


def called(game: str, options: dict[str, object]) -> str:
    """Return the options as a call has to say them to mean these, whatever the settings here say."""
    plain = game_named(game).options({})
    settings = _named(game, read().value("option") or [])
    defaults = {name: getattr(plain, name, None) for name in settings if name not in options}
    return words({**options, **{name: value for name, value in defaults.items() if value not in (None, ())}})


def called_profile(profile: Profile) -> str:
    """Return the same of the profile."""
    is_needed = profile is not Profile.PLAIN or read().value("profile") not in (None, str(profile))
    return f" --profile {profile}" if is_needed else ""


def _named(game: str, given: Sequence[str]) -> dict[str, object]:
    choices = {choice.name: choice for choice in game_named(game).choices_of_options}
    values: dict[str, object] = {}
    for text in given:
        name, _, value = (part.strip() for part in text.partition("="))
        if "=" not in text or not name:
            raise ValueError(f"an option is NAME=VALUE, not {text!r}")
        if name in values:
            raise ValueError(f"the option {name!r} is given twice")
        values[name] = choices[name].of_text(value) if name in choices else value
    return values


def _text(value: object) -> str:
    return ",".join(map(str, value)) if isinstance(value, list) else str(value)
