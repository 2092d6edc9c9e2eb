"""Search for bots, authors, tournaments and events that are public, by parts of their names.

Names are compared without accents (`base.text.search_key`).  Every word that is searched for must be in the name,
at its beginning or inside.  Bots, people and teams are read off their tables from end to end, which takes a few
milliseconds for 10,000 of them and needs no table of words that each change of a name would have to keep.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated, Any, Final

from msgspec import Meta
from sqlalchemy import and_, case
from sqlmodel import Session, col, select

from gangland_web.base.text import is_invisible, search_key
from gangland_web.models.accounts import Team, User
from gangland_web.models.bots import Bot
from gangland_web.models.columns import stored
from gangland_web.models.tournaments import Event, Tournament
from gangland_web.queries.authors import (
    AuthorSummary,
    Named,
    event_named,
    listed_people,
    listed_teams,
    people_named,
    teams_named,
)
from gangland_web.queries.bots import BotSummary, bot_summary, bots_numbered
from gangland_web.queries.tables import PAGE_MOST, PLAIN, Model
from gangland_web.queries.tournaments import TournamentSummary, known_to, tournament_summary

QUERY_CHARS: Final = 64
LISTED: Final = 20
NEWEST: Final = 1_000
"""Names are looked for among this many of the newest tournaments and events."""


class SearchQuery(Model):
    """What to look for, and how many of each kind to return at most."""

    q: Annotated[str, Meta(max_length=QUERY_CHARS, pattern=PLAIN, description="Parts of a name.")] = ""
    limit: Annotated[int, Meta(ge=1, le=PAGE_MOST, description="How many of each kind to return at most.")] = LISTED


class SearchResults(Model):
    """What was found of each kind: whole names first, then beginnings of names, of words, and what is inside."""

    bots: list[BotSummary]
    people: list[AuthorSummary]
    teams: list[AuthorSummary]
    tournaments: list[TournamentSummary]
    events: list[Named]


def search(db: Session, query: str, limit: int = LISTED) -> SearchResults:
    """Return what is found by parts of a name; nothing for a query without a word."""
    key = _key(query)
    if not key:
        return SearchResults(bots=[], people=[], teams=[], tournaments=[], events=[])
    bots = select(Bot.id).where(_has(Bot.search_key, key))
    bots = bots.order_by(_order(Bot.search_key, key), col(Bot.active_version_id).is_(None))
    people = select(User.id).where(_has(User.search_key, key), listed_people()).order_by(_order(User.search_key, key))
    teams = select(Team.id).where(_has(Team.search_key, key), listed_teams()).order_by(_order(Team.search_key, key))
    return SearchResults(
        bots=[
            bot_summary(bot, owner)
            for bot, owner in bots_numbered(db, _ids(db, bots.order_by(col(Bot.search_key), col(Bot.id)).limit(limit)))
        ],
        people=people_named(db, _ids(db, people.order_by(col(User.search_key), col(User.id)).limit(limit))),
        teams=teams_named(db, _ids(db, teams.order_by(col(Team.search_key), col(Team.id)).limit(limit))),
        tournaments=_tournaments(db, key, limit),
        events=_events(db, key, limit),
    )


def bots_of_game(db: Session, game: str, query: str, limit: int = LISTED) -> list[BotSummary]:
    """Return the bots of a game that are found by parts of a name, the nearest first."""
    key = _key(query)
    if not key:
        return []
    bots = select(Bot.id).where(Bot.game == game, _has(Bot.search_key, key)).order_by(_order(Bot.search_key, key))
    ids = _ids(db, bots.order_by(col(Bot.active_version_id).is_(None), col(Bot.search_key), col(Bot.id)).limit(limit))
    return [bot_summary(bot, owner) for bot, owner in bots_numbered(db, ids)]


def _key(query: str) -> str:
    """Return the key of a query, without characters that no name has; a database refuses some of them."""
    return search_key("".join(char for char in query[:QUERY_CHARS] if not is_invisible(char)))


def _ids(db: Session, query: Any) -> list[int]:
    return [stored(number) for number in db.exec(query).all()]


def _has(column: Any, key: str) -> Any:
    """Return the condition that every word of a key is in a column of keys."""
    return and_(*(_like(column, "%", word, "%") for word in key.split(" ")))


def _order(column: Any, key: str) -> Any:
    """Return how near a column of keys is to a key, nearest first: `_nearness` as a query."""
    nearness = ((col(column) == key, 0), (_like(column, "", key, "%"), 1), (_like(column, "% ", key, "%"), 2))
    return case(*nearness, else_=3)


def _like(column: Any, before: str, plain: str, after: str) -> Any:
    """Return the condition that a column is like a pattern, put together here: PostgreSQL would do so for each row."""
    for char in "/%_":
        plain = plain.replace(char, "/" + char)
    return col(column).like(f"{before}{plain}{after}", escape="/")


def _nearness(name: str, key: str) -> int | None:
    """Return how near a name is to a key, 0 if it is the same, None if it lacks one of its words."""
    folded = search_key(name)
    if any(word not in folded for word in key.split(" ")):
        return None
    return 0 if folded == key else 1 if folded.startswith(key) else 2 if f" {key}" in folded else 3


def _nearest(named: Iterable[tuple[int | None, str]], key: str, limit: int) -> list[int]:
    """Return the numbers of the nearest names, the newest of equally near ones first."""
    nearest = [(near, -stored(number)) for number, name in named if (near := _nearness(name, key)) is not None]
    return [-number for _, number in sorted(nearest)[:limit]]


def _tournaments(db: Session, key: str, limit: int) -> list[TournamentSummary]:
    public = [Tournament.kind == "tournament", *known_to(None)]
    named = select(Tournament.id, Tournament.name).where(*public).order_by(col(Tournament.id).desc()).limit(NEWEST)
    ids = _nearest(db.exec(named).all(), key, limit)
    by_id = {each.id: each for each in db.exec(select(Tournament).where(col(Tournament.id).in_(ids))).all()}
    return [tournament_summary(by_id[number], None) for number in ids]


def _events(db: Session, key: str, limit: int) -> list[Named]:
    known = select(Tournament.event_id).where(col(Tournament.event_id).is_not(None), *known_to(None))
    query = select(Event.id, Event.name).where(col(Event.id).in_(known)).order_by(col(Event.id).desc()).limit(NEWEST)
    rows: Sequence[tuple[int | None, str]] = db.exec(query).all()
    names = {stored(number): name for number, name in rows}
    return [event_named(number, names[number]) for number in _nearest(rows, key, limit)]
