"""Following bots, people and teams: what a person follows and has read, and the secret of their feed."""

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

MOST: Final = 100
"""Bots, people and teams that a person may follow."""
_KEY: Final = re.compile(r"([1-9][0-9]{0,8})-([0-9a-f]{64})")


class Followed(StrEnum):
    """What can be followed, by the word in its addresses."""

    BOT = "bots"
    PERSON = "authors"
    TEAM = "teams"


COLUMNS: Final[dict[Followed, Any]] = {
    Followed.BOT: Follow.bot_id,
    Followed.PERSON: Follow.person_id,
    Followed.TEAM: Follow.team_id,
}


class TooManyFollowed(ValueError):
    """A person follows as many as allowed."""


def follow(db: Session, user_id: int, what: Followed, number: int) -> None:
    """Follow a bot, person or team that exists, unless it is followed already.

    Raises TooManyFollowed: they follow `MOST`.
    """
    db.get_one(User, user_id, with_for_update=True)  # two at once are counted one after the other
    if follows(db, user_id, what, number):
        return
    if db.exec(select(func.count()).select_from(Follow).where(Follow.user_id == user_id)).one() >= MOST:
        raise TooManyFollowed
    followed: dict[str, Any] = {COLUMNS[what].key: number}
    db.add(Follow(user_id=user_id, since=now_s(), **followed))
    db.add(mark_of(db, user_id))


def unfollow(db: Session, user_id: int, what: Followed, number: int) -> None:
    """Stop following a bot, person or team."""
    db.exec(delete(Follow).where(col(Follow.user_id) == user_id, col(COLUMNS[what]) == number))


def follows(db: Session, user_id: int, what: Followed, number: int) -> bool:
    """Return whether a person follows a bot, person or team."""
    query = select(Follow.id).where(Follow.user_id == user_id, col(COLUMNS[what]) == number)
    return db.exec(query).first() is not None


def followed_by(db: Session, user_id: int) -> Sequence[Follow]:
    """Return all that a person follows, the latest first."""
    return db.exec(select(Follow).where(Follow.user_id == user_id).order_by(col(Follow.id).desc())).all()


def mark_of(db: Session, user_id: int) -> FollowMark:
    """Return what a person has read, not stored yet if it is new; what came before they first asked is not news."""
    return db.get(FollowMark, user_id) or FollowMark(user_id=user_id, read_at=now_s(), ranks={})


def mark_as_read(db: Session, user_id: int, until: float, ranks: Mapping[str, int]) -> None:
    """Note that a person has read the news until a time, and the ranks that they know."""
    mark = mark_of(db, user_id)
    mark.read_at, mark.ranks = max(mark.read_at, min(until, now_s())), dict(ranks)
    db.add(mark)


def add_ranks(db: Session, user_id: int, ranks: Mapping[str, int]) -> None:
    """Note the ranks of bots that a person follows from now on."""
    mark = mark_of(db, user_id)
    mark.ranks = {**ranks, **mark.ranks}
    db.add(mark)


def new_feed_key(db: Session, user_id: int) -> str:
    """Replace the secret of a person's feed and return it, the only time that it can be seen."""
    secret = secrets.token_hex(32)
    mark = mark_of(db, user_id)
    mark.feed_hash = hash_secret(secret)
    db.add(mark)
    return f"{user_id}-{secret}"


def end_feed(db: Session, user_id: int) -> None:
    """End a person's feed."""
    mark = mark_of(db, user_id)
    mark.feed_hash = None
    db.add(mark)


def reader_of(db: Session, key: str) -> int | None:
    """Return the person whose feed a secret opens, None if it opens none; compared in constant time."""
    parts = _KEY.fullmatch(key)
    if parts is None:
        return None
    mark = db.get(FollowMark, int(parts[1]))
    same = hmac.compare_digest((mark and mark.feed_hash) or "", hash_secret(parts[2]))
    return mark.user_id if mark is not None and same else None


def forget_follows(db: Session, user_id: int) -> None:
    """Delete what a person follows and has read, and that others follow them or their bots."""
    bots = select(Bot.id).where(Bot.owner_id == user_id)
    theirs = or_(col(Follow.user_id) == user_id, col(Follow.person_id) == user_id, col(Follow.bot_id).in_(bots))
    db.exec(delete(Follow).where(theirs))
    db.exec(delete(FollowMark).where(col(FollowMark.user_id) == user_id))


def exported(db: Session, user_id: int) -> dict[str, Any]:
    """Return what is stored of what a person follows, for their export."""
    mark = db.get(FollowMark, user_id)
    rows: Iterable[Follow] = followed_by(db, user_id)
    follows = [{"bot": row.bot_id, "person": row.person_id, "team": row.team_id, "since": row.since} for row in rows]
    return {
        "follows": follows,
        "read_at": None if mark is None else mark.read_at,
        "has_feed": mark is not None and mark.feed_hash is not None,
    }
