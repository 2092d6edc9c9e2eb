"""Who is signed in: a cookie signed by the server with the key of a sign-in that the server keeps."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import wraps
from typing import Any, ParamSpec
from urllib.parse import urlsplit

import flask
from flask import Flask, current_app, flash, g, redirect, request, session, url_for
from flask.sessions import SecureCookieSession, SecureCookieSessionInterface, SessionMixin
from sqlmodel import Session

from gangland_web.http.known_browsers import make_known
from gangland_web.http.requests import is_api, is_for_all
from gangland_web.models.accounts import Role, User, organises
from gangland_web.models.columns import stored
from gangland_web.models.database import Database
from gangland_web.models.owners import Owned, Party
from gangland_web.queries.visibility import CurrentUser, acts_for
from gangland_web.services.accounts import begin, end, find, see

P = ParamSpec("P")
_KEY = "key"


@dataclass(frozen=True, slots=True)
class Visitor:
    """A signed-in person, as far as pages need to know."""

    id: int
    name: str
    role: Role
    sign_in: int
    """The number of the sign-in."""
    is_fresh: bool
    """Whether the password was typed a short while ago: what touches results or people asks for that."""
    team_id: int | None = None
    """The number of the team that they are in."""

    @property
    def party(self) -> Party:
        """Whose bots they may act for."""
        return Party(self.id, self.team_id)

    @property
    def is_admin(self) -> bool:
        """Whether the whole house is theirs to run."""
        return self.role is Role.ADMIN

    @property
    def organises(self) -> bool:
        """Whether they may organise tournaments."""
        return organises(self.role)


class SessionInterface(SecureCookieSessionInterface):
    """Flask's signed cookie, marked Secure whenever the request itself came over https.

    The API has none, nor has what is the same for everybody.
    """

    def open_session(self, app: Flask, request: flask.Request) -> SecureCookieSession | None:
        """Return the session that the cookie holds; an empty one where there is none, whatever cookies are sent."""
        return self.session_class() if _is_cookieless(request) else super().open_session(app, request)

    def save_session(self, app: Flask, session: SessionMixin, response: flask.Response) -> None:
        """Set the cookie if the session has changed; never where there is none."""
        if not _is_cookieless(request):
            super().save_session(app, session, response)

    def get_cookie_secure(self, app: Flask) -> bool:
        """True when the settings ask for it or the request came over https."""
        return bool(app.config["SESSION_COOKIE_SECURE"]) or request.is_secure


def _is_cookieless(request: flask.Request) -> bool:
    return is_api(request) or is_for_all(request)


def database() -> Database:
    """Return the database of the application that is answering."""
    found: Database = current_app.extensions["gangland_database"]
    return found


@contextmanager
def reading() -> Iterator[Session]:
    """A session to read from; what was read may be used after it has ended, lazy columns excepted."""
    with database().read() as db:
        yield db
        db.expunge_all()


def sign_in(user: User) -> None:
    """Begin a new session for `user`; nothing of the old session is kept."""
    session.clear()
    agent = request.user_agent.string
    session[_KEY] = begin(database(), stored(user.id), request.remote_addr or "unknown", agent)
    session.permanent = True
    make_known(user.name_key)
    g.pop("visitor", None)


def sign_out() -> None:
    """End the sign-in of this browser, and so of every copy of its cookie."""
    leaving = visitor()
    if leaving is not None:
        end(database(), leaving.id, leaving.sign_in)
    session.clear()
    g.pop("visitor", None)


def forget() -> None:
    """Forget who was signed in here, whose sign-ins have all ended."""
    session.clear()
    g.pop("visitor", None)


def look_again() -> None:
    """Have the visitor read anew, after their sign-in was changed."""
    g.pop("visitor", None)


def visitor() -> Visitor | None:
    """Return who is signed in, or None if nobody is or the sign-in has ended."""
    if "visitor" not in g:
        g.visitor = _load(session.get(_KEY))
    found: Visitor | None = g.visitor
    return found


def _load(key: Any) -> Visitor | None:
    if not isinstance(key, str):
        return None
    with reading() as db:
        found = find(db, key)
    if found is None:
        return None
    see(database(), found.sign_in)
    user = found.user
    return Visitor(stored(user.id), user.name, Role(user.role), stored(found.sign_in.id), found.is_fresh, found.team_id)


def current_user() -> CurrentUser | None:
    """Return who looks: whoever is signed in or, at the API, whoever sent a token that may read; None for strangers.

    Who sees what is asked of this alone, so that pages and calls show the same.
    """
    if not is_api(request):
        return visitor()
    found: CurrentUser | None = g.get("current_user")
    return found


def is_mine(bot: Owned) -> bool:
    """Tell whether whoever looks may act for a bot, and see its errors, logs and sources."""
    return acts_for(current_user(), bot)


def signed_in() -> Visitor:
    """Return who is signed in, inside a view that `sign_in_first` guards."""
    found = visitor()
    if found is None:
        raise LookupError("nobody is signed in; the view lacks @sign_in_first")
    return found


def sign_in_first(view: Callable[P, Any]) -> Callable[P, Any]:
    """Send a stranger to the sign-in page, and back afterwards."""

    @wraps(view)
    def guarded(*args: P.args, **kwargs: P.kwargs) -> Any:
        """Call the view for a visitor who is signed in."""
        if visitor() is None:
            flash("Sign in first.")
            back = request.full_path if request.method == "GET" else request.path
            return redirect(url_for("accounts.sign_in", next=back.rstrip("?")), 303)
        return view(*args, **kwargs)

    return guarded


def safe_next(target: str | None, default: str) -> str:
    """Return `target` if it is a path on this site, else `default`; never another site."""
    if not target or not target.startswith("/") or target.startswith("//") or "\\" in target:
        return default
    parts = urlsplit(target)
    if parts.scheme or parts.netloc or not target.isprintable():
        return default
    return target
