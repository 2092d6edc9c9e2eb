"""The tables of a person's account: where they are signed in, and their tokens."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from gangland_web.core.clock import now_s
from gangland_web.core.text import shown
from gangland_web.people.tokens import is_good, scopes_of
from gangland_web.resources.tables import Column, Kind, Sheet
from gangland_web.store.models.accounts import SignIn
from gangland_web.store.models.tokens import Token

SIGN_INS: Final = (
    *(Column("agent", "Browser"), Column("address", "From"), Column("begun_at", "Since", Kind.MOMENT)),
    *(Column("seen_at", "Last seen", Kind.MOMENT), Column("this_one", "this one", Kind.FLAG)),
)
_MOMENTS: Final = ("created", "expires", "last_used", "revoked")
TOKENS: Final = (
    *(Column("name", "Name"), Column("begins_with", "Begins with"), Column("scopes", "For")),
    *(Column(f"{what}_at", what, Kind.MOMENT) for what in _MOMENTS),
    Column("good", "Good", Kind.FLAG),
)


def sign_ins_sheet(found: Sequence[SignIn], this: int) -> Sheet:
    """Return where somebody is signed in; `this` is the sign-in that asks."""
    rows = [
        {
            "agent": shown(one.agent, limit=160),
            **{what: getattr(one, what) for what in ("address", "begun_at", "seen_at")},
            "this_one": one.id == this,
        }
        for one in found
    ]
    return Sheet("sign-in-list", "Last used first", SIGN_INS, rows)


def tokens_sheet(found: Sequence[Token]) -> Sheet:
    """Return somebody's tokens; what they are is in it as little as on the page."""
    rows = [
        {
            "name": token.name,
            "begins_with": f"gangland_{token.id}_",
            "scopes": " ".join(sorted(scope.value for scope in scopes_of(token))),
            **{f"{what}_at": getattr(token, f"{what}_at") for what in _MOMENTS},
            "good": is_good(token, now_s()),
        }
        for token in found
    ]
    return Sheet("token-list", "Newest first", TOKENS, rows)
