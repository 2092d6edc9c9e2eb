"""Pages to sign up, sign in, sign out and to use the first start's code."""

from __future__ import annotations

from math import ceil

from flask import Blueprint, flash, redirect, request, url_for
from werkzeug.wrappers import Response

from gangland_web.base.clock import now_s
from gangland_web.base.formats import seconds
from gangland_web.base.text import name_key, sentence
from gangland_web.models.accounts import User
from gangland_web.models.columns import stored
from gangland_web.services.accounts import (
    NAME_CHARS,
    PASSWORD_CHARS,
    TAKEN,
    AccountForm,
    NameTaken,
    SignUpRefused,
    WrongCode,
    become_admin,
    check_password,
    is_signed_in_at,
    read_sign_in,
    read_sign_up,
    who_may,
    write_proof,
)
from gangland_web.services.accounts import sign_up as create_user
from gangland_web.services.recovery import PasswordRefused, use_password_code
from gangland_web.services.tournaments import class_of
from gangland_web.site.accounts.account_views import is_own_password, typed_password
from gangland_web.site.organising.access import confirm_page
from gangland_web.site.responses import form_page
from gangland_web.web import sessions
from gangland_web.web.limits import LONGEST_OF_NAME_S, at_address, by_address, lockout
from gangland_web.web.sessions import known_as

pages = Blueprint("accounts", __name__)

_NOT_FOUND = "No account has this name and this password."
_NOT_YOURS = "That is not your password."
_CODE_REFUSED = "This code is wrong or used, or a later start of the site has printed a newer one."


@pages.route("/sign-up", methods=["GET", "POST"])
def sign_up() -> Response:
    """Create an account and sign its owner in."""
    form = AccountForm("", "")
    if request.method == "POST":
        form = read_sign_up(request.form)
        if not form.errors and _created(form, code=""):
            return redirect(_next("bots.upload"), 303)
    return _form("sign_up.html", form)


@pages.route("/sign-in", methods=["GET", "POST"])
def sign_in() -> Response:
    """Sign in by name and password; both mistakes get the same words."""
    form = AccountForm("", "")
    if request.method == "POST":
        form = read_sign_in(request.form)
        name, address = name_key(form.name), by_address()
        who = known_as(name) or at_address(name, address)
        wait_until = lockout().waits_until(who)
        if wait_until is None and not (known_as(name) or is_signed_in_at(sessions.database(), name, _address())):
            wait_until = lockout().waits_until(name, longest_s=LONGEST_OF_NAME_S)
        if wait_until is not None:
            return _locked(form, max(1.0, wait_until - now_s()))
        user = check_password(sessions.database(), form.name, form.password)
        if user is not None and user.suspended_for is not None:
            form.errors["name"] = f"This account is suspended by an administrator: {user.suspended_for}"
            return _form("sign_in.html", form)
        if user is not None:
            for counted in {who} if known_as(name) else {who, name}:
                lockout().clear(counted)
            sessions.sign_in(user)
            return redirect(_next("bots.mine"), 303)
        form.errors["password"] = _NOT_FOUND
    return _form("sign_in.html", form)


def _locked(form: AccountForm, wait_s: float) -> Response:
    """Answer where too many wrong passwords were tried for a name, whether anybody has it or not."""
    form.errors["password"] = (
        f"There were too many wrong passwords for this name. Try again in {seconds(wait_s)}, or use a browser in"
        " which you were signed in before. You can also reset your password."
    )
    answer = _form("sign_in.html", form)
    answer.status_code = 429
    answer.headers["Retry-After"] = str(ceil(wait_s))
    return answer


@pages.post("/sign-out")
def sign_out() -> Response:
    """End the visitor's sign-in in this browser."""
    sessions.sign_out()
    flash("You are signed out.")
    return redirect(url_for("home.index"), 303)


@pages.route("/set-password", methods=["GET", "POST"])
def set_password() -> Response:
    """Set a password by the code on a slip, and sign its owner in."""
    form = AccountForm("", "")
    if request.method == "POST":
        form = read_sign_up(request.form)
        form.errors.pop("name", None)
        if not form.errors:
            try:
                user = use_password_code(sessions.database(), form.name, form.code, form.password)
            except PasswordRefused as refused:
                form.errors["code"] = str(refused)
            else:
                for counted in (user.name_key, at_address(user.name_key, by_address())):
                    lockout().clear(counted)
                sessions.sign_in(user)
                flash(sentence(f"Welcome, {user.name}"))
                return redirect(_first_page(user), 303)
    return _form("set_password.html", form)


def _first_page(user: User) -> str:
    """Return where somebody begins who came by a slip: the editor, if the class plays one game, else what has all."""
    with sessions.reading() as db:
        coming = class_of(db, stored(user.id))
    games = {each.game for each in coming}
    if len(games) == 1:
        return url_for("editor.page", game=games.pop())
    event = next((each.event_id for each in coming if each.event_id is not None), None)
    return url_for("home.write") if event is None else url_for("tournaments.event", event_id=event)


@pages.route("/confirm-password", methods=["GET", "POST"])
@sessions.sign_in_first
def confirm_password() -> Response:
    """Have the visitor type the password again, then carry out what they had sent before."""
    back, act = request.values.get("next", ""), sessions.safe_next(request.form.get("act"), "")
    if request.method == "GET":
        return confirm_page("", back, "", status=200)
    if act and "own_password" not in request.form and sessions.signed_in().is_fresh:
        return redirect(act, 307)  # shown at the provider
    if not is_own_password(typed_password("own_password" if "own_password" in request.form else "password")):
        return confirm_page(_NOT_YOURS, back, act, status=422)
    write_proof(sessions.database(), sessions.signed_in().sign_in)
    return redirect(act, 307) if act else redirect(_next("home.index"), 303)


@pages.route("/setup", methods=["GET", "POST"])
def setup() -> Response:
    """Make the holder of the first start's code the admin, with a new account if not signed in."""
    form = AccountForm("", "")
    if request.method == "POST":
        form = read_sign_up(request.form)
        if sessions.visitor() is not None:
            form = AccountForm("", "", form.code)
        if _admin_by_code(form):
            flash("You are now an administrator of this site.")
            return redirect(url_for("organise.index"), 303)
    return _form("setup.html", form)


def _admin_by_code(form: AccountForm) -> bool:
    """Use the form's code for the visitor, or for a new account; False with the reason in its errors."""
    if not form.code:
        form.errors["code"] = "Type the code that the site printed at its last start."
    if form.errors:
        return False
    visitor = sessions.visitor()
    if visitor is None:
        return _created(form, code=form.code)
    try:
        become_admin(sessions.database(), visitor.id, form.code, address=_address())
    except WrongCode:
        form.errors["code"] = _CODE_REFUSED
        return False
    return True


def _created(form: AccountForm, *, code: str) -> bool:
    """Create the account and sign in; False with the reason in the form's errors."""
    try:
        invitation = request.form.get("invitation", "")
        given = {"invitation": invitation, "address": _address()}
        user = create_user(sessions.database(), form.name, form.password, code, **given)
    except NameTaken:
        form.errors["name"] = TAKEN
        return False
    except SignUpRefused as refused:
        form.errors["invitation"] = str(refused)
        return False
    except WrongCode:
        form.errors["code"] = _CODE_REFUSED
        return False
    sessions.sign_in(user)
    flash(sentence(f"Welcome, {user.name}"))
    return True


def _address() -> str:
    return request.remote_addr or "unknown"


def _form(template: str, form: AccountForm) -> Response:
    target = request.values.get("next", "")
    with sessions.reading() as db:
        who = who_may(db).value
    return form_page(template, form, next=target, who=who, name_chars=NAME_CHARS, password_chars=PASSWORD_CHARS)


def _next(default: str) -> str:
    return sessions.safe_next(request.values.get("next"), url_for(default))
