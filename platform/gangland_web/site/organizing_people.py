"""Console pages for accounts: class accounts, passwords, roles, moderation, sign-ups, and the log."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from flask import Blueprint, abort, flash, redirect, render_template, request, url_for
from sqlmodel import Session, col, select
from werkzeug.wrappers import Response

from gangland_web.base.text import name_key, normal_name, sentence, whole_number
from gangland_web.models.accounts import Act, Role, User, may
from gangland_web.models.bots import Bot
from gangland_web.models.columns import row_id
from gangland_web.models.organizing import Moderation, ModerationKind, read_log
from gangland_web.models.tournaments import Event, Tournament
from gangland_web.queries.organizing import ROLES, allowed, log_table, moderations_of, names_of_targets, roles_of_people
from gangland_web.queries.tables import TableData, file_urls
from gangland_web.services import accounts
from gangland_web.services.entries import BEFORE_FREEZE
from gangland_web.services.moderation import ModerationRefused, Target, actions_in_force, moderate, undo_moderation
from gangland_web.services.recovery import AccountForbidden, Slip, create_aliases, reset_password, set_role
from gangland_web.site.organizing import join_codes
from gangland_web.site.serving import actor, as_file, flash_redirect, fresh_first, html_page, organizer_first
from gangland_web.web.address import printed_url
from gangland_web.web.sessions import database, reading, signed_in

pages = Blueprint("organizing_people", __name__, url_prefix="/organize")


# Accounts for a class, codes for forgotten passwords, and roles.

_MAX_NAMES = 2_000


@pages.get("/people")
@organizer_first
def people() -> Response:
    """Show the page with all actions for accounts."""
    return _people_page()


@pages.post("/people/aliases")
@fresh_first
def aliases() -> Response:
    """Create accounts for people without email, and show their slips once."""
    _require(Act.MAKE_ALIASES)
    text = request.form.get("names", "")
    place = next((place for place in _places() if place.value == request.form.get("place")), None)
    lines = [line for line in re.split(r"\r\n|\r|\n", text.removeprefix("\ufeff")) if line.strip()]
    if not 1 <= len(lines) <= _MAX_NAMES:
        return _people_page(problem=f"Write 1 to {_MAX_NAMES} names, one per line.", names=text)
    slips = create_aliases(database(), actor(), lines)
    remaining = "\n".join(line for line, _ in slips.problems) if slips.slips else text
    return _people_page(slips=slips.slips, problems=slips.problems, names=remaining, place=place)


@pages.post("/people/code")
@fresh_first
def password_code() -> Response:
    """Create a code that allows a user to set a new password, and show it once."""
    _require(Act.RESET_PASSWORD)
    try:
        slip = reset_password(database(), actor(), signed_in().role, request.form.get("name", "")[:256])
    except (LookupError, AccountForbidden) as refused:
        return _people_page(problem=_sentence(refused))
    return _people_page(slips=[slip])


@pages.post("/people/role")
@fresh_first
def role() -> Response:
    """Give a user a role."""
    _require(Act.SET_ROLES)
    name = request.form.get("role", "")
    if name not in set(Role):
        abort(422)
    try:
        user = set_role(database(), actor(), _current_user(), request.form.get("name", "")[:256], Role(name))
    except (LookupError, ValueError) as refused:
        return _people_page(problem=_sentence(refused))
    return flash_redirect(f"{user.name} is now an {user.role}.", "organizing_people.people")


@pages.get("/people/roles.<any(csv,json):form>")
@organizer_first
@as_file("roles")
def roles_file(db: Session) -> TableData:
    """Return the users with a role as a file."""
    _require(Act.SET_ROLES)
    return ROLES.of(roles_of_people(db))


def _people_page(
    *,
    slips: Sequence[Slip] = (),
    problem: str = "",
    problems: Sequence[tuple[str, str]] = (),
    names: str = "",
    place: Place | None = None,
) -> Response:
    """Return the page; 422 if the form was refused."""
    values: dict[str, Any] = {"slips": slips, "problem": problem, "problems": problems, "names": names}
    values |= {"tab": "people", "place": place, "places": _places()}
    with reading() as db:
        values["roles"] = ROLES.of(roles_of_people(db)) if signed_in().is_admin else None
    status = 422 if problem or (problems and not slips) else 200
    return html_page("organizing/people.html", status, is_private=bool(slips), **values)


def _require(act: Act) -> None:
    if not may(_current_user(), act):
        abort(403)


def _current_user() -> User:
    with reading() as db:
        return db.get_one(User, signed_in().id)


def _sentence(error: Exception) -> str:
    return sentence(str(error.args[0]) if error.args else str(error))


# The page that follows after a password is set with a slip: an event or tournament whose entries are not frozen yet.


class Place(NamedTuple):
    """An event, or a tournament without an event: its value in forms, and its printed name."""

    value: str
    name: str
    address: str
    code: str


def _places() -> list[Place]:
    """Return the visitor's events and tournaments that are or will be open for entries, newest first."""
    query: Any = select(Tournament, Event).outerjoin(Event, col(Event.id) == Tournament.event_id)
    query = query.where(Tournament.kind == "tournament", col(Tournament.rehearsal_of).is_(None))
    query = query.where(Tournament.organizer_id == signed_in().id, col(Tournament.state).in_(BEFORE_FREEZE))
    with reading() as db:
        rows = db.exec(query.order_by(col(Tournament.id).desc())).all()
    groups: dict[str, tuple[Event | Tournament, list[Tournament]]] = {}
    for tournament, event in rows:
        value = f"tournament-{tournament.id}" if event is None else f"event-{event.id}"
        groups.setdefault(value, (event or tournament, []))[1].append(tournament)
    places = []
    for value, (place, tournaments) in groups.items():
        kind = value.partition("-")[0]
        address = printed_url(f"tournaments.{kind}", **{f"{kind}_id": row_id(place.id)})
        places.append(Place(value, place.name, address, join_codes(tournaments)))
    return places


# Moderation: admins' actions against users and bots, and the rules for sign-up.

# The URL of a bot or a user, as copied by an admin.
_TARGET_URL: Final = re.compile(r"/(bots|authors)/(\d{1,9})(?![\w./])")
_TARGET_CHARS: Final = 256


@pages.get("/moderation")
@organizer_first
def moderation() -> Response:
    """Show the moderation actions in force, and the forms for new ones."""
    _require(Act.MODERATE)
    return _moderation_page(target=request.args.get("target", "")[:_TARGET_CHARS])


@pages.post("/moderation")
@fresh_first
def carry_out_measure() -> Response:
    """Rename, hide, retire or suspend a user or a bot."""
    _require(Act.MODERATE)
    text, kind = request.form.get("target", "")[:_TARGET_CHARS], request.form.get("measure", "")
    reason, name = request.form.get("reason", ""), request.form.get("name", "")
    if kind not in set(ModerationKind):
        abort(422)
    with reading() as db:
        address = _TARGET_URL.search(text)
        row: Any = None
        if address is not None:
            row = db.get(Bot if address[1] == "bots" else User, int(address[2]))
        elif text.strip():
            row = db.exec(select(User).where(User.name_key == name_key(normal_name(text)))).first()
        target = None if row is None else Target(row)
    if target is None:
        return _moderation_page(problem="There is no such user or bot.")
    try:
        moderate(database(), actor(), target, ModerationKind(kind), reason, name=name)
    except ModerationRefused as refused:
        return _moderation_page(problem=str(refused))
    done = "Done. The owner can read the reason. You can undo the action here."
    return flash_redirect(done, "organizing_people.moderation")


@pages.post("/moderation/<number:moderation_id>/undo")
@fresh_first
def undo_measure(moderation_id: int) -> Response:
    """Undo a moderation action."""
    _require(Act.MODERATE)
    try:
        flash(f"The action on {undo_moderation(database(), actor(), moderation_id)} has been undone.")
    except ModerationRefused as refused:
        return _moderation_page(problem=str(refused))
    return redirect(url_for("organizing_people.moderation"), 303)


@pages.post("/moderation/sign-ups")
@fresh_first
def sign_ups() -> Response:
    """Set who can sign up."""
    _require(Act.MODERATE)
    if (policy := request.form.get("who", "")) not in set(accounts.SignUpPolicy):
        abort(422)
    accounts.set_sign_up_policy(database(), actor(), accounts.SignUpPolicy(policy))
    return flash_redirect("Saved.", "organizing_people.moderation")


@pages.post("/moderation/invitations")
@fresh_first
def invite() -> Response:
    """Create an invitation to sign up, and show its code once."""
    _require(Act.MODERATE)
    places, days = (whole_number(request.form.get(name)) or 0 for name in ("places", "days"))
    try:
        return _moderation_page(code=accounts.invite_people(database(), actor(), places, days))
    except accounts.SignUpRefused as refused:
        return _moderation_page(problem=str(refused))


@pages.app_template_global("moderations_of_mine")
def moderations_of_mine() -> list[Moderation]:
    """Return the moderation actions against the visitor and their bots."""
    user = signed_in()
    with reading() as db:
        return moderations_of(db, user.id, user.party)


def _moderation_page(*, problem: str = "", code: str = "", target: str = "") -> Response:
    with reading() as db:
        rows = actions_in_force(db)
        values: dict[str, Any] = {
            "rows": rows,
            "names": names_of_targets(db, rows),
            "who": accounts.sign_up_policy(db),
            "problem": problem,
            "code": code,
            "target": target,
        }
    values |= {"tab": "moderation", "measures": list(ModerationKind)}
    values |= {"places": accounts.INVITATION_PLACES, "days": accounts.INVITATION_DAYS}
    return html_page("organizing/organize.html", 422 if problem else 200, is_private=True, **values)


# The log: the actions of users with a role, for one tournament or all.

_PAGE_LINES = 100  # the number of entries on a page


@pages.get("/<number:tournament_id>/log")
@organizer_first
def log(tournament_id: int) -> str:
    """Show the log of a tournament."""
    with reading() as db:
        return _log(db, allowed(db, Act.SEE_AUDIT_LOG, tournament_id, signed_in()))


@pages.get("/log")
@organizer_first
def whole_log() -> str:
    """Show the whole log."""
    _require(Act.SEE_WHOLE_LOG)
    with reading() as db:
        return _log(db)


@pages.get("/<number:tournament_id>/log.<any(csv,json):form>")
@organizer_first
@as_file("log-{tournament_id}")
def log_file(db: Session, tournament_id: int) -> TableData:
    """Return a page of a tournament's log as a file."""
    allowed(db, Act.SEE_AUDIT_LOG, tournament_id, signed_in())
    return log_table(read_log(db, _PAGE_LINES, tournament_id=tournament_id, before=_before()))


@pages.get("/log.<any(csv,json):form>")
@organizer_first
@as_file("log")
def whole_log_file(db: Session) -> TableData:
    """Return a page of the whole log as a file."""
    _require(Act.SEE_WHOLE_LOG)
    return log_table(read_log(db, _PAGE_LINES, before=_before()))


def _log(db: Session, tournament: Tournament | None = None) -> str:
    parameters: dict[str, Any] = {"tournament_id": row_id(tournament.id)} if tournament else {}
    page = "organizing_people.log" if tournament else "organizing_people.whole_log"
    lines = read_log(db, _PAGE_LINES + 1, before=_before(), **parameters)
    older = url_for(page, before=lines[_PAGE_LINES - 1].entry.id, **parameters) if len(lines) > _PAGE_LINES else None
    files = file_urls(f"{page}_file", before=_before(), **parameters)
    table = log_table(lines[:_PAGE_LINES], **files)
    return render_template("organizing/organize.html", tab="log", tournament=tournament, table=table, older=older)


def _before() -> int | None:
    return whole_number(request.args.get("before"), digits=15)
