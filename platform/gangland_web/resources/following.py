"""What somebody follows, and what happened there since they last marked it as read."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from math import nextafter
from typing import Final, NamedTuple

from flask import url_for
from sqlmodel import Session, col, select

from gangland_web.base.clock import DAY_S, now_s, timestamp
from gangland_web.models.accounts import Follow, Team, User
from gangland_web.models.bots import Bot
from gangland_web.models.columns import stored
from gangland_web.resources.authors import listed_people
from gangland_web.resources.bots.queries import BotPage, active_ratings_of, bot_pages_numbered
from gangland_web.resources.fields import Model, Moment, Number, Path
from gangland_web.resources.happenings import MOST, Happening, happenings_of, newest, rank_changes, ranks_in
from gangland_web.services.following import Followed, followed_by, mark_of

FEED_S: Final = 30 * DAY_S
"""So far back the feed goes."""
_ALL: Final = 10**6
"""More than happens to whom anybody follows."""


class FollowedThing(Model):
    """A bot, a person or a team that is followed; `kind` is the word of its addresses: bots, authors or teams.

    `game` is a bot's, and "" of others.
    """

    kind: str
    id: Number
    name: str
    game: str
    page: Path
    since: Moment


class Following(Model):
    """Whom somebody follows, the latest first, and what happened since `read_at`, the newest first.

    Of more than 50 happenings these are the oldest 50, and all that happened in the same second as the last of them.
    """

    read_at: Moment
    follows: list[FollowedThing]
    happenings: list[Happening]


class Unread(NamedTuple):
    """What somebody has not read, as it is shown, and what they know once they have.

    Attributes:
        total: how much there is in all; what is beyond `shown` happened later, and stays unread.
        until: when the last of what is shown can have happened.
        ranks: those that are shown as other than before, by their keys.
    """

    shown: Following
    total: int
    until: float
    ranks: dict[str, int]


class Found(NamedTuple):
    """What somebody follows: as it is shown, and the bots that it comes to."""

    things: list[FollowedThing]
    bots: list[BotPage]


def unread(db: Session, user_id: int) -> Unread:
    """Return what somebody follows and what is new there."""
    until, last = now_s(), None  # before anything is read: what comes meanwhile is new the next time
    found, mark = followed(db, user_id), mark_of(db, user_id)
    ratings = active_ratings_of(db, found.bots)
    bots = [page.bot for page in found.bots]
    changes, ranks = rank_changes(db, bots, ratings, mark.ranks), ranks_in(ratings)
    others = happenings_of(db, [stored(bot.id) for bot in bots], mark.read_at, _ALL)
    happened = newest([*others, *changes.values()], _ALL)
    if len(happened) > MOST:
        last = happened[-MOST].at
        until = nextafter(datetime.fromisoformat(last).timestamp() + 1, 0)
    return Unread(
        Following(
            read_at=timestamp(mark.read_at),
            follows=found.things,
            happenings=[each for each in happened if last is None or each.at <= last],
        ),
        len(happened),
        until,
        {key: ranks[key] for key, change in changes.items() if last is None or change.at <= last},
    )


def following(db: Session, user_id: int) -> Following:
    """Return what somebody follows and what is new there."""
    return unread(db, user_id).shown


def feed_of(db: Session, user_id: int, limit: int) -> list[Happening]:
    """Return what happened of late to whom somebody follows, read or not."""
    found, mark = followed(db, user_id), mark_of(db, user_id)
    bots = [page.bot for page in found.bots]
    changes = rank_changes(db, bots, active_ratings_of(db, found.bots), mark.ranks)
    others = happenings_of(db, [stored(bot.id) for bot in bots], now_s() - FEED_S)
    return newest([*others, *changes.values()], limit)


def ranks_read(db: Session, user_id: int, shown: Mapping[str, int]) -> dict[str, int]:
    """Return the ranks that somebody knows who has read a page with some; of the others those that they knew."""
    known = mark_of(db, user_id).ranks
    return {key: shown.get(key, known.get(key, rank)) for key, rank in ranks_of(db, user_id).items()}


def ranks_of(db: Session, user_id: int) -> dict[str, int]:
    """Return the ranks of all bots that somebody follows, by their keys."""
    return ranks_in(active_ratings_of(db, followed(db, user_id).bots))


def followed(db: Session, user_id: int) -> Found:
    """Return what somebody follows; nobody who is listed nowhere any more."""
    rows = followed_by(db, user_id)
    bots, people, teams = ([row for row in rows if getattr(row, name)] for name in ("bot_id", "person_id", "team_id"))
    names: dict[tuple[Followed, int], str] = {}
    chosen = select(Bot.id, Bot.name, Bot.game).where(col(Bot.id).in_([row.bot_id for row in bots]))
    games: dict[tuple[Followed, int], str] = {}
    for number, name, game in db.exec(chosen).all():
        names[Followed.BOT, stored(number)], games[Followed.BOT, stored(number)] = name, game
    listed = select(User.id, User.name).where(col(User.id).in_([row.person_id for row in people]), listed_people())
    names |= {(Followed.PERSON, stored(number)): name for number, name in db.exec(listed).all()}
    known = select(Team.id, Team.name).where(col(Team.id).in_([row.team_id for row in teams]))
    names |= {(Followed.TEAM, stored(number)): name for number, name in db.exec(known).all()}
    things = [_thing(row, names[key], games.get(key, "")) for row in rows if (key := _key(row)) in names]
    theirs = {kind: [thing.id for thing in things if thing.kind == kind] for kind in Followed}
    of_whom = col(Bot.id).in_(theirs[Followed.BOT]) | col(Bot.owner_id).in_(theirs[Followed.PERSON])
    of_whom |= col(Bot.team_id).in_(theirs[Followed.TEAM])
    ids = [stored(number) for number in db.exec(select(Bot.id).where(of_whom).order_by(col(Bot.id))).all()]
    return Found(things, bot_pages_numbered(db, ids))


def address_of(kind: Followed, number: int) -> str:
    """Return the address of the page of something that can be followed."""
    if kind is Followed.BOT:
        return url_for("bots.bot", bot_id=number)
    if kind is Followed.PERSON:
        return url_for("authors.author", author_id=number)
    return url_for("teams.team", team_id=number)


def _key(row: Follow) -> tuple[Followed, int]:
    if row.bot_id is not None:
        return Followed.BOT, row.bot_id
    return (Followed.PERSON, row.person_id) if row.person_id is not None else (Followed.TEAM, row.team_id or 0)


def _thing(row: Follow, name: str, game: str) -> FollowedThing:
    kind, number = _key(row)
    return FollowedThing(
        kind=kind.value, id=number, name=name, game=game, page=address_of(kind, number), since=timestamp(row.since)
    )
