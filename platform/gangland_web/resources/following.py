"""What somebody follows, and what happened there since they last marked it as read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from flask import url_for
from sqlmodel import Session, col, select

from gangland_web.core.clock import DAY_S, now_s, timestamp
from gangland_web.people.following import Followed, followed_by, mark_of
from gangland_web.resources.authors import listed_people
from gangland_web.resources.bots.queries import BotPage, active_ratings_of, bot_pages_numbered
from gangland_web.resources.fields import Model, Moment, Number, Path
from gangland_web.resources.happenings import MOST, Happening, happenings_of, newest, rank_changes, ranks_in
from gangland_web.store.columns import stored
from gangland_web.store.models.accounts import User
from gangland_web.store.models.bots import Bot
from gangland_web.store.models.follows import Follow
from gangland_web.store.models.teams import Team

FEED_S: Final = 30 * DAY_S
"""So far back the feed goes."""


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
    """Whom somebody follows, the latest first, and what happened since `read_at`, the newest first."""

    read_at: Moment
    follows: list[FollowedThing]
    happenings: list[Happening]


class Found(NamedTuple):
    """What somebody follows: as it is shown, and the bots that it comes to."""

    things: list[FollowedThing]
    bots: list[BotPage]


def following(db: Session, user_id: int) -> Following:
    """Return what somebody follows and what is new there."""
    found, mark = followed(db, user_id), mark_of(db, user_id)
    return Following(
        read_at=timestamp(mark.read_at),
        follows=found.things,
        happenings=_happened(db, found.bots, mark.read_at, mark.ranks),
    )


def feed_of(db: Session, user_id: int, limit: int) -> list[Happening]:
    """Return what happened of late to whom somebody follows, read or not."""
    found, mark = followed(db, user_id), mark_of(db, user_id)
    return _happened(db, found.bots, now_s() - FEED_S, mark.ranks)[:limit]


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


def _happened(db: Session, pages: Sequence[BotPage], since: float, known: dict[str, int]) -> list[Happening]:
    bots = [page.bot for page in pages]
    changes = rank_changes(db, bots, active_ratings_of(db, pages), known)
    return newest([*happenings_of(db, [stored(bot.id) for bot in bots], since), *changes], MOST)


def _key(row: Follow) -> tuple[Followed, int]:
    if row.bot_id is not None:
        return Followed.BOT, row.bot_id
    return (Followed.PERSON, row.person_id) if row.person_id is not None else (Followed.TEAM, row.team_id or 0)


def _thing(row: Follow, name: str, game: str) -> FollowedThing:
    kind, number = _key(row)
    return FollowedThing(
        kind=kind.value, id=number, name=name, game=game, page=address_of(kind, number), since=timestamp(row.since)
    )
