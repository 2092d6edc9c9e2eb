"""Guards of views: organizers only, or the password typed again before an action."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Final, ParamSpec

from flask import abort, current_app, redirect, request, url_for
from werkzeug.wrappers import Response

from gangland_web.models.organising import Actor
from gangland_web.services.accounts import HeldRequest, hold_request
from gangland_web.site.responses import rendered
from gangland_web.web.sessions import database, sign_in_first, signed_in

P = ParamSpec("P")
_CONFIRMING: Final = frozenset({"csrf_token", "next", "act", "own_password"})
"""The fields of the page that asks for the password."""


def organiser_first(view: Callable[P, Any]) -> Callable[P, Any]:
    """Allow organizers and admins only; send strangers to the sign-in page, and answer 403 to other users."""

    @sign_in_first
    @wraps(view)
    def guarded(*args: P.args, **kwargs: P.kwargs) -> Any:
        if not signed_in().organises:
            abort(403)
        return view(*args, **kwargs)

    return guarded


def confirm_first(view: Callable[P, Any], back: str = "accounts.account") -> Callable[P, Any]:
    """Allow users who typed their password a short while ago; others type it first.

    Args:
        back: the endpoint of the page that is shown then.
    """

    @sign_in_first
    @wraps(view)
    def guarded(*args: P.args, **kwargs: P.kwargs) -> Any:
        return view(*args, **kwargs) if signed_in().is_fresh else confirm_again(url_for(back))

    return guarded


def fresh_first(view: Callable[P, Any]) -> Callable[P, Any]:
    """Allow organizers and admins who typed their password a short while ago; others type it first."""

    @organiser_first
    @wraps(view)
    def guarded(*args: P.args, **kwargs: P.kwargs) -> Any:
        return view(*args, **kwargs) if signed_in().is_fresh else confirm_again(_console_of(request.view_args))

    return guarded


def confirm_again(back: str) -> Response:
    """Ask for the password, and carry out what was sent afterwards; a page that was only to be shown is shown then.

    Args:
        back: where to go without carrying it out.
    """
    if request.method == "POST":
        return confirm_page("", back, request.full_path.rstrip("?"), status=403)
    return redirect(url_for("accounts.confirm_password", next=request.full_path.rstrip("?")), 303)


def confirm_page(problem: str, back: str, act: str, *, status: int, held: HeldRequest | None = None) -> Response:
    """Return the page that asks for the password; it holds what was sent, for `act` to be sent it again.

    Where there is a provider the sign-in keeps it as well, for the way there and back.

    Args:
        act: the address that was sent it; empty where nothing is to be carried out.
        held: what was sent before, if it was not in this request.
    """
    if held is None:
        sent = [(name, value) for name, value in request.form.items(multi=True) if name not in _CONFIRMING]
        held = HeldRequest(act, sent if act else [])
    who, mark = signed_in(), None
    proven = bool(held.act) and who.is_fresh and not problem
    if held.act and not proven and "gangland_oidc" in current_app.extensions:
        mark = hold_request(database(), who.sign_in, held.act, held.sent)
    values = {"problem": problem, "next": back, "act": held.act, "sent": held.sent, "proven": proven, "held": mark}
    return rendered("accounts/confirm_password.html", status, is_private=True, **values)


def here() -> Actor:
    """Return the user who is signed in with their IP address, for the log."""
    return Actor(signed_in().id, request.remote_addr or "unknown")


def _console_of(args: dict[str, Any] | None) -> str:
    """Return the address of the console to which a view with these arguments belongs."""
    if args and "tournament_id" in args:
        return url_for("organising.console", tournament_id=args["tournament_id"])
    if args and "event_id" in args:
        return url_for("organising.event", event_id=args["event_id"])
    return url_for("organising.index")
