"""Following bots, users and teams: the follows, the read marker for news, and the secret of a user's feed."""

import hmac
import re
import secrets
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from typing import Any, Final

from sqlmodel import Session, col, delete, func, or_, select

from gangland_web.base.formats import now_s
from gangland_web.models.accounts import Follow, FollowMark, User
from gangland_web.models.bots import Bot
from gangland_web.services.accounts import hash_secret

MAX_FOLLOWS: Final = 100  # maximum number of follows per user
_KEY: Final = re.compile(r"([1-9][0-9]{0,8})-([0-9a-f]{64})")


class FollowKind(StrEnum):
    """The kinds of things that can be followed; the value is the word in their URLs."""

    BOT = "bots"
    PERSON = "authors"
    TEAM = "teams"


COLUMNS: Final[dict[FollowKind, Any]] = {
    FollowKind.BOT: Follow.bot_id,
    FollowKind.PERSON: Follow.person_id,
    FollowKind.TEAM: Follow.team_id,
}


class TooManyFollows(ValueError):
    """A user already has the maximum number of follows."""


def follow(db: Session, user_id: int, kind: FollowKind, number: int) -> None:
    """Follow a bot, a user or a team, unless the user already does.  Raises TooManyFollows."""
    db.get_one(User, user_id, with_for_update=True)  # simultaneous requests are counted one at a time
    if is_following(db, user_id, kind, number):
        return
    if db.exec(select(func.count()).select_from(Follow).where(Follow.user_id == user_id)).one() >= MAX_FOLLOWS:
        raise TooManyFollows
    columns: dict[str, Any] = {COLUMNS[kind].key: number}
    db.add(Follow(user_id=user_id, since=now_s(), **columns))
    db.add(mark_of(db, user_id))


def unfollow(db: Session, user_id: int, kind: FollowKind, number: int) -> None:
    """Stop following a bot, user or team."""
    db.exec(delete(Follow).where(col(Follow.user_id) == user_id, col(COLUMNS[kind]) == number))


def is_following(db: Session, user_id: int, kind: FollowKind, number: int) -> bool:
    """Return whether a user follows a bot, user or team."""
    query = select(Follow.id).where(Follow.user_id == user_id, col(COLUMNS[kind]) == number)
    return db.exec(query).first() is not None


def follows_of(db: Session, user_id: int) -> Sequence[Follow]:
    """Return a user's follows, newest first."""
    return db.exec(select(Follow).where(Follow.user_id == user_id).order_by(col(Follow.id).desc())).all()


def mark_of(db: Session, user_id: int) -> FollowMark:
    """Return a user's read marker, or a new one that is not stored yet.  Events before the mark are not news."""
    return db.get(FollowMark, user_id) or FollowMark(user_id=user_id, read_at=now_s(), ranks={})


def mark_as_read(db: Session, user_id: int, until: float, ranks: Mapping[str, int]) -> None:
    """Record that a user has read the news up to a time, and store the ranks that the user has seen."""
    mark = mark_of(db, user_id)
    mark.read_at, mark.ranks = max(mark.read_at, min(until, now_s())), dict(ranks)
    db.add(mark)


def add_ranks(db: Session, user_id: int, ranks: Mapping[str, int]) -> None:
    """Store the ranks of bots that a user has just started to follow."""
    mark = mark_of(db, user_id)
    mark.ranks = {**ranks, **mark.ranks}
    db.add(mark)


def new_feed_key(db: Session, user_id: int) -> str:
    """Replace the key of a user's feed and return it; only a hash of its secret is stored."""
    secret = secrets.token_hex(32)
    mark = mark_of(db, user_id)
    mark.feed_hash = hash_secret(secret)
    db.add(mark)
    return f"{user_id}-{secret}"


def delete_feed_key(db: Session, user_id: int) -> None:
    """Remove the key of a user's feed, so that the feed can no longer be read."""
    mark = mark_of(db, user_id)
    mark.feed_hash = None
    db.add(mark)


def feed_reader(db: Session, key: str) -> int | None:
    """Return the id of the user whose feed has this key, or None; the secret is compared in constant time."""
    parts = _KEY.fullmatch(key)
    if parts is None:
        return None
    mark = db.get(FollowMark, int(parts[1]))
    is_same = hmac.compare_digest((mark and mark.feed_hash) or "", hash_secret(parts[2]))
    return mark.user_id if mark is not None and is_same else None


def delete_follows(db: Session, user_id: int) -> None:
    """Delete a user's follows and read marker, and all follows of this user and of the user's bots."""
    bots = select(Bot.id).where(Bot.owner_id == user_id)
    involves_user = or_(col(Follow.user_id) == user_id, col(Follow.person_id) == user_id, col(Follow.bot_id).in_(bots))
    db.exec(delete(Follow).where(involves_user))
    db.exec(delete(FollowMark).where(col(FollowMark.user_id) == user_id))


def follow_export(db: Session, user_id: int) -> dict[str, Any]:
    """Return a user's data about following, for the export."""
    mark = db.get(FollowMark, user_id)
    rows: Iterable[Follow] = follows_of(db, user_id)
    follows = [{"bot": row.bot_id, "person": row.person_id, "team": row.team_id, "since": row.since} for row in rows]
    return {
        "follows": follows,
        "read_at": None if mark is None else mark.read_at,
        "has_feed": mark is not None and mark.feed_hash is not None,
    }
