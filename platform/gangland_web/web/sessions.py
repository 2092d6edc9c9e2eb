"""Sessions and tokens, which identify the sender of a request."""

import secrets
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import wraps
from hashlib import sha256
from typing import Any, Final, ParamSpec

import flask
from flask import Flask, Response, after_this_request, current_app, flash, g, redirect, request, session, url_for
from flask.sessions import SecureCookieSession, SecureCookieSessionInterface, SessionMixin
from itsdangerous import BadData, URLSafeTimedSerializer
from sqlmodel import Session

from gangland_web.models.accounts import Role, User, may_organize
from gangland_web.models.bots import Owned, Party
from gangland_web.models.columns import row_id
from gangland_web.models.database import Database
from gangland_web.models.organizing import Actor
from gangland_web.queries.visibility import CurrentUser, acts_for
from gangland_web.services.accounts import begin_sign_in, find_sign_in, record_sign_in_use, revoke_sign_in
from gangland_web.services.tokens import Bearer, RefusalReason, Scope, TokenRefused, bearer_of
from gangland_web.web.requests import Problem, is_api, is_public, kept_page, sent_form

# Sessions: a cookie, signed by the server, that contains the key of a stored sign-in.

P = ParamSpec("P")
_KEY = "key"
_BROWSER = "player"


@dataclass(frozen=True, slots=True)
class Visitor:
    """A signed-in user."""

    id: int
    name: str
    role: Role
    sign_in: int  # the id of the sign-in
    is_fresh: bool  # whether the user recently proved their identity; actions on results or people require it
    team_id: int | None = None

    @property
    def party(self) -> Party:
        """The user with their team, for whose bots the user may act."""
        return Party(self.id, self.team_id)

    @property
    def is_admin(self) -> bool:
        """Whether the user is an admin of the site."""
        return self.role is Role.ADMIN

    @property
    def may_organize(self) -> bool:
        """Whether the user may organize tournaments."""
        return may_organize(self.role)


class SessionInterface(SecureCookieSessionInterface):
    """Flask's signed cookie, Secure for requests over https; API calls and public responses have no cookie."""

    def open_session(self, app: Flask, request: flask.Request) -> SecureCookieSession | None:
        """Return the session in the cookie, or an empty one for requests whose cookies are ignored."""
        return self.session_class() if _is_cookieless(request) else super().open_session(app, request)

    def save_session(self, app: Flask, session: SessionMixin, response: flask.Response) -> None:
        """Set the cookie if the session has changed."""
        if not _is_cookieless(request):
            super().save_session(app, session, response)

    def get_cookie_secure(self, app: Flask) -> bool:
        """Return whether the cookie is Secure: by the settings, or because the request came over https."""
        return bool(app.config["SESSION_COOKIE_SECURE"]) or request.is_secure


def _is_cookieless(request: flask.Request) -> bool:
    return is_api(request) or is_public(request)


def database() -> Database:
    """Return the database of the current application."""
    app_database: Database = current_app.extensions["gangland_database"]
    return app_database


def reading() -> AbstractContextManager[Session]:
    """Return a session for reading.  Rows can be used after it has ended, except lazy columns."""
    return database().read()


def sign_in(user: User) -> None:
    """Begin a new session for `user`, without any data of the old one."""
    session.clear()
    agent = request.user_agent.string
    session[_KEY] = begin_sign_in(database(), row_id(user.id), request.remote_addr or "unknown", agent)
    session.permanent = True
    remember_browser(user.name_key)
    g.pop("visitor", None)


def browser_key(*, create: bool = False) -> str | None:
    """Return the key of this browser as the owner of tables; with `create`, set the cookie if it is missing."""
    key = session.get(_BROWSER)
    if key is None and create:
        key = session[_BROWSER] = secrets.token_urlsafe(16)
        session.permanent = True
    return None if key is None else sha256(str(key).encode()).hexdigest()


def sign_out() -> None:
    """End the sign-in of this browser, which also invalidates copies of its cookie."""
    leaving = visitor()
    if leaving is not None:
        revoke_sign_in(database(), leaving.id, leaving.sign_in)
    session.clear()
    g.pop("visitor", None)


def clear_session() -> None:
    """Clear the session after all sign-ins of its user have ended."""
    session.clear()
    g.pop("visitor", None)


def drop_cached_visitor() -> None:
    """Drop the cached visitor after a change of the sign-in."""
    g.pop("visitor", None)


def visitor() -> Visitor | None:
    """Return the signed-in visitor; None for an anonymous visitor, and after the sign-in has ended."""
    if "visitor" not in g:
        g.visitor = _load_visitor(session.get(_KEY))
    person: Visitor | None = g.visitor
    return person


def _load_visitor(key: Any) -> Visitor | None:
    if not isinstance(key, str):
        return None
    with reading() as db:
        active = find_sign_in(db, key)
    if active is None:
        return None
    record_sign_in_use(database(), active.sign_in)
    user = active.user
    return Visitor(
        row_id(user.id), user.name, Role(user.role), row_id(active.sign_in.id), active.is_fresh, active.team_id
    )


def current_user() -> CurrentUser | None:
    """Return the signed-in visitor or, at the API, the owner of a token that may read; visibility depends on it."""
    if not is_api(request):
        return visitor()
    bearer = caller()
    return bearer if bearer is not None and Scope.READ in bearer.scopes else None


def is_own(bot: Owned) -> bool:
    """Return whether the current user may act for a bot, and see its errors, logs and sources."""
    return acts_for(current_user(), bot)


def signed_in() -> Visitor:
    """Return the signed-in visitor; call it only in a view with `require_sign_in`."""
    person = visitor()
    if person is None:
        raise LookupError("no user is signed in; the view lacks @require_sign_in")
    return person


def require_sign_in(view: Callable[P, Any]) -> Callable[P, Any]:
    """Send anonymous visitors to the sign-in page; a submitted form is shown there with its values."""

    @wraps(view)
    def guarded(*args: P.args, **kwargs: P.kwargs) -> Any:
        if visitor() is None:
            form = sent_form()
            if form is not None:
                return kept_page(form, "Your sign-in has ended.", 401, needs_sign_in=True)
            flash("Sign in first.")
            back = request.full_path if request.method == "GET" else request.path
            return redirect(url_for("accounts.sign_in", next=back.rstrip("?")), 303)
        return view(*args, **kwargs)

    return guarded


# Callers of the API, by their bearer tokens.

_CHALLENGE = 'Bearer realm="gangland"'
_NO_BEARER = "Send a token as `Authorization: Bearer gangland_...`; a session cookie is not read here."
_REFUSALS = {
    RefusalReason.UNKNOWN: "This token does not exist.",
    RefusalReason.EXPIRED: "This token has expired; create a new one on /account/tokens.",
    RefusalReason.REVOKED: "This token was revoked; create a new one on /account/tokens.",
}


def require_caller(scope: Scope | None) -> Bearer:
    """Return the caller if the token is valid and has this scope (None: any).  Raises Problem: 401 or 403."""
    who = _bearer_or_problem()
    if isinstance(who, Problem):
        raise who
    if scope is not None and scope not in who.scopes:
        challenge = f'{_CHALLENGE}, error="insufficient_scope", scope="{scope}"'
        detail = f"This token lacks the scope {scope.value!r}; create one that has it on /account/tokens."
        raise Problem(403, "E305", detail, headers={"WWW-Authenticate": challenge})
    return who


def caller() -> Bearer | None:
    """Return the caller, or None without a valid token."""
    bearer = _bearer_or_problem()
    return None if isinstance(bearer, Problem) else bearer


def actor_of(who: Bearer) -> Actor:
    """Return the caller as an actor for the log, with IP address and token id."""
    token = "" if who.token_id is None else f", token {who.token_id}"
    return Actor(who.owner_id, f"{request.remote_addr or 'unknown'}{token}")


def _bearer_or_problem() -> Bearer | Problem:
    if "bearer" not in g:
        g.bearer = _find_bearer(request.headers.get("Authorization", ""))
    bearer: Bearer | Problem = g.bearer
    return bearer


def _find_bearer(header: str) -> Bearer | Problem:
    scheme, _, token = header.partition(" ")
    if scheme.lower() != "bearer" or not token.strip():
        return Problem(401, "E301", _NO_BEARER, headers={"WWW-Authenticate": _CHALLENGE})
    try:
        return bearer_of(database(), token.strip())
    except TokenRefused as refused:
        challenge = {"WWW-Authenticate": f'{_CHALLENGE}, error="invalid_token"'}
        return Problem(401, refused.reason.value, _REFUSALS[refused.reason], headers=challenge)


# Known browsers: a signed cookie that outlives a sign-in.
#
# The cookie does not sign anyone in. It only prevents an attacker who guesses passwords elsewhere from locking the
# owner out.

KNOWN_S: Final = 365 * 86_400
MAX_NAMES: Final = 8  # the maximum number of names for a browser; the oldest is dropped


def known_browser_key(name: str) -> str | None:
    """Return the key that counts this browser's sign-in attempts for a lowercase name; None if it is not known."""
    cookie = _read()
    if cookie is None or _mark(cookie[0], name) not in cookie[1]:
        return None
    return f"known {cookie[0]} {name}"


def remember_browser(name: str) -> None:
    """Set the cookie that makes this browser known under a lowercase name."""
    cookie = _read()
    nonce, marks = cookie if cookie is not None else (secrets.token_urlsafe(16), [])
    mark = _mark(nonce, name)
    value = _serializer().dumps([nonce, [mark, *(other for other in marks if other != mark)][:MAX_NAMES]])

    @after_this_request
    def keep(response: Response) -> Response:
        response.set_cookie(
            _cookie(),
            str(value),
            max_age=KNOWN_S,
            httponly=True,
            samesite="Lax",
            secure=current_app.session_interface.get_cookie_secure(current_app),
        )
        return response


def _read() -> tuple[str, list[str]] | None:
    try:
        loaded: Any = _serializer().loads(request.cookies.get(_cookie(), ""), max_age=KNOWN_S)
    except BadData:
        return None
    nonce, marks = loaded
    return str(nonce), [str(mark) for mark in marks]


def _mark(nonce: str, name: str) -> str:
    """Return a hash that represents a name in this browser's cookie, without revealing it."""
    return sha256(f"{nonce} {name}".encode()).hexdigest()[:16]


def _cookie() -> str:
    return f"{current_app.config['SESSION_COOKIE_NAME']}-known"


def _serializer() -> URLSafeTimedSerializer:
    key = current_app.secret_key
    if key is None:
        raise RuntimeError("the application has no secret key")
    return URLSafeTimedSerializer(key, salt="gangland known browser")
