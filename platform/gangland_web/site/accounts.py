"""Account pages: sign-up, sign-in, settings, email address and tokens."""

from collections.abc import Callable
from functools import partial
from math import ceil
from typing import Any

from flask import Blueprint, abort, flash, redirect, render_template, request, url_for
from sqlmodel import Session
from werkzeug.wrappers import Response

from gangland.games import FIRST_GAME
from gangland_web.base.formats import now_s, waiting_time
from gangland_web.base.text import ADDRESS_CHARS, address_problem, name_key, sentence
from gangland_web.models.accounts import User
from gangland_web.models.columns import row_id
from gangland_web.queries.authors import TOKENS, sign_ins_table, token_detail
from gangland_web.queries.bots import own_bots_table
from gangland_web.queries.tables import TableData, file_urls
from gangland_web.services import accounts, entries, leaving, oidc, recovery
from gangland_web.services import tokens as api_tokens
from gangland_web.site import serving
from gangland_web.web import caching, limits, requests, sessions
from gangland_web.web.sessions import database, known_browser_key, reading, require_sign_in, signed_in

pages = Blueprint("accounts", __name__)


# Sign-up, sign-in and sign-out; codes on slips and the setup code; confirming the password before an action.

_SIGN_IN_ERROR = "Wrong name or password."
_PROOF_ERROR = "That is not your password."
_CODE_ERROR = "This code is wrong, has been used, or has been replaced by a newer one."
_to_sign_ins = partial(serving.flash_redirect, endpoint="accounts.sign_ins")


@pages.route("/sign-up", methods=["GET", "POST"])
def sign_up() -> Response:
    """Create an account and sign the new user in."""
    if request.method == "GET":
        return account_form_page("sign-up")
    form = accounts.read_sign_up(request.form)
    user = _sign_up(form)
    return account_form_page("sign-up", form) if user is None else redirect(_next_url(first_page(user)), 303)


@pages.route("/sign-in", methods=["GET", "POST"])
def sign_in() -> Response:
    """Sign in with name and password; a wrong name and a wrong password get the same response."""
    if request.method == "GET":
        return account_form_page("sign-in")
    form = accounts.read_sign_in(request.form)
    name, address = name_key(form.name), limits.client_key()
    known_key = known_browser_key(name)
    attempts_key = known_key or limits.at_address(name, address)
    wait_until = limits.lockout().count_attempt(attempts_key)
    if wait_until is None and not (known_key or accounts.has_sign_in_from(database(), name, _ip_address())):
        wait_until = limits.lockout().count_attempt(name, max_pause_s=limits.MAX_NAME_PAUSE_S)
    if wait_until is not None:
        return _lockout_page(form, max(1.0, wait_until - now_s()))
    user = accounts.check_password(database(), form.name, form.password)
    if user is None:
        form.errors["password"] = _SIGN_IN_ERROR
        return account_form_page("sign-in", form)
    if user.suspended_for is not None:
        form.errors["name"] = f"This account is suspended by an administrator: {user.suspended_for}"
        return account_form_page("sign-in", form)
    for key in {attempts_key} if known_key else {attempts_key, name}:
        limits.lockout().clear(key)
    sessions.sign_in(user)
    if (kept_form := requests.read_kept_form(request.form.get("kept", ""))) is not None:
        return requests.kept_page(kept_form, sentence(f"You are signed in as {user.name}"), 200)
    return redirect(_next_url(url_for("accounts.account")), 303)


def _lockout_page(form: accounts.AccountForm, wait_s: float) -> Response:
    form.errors["password"] = (
        f"Too many wrong passwords for this name. You can try again in {waiting_time(wait_s)}, or reset your password."
    )
    response = account_form_page("sign-in", form)
    response.status_code = 429
    response.headers["Retry-After"] = str(ceil(wait_s))
    return response


@pages.post("/sign-out")
def sign_out() -> Response:
    """Sign the visitor out in this browser."""
    sessions.sign_out()
    return serving.flash_redirect("You have been signed out.", "home.index")


@pages.route("/set-password", methods=["GET", "POST"])
def set_password() -> Response:
    """Set a password with the code on a slip, and sign the user in."""
    if request.method == "GET":
        return account_form_page("slip")
    form = accounts.read_sign_up(request.form)
    form.errors.pop("name", None)
    if form.errors:
        return account_form_page("slip", form)
    try:
        user = recovery.use_password_code(database(), form.name, form.code, form.password)
    except recovery.PasswordRefused as refused:
        form.errors["code"] = str(refused)
        return account_form_page("slip", form)
    _sign_in_by_code(user)
    flash(sentence(f"Welcome, {user.name}"))
    return redirect(first_page(user), 303)


def _sign_in_by_code(user: User) -> None:
    """Sign in a user who has just set a password with a code, and reset the counts of wrong passwords."""
    for name in (user.name_key, limits.at_address(user.name_key, limits.client_key())):
        limits.lockout().clear(name)
    sessions.sign_in(user)


def first_page(user: User) -> str:
    """Return the URL of a new user's first page: the editor, or the event of a class that plays several games."""
    with reading() as db:
        upcoming = entries.class_tournaments(db, row_id(user.id))
    games = {tournament.game for tournament in upcoming}
    if len(games) == 1:
        return url_for("editor.page", game=games.pop())
    event = next((tournament.event_id for tournament in upcoming if tournament.event_id is not None), None)
    return url_for("editor.page", game=FIRST_GAME) if event is None else url_for("tournaments.event", event_id=event)


@pages.route("/confirm-password", methods=["GET", "POST"])
@require_sign_in
def confirm_password() -> Response:
    """Ask for the visitor's password, then carry out their request."""
    back, act = request.values.get("next", ""), requests.safe_next(request.form.get("act"), "")
    if request.method == "GET":
        return serving.confirm_page("", back, "", status=200)
    if act and "own_password" not in request.form and signed_in().is_fresh:
        return redirect(act, 307)  # confirmed with the provider
    if not _is_own_password(_form_password("own_password" if "own_password" in request.form else "password")):
        return serving.confirm_page(_PROOF_ERROR, back, act, status=422)
    accounts.record_proof(database(), signed_in().sign_in)
    return redirect(act, 307) if act else redirect(_next_url(url_for("home.index")), 303)


@pages.route("/setup", methods=["GET", "POST"])
def setup() -> Response:
    """Make the visitor, or a new account, the administrator with the setup code."""
    if request.method == "GET":
        return account_form_page("setup")
    form = accounts.read_sign_up(request.form)
    if sessions.visitor() is not None:
        form = accounts.AccountForm("", "", form.code)
    if _become_admin(form):
        return serving.flash_redirect("You are now an administrator of this site.", "organizing.index")
    return account_form_page("setup", form)


def _become_admin(form: accounts.AccountForm) -> bool:
    """Make the visitor or a new account the administrator; if refused, return False and add the reason to the form."""
    if not form.code:
        form.errors["code"] = "Enter the setup code that the site printed."
    if form.errors:
        return False
    visitor = sessions.visitor()
    if visitor is None:
        return _sign_up(form, form.code) is not None
    try:
        accounts.become_admin(database(), visitor.id, form.code, address=_ip_address())
    except accounts.WrongCode:
        form.errors["code"] = _CODE_ERROR
    return not form.errors


def create_user(form: accounts.AccountForm, sign_up: Callable[[], User]) -> User | None:
    """Create the account of a form and sign the user in; if refused, return None and add the reason to the form."""
    if form.errors:
        return None
    try:
        user = sign_up()
    except accounts.NameTaken:
        form.errors["name"] = accounts.NAME_TAKEN
    except accounts.SignUpRefused as refused:
        form.errors["invitation"] = str(refused)
    except accounts.WrongCode:
        form.errors["code"] = _CODE_ERROR
    else:
        sessions.sign_in(user)
        flash(sentence(f"Welcome, {user.name}"))
        return user
    return None


def _sign_up(form: accounts.AccountForm, code: str = "") -> User | None:
    origin = {"invitation": request.form.get("invitation", ""), "address": _ip_address()}
    return create_user(form, lambda: accounts.sign_up(database(), form.name, form.password, code, **origin))


def _ip_address() -> str:
    return request.remote_addr or "unknown"


def account_form_page(form_name: str, form: accounts.AccountForm | None = None, **errors: str) -> Response:
    """Return the page with one of the forms for sign-in or sign-up."""
    form = form or accounts.AccountForm(errors=errors)
    with reading() as db:
        mode = accounts.sign_up_policy(db).value
    chars = {"name_chars": accounts.NAME_CHARS, "password_chars": accounts.PASSWORD_CHARS}
    return serving.form_page(
        "accounts/sign_in_forms.html", form, form_name=form_name, next=request.values.get("next", ""), who=mode, **chars
    )


def _next_url(default: str) -> str:
    return requests.safe_next(request.values.get("next"), default)


# The visitor's account page, one view per tab: bots, and sign-ins with password, data export and deletion of the
# account.  The tabs for followed bots, users and teams and for the visitor's team are in `authors` and `teams`.


@pages.get("/account")
@pages.get("/account/live", endpoint="account_live")
@require_sign_in
def account() -> Response:
    """List the visitor's bots with the state of their newest versions."""
    with reading() as db:
        table = own_bots_table(db, signed_in().id)
    return serving.page_or_part(render_template("accounts/account.html", tab="bots", table=table, live_s=5))


@pages.get("/account/sign-ins")
@require_sign_in
def sign_ins() -> Response:
    """Show the visitor's sign-ins, the form for the password, and the email address."""
    return _sign_ins_page()


@pages.get("/account/sign-ins.<any(csv,json):form>")
@require_sign_in
@serving.as_file("sign-ins")
def sign_ins_file(db: Session) -> TableData:
    """Return the list of the visitor's sign-ins as a file."""
    visitor = signed_in()
    return sign_ins_table(accounts.sign_ins_of(db, visitor.id), visitor.sign_in)


@pages.post("/account/password")
@require_sign_in
def new_password() -> Response:
    """Change the visitor's password."""
    visitor = signed_in()
    old, new = _form_password("old"), _form_password("password")
    if problem := accounts.password_problem(new, visitor.name):
        return _sign_ins_page(password=problem)
    with reading() as db:
        user = db.get_one(User, visitor.id)
    try:
        recovery.change_password(database(), user, old, new, sign_in=visitor.sign_in)
    except recovery.PasswordRefused as refused:
        return _sign_ins_page(old=str(refused))
    return _to_sign_ins("Your password has been changed, and you have been signed out everywhere else.")


@pages.post("/account/sign-ins/<number:sign_in_id>/end")
@require_sign_in
def end_sign_in(sign_in_id: int) -> Response:
    """Sign the visitor out in another browser."""
    ended = accounts.revoke_sign_in(database(), signed_in().id, sign_in_id)
    return _to_sign_ins("That browser has been signed out." if ended else "This sign-in no longer exists.")


@pages.post("/account/sign-ins/end")
@require_sign_in
def end_other_sign_ins() -> Response:
    """Sign the visitor out in all other browsers."""
    visitor = signed_in()
    with database().write() as db:
        accounts.revoke_sign_ins(db, visitor.id, except_id=visitor.sign_in)
    return _to_sign_ins("You have been signed out everywhere else.")


@pages.get("/account/everything.zip")
@require_sign_in
def export_data() -> Response:
    """Send all data of the visitor's account as an archive."""
    with reading() as db:
        packed = leaving.export_account(db, signed_in().id)
    response = caching.attachment(packed, "application/zip", "gangland-account.zip")
    response.headers["Cache-Control"] = "no-store"
    return response


@pages.post("/account/delete")
@serving.confirm_first
def leave() -> Response:
    """Delete the visitor's account."""
    if request.form.get("sure") != "yes":
        return _sign_ins_page(sure="Tick 'I am sure' first. Nothing was deleted.")
    if _has_password() and not _is_own_password(_form_password("leave_proof")):
        return _sign_ins_page(leave_proof=f"{_PROOF_ERROR} Nothing was deleted.")
    try:
        leaving.delete_account(database(), signed_in().id)
    except leaving.DeletionError as needed:
        return _to_sign_ins(str(needed))
    sessions.clear_session()
    return serving.flash_redirect("Your account has been deleted.", "home.index")


def _form_password(name: str) -> str:
    return accounts.password_of(request.form.get(name, "")[: accounts.PASSWORD_CHARS[1] + 1])


def _has_password() -> bool:
    with reading() as db:
        return db.get_one(User, signed_in().id).password_hash != accounts.NO_PASSWORD


def _is_own_password(password: str) -> bool:
    with reading() as db:
        name = db.get_one(User, signed_in().id).name_key  # the display name may be hidden
    return accounts.check_password(database(), name, password) is not None


def _sign_ins_page(**errors: str) -> Response:
    with reading() as db:
        user_id = signed_in().id
        confirmed, waiting = recovery.emails_of(db, user_id)
        values: dict[str, Any] = {"identities": oidc.identities_of(db, user_id)}
        values["table"] = sign_ins_table(accounts.sign_ins_of(db, user_id), signed_in().sign_in)
    values |= {"confirmed": confirmed, "waiting": waiting, "has_password": _has_password()}
    return serving.form_page("accounts/sign_ins.html", accounts.AccountForm(errors=errors), tab="sign-ins", **values)


# Email, on sites that send it: a user's address, and a new password for users who lost theirs.

_CODE_CHARS = 64


def sends_mail() -> bool:
    """Return whether this site sends mail."""
    return requests.settings().mail_from is not None


@pages.route("/recover", methods=["GET", "POST"])
def recover() -> Response:
    """Send a code for a new password by email; the response does not show whether the address is known."""
    if request.method == "GET":
        return account_form_page("recover")
    if not sends_mail():
        abort(404)
    address = _form_text("email", ADDRESS_CHARS)
    if problem := address_problem(address):
        return account_form_page("recover", email=problem)
    recovery.mail_password_code(database(), address)
    sent = "If an account has this confirmed address, we have sent it a code."
    return serving.flash_redirect(sent, "accounts.recover_code")


@pages.route("/recover/code", methods=["GET", "POST"])
def recover_code() -> Response:
    """Set a password with a code from an email, and sign the user in."""
    if request.method == "GET":
        return account_form_page("mailed")
    password = _form_password("password")
    if problem := accounts.password_problem(password, ""):
        return account_form_page("mailed", password=problem)
    try:
        user = recovery.use_mailed_code(database(), _form_text("code", _CODE_CHARS), password)
    except recovery.CodeRefused as refused:
        return account_form_page("mailed", code=str(refused))
    _sign_in_by_code(user)
    done = "Your password has been set, and you have been signed out everywhere else."
    return serving.flash_redirect(done, "accounts.account")


@pages.post("/account/email")
@require_sign_in
def add_email() -> Response:
    """Add an email address to the visitor's account, and send a code to it."""
    if not sends_mail():
        abort(404)
    address = _form_text("email", ADDRESS_CHARS)
    if problem := address_problem(address):
        return _sign_ins_page(email=problem)
    if not _is_confirmed():
        return _sign_ins_page(proof=_PROOF_ERROR)
    recovery.set_email(database(), signed_in().id, address)
    return _to_sign_ins("We have sent a code to that address.")


@pages.post("/account/email/confirm")
@require_sign_in
def check_email_code() -> Response:
    """Confirm the visitor's email address with the code sent to it."""
    try:
        address = recovery.confirm_email(database(), signed_in().id, _form_text("code", _CODE_CHARS))
    except recovery.CodeRefused as refused:
        return _sign_ins_page(code=str(refused))
    return _to_sign_ins(f"Your email address is now {address}.")


@pages.post("/account/email/remove")
@require_sign_in
def drop_email() -> Response:
    """Remove the visitor's email address."""
    if not _is_confirmed():
        return _sign_ins_page(proof=_PROOF_ERROR)
    removed = recovery.remove_email(database(), signed_in().id)
    return _to_sign_ins("Your address has been removed." if removed else "There was no email address to remove.")


def _form_text(name: str, max_chars: int) -> str:
    return request.form.get(name, "")[: max_chars + 1].strip()


def _is_confirmed() -> bool:
    """Return whether the visitor typed their password or authenticated with the provider."""
    return (not _has_password() and signed_in().is_fresh) or _is_own_password(_form_password("proof"))


# Tokens: list them, create one, revoke one.


@pages.route("/account/tokens", methods=["GET", "POST"])
@require_sign_in
def tokens() -> Response:
    """List the visitor's tokens, or create a token and show it once."""
    if request.method == "GET":
        return _tokens_page(api_tokens.TokenForm())
    form = api_tokens.read_token(request.form, request.form.getlist("scope"))
    if api_tokens.Scope.ORGANIZE in form.scopes and not signed_in().may_organize:
        form.errors["scope"] = "Only organizers can create a token with the permission to organize."
    elif api_tokens.Scope.ORGANIZE in form.scopes and not signed_in().is_fresh:
        return serving.ask_for_password(url_for("accounts.tokens"))
    new_token = None
    if not form.errors:
        try:
            new_token = api_tokens.create_token(database(), signed_in().id, form.name, form.scopes, int(form.days))
        except api_tokens.TooManyTokens:
            form.errors["name"] = f"You already have {api_tokens.MAX_TOKENS} tokens. Revoke one first."
    return _tokens_page(form if form.errors else api_tokens.TokenForm(), new_token)


@pages.get("/account/tokens.<any(csv,json):form>")
@require_sign_in
@serving.as_file("tokens")
def tokens_file(db: Session) -> TableData:
    """Return the list of the visitor's tokens as a file, without the tokens themselves."""
    return _tokens_table(db)


@pages.post("/account/tokens/<number:token_id>/revoke")
@require_sign_in
def end_token(token_id: int) -> Response:
    """Revoke one of the visitor's tokens, immediately and permanently."""
    ended = api_tokens.revoke_token(database(), signed_in().id, token_id)
    return serving.flash_redirect(
        "The token has been revoked." if ended else "There is no such token to revoke.", "accounts.tokens"
    )


def _tokens_table(db: Session) -> TableData:
    rows = [token_detail(token) for token in api_tokens.tokens_of(db, signed_in().id)]
    caption = "Newest first. Expired and revoked tokens are listed for 30 days"
    return TOKENS.of(rows, caption, **file_urls("accounts.tokens_file"))


def _tokens_page(form: api_tokens.TokenForm, new_token: str | None = None) -> Response:
    with reading() as db:
        table = _tokens_table(db)
    response = serving.form_page(
        "accounts/account.html",
        form,
        tab="tokens",
        made=new_token,
        table=table,
        scopes=api_tokens.SCOPES,
        offered=api_tokens.SCOPES if signed_in().may_organize else set(api_tokens.SCOPES) - {api_tokens.Scope.ORGANIZE},
        days=api_tokens.DAYS,
        name_chars=api_tokens.NAME_CHARS,
    )
    if new_token is not None:
        response.headers["Cache-Control"] = "no-store"
    return response
