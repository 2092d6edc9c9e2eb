"""Pages of bots: upload, a bot, a version on its way, and what is mine."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from flask import Blueprint, abort, flash, redirect, render_template, request, url_for
from sqlmodel import Session
from werkzeug.wrappers import Response

from gangland_web.models.bots import Bot, Version, VersionState
from gangland_web.models.columns import stored
from gangland_web.models.log import Actor
from gangland_web.queries.analyses import headline
from gangland_web.queries.bot_figures import figures, subject_of
from gangland_web.queries.bots import (
    BotPage,
    RatingRow,
    VersionPage,
    active_ratings_of,
    bot_detail,
    bot_page,
    bots_of,
    errors_table,
    latest_errors,
    own_bots_table,
    ratings_of,
    ratings_table,
    source_of,
    under_way,
    version_before,
    version_detail,
    version_page,
    versions_table,
)
from gangland_web.queries.ladders import PROVISIONAL_MATCHES
from gangland_web.queries.match_lists import matches_of_entries
from gangland_web.queries.matches import trial_fault
from gangland_web.queries.sources import Diff, ShownSource, diff_of, shown_source
from gangland_web.queries.tables import TableData
from gangland_web.queries.tournaments import tournaments_of
from gangland_web.services.following import Followed
from gangland_web.services.matches import unsteady_versions
from gangland_web.services.teams import team_of
from gangland_web.services.tournaments import closed_tournaments_of, notes_of_bot
from gangland_web.services.uploads import (
    NOTE_CHARS,
    NotDeletable,
    UploadForm,
    delete_version,
    read_upload,
    retire_bot,
    why_kept,
)
from gangland_web.site.following import is_followed
from gangland_web.site.requested import requested_seats
from gangland_web.site.responses import as_file, document, form_page, page_or_part
from gangland_web.site.submitting import submitted
from gangland_web.web.caching import cached_page, source_file
from gangland_web.web.sessions import database, is_mine, reading, sign_in_first, signed_in

pages = Blueprint("bots", __name__)

_MATCHES = 15
LIVE_S, SETTLED_LIVE_S = 5, 10
"""How often an open page asks for what is new, and where hardly anything is to come."""


@pages.route("/upload", methods=["GET", "POST"])
@sign_in_first
def upload() -> Response:
    """Take a bot, as a file or pasted."""
    if request.method == "GET":
        game, name = request.args.get("game", ""), request.args.get("name", "")
        return _upload_page(UploadForm(game, name, team=request.args.get("team", "")))
    return _taken_in(read_upload(request.form, request.files.get("file")))


def _taken_in(form: UploadForm) -> Response:
    """Hand an upload to intake and lead to its version, or show the form with why it is refused."""
    version = submitted(form)
    if version is not None:
        return redirect(url_for("bots.version", bot_id=version.bot_id, number=version.number), 303)
    return _upload_page(form)


def _upload_page(form: UploadForm) -> Response:
    """Return the form, with the bots of the visitor that a new one would take the place of."""
    with reading() as db:
        playing = [page for page in bots_of(db, signed_in().id) if page.active]
        team = team_of(db, signed_in().id)
        editor_only = closed_tournaments_of(db, signed_in().id)
    return form_page("upload.html", form, playing=playing, team=team, editor_only=editor_only, note_chars=NOTE_CHARS)


@pages.get("/my-bots")
@pages.get("/my-bots/live", endpoint="mine_live")
@sign_in_first
def mine() -> Response:
    """List the visitor's own bots with the state of their newest versions."""
    with reading() as db:
        bots, standing = _own_bots(db)
    markup = render_template("mine.html", bots=bots, standing=standing, live_s=LIVE_S)
    return page_or_part(markup)


def _own_bots(db: Session) -> tuple[list[BotPage], dict[int, list[RatingRow]]]:
    """Return the visitor's bots, and how their active versions stand by bot."""
    bots = bots_of(db, signed_in().id)
    return bots, active_ratings_of(db, bots)


@pages.get("/my-bots.<any(csv,json):form>")
@sign_in_first
@as_file("my-bots")
def mine_file(db: Session) -> TableData:
    """Hand out the list of the visitor's own bots."""
    return own_bots_table(*_own_bots(db))


@pages.get("/bots/<number:bot_id>.json")
def bot_json(bot_id: int) -> Response:
    """Return the bot as the API does; 304 when nothing has changed."""
    with reading() as db:
        page = bot_page(db, bot_id)
    if page is None:
        abort(404)
    return document("bot-page", bot_detail(page))


@pages.get("/bots/<number:bot_id>")
@pages.get("/bots/<number:bot_id>/live", endpoint="bot_live")
def bot(bot_id: int) -> Response:
    """Show a bot: how it stands, how it came there, whom it met, and what went wrong."""
    seats = requested_seats()
    with reading() as db:
        page = bot_page(db, bot_id)
        if page is None:
            abort(404)
        ratings = ratings_of(db, bot_id)
        entries = [stored(row.entry.id) for row in ratings]
        subject = subject_of(page.bot, ratings, seats)
        errors, notes = latest_errors(db, page, ratings), notes_of_bot(db, bot_id)
        values: dict[str, Any] = {
            "page": page,
            "followed": is_followed(Followed.BOT, bot_id),
            "ratings": ratings,
            "subject": subject,
            "matches": matches_of_entries(db, entries, _MATCHES),
            "errors": errors,
            "costs": headline(db, subject.entry) if subject else None,
            "tournaments": [(t.id, t.name, t.state, notes.get(stored(t.id), "")) for t in tournaments_of(db, [bot_id])],
        }

        def make() -> str:
            return render_template(
                "bot.html",
                **values,
                live_s=LIVE_S,
                own=is_mine(page.bot),
                sizes=sorted({row.seats for row in ratings if row.entry.games}),
                provisional_matches=PROVISIONAL_MATCHES,
                drawn=figures(db, subject) if subject else None,
                rated=ratings_table(bot_id, ratings),
                uploads=versions_table(bot_id, page.versions),
                failures=errors_table(bot_id, errors),
            )

        return cached_page(repr(values), make)


@pages.get("/bots/<number:bot_id>/versions/<number:number>")
def version(bot_id: int, number: int) -> str:
    """Show how far a version has come; to its owner also why, its source and what changed in it."""
    with reading() as db:
        page = _version(version_page(db, bot_id, number))
        way = _way(db, page)
        code = _code(db, page.version) if way["own"] else None
        unsteady = way["own"] and bool(unsteady_versions(db, [stored(page.version.id)]))
    return render_template("version.html", **way, code=code, unsteady=unsteady)


@pages.get("/bots/<number:bot_id>/versions/<number:number>/live")
def version_live(bot_id: int, number: int) -> Response:
    """Return the part of a version's page that changes while it is on its way."""
    with reading() as db:
        way = _way(db, _version(version_page(db, bot_id, number)))
    return cached_page(repr(way), lambda: render_template("version_live.html", **way))


def _way(db: Session, page: VersionPage) -> dict[str, Any]:
    """Return what the live part shows."""
    own = is_mine(page.bot)
    detail = version_detail(db, page, private=own)
    trial = None if detail.terminal else under_way(db, page)
    failed = own and page.version.state == VersionState.REJECTED
    fault = trial_fault(db, stored(page.version.id), page.version.number) if failed else None
    kept = why_kept(db, page.version) if own else ""
    return {"page": page, "own": own, "detail": detail, "trial": trial, "fault": fault, "kept": kept}


@dataclass(frozen=True, slots=True)
class _Code:
    """A version's source, and what changed since the version before it; None where that cannot be shown."""

    source: ShownSource | None
    before: int | None
    diff: Diff | None


def _code(db: Session, version: Version) -> _Code:
    source = shown_source(source_of(db, version), version.filename)
    earlier = version_before(db, version)
    if source is None or earlier is None:
        return _Code(source, None, None)
    before = shown_source(source_of(db, earlier), earlier.filename)
    return _Code(source, earlier.number, None if before is None else diff_of(before.text, source.text))


@pages.post("/bots/<number:bot_id>/versions/<number:number>/restore")
@sign_in_first
def restore(bot_id: int, number: int) -> Response:
    """Go back to a version: the same source is sent in again and takes the place of the newest once it passes."""
    with reading() as db:
        page = _version(version_page(db, bot_id, number))
        if not is_mine(page.bot):
            abort(404)
        bot, version, source = page.bot, page.version, source_of(db, page.version)
        team = page.owner or "" if bot.team_id is not None else ""
    note = f"Version {number} again"
    return _taken_in(UploadForm(bot.game, bot.name, version.filename, source, note=note, team=team))


@pages.post("/bots/<number:bot_id>/versions/<number:number>/delete")
@sign_in_first
def delete(bot_id: int, number: int) -> Response:
    """Delete a version of the visitor's that never played."""
    with database().write() as db:
        page = _version(version_page(db, bot_id, number))
        if not is_mine(page.bot):
            abort(404)
        name = page.bot.name
        try:
            delete_version(db, page.version, Actor(signed_in().id, request.remote_addr or "unknown"))
        except NotDeletable as kept:
            flash(str(kept))
            return redirect(url_for("bots.version", bot_id=bot_id, number=number), 303)
    flash(f"Version {number} of {name} is deleted.")
    return redirect(url_for("bots.mine"), 303)


@pages.post("/bots/<number:bot_id>/retire")
@sign_in_first
def retire(bot_id: int) -> Response:
    """Take a bot of the visitor's out of ladders and open tournaments."""
    with database().write() as db:
        bot = db.get(Bot, bot_id)
        if bot is None or not is_mine(bot):
            abort(404)
        retired = retire_bot(db, bot)
    flash(f"{bot.name} is retired." if retired else f"{bot.name} was not active.")
    return redirect(url_for("bots.bot", bot_id=bot_id), 303)


@pages.post("/bots/<number:bot_id>/persons")
@sign_in_first
def persons(bot_id: int) -> Response:
    """Say whether persons may choose a bot of the visitor's as an opponent."""
    with database().write() as db:
        bot = db.get(Bot, bot_id)
        if bot is None or not is_mine(bot):
            abort(404)
        bot.plays_persons = request.form.get("plays") == "1"
        db.add(bot)
    flash(f"{bot.name} {'plays' if bot.plays_persons else 'does not play'} against people.")
    return redirect(url_for("bots.bot", bot_id=bot_id), 303)


@pages.get("/bots/<number:bot_id>/versions/<number:number>.json")
def version_json(bot_id: int, number: int) -> Response:
    """Return the version as the API does; 304 when nothing has changed."""
    with reading() as db:
        page = _version(version_page(db, bot_id, number))
        return document("version-page", version_detail(db, page, private=is_mine(page.bot)))


@pages.get("/bots/<number:bot_id>/versions/<number:number>/source.<any(py, zip):kind>")
@sign_in_first
def source(bot_id: int, number: int, kind: str) -> Response:
    """Hand its source back to the owner, byte for byte, as the file or zip that was sent."""
    with reading() as db:
        page = _version(version_page(db, bot_id, number))
        if not is_mine(page.bot) or not page.version.filename.endswith(f".{kind}"):
            abort(404)
        return source_file(source_of(db, page.version), page.version.filename)


def _version(page: VersionPage | None) -> VersionPage:
    if page is None:
        abort(404)
    return page
