"""Pictures: preview cards of the site's pages, and moments and clips of games.

Pictures are drawn here: one takes less than the page of a game. Clips are made by a worker that knows no secret.
"""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Final

import msgspec
from flask import Blueprint, Flask, abort, current_app, make_response, render_template, request
from werkzeug.wrappers import Response

from gangland.replay import load
from gangland_ladder.common.texts import counted
from gangland_ladder.viewer.clip_orders import ClipOrder
from gangland_ladder.viewer.clips import MOST_BYTES, FileFormat, clip_round, render
from gangland_ladder.viewer.drawing.canvas import TEXT_CHARS, Box, Canvas, Scheme, png_of
from gangland_ladder.viewer.drawing.fonts import Face, one_line, readable, width_of
from gangland_ladder.viewer.drawing.table_parts import BRASS, die
from gangland_ladder.viewer.film import NoSuchStop, film_of
from gangland_ladder.viewer.pictures import PREVIEW
from gangland_web.base.formats import GAME_TITLES, number
from gangland_web.base.text import sentence, shown
from gangland_web.models.matches import RATED, MatchState, PlayedGame
from gangland_web.queries.bots import bot_page, ratings_of
from gangland_web.queries.matches import MatchPage, notes_of, public_film, visible
from gangland_web.queries.standings import board, shown_standings
from gangland_web.queries.tournaments import found_tournament, parts_of
from gangland_web.services.analyses import is_shown_to_all
from gangland_web.services.clips import Requested, clip_standing, find_clip, request_clip
from gangland_web.site.serving import GAME, existing, requested_game
from gangland_web.web.caching import Pages, answered, build, conditional
from gangland_web.web.limits import count_clip, may_order_clip
from gangland_web.web.requests import analyses_games, dispatch_soon, settings
from gangland_web.web.sessions import database, reading

pages = Blueprint("pictures", __name__)


# Games: a decision as PNG, a round or the whole game as animated WebP or GIF.
#
# Until a clip is there, its address answers 202 with a page that waits.

_AGAIN_S: Final = 2  # how long the page of a clip that is being made waits before it asks for it; then ever longer
_PART: Final = re.compile(r"game|end|r[1-9][0-9]{0,8}(?:\.s[1-9][0-9]{0,8}\.d[1-9][0-9]{0,8})?")
_OFF: Final = "This site makes no clips; `gangland replay FILE --clip` does it on your own machine."
_FULL: Final = "Too many clips wait to be made already; try again in a minute."
_FAILED: Final = "This clip could not be made."


@pages.get(f"{GAME}/picture/<part>.png")
def picture(match_id: int | str, block: int, rotation: int, part: str) -> Response:
    """Draw a decision, a round's first, or the end."""
    page, played = requested_game(match_id, block, rotation)
    order = _order(page, played, part, FileFormat.PNG)

    def draw() -> bytes:
        try:
            film = film_of(load(order.replay), order.names, notes=order.notes)
            return render(film, part, FileFormat.PNG, Scheme(order.scheme), of=order.of)
        except NoSuchStop as mistake:
            abort(404, sentence(shown(str(mistake), limit=300)))

    return _kept(answered(_mark(order), draw, FileFormat.PNG.mimetype, current_app.extensions["gangland_cards"]), page)


@pages.get(f"{GAME.replace('match:', 'number:')}/clip/<part>.<any(webp, gif):ending>")
def clip(match_id: int, block: int, rotation: int, part: str, ending: str) -> Response:
    """Answer with a clip of a round or of the game; with a page that waits while it is being made."""
    page, played = requested_game(match_id, block, rotation)
    form = FileFormat(ending)
    order = _order(page, played, part, form)
    mark = _mark(order)
    key, files = f"{mark}.{form}", ClipFiles(settings().data)
    body = files.get(key)
    if body is None:
        body = _requested(files, key, order, lambda: clip_round(public_film(page, played), part))
    if body is None:
        return _waiting(page, played, part)
    answer = Response(body, mimetype=form.mimetype)
    answer.set_etag(mark)
    return _kept(conditional(answer), page)


def _requested(files: ClipFiles, key: str, order: ClipOrder, check: Callable[[], object]) -> bytes | None:
    """Request a clip unless it is requested already; return it if it is there by now."""
    if not analyses_games() or settings().redis_url is None:
        abort(404, _OFF)
    with reading() as db:
        clip, outcome = find_clip(db, key), clip_standing(db, key)
    if clip is not None and clip.body is not None:
        files.put(key, clip.body)
        return clip.body
    if outcome is None:
        may_order_clip()
        try:
            check()
        except NoSuchStop as mistake:
            abort(404, sentence(shown(str(mistake), limit=300)))
        with database().write() as db:
            outcome = request_clip(db, key, order)
        if outcome is Requested.YES:
            count_clip()
            dispatch_soon()
    if outcome in (Requested.FULL, Requested.FAILED):
        abort(503, _FULL if outcome is Requested.FULL else _FAILED)
    return None


def _waiting(page: MatchPage, played: PlayedGame, part: str) -> Response:
    where = {"match_id": page.ref, "block": played.block, "rotation": played.rotation}
    answer = make_response(
        render_template("pictures/clip.html", page=page, part=part, again_s=_AGAIN_S, where=where), 202
    )
    answer.headers["Retry-After"] = str(_AGAIN_S)
    answer.headers["Cache-Control"] = "no-store"
    return answer


def _kept(answer: Response, page: MatchPage) -> Response:
    """Allow all caches to keep an answer that every visitor may see, and only the browser any other."""
    public = page.match.purpose in RATED and is_shown_to_all(page.tournament)
    answer.headers["Cache-Control"] = "public, max-age=300" if public else "private, no-cache"
    if public:
        answer.headers["Cross-Origin-Resource-Policy"] = "cross-origin"
    return answer


def _order(page: MatchPage, played: PlayedGame, part: str, form: FileFormat) -> ClipOrder:
    """Return all that a picture or a clip is made of; ends in 404 or 400 for what the address cannot ask for."""
    if _PART.fullmatch(part) is None:
        abort(404)
    title = page.title_of(played)
    of = title[:1].upper() + title[1:]
    return ClipOrder(played.replay, _names(page, played), notes_of(played), part, form.value, _scheme().value, of)


def _mark(order: ClipOrder) -> str:
    return sha256(build().encode() + msgspec.json.encode(order)).hexdigest()[:32]


def _names(page: MatchPage, played: PlayedGame) -> list[str]:
    """Return the bots' names, "Seat 2" in place of one that no font here has letters for."""
    lines = [one_line(shown(name), TEXT_CHARS) for name in page.names(played.seating)]
    return [readable(line, f"Seat {seat}") for seat, line in enumerate(lines, 1)]


def _scheme() -> Scheme:
    given = request.args.get("scheme", Scheme.LIGHT.value)
    if given not in set(Scheme):
        abort(400, f"scheme must be {' or '.join(Scheme)}, not {shown(given, limit=20)!r}")
    return Scheme(given)


# Clips that are made, as files in the data folder: at most `KEPT_BYTES`, the latest requested first to stay.

_FOLDER: Final = "clips"
KEPT_BYTES: Final = 64_000_000
"""The maximum size of all of them; in a container they are in memory."""
_BEGINS: Final = {"webp": b"RIFF", "gif": b"GIF89a"}


class ClipFiles:
    """The clips of a site, shared by its processes."""

    def __init__(self, data: Path, most_bytes: int = KEPT_BYTES) -> None:
        """Keep them in a data folder; nothing is made there before the first clip."""
        self._folder = data / _FOLDER
        self._most_bytes = most_bytes

    def get(self, name: str) -> bytes | None:
        """Return a clip, None if it is not there."""
        path = self._folder / name
        try:
            body = path.read_bytes()
            os.utime(path)
        except OSError:
            return None
        return body

    def put(self, name: str, body: bytes) -> None:
        """Keep a clip, in place of those that were not asked for the longest; what is none, or too heavy, is dropped.

        Raises OSError: the data folder cannot be written.
        """
        if len(body) > MOST_BYTES or not body.startswith(_BEGINS[name.rpartition(".")[2]]):
            return
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor, temporary = tempfile.mkstemp(dir=self._folder)
        with os.fdopen(descriptor, "wb") as file:
            file.write(body)
        Path(temporary).replace(self._folder / name)
        self._prune()

    def _prune(self) -> None:
        kept = []
        for path in self._folder.iterdir():
            with suppress(FileNotFoundError):  # another process was faster
                found = path.stat()
                kept.append((found.st_mtime, found.st_size, path))
        weight = sum(size for _, size, _ in kept)
        for _, size, path in sorted(kept):
            if weight <= self._most_bytes:
                return
            path.unlink(missing_ok=True)
            weight -= size


# Preview cards of bots, matches and tournaments, as everybody may see them.

_KEPT: Final = 64  # pictures that each process keeps; one has some 40 KB
_LASTS: Final = "public, max-age=300"
_NAME_CHARS: Final = 80
_ROWS: Final = 4


def init_cards(app: Flask) -> None:
    """Give the application its kept pictures."""
    app.extensions["gangland_cards"] = Pages(_KEPT)


@pages.get("/cards/site.png")
def site_card() -> Response:
    """Draw the card of the house itself."""
    rows = tuple(Row("", title) for title in GAME_TITLES.values())
    return _card_answer(Card("", "Bots roll for the city", rows, "Every roll can be played again."))


@pages.get("/cards/bots/<number:bot_id>.png")
def bot_card(bot_id: int) -> Response:
    """Draw a bot: its game, its owner, and how its version stands at each table size."""
    with reading() as db:
        page = existing(bot_page(db, bot_id))
        ratings = ratings_of(db, bot_id)
    active = page.active.number if page.active else None
    rows = [
        Row(str(row.seats), "seats", f"{number(row.entry.rating)}  ({counted(row.entry.games, 'game')})")
        for row in ratings
        if row.entry.active
    ]
    by = f"by {_name(page.owner, 'its owner')}" if page.owner else "by Gangland"
    foot = f"{by}, version {active}" if active is not None else f"{by}, not on the ladders"
    return _card_answer(
        Card(GAME_TITLES[page.bot.game], _name(page.bot.name, f"Bot {bot_id}"), tuple(rows[:_ROWS]), foot)
    )


@pages.get("/cards/matches/<number:match_id>.png")
def match_card(match_id: int) -> Response:
    """Draw a match: its bots by mean place once it is over, in order of entry before."""
    with reading() as db:
        page = visible(db, match_id, None)
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
    eyebrow = f"{GAME_TITLES[tournament.game]}, {page.size.seats} seats"
    return _card_answer(Card(eyebrow, f"Match {match.id}", rows, foot if over else match.state))


@pages.get("/cards/tournaments/<number:tournament_id>.png")
def tournament_card(tournament_id: int) -> Response:
    """Draw a tournament: the first of its standings where they are shown, else who takes part."""
    with reading() as db:
        tournament = found_tournament(db, tournament_id, None)
        parts, standings = parts_of(db, tournament), shown_standings(db, tournament, None)
    if standings:
        lines = board(standings, parts).rows[:_ROWS]
        names = [_name(line.part.bot, f"Bot {line.part.bot_id}") for line in lines]
        ranks = [str(line.figures["rank"]) for line in lines]
        rows = tuple(Row(rank, name, first=rank == ranks[0]) for rank, name in zip(ranks, names, strict=True))
    else:
        rows = tuple(Row("", _name(part.bot, f"Bot {part.bot_id}")) for part in parts[:_ROWS])
    foot = f"{counted(len(parts), 'bot')}, {tournament.state}"
    title = _name(tournament.name, f"Tournament {tournament_id}")
    return _card_answer(Card(f"{GAME_TITLES[tournament.game]}, {tournament.seats} seats", title, rows, foot))


def _name(text: str, otherwise: str) -> str:
    """Return a name in one line, or what stands for it where it could not be read."""
    return readable(one_line(shown(text, limit=_NAME_CHARS), _NAME_CHARS), otherwise)


def _card_answer(card: Card) -> Response:
    """Return the picture, or 304 to a browser that has it; it is drawn once while it is kept."""
    mark = sha256(f"{build()} {card!r}".encode()).hexdigest()[:32]
    answer = answered(mark, lambda: drawn(card), "image/png", current_app.extensions["gangland_cards"])
    answer.headers["Cache-Control"] = _LASTS
    answer.headers["Cross-Origin-Resource-Policy"] = "cross-origin"
    return answer


# The drawing of a card: lacquer with the names, the places and a throw of dice.

_INK: Final = "table-ink"
_SOFT: Final = "#c3b8a4"
_SIDE: Final = 76
_DICE: Final = ("gangster", "1", "2", "3", "4", "5")
_THROWN: Final = 5


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a card: a place, a name, a figure behind it; `first` is lit."""

    place: str
    name: str
    figure: str = ""
    first: bool = False


@dataclass(frozen=True, slots=True)
class Card:
    """What a picture shows; every text is safe to be shown already."""

    eyebrow: str
    title: str
    rows: tuple[Row, ...] = ()
    foot: str = ""


def drawn(card: Card) -> bytes:
    """Return a card as a PNG of the size of `PREVIEW`; the same card gives the same picture."""
    canvas = Canvas(*PREVIEW, Scheme.DARK)
    whole = Box(0, 0, *PREVIEW)
    canvas.box(whole, "sign")
    canvas.box(whole.inner(26), "table")
    canvas.box(Box(26, 26, PREVIEW.width - 52, 84), "sign")
    for inset, width in ((26, 2), (36, 1)):
        canvas.box(whole.inner(inset), "", edge=BRASS, edge_width=width)
    canvas.box(Box(38, 109.5, PREVIEW.width - 76, 1), BRASS)
    thrown = sha256(card.title.encode()).digest()  # which faces the dice in the corner show, and how high they lie
    for index in range(_THROWN):
        x = PREVIEW.width - _SIDE - 78 * (_THROWN - index)
        die(canvas, "white", _DICE[thrown[index] % len(_DICE)], x, PREVIEW.height - 136 - thrown[index + 16] % 18, 66)
    _words(canvas, card)
    return png_of(canvas, *PREVIEW)


def _words(canvas: Canvas, card: Card) -> None:
    right, most = PREVIEW.width - _SIDE, PREVIEW.width - 2 * _SIDE
    end = _SIDE + canvas.text(_SIDE, 86, "GANGLAND", 34, BRASS, Face.SERIF)
    canvas.text(right, 84, card.eyebrow, 26, _SOFT, most=right - end - 40, anchor="end")
    size = next((size for size in (72, 60, 50) if width_of(card.title, size, Face.SERIF) <= most), 44)
    canvas.text(_SIDE, 196, card.title, size, _INK, Face.SERIF, most=most)
    for index, row in enumerate(card.rows):
        _row(canvas, 276 + 62 * index, row)
    canvas.text(_SIDE, PREVIEW.height - 66, card.foot, 26, _SOFT, most=most - 420)


def _row(canvas: Canvas, y: int, row: Row) -> None:
    colour = BRASS if row.first else _INK
    canvas.text(_SIDE, y, row.place, 34, colour, Face.SERIF)
    right = PREVIEW.width - _SIDE - canvas.text(PREVIEW.width - _SIDE, y, row.figure, 32, colour, anchor="end")
    end = _SIDE + 64 + canvas.text(_SIDE + 64, y, row.name, 36, colour, most=right - _SIDE - 90)
    for dot in range(int(end) + 18, int(right) - 16, 14) if row.figure else ():
        canvas.circle(dot + 1, y - 3, 1, _SOFT)
