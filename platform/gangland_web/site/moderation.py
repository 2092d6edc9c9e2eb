"""The console's page of moderation: what administrators do to people and bots, and who can sign up."""

from __future__ import annotations

import re
from typing import Any, Final

from flask import Blueprint, abort, flash, redirect, request, url_for
from sqlmodel import Session, col, select
from werkzeug.wrappers import Response

from gangland_web.base.text import name_key, normal_name, whole_number
from gangland_web.models.accounts import Act, User, may
from gangland_web.models.bots import Bot
from gangland_web.models.columns import stored
from gangland_web.models.organising import Measure, Moderation
from gangland_web.services.accounts import DAYS, PLACES, SignUpRefused, SignUps, invite_people, let_sign_up, who_may
from gangland_web.services.moderation import ModerationRefused, Target, in_force, moderate, undo_moderation
from gangland_web.site.guards import fresh_first, here, organiser_first
from gangland_web.site.responses import rendered
from gangland_web.web.sessions import database, reading, signed_in

pages = Blueprint("moderation", __name__, url_prefix="/organise/moderation")

_PAGE: Final = re.compile(r"/(bots|authors)/(\d{1,9})(?![\w./])")
"""The address of a bot or of a person, as an administrator copies it."""
_TARGET_CHARS: Final = 256


@pages.get("")
@organiser_first
def page() -> Response:
    """Show what is in force, and what can be done."""
    _need()
    return _page(target=request.args.get("target", "")[:_TARGET_CHARS])


@pages.post("")
@fresh_first
def act() -> Response:
    """Rename, hide, retire or suspend a person or a bot."""
    _need()
    typed, kind = request.form.get("target", "")[:_TARGET_CHARS], request.form.get("measure", "")
    reason, name = request.form.get("reason", ""), request.form.get("name", "")
    if kind not in set(Measure):
        abort(422)
    with reading() as db:
        target = _target(db, typed)
    if target is None:
        return _page(problem="There is no such person or bot.")
    try:
        moderate(database(), here(), target, Measure(kind), reason, name=name)
    except ModerationRefused as refused:
        return _page(problem=str(refused))
    flash("Done. The owner reads the reason, and you can undo it here.")
    return redirect(url_for("moderation.page"), 303)


@pages.post("/<number:moderation_id>/undo")
@fresh_first
def take_back(moderation_id: int) -> Response:
    """Undo a measure."""
    _need()
    try:
        flash(f"Undone: {undo_moderation(database(), here(), moderation_id)}.")
    except ModerationRefused as refused:
        return _page(problem=str(refused))
    return redirect(url_for("moderation.page"), 303)


@pages.post("/sign-ups")
@fresh_first
def sign_ups() -> Response:
    """Set who can sign up."""
    _need()
    if (who := request.form.get("who", "")) not in set(SignUps):
        abort(422)
    let_sign_up(database(), here(), SignUps(who))
    flash("Saved.")
    return redirect(url_for("moderation.page"), 303)


@pages.post("/invitations")
@fresh_first
def invite() -> Response:
    """Make an invitation to sign up, and show its code in this answer only."""
    _need()
    places, days = (whole_number(request.form.get(name)) or 0 for name in ("places", "days"))
    try:
        return _page(code=invite_people(database(), here(), places, days))
    except SignUpRefused as refused:
        return _page(problem=str(refused))


@pages.app_template_global("moderations_of_mine")
def moderations_of_mine() -> list[Moderation]:
    """Return what administrators did to the visitor and to their bots."""
    who = signed_in()
    with reading() as db:
        bots = select(Bot.id).where(who.party.theirs())
        theirs = (col(Moderation.user_id) == who.id) | col(Moderation.bot_id).in_(bots)
        return list(db.exec(select(Moderation).where(theirs, col(Moderation.undone_at).is_(None))).all())


def _target(db: Session, typed: str) -> Target | None:
    """Return the bot or person that was typed: the address of a page, or a person's name; None if there is none."""
    found = _PAGE.search(typed)
    row: Any = None
    if found is not None:
        row = db.get(Bot if found[1] == "bots" else User, int(found[2]))
    elif typed.strip():
        row = db.exec(select(User).where(User.name_key == name_key(normal_name(typed)))).first()
    return None if row is None else Target(row)


def _page(*, problem: str = "", code: str = "", target: str = "") -> Response:
    with reading() as db:
        rows = in_force(db)
        bots = db.exec(select(Bot).where(col(Bot.id).in_([row.bot_id for row in rows]))).all()
        people = db.exec(select(User).where(col(User.id).in_([row.user_id for row in rows]))).all()
        names = {("Bot", stored(bot.id)): bot.name for bot in bots}
        names |= {("User", stored(user.id)): user.name for user in people}
        values = {"rows": rows, "names": names, "who": who_may(db), "problem": problem, "code": code, "target": target}
    values |= {"measures": list(Measure), "places": PLACES, "days": DAYS}
    return rendered("moderation/moderation.html", 422 if problem else 200, is_private=True, **values)


def _need() -> None:
    with reading() as db:
        if not may(db.get_one(User, signed_in().id), Act.MODERATE):
            abort(403)
