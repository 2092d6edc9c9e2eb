"""Tables and archives over HTTP; what is not shown on pages is not in them either."""

from __future__ import annotations

from collections.abc import Iterator
from tempfile import TemporaryFile
from typing import IO, Final

from flask import Blueprint, Response, abort, request

from gangland_ladder.proof.archives.archive import Content
from gangland_ladder.proof.archives.files import write_archive
from gangland_web.core.formats import GAME_TITLES
from gangland_web.core.table_formats import MIMETYPES, Form
from gangland_web.core.text import shown, whole_number
from gangland_web.http.sessions import database, reading
from gangland_web.league.tournaments.archive import NotFrozen, content_of
from gangland_web.resources.exports.ladder_days import DayNotProven, day_content
from gangland_web.resources.exports.rows import Span, What, read_day, written_day
from gangland_web.resources.exports.tables import NoTable, open_table
from gangland_web.resources.ladders.queries import ladder_of
from gangland_web.resources.visibility.tournaments import is_seen, results_seen
from gangland_web.site.ladders.views import SEATS
from gangland_web.store.models.tournaments import Tournament

pages = Blueprint("exports", __name__)

MATCHES_MOST: Final = 10_000
"""How many matches of a ladder one answer may have; a shell on the server has no such bound."""
_PIECE: Final = 1 << 16
_FORMS: Final = "any(csv,json,ndjson)"


@pages.get(f"/tournaments/<number:tournament_id>/<any(matches,games,standings,ratings):what>.<{_FORMS}:form>")
def tournament_table(tournament_id: int, what: str, form: str) -> Response:
    """Hand out a table of a tournament whose results are shown."""
    tournament = shown_tournament(tournament_id)
    return _table(tournament, What(what), Form(form), f"tournament-{tournament_id}")


@pages.get("/tournaments/<number:tournament_id>/archive.tar")
def tournament_archive(tournament_id: int) -> Response:
    """Hand out the archive of a tournament whose results are shown: what `gangland verify` examines."""
    shown_tournament(tournament_id)
    with reading() as db:
        try:
            content = content_of(db, db.get_one(Tournament, tournament_id))
        except NotFrozen as early:
            abort(404, str(early))
        return _archive(content, f"gangland-tournament-{tournament_id}")


@pages.get(f"/ladders/<game>/<number:seats>/<any(matches,games,ratings,days):what>.<{_FORMS}:form>")
def ladder_table(game: str, seats: int, what: str, form: str) -> Response:
    """Hand out a table of a ladder: of matches and games those of a day, or from one number to another."""
    return _table(found_ladder(game, seats), What(what), Form(form), f"{game}-{seats}", _span(What(what)))


@pages.get("/ladders/<game>/<number:seats>/<day>.tar")
def ladder_day(game: str, seats: int, day: str) -> Response:
    """Hand out the archive of a day of a ladder whose secret is public."""
    ladder, asked = found_ladder(game, seats), _day(day)
    with reading() as db:
        try:
            return _archive(day_content(db, ladder, asked), f"gangland-{game}-{seats}-{written_day(asked)}")
        except DayNotProven as early:
            abort(404, str(early))


def _table(tournament: Tournament, what: What, form: Form, name: str, span: Span | None = None) -> Response:
    try:
        table = open_table(database(), tournament, what, span)
    except NoTable as none:
        abort(404, str(none))
    if tournament.kind == "ladder" and table.matches > MATCHES_MOST:
        abort(400, f"these are {table.matches:,} matches, and one answer has {MATCHES_MOST:,} at most")
    return _download(table.pieces(form), MIMETYPES[form], f"gangland-{name}-{what}.{form}")


def shown_tournament(tournament_id: int) -> Tournament:
    """Return the tournament if whoever looks may see what it came to."""
    with reading() as db:
        found = db.get(Tournament, tournament_id)
    if found is None or found.kind != "tournament" or not is_seen(found) or not results_seen(found):
        abort(404)
    return found


def found_ladder(game: str, seats: int) -> Tournament:
    """Return a ladder; ends in 404 without it."""
    if game not in GAME_TITLES or seats not in SEATS:
        abort(404)
    with reading() as db:
        found = ladder_of(db, game, seats)
    if found is None:
        abort(404)
    return found


def _span(what: What) -> Span | None:
    """Return which matches the address asks for."""
    given = {name: request.args[name] for name in ("from", "to", "day") if name in request.args}
    if what not in (What.MATCHES, What.GAMES):
        return None
    if "day" in given and len(given) == 1:
        return Span(day=_day(given["day"]))
    if set(given) != {"from", "to"}:
        abort(400, "choose the matches: ?day=2027-03-01 or ?from=1&to=1000")
    return Span(_number(given["from"]), _number(given["to"]))


def _number(text: str) -> int:
    number = whole_number(text)
    if number is None:
        abort(400, f"a match number is written in digits, not {shown(text, limit=20)!r}")
    return number


def _day(text: str) -> int:
    day = read_day(text)
    if day is None:
        abort(404, f"a day is written as 2027-03-01, not {shown(text, limit=20)!r}")
    return day


def _archive(content: Content, name: str) -> Response:
    """Return an archive, written to the disk first: its head says how long and what it is."""
    file = TemporaryFile()  # noqa: SIM115 (closed by whoever sends it)
    try:
        write_archive(file, content)
        size = file.tell()
        file.seek(0)
    except BaseException:
        file.close()
        raise
    answer = _download(_file(file), "application/x-tar", f"{name}.tar")
    answer.call_on_close(file.close)
    answer.content_length = size
    return answer


def _file(file: IO[bytes]) -> Iterator[bytes]:
    while piece := file.read(_PIECE):
        yield piece


def _download(pieces: Iterator[bytes], mimetype: str, name: str) -> Response:
    answer = Response(pieces, mimetype=mimetype)
    answer.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return answer
