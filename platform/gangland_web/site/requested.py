"""Values that an address names in its path and query, checked: a wrong one ends the request with 400, 404 or 410."""

from __future__ import annotations

from typing import TypeVar

from flask import abort, request

from gangland_ladder.viewer.film import Film, NoSuchStop
from gangland_web.base.formats import GAME_TITLES
from gangland_web.base.text import shown, whole_number
from gangland_web.models.matches import PlayedGame
from gangland_web.queries.ladders import SEATS
from gangland_web.queries.matches import MatchPage, visible_game
from gangland_web.web.sessions import current_user, reading

Row = TypeVar("Row")


def existing(row: Row | None) -> Row:
    """Return the row that an address names; ends in 404 if there is none."""
    if row is None:
        abort(404)
    return row


def known_game(name: str | None) -> str:
    """Return the name of a game from an address or a form; ends in 404 if there is no such game."""
    if name not in GAME_TITLES:
        abort(404, f"There is no game of that name; there are {' and '.join(GAME_TITLES)}.")
    return name


def requested_seats() -> int | None:
    """Return the table size of `?seats=`, None without it; ends in 400 for anything but 2, 3 and 4."""
    given = request.args.get("seats")
    if given is None:
        return None
    if given not in [str(size) for size in SEATS]:
        abort(400, f"seats must be 2, 3 or 4, not {shown(given, limit=20)!r}")
    return int(given)


def ladder_seats(game: str) -> int:
    """Return the seats of a game's requested ladder, 2 without `?seats=`; ends in 400 or 404 for an unknown one."""
    known_game(game)
    return requested_seats() or 2


def requested_number(name: str) -> int | None:
    """Return a number from the query, None without it; ends in 400 for anything but a number."""
    given = request.args.get(name)
    if given is None:
        return None
    number = whole_number(given)
    if number is None:
        abort(400, f"{name} must be a whole number of at most nine digits")
    return number


def requested_stop(film: Film) -> str | None:
    """Return the decision of `?at=`, None without it; ends in 400 if the game has no such decision."""
    # In the query, because previews of links and some frames drop the fragment of an address.
    at = request.args.get("at")
    if at is None:
        return None
    try:
        return film.at(film.index_of(at))
    except NoSuchStop as mistake:
        abort(400, shown(str(mistake), limit=200))


def requested_game(match_id: int, block: int, rotation: int) -> tuple[MatchPage, PlayedGame]:
    """Return a game with its match; ends in 404 or 410 without it (`visible_game`)."""
    who = current_user()
    with reading() as db:
        return visible_game(db, match_id, block, rotation, who)
