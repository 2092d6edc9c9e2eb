"""A person's own account: where they are signed in, a new password, all that is theirs, and leaving."""

from __future__ import annotations

from flask import Blueprint, Response, flash, redirect, request, url_for
from sqlmodel import Session
from werkzeug.wrappers import Response as Answer

from gangland_web.models.accounts import User
from gangland_web.queries.accounts import sign_ins_table
from gangland_web.queries.tables import TableData
from gangland_web.services.accounts import (
    NO_PASSWORD,
    PASSWORD_CHARS,
    AccountForm,
    check_password,
    password_of,
    password_problem,
    revoke_sign_in,
    revoke_sign_ins,
    sign_ins_of,
)
from gangland_web.services.leaving import StillNeeded, delete_account, export_account
from gangland_web.services.oidc import identities_of
from gangland_web.services.recovery import PasswordRefused, change_password, emails_of
from gangland_web.services.teams import team_of
from gangland_web.site.organising.access import confirm_first
from gangland_web.site.responses import as_file, form_page
from gangland_web.web import sessions
from gangland_web.web.caching import attachment

pages = Blueprint("account", __name__, url_prefix="/account")


@pages.get("")
@sessions.sign_in_first
def mine() -> Response:
    """Show the visitor's account."""
    return account_page(AccountForm("", ""))


@pages.get("/sign-ins.<any(csv,json):form>")
@sessions.sign_in_first
@as_file("sign-ins")
def listed(db: Session) -> TableData:
    """Hand out the list of where the visitor is signed in."""
    who = sessions.signed_in()
    return sign_ins_table(sign_ins_of(db, who.id), who.sign_in)


@pages.post("/password")
@sessions.sign_in_first
def new_password() -> Answer:
    """Change the visitor's password."""
    who = sessions.signed_in()
    old, new = typed_password("old"), typed_password("password")
    form = AccountForm("", "")
    if problem := password_problem(new, who.name):
        form.errors["password"] = problem
        return account_page(form)
    with sessions.reading() as db:
        user = db.get_one(User, who.id)
    try:
        change_password(sessions.database(), user, old, new, sign_in=who.sign_in)
    except PasswordRefused as refused:
        form.errors["old"] = str(refused)
        return account_page(form)
    flash("Your password is changed, and you are signed out everywhere else.")
    return redirect(url_for("account.mine"), 303)


@pages.post("/sign-ins/<number:sign_in_id>/end")
@sessions.sign_in_first
def end_sign_in(sign_in_id: int) -> Answer:
    """Sign the visitor out in another browser."""
    ended = revoke_sign_in(sessions.database(), sessions.signed_in().id, sign_in_id)
    flash("You are signed out there." if ended else "This sign-in no longer exists.")
    return redirect(url_for("account.mine"), 303)


@pages.post("/sign-ins/end")
@sessions.sign_in_first
def end_others() -> Answer:
    """Sign the visitor out in all other browsers."""
    who = sessions.signed_in()
    with sessions.database().write() as db:
        revoke_sign_ins(db, who.id, but=who.sign_in)
    flash("You are signed out everywhere else.")
    return redirect(url_for("account.mine"), 303)


@pages.get("/everything.zip")
@sessions.sign_in_first
def take_along() -> Response:
    """Hand out all that is the visitor's."""
    with sessions.reading() as db:
        packed = export_account(db, sessions.signed_in().id)
    answer = attachment(packed, "application/zip", "gangland-account.zip")
    answer.headers["Cache-Control"] = "no-store"
    return answer


@pages.post("/delete")
@confirm_first
def leave() -> Answer:
    """Delete the visitor's account."""
    form = AccountForm("", "")
    if request.form.get("sure") != "yes":
        form.errors["sure"] = "Tick 'I am sure' first. Nothing was deleted."
    elif has_password() and not is_own_password(typed_password("leave_proof")):
        form.errors["leave_proof"] = "That is not your password. Nothing was deleted."
    if form.errors:
        return account_page(form)
    try:
        delete_account(sessions.database(), sessions.signed_in().id)
    except StillNeeded as needed:
        flash(str(needed))
        return redirect(url_for("account.mine"), 303)
    sessions.forget()
    flash("Your account is deleted.")
    return redirect(url_for("home.index"), 303)


def typed_password(name: str) -> str:
    """Return the password that was typed into a field, as it is compared."""
    return password_of(request.form.get(name, "")[: PASSWORD_CHARS[1] + 1])


def has_password() -> bool:
    """Tell whether the visitor has a password, and does not sign in by a provider alone."""
    with sessions.reading() as db:
        return db.get_one(User, sessions.signed_in().id).password_hash != NO_PASSWORD


def is_own_password(typed: str) -> bool:
    """Tell whether this is the visitor's password."""
    with sessions.reading() as db:
        name = db.get_one(User, sessions.signed_in().id).name_key  # the name itself may be hidden
    return check_password(sessions.database(), name, typed) is not None


def account_page(form: AccountForm, email: str = "") -> Response:
    """Return the page of the visitor's account.

    Args:
        form: what is wrong with the form that was sent.
        email: the address that was typed there.
    """
    with sessions.reading() as db:
        user_id = sessions.signed_in().id
        confirmed, waiting = emails_of(db, user_id)
        shown = {
            "team": team_of(db, user_id),
            "sign_ins": sign_ins_of(db, user_id),
            "identities": identities_of(db, user_id),
            "confirmed": confirmed,
            "waiting": waiting,
            "email": email,
        }
    return form_page("account.html", form, password_chars=PASSWORD_CHARS, has_password=has_password(), **shown)
