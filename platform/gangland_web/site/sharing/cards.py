"""Preview pictures of bots, matches and tournaments, as everybody may see them."""

from __future__ import annotations

from hashlib import sha256
from typing import Final

from flask import Blueprint, Flask, abort, current_app
from sqlmodel import Session
from werkzeug.wrappers import Response as AnyResponse

from gangland_ladder.common.plurals import counted
from gangland_ladder.viewer.drawing.fonts import one_line, readable
from gangland_web.base.formats import GAME_TITLES, number
from gangland_web.base.text import shown
from gangland_web.models.matches import MatchState
from gangland_web.models.tournaments import Tournament
from gangland_web.queries.bots import bot_page, ratings_of
from gangland_web.queries.matches import MatchPage, visible
from gangland_web.queries.standings import board, shown_standings
from gangland_web.queries.tournaments import found_tournament, parts_of
from gangland_web.site.sharing.drawing import Card, Row, drawn
from gangland_web.web.caching import Pages, answered, build
from gangland_web.web.sessions import reading

pages = Blueprint("cards", __name__, url_prefix="/cards")

_KEPT: Final = 64
"""Pictures that each process keeps; one has some 40 KB."""
_LASTS: Final = "public, max-age=300"
_NAME_CHARS: Final = 80
_ROWS: Final = 4


def init_cards(app: Flask) -> None:
    """Give the application its kept pictures."""
    app.extensions["gangland_cards"] = Pages(_KEPT)


@pages.get("/site.png")
def site() -> AnyResponse:
    """Draw the card of the house itself."""
    rows = tuple(Row("", title) for title in GAME_TITLES.values())
    return _answer(Card("", "Bots roll for the city", rows, "Every roll can be played again."))


@pages.get("/bots/<number:bot_id>.png")
def bot(bot_id: int) -> AnyResponse:
    """Draw a bot: its game, its owner, and how its version stands at each table size."""
    with reading() as db:
        page = bot_page(db, bot_id)
        if page is None:
            abort(404)
        ratings = ratings_of(db, bot_id)
    active = page.active.number if page.active else None
    rows = [
        Row(str(row.seats), "seats", f"{number(row.entry.rating)}  ({counted(row.entry.games, 'game')})")
        for row in ratings
        if row.entry.active
    ]
    by = f"by {_name(page.owner, 'its owner')}" if page.owner else "by Gangland"
    foot = f"{by}, version {active}" if active is not None else f"{by}, not on the ladders"
    return _answer(Card(GAME_TITLES[page.bot.game], _name(page.bot.name, f"Bot {bot_id}"), tuple(rows[:_ROWS]), foot))


@pages.get("/matches/<number:match_id>.png")
def match(match_id: int) -> AnyResponse:
    """Draw a match: its bots by mean place once it is over, in order of entry before."""
    with reading() as db:
        page = visible(db, match_id, None)
    return _answer(_match_card(page))


@pages.get("/tournaments/<number:tournament_id>.png")
def tournament(tournament_id: int) -> AnyResponse:
    """Draw a tournament: the first of its standings where they are shown, else who takes part."""
    with reading() as db:
        found = found_tournament(db, tournament_id, None)
        card = _tournament_card(db, found, tournament_id)
    return _answer(card)


def _match_card(page: MatchPage) -> Card:
    match, tournament = page.match, page.tournament
    over = match.state == MatchState.DONE.value
    seats = sorted(page.seats, key=lambda seat: (seat.mean_place or 0.0, seat.position)) if over else page.seats
    best = seats[0].mean_place
    rows = tuple(
        Row(
            str(1 + sum((other.mean_place or 0) < (seat.mean_place or 0) for other in seats)) if over else "",
            f"{_name(seat.bot, f'Bot {seat.bot_id}')} v{seat.version}",
            f"mean place {number(seat.mean_place)}" if over and seat.mean_place is not None else "",
            over and seat.mean_place == best,
        )
        for seat in seats
    )
    foot = f"{counted(page.size.blocks, 'block')}, the same dice in all {page.size.seats} rotations"
    return Card(
        f"{GAME_TITLES[tournament.game]}, {page.size.seats} seats",
        f"Match {match.id}",
        rows,
        foot if over else match.state,
    )


def _tournament_card(db: Session, found: Tournament, tournament_id: int) -> Card:
    parts, standings = parts_of(db, found), shown_standings(db, found, None)
    if standings:
        lines = board(standings, parts).rows[:_ROWS]
        names = [_name(line.part.bot, f"Bot {line.part.bot_id}") for line in lines]
        ranks = [str(line.figures["rank"]) for line in lines]
        rows = tuple(Row(rank, name, first=rank == ranks[0]) for rank, name in zip(ranks, names, strict=True))
    else:
        rows = tuple(Row("", _name(part.bot, f"Bot {part.bot_id}")) for part in parts[:_ROWS])
    foot = f"{len(parts)} {'bot' if len(parts) == 1 else 'bots'}, {found.state}"
    title = _name(found.name, f"Tournament {tournament_id}")
    return Card(f"{GAME_TITLES[found.game]}, {found.seats} seats", title, rows, foot)


def _name(text: str, otherwise: str) -> str:
    """Return a name in one line, or what stands for it where it could not be read."""
    return readable(one_line(shown(text, limit=_NAME_CHARS), _NAME_CHARS), otherwise)


def _answer(card: Card) -> AnyResponse:
    """Answer with the picture, with 304 to whoever has it already; it is drawn once while it is kept."""
    mark = sha256(f"{build()} {card!r}".encode()).hexdigest()[:32]
    answer = answered(mark, lambda: drawn(card), "image/png", current_app.extensions["gangland_cards"])
    answer.headers["Cache-Control"] = _LASTS
    answer.headers["Cross-Origin-Resource-Policy"] = "cross-origin"
    return answer
