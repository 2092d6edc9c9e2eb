"""What is the caller's own: who they are, their bots, challenges and tokens."""

from __future__ import annotations

import msgspec
from sqlmodel import Session

from gangland_web.api.framework.declared import ANY_TOKEN, call
from gangland_web.core.clock import now_s, timestamp
from gangland_web.people.tokens import Bearer, Scope, is_good, scopes_of, tokens_of
from gangland_web.resources.bots.models import BotSummary, bot_summary
from gangland_web.resources.bots.queries import bots_of
from gangland_web.resources.challenges import ChallengeRow, challenges_of
from gangland_web.resources.fields import BASE, Game, Model, Moment, Number, Path
from gangland_web.store.columns import stored
from gangland_web.store.models.tokens import Token

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


class OwnBot(BotSummary):
    """A bot of one's own, with how far its newest version is."""

    active_version: Number | None
    newest_version: Number | None
    state: str | None
    uploaded_at: Moment | None


class OwnBots(Model):
    """Bots of one's own, in order of game and name."""

    bots: list[OwnBot]


class ChallengeSeat(Model):
    """A bot at a challenge."""

    bot_id: Number
    bot: str
    version: int
    mean_place: float | None


class ChallengeTold(Model):
    """A challenge in which a bot of one's own sits; its seats are best first once it is played."""

    match: Number
    url: Path
    game: Game
    state: str
    void_reason: str | None
    mine: bool
    asked_for_at: Moment | None
    seats: list[ChallengeSeat]


class Challenges(Model):
    """The latest challenges, the newest first."""

    challenges: list[ChallengeTold]


class TokenTold(Model):
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


class Tokens(Model):
    """One's tokens, the newest first; one that has ended is listed for 30 days."""

    tokens: list[TokenTold]


@call("GET", "/token", subject="own", needs=ANY_TOKEN)
def token(who: Bearer) -> TokenSent:
    """Tell of the token that was sent: its name, scopes and end."""
    return TokenSent(name=who.name, owner=who.owner, scopes=sorted(who.scopes), expires_at=timestamp(who.expires_at))


@call("GET", "/me", subject="own", needs=ANY_TOKEN)
def me(who: Bearer) -> Me:
    """Tell whose token it is."""
    return Me(id=who.owner_id, name=who.owner, role=who.role, team=who.team_id)


@call("GET", "/me/bots", subject="own", needs=Scope.READ)
def my_bots(db: Session, who: Bearer) -> OwnBots:
    """List bots of one's own."""
    told = []
    for page in bots_of(db, who.owner_id):
        newest = page.versions[0] if page.versions else None
        told.append(
            OwnBot(
                **msgspec.structs.asdict(bot_summary(page.bot, page.owner)),
                active_version=page.active.number if page.active else None,
                newest_version=newest.number if newest else None,
                state=newest.state if newest else None,
                uploaded_at=timestamp(newest.created_at) if newest else None,
            )
        )
    return OwnBots(bots=told)


@call("GET", "/me/challenges", subject="own", needs=Scope.READ)
def my_challenges(db: Session, who: Bearer) -> Challenges:
    """List the latest challenges in which bots of one's own sit, whoever asked for them."""
    return Challenges(challenges=[told_challenge(row) for row in challenges_of(db, who.owner_id, LISTED)])


def told_challenge(row: ChallengeRow) -> ChallengeTold:
    """Return a challenge as the API tells of it."""
    seats = [
        ChallengeSeat(bot_id=seat.bot_id, bot=seat.bot, version=seat.version, mean_place=seat.mean_place)
        for seat in row.seats
    ]
    return ChallengeTold(
        match=row.id,
        url=f"{BASE}/matches/{row.id}",
        game=row.game,
        state=row.state,
        void_reason=row.void_reason,
        mine=row.mine,
        asked_for_at=timestamp(row.created_at),
        seats=seats,
    )


@call("GET", "/me/tokens", subject="own", needs=Scope.READ)
def my_tokens(db: Session, who: Bearer) -> Tokens:
    """List one's tokens, without what they are."""
    return Tokens(tokens=[told_token(each) for each in tokens_of(db, who.owner_id)])


def told_token(token: Token) -> TokenTold:
    """Return a token as the API tells of it."""
    return TokenTold(
        id=stored(token.id),
        url=f"{BASE}/me/tokens/{token.id}",
        name=token.name,
        begins_with=f"gangland_{token.id}_",
        scopes=sorted(scopes_of(token)),
        created_at=timestamp(token.created_at),
        expires_at=timestamp(token.expires_at),
        last_used_at=timestamp(token.last_used_at),
        revoked_at=timestamp(token.revoked_at),
        good=is_good(token, now_s()),
    )
