"""Team pages: the public page of a team, and the account tab on which members manage it."""

from functools import partial
from typing import Any, Final

from flask import Blueprint, abort, render_template, request
from sqlmodel import Session
from werkzeug.wrappers import Response

from gangland_web.base.text import whole_number
from gangland_web.models.accounts import Team
from gangland_web.models.columns import row_id
from gangland_web.queries.authors import author_results
from gangland_web.queries.bots import bots_of_team
from gangland_web.queries.tables import TableData, file_urls
from gangland_web.queries.teams import INVITATIONS, MEMBERS, TEAM_UPLOADS, bots_table, members_of, uploads_of
from gangland_web.services import accounts, teams
from gangland_web.site.serving import as_file, confirm_first, flash_redirect, form_page, row_or_404
from gangland_web.web.requests import settings
from gangland_web.web.sessions import database, reading, require_sign_in, signed_in

pages = Blueprint("teams", __name__)

confirmed_first = partial(confirm_first, back="teams.own_team")
_redirect = partial(flash_redirect, endpoint="teams.own_team")
# The field or form of the team's page that shows the reason for a refusal, by endpoint.
_REFUSED_AT: Final = {"teams.create": "name", "teams.invite": "invite", "teams.join": "code"}


@pages.get("/teams/<number:team_id>")
def team(team_id: int) -> str:
    """Show a team: its members, bots and tournaments."""
    with reading() as db:
        team = row_or_404(db.get(Team, team_id))
        bots = bots_of_team(db, team_id)
        members, record = members_of(db, team_id, team.captain_id), author_results(db, bots)
    table = bots_table(team_id, bots)
    return render_template("authors/page.html", kind="team", who=team, record=record, members=members, table=table)


@pages.get("/teams/<number:team_id>/bots.<any(csv,json):form>")
@as_file("team-{team_id}")
def bots_file(db: Session, team_id: int) -> TableData:
    """Return a team's bots as a file."""
    row_or_404(db.get(Team, team_id))
    return bots_table(team_id, bots_of_team(db, team_id))


@pages.get("/account/team")
@require_sign_in
def own_team() -> Response:
    """Show the visitor's team and the available actions, or the forms to create or join a team."""
    return _page()


@pages.get("/team/<any(members,uploads,invitations):what>.<any(csv,json):form>")
@require_sign_in
@as_file("team-{what}")
def own_team_file(db: Session, what: str) -> TableData:
    """Return a table of the visitor's team as a file."""
    team = row_or_404(teams.team_of(db, signed_in().id))
    if what == "invitations" and team.captain_id != signed_in().id:
        abort(404)
    return _tables(db, team)[what]


def _tables(db: Session, team: Team) -> dict[str, TableData]:
    number, members = row_id(team.id), members_of(db, row_id(team.id), team.captain_id)
    files = {name: file_urls("teams.own_team_file", what=name) for name in ("members", "uploads", "invitations")}
    uploaded = "Newest first. Only members see sources and logs"
    return {
        "members": MEMBERS.of(members, f"{len(members)} of {settings().team_members} places", **files["members"]),
        "uploads": TEAM_UPLOADS.of(uploads_of(db, number), uploaded, **files["uploads"]),
        "invitations": INVITATIONS.of(teams.open_invitations(db, number), **files["invitations"]),
    }


@pages.post("/team/create")
@require_sign_in
def create() -> Response:
    """Create a team."""
    name = request.form.get("name", "")[: 4 * accounts.NAME_CHARS[1]]
    return _redirect(f"You are the captain of {teams.create_team(database(), signed_in().id, name).name}.")


@pages.post("/team/invite")
@require_sign_in
def invite() -> Response:
    """Create an invitation, and show its code once."""
    places, days = (whole_number(request.form.get(name)) or 0 for name in ("places", "days"))
    return _page(
        invitation=teams.invite(database(), signed_in().id, places, days, member_limit=settings().team_members)
    )


@pages.post("/team/invitations/<number:invitation_id>/revoke")
@require_sign_in
def revoke(invitation_id: int) -> Response:
    """Revoke an invitation."""
    revoked = teams.revoke_invitation(database(), signed_in().id, invitation_id)
    return _redirect("The invitation has been revoked." if revoked else "This invitation no longer exists.")


@pages.route("/team/join", methods=["GET", "POST"])
@require_sign_in
def join() -> Response:
    """Show which team an invitation code is for, or join that team."""
    if request.method == "GET":
        return _page()
    retire, limit = request.form.get("retire") == "yes", settings().team_members
    team = teams.join_team(database(), signed_in().id, _code(), member_limit=limit, retire=retire)
    return _redirect(f"You have joined {team.name}.")


def _code() -> str:
    return request.values.get("code", "")[: teams.CODE_CHARS]


@pages.post("/team/leave")
@require_sign_in
def leave() -> Response:
    """Leave the visitor's team."""
    return _redirect(f"You have left {teams.leave_team(database(), signed_in().id).name}.")


@pages.post("/team/members/<number:user_id>/remove")
@confirmed_first
def remove(user_id: int) -> Response:
    """Remove a member from the visitor's team."""
    name = teams.remove_member(database(), signed_in().id, user_id)
    return _redirect(f"{name} has been removed, and all invitations have been revoked.")


@pages.post("/team/members/<number:user_id>/captain")
@confirmed_first
def appoint_captain(user_id: int) -> Response:
    """Make another member the captain."""
    return _redirect(f"{teams.change_captain(database(), signed_in().id, user_id)} is now the captain.")


@pages.post("/team/delete")
@confirmed_first
def delete() -> Response:
    """Delete the visitor's team."""
    if request.form.get("sure") != "yes":
        return _redirect("Tick 'I am sure' first: nothing was changed.")
    return _redirect(f"{teams.delete_team(database(), signed_in().id).name} has been deleted.")


@pages.errorhandler(teams.TeamRefused)
def show_refusal(refusal: teams.TeamRefused) -> Response:
    """Show the team's page with the reason for a refusal."""
    return _page(**{_REFUSED_AT.get(request.endpoint or "", "act"): str(refusal)})


def _page(invitation: str = "", **errors: str) -> Response:
    """Return the visitor's team page, with a new invitation code, or with error messages by field or form."""
    user, code = signed_in(), _code()
    with reading() as db:
        team = teams.team_of(db, user.id)
        values: dict[str, Any] = {"tab": "team", "team": team, "code": code, "made": invitation}
        if team is not None:
            values |= {**_tables(db, team), "captain": team.captain_id == user.id}
            if code:
                errors.setdefault("act", f"You are in {team.name}. Leave that team first.")
        elif code:
            invited = teams.team_of_code(db, code)
            values |= {"invited": invited, "rivals": invited and teams.rival_bots(db, invited, user.id)}
            if invited is None:
                errors.setdefault("code", "This code is not valid: it is mistyped, used up, revoked or expired.")
    values |= {"most": settings().team_members, "days": teams.DAYS, "name_chars": accounts.NAME_CHARS}
    response = form_page("accounts/team.html", accounts.AccountForm(errors=errors), **values)
    if code or invitation:
        response.headers["Cache-Control"] = "no-store"
        response.headers["Referrer-Policy"] = "no-referrer"
    return response
