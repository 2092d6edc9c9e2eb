"""What the pages of teams ask, each in a fixed number of statements."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlmodel import Session, col, select

from gangland_ladder.tournaments.lifecycle import State
from gangland_web.store.columns import stored
from gangland_web.store.models.accounts import User
from gangland_web.store.models.bots import Bot, Version
from gangland_web.store.models.teams import Membership, is_in
from gangland_web.store.models.tournaments import Entrant, Entry, Tournament

CUPS = 20
"""So many tournaments of a team are told."""
UPLOADS = 50
"""So many versions of its bots are told."""


@dataclass(frozen=True, slots=True)
class Member:
    """Somebody who is in a team."""

    id: int
    name: str
    joined_at: float
    captain: bool


@dataclass(frozen=True, slots=True)
class Upload:
    """A version of a team's bot and who sent it in."""

    bot_id: int
    bot: str
    number: int
    state: str
    by: str | None
    at: float


def members_of(db: Session, team_id: int, captain_id: int) -> list[Member]:
    """Return who is in a team, in the order in which they joined."""
    chosen = select(User, Membership.joined_at).join(Membership, is_in(User.id)).where(Membership.team_id == team_id)
    rows = db.exec(chosen.order_by(col(Membership.joined_at), col(Membership.id))).all()
    return [Member(stored(user.id), user.name, at, user.id == captain_id) for user, at in rows]


def uploads_of(db: Session, team_id: int, limit: int) -> list[Upload]:
    """Return the latest versions of a team's bots, the newest first."""
    chosen = (
        select(Version, Bot, User.name)
        .join(Bot, col(Bot.id) == Version.bot_id)
        .outerjoin(User, col(User.id) == Version.uploaded_by)
        .where(Bot.team_id == team_id)
        .order_by(col(Version.id).desc())
    )
    return [
        Upload(stored(bot.id), bot.name, version.number, version.state, by, version.created_at)
        for version, bot, by in db.exec(chosen.limit(limit)).all()
    ]


def tournaments_of_team(db: Session, team_id: int, limit: int) -> Sequence[Tournament]:
    """Return the announced tournaments that a team's bots were entered in or pinned for, the newest first."""
    bots = select(Bot.id).where(Bot.team_id == team_id)
    entered = select(Entrant.tournament_id).where(col(Entrant.bot_id).in_(bots))
    pinned = select(Entry.tournament_id).join(Version, col(Version.id) == Entry.version_id)
    pinned = pinned.where(col(Version.bot_id).in_(bots))
    chosen = select(Tournament).where(
        Tournament.kind == "tournament",
        Tournament.state != State.DRAFT.value,
        col(Tournament.announced_at).is_not(None),
        col(Tournament.rehearsal_of).is_(None),
        col(Tournament.id).in_(entered.union(pinned)),
    )
    return db.exec(chosen.order_by(col(Tournament.id).desc()).limit(limit)).all()
