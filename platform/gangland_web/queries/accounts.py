"""A person's account: the browsers in which they are signed in, and their tokens."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from gangland_web.base.clock import now_s
from gangland_web.base.text import shown
from gangland_web.models.accounts import SignIn, Token
from gangland_web.queries.tables import BASE, Column, Kind, Model, Moment, Number, Path, TableData, model_from
from gangland_web.services.tokens import Scope, is_good, scopes_of

SIGN_INS: Final = (
    *(Column("agent", "Browser"), Column("address", "From"), Column("begun_at", "Since", Kind.MOMENT)),
    *(Column("last_seen_at", "Last seen", Kind.MOMENT), Column("this_one", "this one", Kind.FLAG)),
)
TOKENS: Final = (
    *(Column("name", "Name"), Column("begins_with", "Begins with"), Column("scopes", "For")),
    *(Column(f"{what}_at", what, Kind.MOMENT) for what in ("created", "expires", "last_used", "revoked")),
    Column("good", "Good", Kind.FLAG),
)


class TokenDetail(Model):
    """A token, without what it is."""

    id: Number
    url: Path
    name: str
    begins_with: str
    scopes: list[Scope]
    created_at: Moment | None
    expires_at: Moment | None
    last_used_at: Moment | None
    revoked_at: Moment | None
    good: bool


def token_detail(token: Token) -> TokenDetail:
    """Return a token as its owner sees it."""
    return model_from(
        TokenDetail,
        token,
        url=f"{BASE}/me/tokens/{token.id}",
        begins_with=f"gangland_{token.id}_",
        scopes=sorted(scopes_of(token)),
        good=is_good(token, now_s()),
    )


def sign_ins_table(found: Sequence[SignIn], this: int) -> TableData:
    """Return the sign-ins of a person; `this` is the number of the one that asks."""
    rows = [
        {
            "agent": shown(one.agent, limit=160),
            **{what: getattr(one, what) for what in ("address", "begun_at", "last_seen_at")},
            "this_one": one.id == this,
        }
        for one in found
    ]
    return TableData("sign-in-list", "Last used first", SIGN_INS, rows)
