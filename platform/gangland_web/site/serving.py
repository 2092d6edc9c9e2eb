"""Helpers for views: values from the URL, guards, and responses of each kind."""

from collections.abc import Callable
from functools import wraps
from typing import Any, Final, ParamSpec, TypeVar

import flask
from werkzeug.wrappers import Response

from gangland_ladder.matches.match_jobs import HIGHEST_ID
from gangland_ladder.viewer.timeline import NoSuchFrame, Timeline
from gangland_web.base.formats import GAME_TITLES, MIMETYPES, Format
from gangland_web.base.text import shown, whole_number
from gangland_web.models.matches import PlayedGame
from gangland_web.models.organizing import Actor
from gangland_web.queries.ladders import SEATS
from gangland_web.queries.matches import MatchPage, finished_match, visible_game
from gangland_web.queries.tables import Model, TableData, serialize
from gangland_web.services.accounts import HeldRequest, hold_request
from gangland_web.site.rendering import is_part
from gangland_web.web.caching import IS_PUBLIC, make_conditional
from gangland_web.web.sessions import browser_key, current_user, database, reading, require_sign_in, signed_in

GAME: Final = "/matches/<match:match_id>/games/<number:block>/<number:rotation>"  # also for private matches


# Values from the path and the query string. An invalid value aborts the request with 400, 404 or 410.

Row = TypeVar("Row")
P = ParamSpec("P")


def row_or_404(row: Row | None) -> Row:
    """Return the row, or abort with 404 if it is None."""
    if row is None:
        flask.abort(404)
    return row


def known_game(name: str | None) -> str:
    """Return the name of a game from a URL or a form, or abort with 404 if there is no such game."""
    if name not in GAME_TITLES:
        flask.abort(404, f"There is no game with that name. The games are {' and '.join(GAME_TITLES)}.")
    return name


def requested_seats() -> int | None:
    """Return the table size of `?seats=`, or None without it; abort with 400 if it is not 2, 3 or 4."""
    seats = flask.request.args.get("seats")
    if seats is not None and seats not in [str(size) for size in SEATS]:
        flask.abort(400, f"seats must be 2, 3 or 4, not {shown(seats, limit=20)!r}")
    return None if seats is None else int(seats)


def ladder_seats(game: str) -> int:
    """Return the table size of the requested ladder, 2 without `?seats=`; abort with 400 or 404 if it is unknown."""
    known_game(game)
    return requested_seats() or 2


def requested_number(name: str) -> int | None:
    """Return a number from the query string, or None without it; abort with 400 if it is not a number."""
    number = whole_number(flask.request.args.get(name))
    if number is None and name in flask.request.args:
        flask.abort(400, f"{name} must be a whole number of at most nine digits")
    return number


def requested_before() -> int:
    """Return the key of `?before=`, or the highest key without it; abort with 400 if it is not a key."""
    text = flask.request.args.get("before", str(HIGHEST_ID))
    number = whole_number(text, digits=10)
    if number is None or number > HIGHEST_ID:
        flask.abort(400, f"before must be a whole number, as in the links on the page, not {shown(text, limit=20)!r}")
    return number


def requested_frame(timeline: Timeline) -> str | None:
    """Return the decision of `?at=`, or None without it; abort with 400 if the game has no such decision."""
    # The decision is in the query string, because link previews and some frames drop the fragment of a URL.
    at = flask.request.args.get("at")
    if at is None:
        return None
    try:
        return timeline.at(timeline.index_of(at))
    except NoSuchFrame as mistake:
        flask.abort(400, shown(str(mistake), limit=200))


def requested_match(match_id: int | str) -> MatchPage:
    """Return a finished match by its number or key, or abort with 404 or 410 if there is none (`finished_match`)."""
    user, browser = current_user(), _browser_at(match_id)
    with reading() as db:
        return finished_match(db, match_id, user, browser)


def requested_game(match_id: int | str, block: int, rotation: int) -> tuple[MatchPage, PlayedGame]:
    """Return a game and its finished match, as in `requested_match`."""
    user, browser = current_user(), _browser_at(match_id)
    with reading() as db:
        return visible_game(db, match_id, block, rotation, user, browser)


def _browser_at(match_id: int | str) -> str | None:
    """Return the key of the browser that requests a private match, and forbid caching of the response."""
    if isinstance(match_id, int):
        return None
    flask.after_this_request(_keep_private)
    return browser_key()


def _keep_private(response: flask.Response) -> flask.Response:
    response.headers["Cache-Control"] = "no-store"
    response.headers["X-Robots-Tag"] = "noindex"
    return response


# Guards: views for organizers only, or with confirmation of the password.

# Fields of the page that asks for the password.
_CONFIRM_FIELDS: Final = frozenset({"csrf_token", "next", "act", "own_password"})


def organizer_first(view: Callable[P, Any]) -> Callable[P, Any]:
    """Allow only organizers and admins: anonymous visitors are asked to sign in, and other users get a 403."""

    @require_sign_in
    @wraps(view)
    def wrapper(*args: P.args, **kwargs: P.kwargs) -> Any:
        if not signed_in().may_organize:
            flask.abort(403)
        return view(*args, **kwargs)

    return wrapper


def confirm_first(view: Callable[P, Any], back: str = "accounts.sign_ins") -> Callable[P, Any]:
    """Ask users for their password unless they typed it recently.  Users who cancel go to the endpoint `back`."""

    @require_sign_in
    @wraps(view)
    def wrapper(*args: P.args, **kwargs: P.kwargs) -> Any:
        return view(*args, **kwargs) if signed_in().is_fresh else ask_for_password(flask.url_for(back))

    return wrapper


def fresh_first(view: Callable[P, Any]) -> Callable[P, Any]:
    """Allow organizers and admins, and ask for their password unless they typed it recently."""

    @organizer_first
    @wraps(view)
    def wrapper(*args: P.args, **kwargs: P.kwargs) -> Any:
        return view(*args, **kwargs) if signed_in().is_fresh else ask_for_password(_console_of(flask.request.view_args))

    return wrapper


def ask_for_password(back: str) -> Response:
    """Ask for the password, then carry out the request.  Users who cancel go to the URL `back`."""
    if flask.request.method == "POST":
        return confirm_page("", back, flask.request.full_path.rstrip("?"), status=403)
    return flask.redirect(flask.url_for("accounts.confirm_password", next=flask.request.full_path.rstrip("?")), 303)


def confirm_page(problem: str, back: str, act: str, *, status: int, held: HeldRequest | None = None) -> Response:
    """Return the page that asks for the password, with the request to send to `act` afterwards.

    With a provider, the request is also stored with the sign-in, because the browser leaves the site.  `held`: an
    earlier request to carry out in place of the current one.
    """
    if held is None:
        sent = [(name, value) for name, value in flask.request.form.items(multi=True) if name not in _CONFIRM_FIELDS]
        held = HeldRequest(act, sent if act else [])
    user, mark = signed_in(), None
    proven = bool(held.url) and user.is_fresh and not problem
    if held.url and not proven and "gangland_oidc" in flask.current_app.extensions:
        mark = hold_request(database(), user.sign_in, held.url, held.fields)
    form = {"errors": {"own_password": problem} if problem else {}}
    action = flask.url_for("accounts.confirm_password")
    values = {"action": action, "next": back, "act": held.url, "held": held.fields, "proven": proven, "mark": mark}
    return html_page("accounts/sign_in_forms.html", status, is_private=True, form_name="confirm", form=form, **values)


def actor() -> Actor:
    """Return the signed-in user with the IP address, for the log."""
    return Actor(signed_in().id, flask.request.remote_addr or "unknown")


def _console_of(args: dict[str, Any] | None) -> str:
    ids = {name: number for name, number in (args or {}).items() if name in ("tournament_id", "event_id")}
    endpoint = "console" if "tournament_id" in ids else "event" if ids else "index"
    return flask.url_for(f"organizing.{endpoint}", **ids)


# Responses: pages and forms with their status, JSON documents, tables as files, live parts of pages.


def html_page(template: str, status: int = 200, *, is_private: bool = False, **values: Any) -> flask.Response:
    """Return a page with a status; caches may not store a private page."""
    response = flask.make_response(flask.render_template(template, **values), status)
    if is_private:
        response.headers["Cache-Control"] = "no-store"
    return response


def flash_redirect(message: str, endpoint: str, **values: Any) -> Response:
    """Redirect to a page that shows a message."""
    flask.flash(message)
    return flask.redirect(flask.url_for(endpoint, **values), 303)


def form_page(template: str, form: Any, **values: Any) -> flask.Response:
    """Return a page with a form; 422 if the sent values have problems."""
    sent = flask.request.form if form.errors else {}
    return flask.make_response(
        flask.render_template(template, form=form, sent=sent, **values), 422 if form.errors else 200
    )


def document(name: str, model: Model) -> Response:
    """Return the data of a page as the document gangland/NAME/1; see `json_response`."""
    return json_response({"schema": f"gangland/{name}/1", **serialize(model)})


def json_response(body: dict[str, Any]) -> Response:
    """Return a JSON response with an ETag, or 304 to a client that already has it."""
    return make_conditional(flask.jsonify(body))


def table_file(table: TableData, form: Format, name: str) -> flask.Response:
    """Return a table of a page as a file, with an ETag, or 304 to a client that already has it."""
    response = flask.Response(b"".join(table.pieces(form, spreadsheet=is_for_spreadsheet())), mimetype=MIMETYPES[form])
    if form is Format.CSV:
        response.headers["Content-Disposition"] = f'attachment; filename="gangland-{name}.{form}"'
    return make_conditional(response)


def as_file(name: str) -> Callable[[Callable[..., TableData]], Callable[..., flask.Response]]:
    """Decorate a view that returns a table: the response is a file in the format that the URL specifies.

    The view gets a session for reading as `db`.  `name` is the file name, with parts of the URL in braces.
    """

    def decorate(make: Callable[..., TableData]) -> Callable[..., flask.Response]:
        @wraps(make)
        def view(form: str, **parameters: Any) -> flask.Response:
            with reading() as db:
                return table_file(make(db, **parameters), Format(form), name.format(**parameters))

        return view

    return decorate


def is_for_spreadsheet() -> bool:
    """Return whether the URL of a CSV file requests the format for spreadsheets."""
    return flask.request.args.get("for") == "spreadsheet"


def part(markup: str, *, for_all: bool = False) -> Response:
    """Return a live part of a page with an ETag, or 304 to a client that already has it.

    `for_all`: every visitor gets the same response, so it may be cached briefly.
    """
    response = flask.Response(markup)
    if for_all and IS_PUBLIC in flask.request.environ:
        flask.request.environ[IS_PUBLIC] = True
        response.add_etag()
        return response  # complete, because `LiveParts` caches it and sends 304
    return make_conditional(response)


def page_or_part(markup: str, *, for_all: bool = False) -> Response:
    """Return a live page, or only its content if that was requested; see `part`."""
    return part(markup, for_all=for_all) if is_part() else flask.Response(markup)
