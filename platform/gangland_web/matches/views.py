"""Pages of matches and of the games in them."""

from __future__ import annotations

import json
from dataclasses import dataclass

from flask import Blueprint, Response, abort, render_template
from zstandard import ZstdDecompressor

from gangland.luck import UNITS
from gangland.replay import Replay, load
from gangland_web.matches.lifecycle import MatchState, Purpose
from gangland_web.matches.models import PlayedGame
from gangland_web.matches.page_queries import MatchPage, SeatRow, game_of, games_of, match_page
from gangland_web.matches.stories import story_of
from gangland_web.matches.waiting import dice_of, unrated_before, why_not_played
from gangland_web.tournaments.seen import results_seen
from gangland_web.web.sessions import reading, visitor

pages = Blueprint("matches", __name__, url_prefix="/matches/<number:match_id>")

_LOG_BYTES = 1024 * 1024
"""The most that a game's logs may weigh unpacked; the limits of play allow 64 KiB."""


@dataclass(frozen=True, slots=True)
class GameLine:
    """One game as a match page lists it: place and faults by match position."""

    block: int
    rotation: int
    seats: tuple[int, ...]
    places: tuple[int, ...]
    faults: tuple[tuple[str, ...], ...]
    rounds: int


@pages.get("")
def match(match_id: int) -> str:
    """Show a match: who sat there, how every game ended, what it did to the ratings."""
    with reading() as db:
        page = _visible(match_page(db, match_id))
        games = games_of(db, match_id) if page.match.state == MatchState.DONE else []
        told = {"dice": dice_of(db, page), "before": unrated_before(db, page), "waits": why_not_played(db, page)}
    lines = [_game_line(game, len(page.seats)) for game in games]
    rules = json.loads(games[0].replay)["rules"] if games else None
    ranked = sorted(page.seats, key=lambda seat: (seat.mean_place or 0.0, seat.position))
    unit = UNITS[page.tournament.game]
    return render_template("match.html", page=page, ranked=ranked, games=lines, rules=rules, unit=unit, **told)


@pages.get("/games/<number:block>/<number:rotation>")
def game(match_id: int, block: int, rotation: int) -> str:
    """Show a game as prose that can be stepped through."""
    page, played = _game(match_id, block, rotation)
    replay = load(played.replay)
    names = page.names(played.seating)
    return render_template(
        "replay.html",
        page=page,
        game=played,
        replay=replay,
        names=names,
        seats=[page.seats[position] for position in played.seating],
        story=story_of(replay, names, played.faults),
        mine=_is_mine,
        logs=_own_logs(page, played),
        around=_around(page, replay, block, rotation),
    )


@pages.get("/games/<number:block>/<number:rotation>/replay.json")
def replay_json(match_id: int, block: int, rotation: int) -> Response:
    """Hand out a game's replay as a file."""
    _, played = _game(match_id, block, rotation)
    name = f"gangland-match-{match_id}-block-{block}-rotation-{rotation}.json"
    return _download(played.replay + "\n", "application/json", name)


@pages.get("/replays.ndjson")
def replays(match_id: int) -> Response:
    """Hand out all replays of a match, one a line, by block and rotation."""
    with reading() as db:
        page = _visible(match_page(db, match_id))
        if page.match.state != MatchState.DONE:
            abort(404)
        text = "".join(played.replay + "\n" for played in games_of(db, match_id))
    return _download(text, "application/x-ndjson", f"gangland-match-{match_id}.ndjson")


def _download(text: str, mimetype: str, name: str) -> Response:
    answer = Response(text, mimetype=mimetype)
    answer.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return answer


def _visible(page: MatchPage | None) -> MatchPage:
    """Return the page if the visitor may see it.

    A trial is its owner's business alone, a challenge that of all whose bots sit there; what a tournament came to
    is nobody's under its embargo.
    """
    if page is None:
        abort(404)
    if page.match.purpose in (Purpose.TRIAL, Purpose.CHALLENGE) and not any(_is_mine(seat) for seat in page.seats):
        abort(404)
    if not results_seen(page.tournament):
        abort(404)
    return page


def _is_mine(seat: SeatRow) -> bool:
    """True when the visitor may see the seat's errors and logs: its bot's owner alone, not even an admin."""
    who = visitor()
    return who is not None and who.id == seat.owner_id


def _game(match_id: int, block: int, rotation: int) -> tuple[MatchPage, PlayedGame]:
    with reading() as db:
        page = _visible(match_page(db, match_id))
        played = game_of(db, match_id, block, rotation)
    if played is None or page.match.state != MatchState.DONE:
        abort(404)
    return page, played


def _game_line(game: PlayedGame, size: int) -> GameLine:
    faults: list[list[str]] = [[] for _ in range(size)]
    for fault in game.faults:
        faults[game.seating[fault["seat"]]].append(fault["kind"])
    seats = tuple(game.seating.index(position) for position in range(size))
    return GameLine(
        game.block,
        game.rotation,
        seats,
        tuple(game.places[seat] for seat in seats),
        tuple(tuple(kinds) for kinds in faults),
        json.loads(game.replay)["rounds"],
    )


def _own_logs(page: MatchPage, game: PlayedGame) -> list[tuple[SeatRow, str]]:
    """Return what the visitor's own bots logged in a game."""
    mine = [seat for seat in page.seats if _is_mine(seat)]
    if not mine or game.logs is None:
        return []
    logs = json.loads(ZstdDecompressor().decompress(game.logs, max_output_size=_LOG_BYTES))
    texts = {seat.position: "\n".join(text for _, text in logs[seat.position]) for seat in mine}
    return [(seat, texts[seat.position]) for seat in mine if texts[seat.position]]


def _around(page: MatchPage, replay: Replay, block: int, rotation: int) -> dict[str, tuple[int, int] | None]:
    """Return the (block, rotation) of the games before and after one, None where the match has no more."""
    number, last = block * replay.seats + rotation, page.tournament.blocks * replay.seats - 1
    return {
        "before": divmod(number - 1, replay.seats) if number > 0 else None,
        "after": divmod(number + 1, replay.seats) if number < last else None,
    }
