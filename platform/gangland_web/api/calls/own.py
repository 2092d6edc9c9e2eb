"""What is the caller's own: who they are, their bots, challenges and tokens."""

from __future__ import annotations

from sqlmodel import Session

from gangland_web.api.framework.declared import ANY_TOKEN, call
from gangland_web.queries.accounts import TokenDetail, token_detail
from gangland_web.queries.bots import OwnBot, bots_of, own_bot
from gangland_web.queries.challenges import Challenge, challenges_of
from gangland_web.queries.following import Following, following
from gangland_web.queries.tables import Model, Moment, Number, model_from
from gangland_web.services.tokens import Bearer, Scope, tokens_of

LISTED = 30


class TokenSent(Model):
    """The token that was sent."""

    name: str
    owner: str
    scopes: list[Scope]
    expires_at: Moment | None


class Me(Model):
    """Whose token it is, and the number of the team that they are in."""

    id: Number
    name: str
    role: str
    team: Number | None


class OwnBots(Model):
    """Bots of one's own, in order of game and name."""

    bots: list[OwnBot]


class Challenges(Model):
    """The latest challenges, the newest first."""

    challenges: list[Challenge]


class Tokens(Model):
    """One's tokens, the newest first; one that has ended is listed for 30 days."""

    tokens: list[TokenDetail]


@call("GET", "/token", subject="own", needs=ANY_TOKEN)
def token(who: Bearer) -> TokenSent:
    """Tell of the token that was sent: its name, scopes and end."""
    return model_from(TokenSent, who, scopes=sorted(who.scopes))


@call("GET", "/me", subject="own", needs=ANY_TOKEN)
def me(who: Bearer) -> Me:
    """Tell whose token it is."""
    return Me(id=who.owner_id, name=who.owner, role=who.role, team=who.team_id)


@call("GET", "/me/bots", subject="own", needs=Scope.READ)
def my_bots(db: Session, who: Bearer) -> OwnBots:
    """List bots of one's own."""
    return OwnBots(bots=[own_bot(page) for page in bots_of(db, who.owner_id)])


@call("GET", "/me/challenges", subject="own", needs=Scope.READ)
def my_challenges(db: Session, who: Bearer) -> Challenges:
    """List the latest challenges in which bots of one's own sit, whoever asked for them."""
    return Challenges(challenges=challenges_of(db, who.owner_id, LISTED))


@call("GET", "/me/tokens", subject="own", needs=Scope.READ)
def my_tokens(db: Session, who: Bearer) -> Tokens:
    """List one's tokens, without what they are."""
    return Tokens(tokens=[token_detail(each) for each in tokens_of(db, who.owner_id)])


@call("GET", "/me/following", subject="own", needs=Scope.READ)
def my_following(db: Session, who: Bearer) -> Following:
    """List whom one follows, and what happened there since one marked it as read."""
    return following(db, who.owner_id)
