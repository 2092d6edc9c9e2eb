"""Who calls: whoever bears a token that is good and has the scope."""

from __future__ import annotations

from flask import g, request

from gangland_web.http.problems import Problem
from gangland_web.http.sessions import database
from gangland_web.services.tokens import Bearer, Refusal, Scope, TokenRefused, bearer_of

_CHALLENGE = 'Bearer realm="gangland"'
_NOTHING_SENT = "Send a token as `Authorization: Bearer gangland_...`; a session cookie is not read here."
_WORDS = {
    Refusal.UNKNOWN: "This token does not exist here.",
    Refusal.EXPIRED: "This token has expired; create a new one on /account/tokens.",
    Refusal.REVOKED: "This token was revoked; create a new one on /account/tokens.",
}


def admitted(scope: Scope | None) -> Bearer:
    """Return who calls, with a good token that has this scope; with any good one if it is None.

    Raises:
        Problem: 401 or 403, with the reason.
    """
    who = _looked_up()
    if isinstance(who, Problem):
        raise who
    if scope is not None and scope not in who.scopes:
        challenge = f'{_CHALLENGE}, error="insufficient_scope", scope="{scope}"'
        words = f"This token lacks the scope {scope.value!r}; create one that has it on /account/tokens."
        raise Problem(403, "E305", words, headers={"WWW-Authenticate": challenge})
    return who


def caller() -> Bearer | None:
    """Return who calls, None if no good token was sent."""
    found = _looked_up()
    return None if isinstance(found, Problem) else found


def _looked_up() -> Bearer | Problem:
    """Return the bearer or why there is none, looked up once a request."""
    if "bearer" not in g:
        g.bearer = _look_up(request.headers.get("Authorization", ""))
    found: Bearer | Problem = g.bearer
    return found


def _look_up(header: str) -> Bearer | Problem:
    scheme, _, token = header.partition(" ")
    if scheme.lower() != "bearer" or not token.strip():
        return Problem(401, "E301", _NOTHING_SENT, headers={"WWW-Authenticate": _CHALLENGE})
    try:
        return bearer_of(database(), token.strip())
    except TokenRefused as refused:
        challenge = {"WWW-Authenticate": f'{_CHALLENGE}, error="invalid_token"'}
        return Problem(401, refused.why.value, _WORDS[refused.why], headers=challenge)
