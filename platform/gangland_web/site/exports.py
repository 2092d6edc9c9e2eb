"""Downloads: tables and archives of tournaments and ladders, and installation files."""

from typing import Final
from urllib.parse import urlsplit

from flask import Blueprint, Response, abort, render_template, request, send_file
from markupsafe import Markup

from gangland_web.base.formats import MIMETYPES, Format, day_text
from gangland_web.base.text import shown, whole_number
from gangland_web.models.tournaments import Tournament
from gangland_web.queries import exports, ladders, tournaments
from gangland_web.site.serving import is_for_spreadsheet
from gangland_web.web.address import site_root
from gangland_web.web.caching import archive_file, attachment, make_conditional
from gangland_web.web.requests import settings
from gangland_web.web.sessions import current_user, database, reading

pages = Blueprint("exports", __name__)


# Tables and archives, without data that pages do not show.

_FORMS: Final = "any(csv,json,ndjson)"


@pages.get(f"/tournaments/<number:tournament_id>/<any(matches,games,standings,ratings):what>.<{_FORMS}:form>")
def tournament_table(tournament_id: int, what: str, form: str) -> Response:
    """Send a table of a tournament with visible results."""
    with reading() as db:
        tournament = tournaments.shown_tournament(db, tournament_id, current_user())
    return _table(tournament, exports.TableKind(what), Format(form), f"tournament-{tournament_id}")


@pages.get("/tournaments/<number:tournament_id>/archive.tar")
def tournament_archive(tournament_id: int) -> Response:
    """Send the archive of a tournament with visible results, for `gangland verify`."""
    with reading() as db:
        content = exports.tournament_content(db, tournament_id, current_user())
        return archive_file(content, f"gangland-tournament-{tournament_id}")


@pages.get(f"/ladders/<game>/<number:seats>/<any(matches,games,ratings,days):what>.<{_FORMS}:form>")
def ladder_table(game: str, seats: int, what: str, form: str) -> Response:
    """Send a table of a ladder; matches and games are selected by day or by a range of numbers."""
    with reading() as db:
        ladder = ladders.get_ladder(db, game, seats)
    return _table(ladder, exports.TableKind(what), Format(form), f"{game}-{seats}", _span(exports.TableKind(what)))


@pages.get("/ladders/<game>/<number:seats>/<day>.tar")
def ladder_day(game: str, seats: int, day: str) -> Response:
    """Send the archive of a day of a ladder whose secret is public."""
    with reading() as db:
        ladder, number = ladders.get_ladder(db, game, seats), exports.day_number(day)
        return archive_file(exports.day_content(db, ladder, number), f"gangland-{game}-{seats}-{day_text(number)}")


def _table(
    tournament: Tournament, kind: exports.TableKind, form: Format, name: str, span: exports.Span | None = None
) -> Response:
    try:
        table = exports.open_table(database(), tournament, kind, span)
    except exports.NoTable as none:
        abort(404, str(none))
    if tournament.kind == "ladder" and table.matches > exports.MAX_MATCHES:
        abort(400, f"a response has at most {exports.MAX_MATCHES:,} matches, and these are {table.matches:,}")
    return attachment(
        table.pieces(form, spreadsheet=is_for_spreadsheet()), MIMETYPES[form], f"gangland-{name}-{kind}.{form}"
    )


def _span(kind: exports.TableKind) -> exports.Span | None:
    """Return the matches that the query selects; None for tables without matches."""
    bounds = {name: request.args[name] for name in ("from", "to", "day") if name in request.args}
    if kind not in (exports.TableKind.MATCHES, exports.TableKind.GAMES):
        return None
    if bounds.keys() == {"day"}:
        return exports.Span(day=exports.day_number(bounds["day"]))
    if bounds.keys() != {"from", "to"}:
        abort(400, "choose the matches: ?day=2027-03-01 or ?from=1&to=1000")
    first, last = (whole_number(text) for text in bounds.values())
    if first is None or last is None:
        text = next(text for text in bounds.values() if whole_number(text) is None)
        abort(400, f"expected a match number in digits, not {shown(text, limit=20)!r}")
    return exports.Span(first, last)


# Installation files, and the page with instructions.

_MAX_AGE_S = 3600  # how long browsers and caches may use a file without revalidating it


def _commands(offers: list[exports.Offer]) -> tuple[str, ...] | None:
    """Return the two commands that install the package from this site, or None if the site has no wheel of it."""
    own = exports.own_wheel(offers)
    if own is None:
        return None
    base, host = f"{site_root()}/download", urlsplit(site_root()).hostname
    create = "python3 -m venv gangland && . gangland/bin/activate"
    if exports.is_complete(offers):
        trusted = f" --trusted-host {host}" if base.startswith("http:") else ""
        pinned = f"--no-index{trusted} --find-links {base}/packages/ --require-hashes -r {base}/{exports.REQUIREMENTS}"
        return create, f"pip install {pinned}"
    return create, f"pip install {base}/{own.name}"


@pages.get("/on-your-machine")
def on_your_machine() -> str:
    """Show the commands to install and use `gangland`, and the files to download."""
    wheels = _wheels()
    whole = exports.is_complete(wheels)
    offers = [*exports.common_files(), *([exports.requirements_file(wheels)] if whole else []), *wheels]
    return render_template("exports/on_your_machine.html", commands=_commands(wheels), whole=whole, offers=offers)


@pages.get("/download/packages/")
def packages() -> Response:
    """List the wheels as links, on a page that pip can read."""
    links = [Markup('<a href="../{}#sha256={}">{}</a><br>').format(o.name, o.sha256, o.name) for o in _wheels()]
    head = Markup("<!doctype html><html lang=en><head><title>Packages</title></head><body><h1>Packages</h1>")
    return Response(head + Markup("\n").join(links) + Markup("</body></html>"), mimetype="text/html")


@pages.get("/download/<name>")
def download(name: str) -> Response:
    """Send one of the listed files."""
    wheels = _wheels()
    offers = (*wheels, *exports.common_files(), exports.requirements_file(wheels))
    offer = next((offer for offer in offers if offer.name == name), None)
    if offer is None:
        abort(404, "There is no such file; /on-your-machine lists all files.")
    response = _send_offer(offer)
    response.set_etag(offer.sha256)
    response.cache_control.public, response.cache_control.max_age = True, _MAX_AGE_S
    return make_conditional(response)


def _send_offer(offer: exports.Offer) -> Response:
    kind = "text/plain" if offer.name.endswith(".txt") else "application/zip"
    if offer.path is not None:
        return send_file(offer.path, mimetype=kind, as_attachment=True, download_name=offer.name, etag=False)
    response = Response(offer.body, mimetype=kind)
    response.headers.set("Content-Disposition", "attachment", filename=offer.name)
    return response


def _wheels() -> list[exports.Offer]:
    return exports.wheels(settings().data)
