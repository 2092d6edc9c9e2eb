"""What is the caller's own: the token that was sent, and whose it is."""

from __future__ import annotations

from gangland_web.api.framework.declared import ANY_TOKEN, call
from gangland_web.api.framework.fields import Model, Moment
from gangland_web.exports.rows import moment
from gangland_web.tokens.services import Bearer


class TokenSent(Model):
    """The token that was sent."""

    name: str
    owner: str
    scopes: list[str]
    expires_at: Moment | None


@call("GET", "/token", subject="own", needs=ANY_TOKEN)
def token(who: Bearer) -> TokenSent:
    """Tell of the token that was sent: its name, scopes and end."""
    return TokenSent(name=who.name, owner=who.owner, scopes=sorted(who.scopes), expires_at=moment(who.expires_at))
