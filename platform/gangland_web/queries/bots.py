"""Bots: rows, ratings, models and tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from flask import url_for
from sqlalchemy import Integer, bindparam, case
from sqlalchemy import select as select_columns
from sqlmodel import Session, col, select
from sqlmodel.sql.expression import Select

from gangland_web.base.formats import timestamp
from gangland_web.base.text import name_key
from gangland_web.models.bots import (
    HOUSE,
    OPEN,
    Bot,
    Version,
    VersionState,
    VersionStep,
    owner_shown,
    party_of,
)
from gangland_web.models.columns import stored
from gangland_web.models.matches import MatchSeat
from gangland_web.models.tournaments import Entry, Season, SeasonPlace, Tournament
from gangland_web.queries.ladders import ABOVE
from gangland_web.queries.matches import FaultRow, recent_faults
from gangland_web.queries.tables import (
    BASE,
    Column,
    Game,
    Kind,
    Model,
    Moment,
    Number,
    Path,
    TableData,
    file_urls,
    model_from,
    several,
    table_of,
)

# Bots, versions and ratings, each in a fixed number of statements.


class OfBot:
    """A page about a bot; its owner is the bot's."""

    __slots__ = ()
    bot: Bot

    @property
    def owner_id(self) -> int | None:
        """The person whose bot it is."""
        return self.bot.owner_id

    @property
    def team_id(self) -> int | None:
        """The team whose bot it is."""
        return self.bot.team_id


@dataclass(frozen=True, slots=True)
class BotPage(OfBot):
    """A bot with its owner's name and its versions, newest first; `played`: one was active at some time."""

    bot: Bot
    owner: str | None
    versions: tuple[Version, ...]
    played: bool

    @property
    def active(self) -> Version | None:
        """The version that plays on the ladders, if one does."""
        return next((version for version in self.versions if version.id == self.bot.active_version_id), None)

    @property
    def on_its_way(self) -> Version | None:
        """The version that is in its trials, or waits for them."""
        return next((version for version in self.versions if version.state in OPEN), None)

    @property
    def in_play(self) -> bool:
        """Whether a version is active or on its way."""
        return self.active is not None or any(version.state in OPEN for version in self.versions)


@dataclass(frozen=True, slots=True)
class RatingRow:
    """The standing of a version on one ladder, whose matches have `blocks` blocks, or in an earlier season of it.

    Attributes:
        rated: whether its rating is of any match yet; matches that are over may wait for others before they count.
        rank: on the ladder, equal ratings share one; None for a version that is not on it.
        season: whose entry it is, None between seasons; `season_rank` is its place in the standings of that season.
    """

    seats: int
    version: int
    entry: Entry
    blocks: int
    rated: bool
    rank: int | None
    season: int | None = None
    season_rank: int | None = None


def bot_page(db: Session, bot_id: int) -> BotPage | None:
    """Return a bot with its versions, or None if there is none."""
    row: Any = db.execute(_BOT, {"bot": bot_id}).one_or_none()
    return None if row is None else _pages(db, [row])[0]


def listed_bots(
    db: Session, limit: int, *, game: str | None = None, name: str | None = None, after: int = 0
) -> list[tuple[Bot, str | None]]:
    """Return bots with their owners' names, in order of their numbers: of a game, of a name in any spelling."""
    query = _BOTS.where(col(Bot.id) > after)
    if game is not None:
        query = query.where(Bot.game == game)
    if name is not None:
        query = query.where(Bot.name_key == name_key(name))
    return list(db.exec(query.order_by(col(Bot.id)).limit(limit)).all())


def bots_numbered(db: Session, ids: Sequence[int]) -> list[tuple[Bot, str | None]]:
    """Return bots with their owners' names, in the order of `ids`."""
    by_id = {bot.id: (bot, owner) for bot, owner in db.exec(_BOTS.where(col(Bot.id).in_(ids))).all()}
    return [by_id[number] for number in ids]


def bot_pages_numbered(db: Session, ids: Sequence[int]) -> list[BotPage]:
    """Return some bots with their versions, in order of their numbers."""
    return _pages(db, db.exec(_BOTS.where(col(Bot.id).in_(ids)).order_by(col(Bot.id))).all())


def bots_of_person(db: Session, person_id: int) -> list[BotPage]:
    """Return a person's own bots, none of a team, with their versions, in order of game and name."""
    return _pages_of(db, col(Bot.owner_id) == person_id)


def bots_of(db: Session, owner_id: int) -> list[BotPage]:
    """Return the bots that a person may act for with their versions, in order of game and name."""
    return _pages_of(db, party_of(db, owner_id).theirs())


def bots_of_team(db: Session, team_id: int) -> list[BotPage]:
    """Return a team's bots with their versions, in order of game and name."""
    return _pages_of(db, col(Bot.team_id) == team_id)


def _pages_of(db: Session, theirs: Any) -> list[BotPage]:
    return _pages(db, db.exec(_BOTS.where(theirs).order_by(Bot.game, Bot.name_key, col(Bot.id))).all())


def _pages(db: Session, found: Sequence[tuple[Bot, str]]) -> list[BotPage]:
    versions: dict[int, list[Version]] = {stored(bot.id): [] for bot, _ in found}
    played = set()
    rows: Any = db.execute(_VERSIONS, {"bots": list(versions)})
    for version, once_active in rows:
        versions[version.bot_id].append(version)
        if once_active:
            played.add(version.bot_id)
    return [BotPage(bot, owner, tuple(versions[stored(bot.id)]), bot.id in played) for bot, owner in found]


_BOTS: Select[Bot, str] = select(Bot, owner_shown())
_BOT: Any = _BOTS.where(col(Bot.id) == bindparam("bot", type_=Integer))

_VERSIONS: Any = (
    select_columns(
        Version,
        select(VersionStep.version_id)
        .where(VersionStep.version_id == Version.id, VersionStep.state == VersionState.ACTIVE.value)
        .exists(),
    )
    .where(col(Version.bot_id).in_(bindparam("bots", expanding=True)))
    .order_by(col(Version.number).desc(), col(Version.id))
)
"""The versions of some bots, each with whether it plays on the ladders or did so once."""


def ratings_of(db: Session, bot_id: int) -> list[RatingRow]:
    """Return how a bot's versions stand on the ladders: by table size, the newest version and season first.

    A season in which a version has played nothing is left out.
    """
    rows = [row for _, row in _ratings(db, _RATINGS_OF_BOT, {"bot": bot_id})]
    replaced = {row.entry.former_id for row in rows}
    return [row for row in rows if row.entry.games or row.entry.id not in replaced]


def active_ratings_of(db: Session, bots: Sequence[BotPage]) -> dict[int, list[RatingRow]]:
    """Return how the active versions of some bots stand on the ladders, by bot, in order of table size."""
    ratings: dict[int, list[RatingRow]] = {stored(page.bot.id): [] for page in bots}
    active = [page.bot.active_version_id for page in bots if page.bot.active_version_id is not None]
    for bot_id, row in _ratings(db, _RATINGS_OF_VERSIONS, {"versions": active}):
        ratings[bot_id].append(row)
    return ratings


def _ratings(db: Session, statement: Any, given: dict[str, Any]) -> list[tuple[int, RatingRow]]:
    rows: Any = db.execute(statement, given)  # what kind is asked here: SQLite would begin with all of all ladders
    return [
        (bot_id, RatingRow(seats, number, entry, blocks, rated, None if better is None else better + 1, *of_season))
        for bot_id, kind, seats, number, entry, blocks, rated, better, *of_season in rows
        if kind == "ladder"
    ]


def entries_of(db: Session, bots: Sequence[int]) -> list[int]:
    """Return the entries of some bots on ladders."""
    rows: Any = db.connection().execute(_ENTRIES, {"bots": list(bots)})
    return [entry for entry, kind in rows if kind == "ladder"]


_RATED: Any = (
    select(MatchSeat.match_id)
    .where(col(MatchSeat.entry_id) == col(Entry.id), col(MatchSeat.mu_after).is_not(None))
    .correlate(Entry)
    .exists()
)
"""Whether any of an entry's matches is in its rating."""
_RATINGS: Any = (
    select_columns(
        *(col(column) for column in (Version.bot_id, Tournament.kind, Tournament.seats, Version.number)),
        *(Entry, col(Tournament.blocks), _RATED),
        *(case((col(Entry.active).is_(True), ABOVE)), col(Season.number), col(SeasonPlace.rank)),
    )
    .join_from(Entry, Tournament, col(Tournament.id) == Entry.tournament_id)
    .join(Version, col(Version.id) == Entry.version_id)
    .outerjoin(Season, (col(Season.tournament_id) == Entry.tournament_id) & (col(Season.period) == Entry.period))
    .outerjoin(SeasonPlace, col(SeasonPlace.entry_id) == Entry.id)
    .order_by(col(Tournament.seats), col(Version.number).desc(), col(Entry.id).desc())
)
_RATINGS_OF_BOT: Any = _RATINGS.where(col(Version.bot_id) == bindparam("bot", type_=Integer))
_RATINGS_OF_VERSIONS: Any = _RATINGS.where(
    col(Version.id).in_(bindparam("versions", expanding=True)), col(Entry.active).is_(True)
)
_ENTRIES: Any = (
    select_columns(col(Entry.id), col(Tournament.kind))
    .join(Tournament, col(Tournament.id) == Entry.tournament_id)
    .join(Version, col(Version.id) == Entry.version_id)
    .where(col(Version.bot_id).in_(bindparam("bots", expanding=True)))
)


# The model of a bot, for page, JSON, API and tables.


class BotSummary(Model):
    """A bot; the owner of a house bot is "house"."""

    id: Number
    url: Path
    page: Path
    name: str
    game: Game
    owner: str
    is_house: bool
    active: bool
    created_at: Moment


class VersionSummary(Model):
    """A version in short."""

    version: Number
    url: Path
    page: Path
    state: str
    uploaded_at: Moment


class BotDetail(BotSummary):
    """A bot with its versions, the newest first."""

    active_version: Number | None
    versions: list[VersionSummary]


class OwnBot(BotSummary):
    """A bot of one's own, with how far its newest version is."""

    active_version: Number | None
    newest_version: Number | None
    state: str | None
    uploaded_at: Moment | None


def bot_summary(bot: Bot, owner: str | None) -> BotSummary:
    """Return a bot in short; `owner` is the name of its owner, None for a house bot."""
    return model_from(
        BotSummary,
        bot,
        url=f"{BASE}/bots/{bot.id}",
        page=url_for("bots.bot", bot_id=bot.id),
        owner=owner or HOUSE,
        active=bot.active_version_id is not None,
    )


def bot_detail(page: BotPage) -> BotDetail:
    """Return a bot with its versions."""
    return model_from(
        BotDetail,
        bot_summary(page.bot, page.owner),
        active_version=page.active.number if page.active else None,
        versions=[version_summary(each) for each in page.versions],
    )


def own_bot(page: BotPage) -> OwnBot:
    """Return a bot with how far its newest version is."""
    newest = page.versions[0] if page.versions else None
    return model_from(
        OwnBot,
        bot_summary(page.bot, page.owner),
        active_version=page.active.number if page.active else None,
        newest_version=newest.number if newest else None,
        state=newest.state if newest else None,
        uploaded_at=timestamp(newest.created_at) if newest else None,
    )


def version_summary(version: Version) -> VersionSummary:
    """Return a version in short."""
    return model_from(
        VersionSummary,
        version,
        version=version.number,
        url=f"{BASE}/bots/{version.bot_id}/versions/{version.number}",
        page=url_for("bots.version", bot_id=version.bot_id, number=version.number),
        uploaded_at=timestamp(version.created_at),
    )


# Tables: ratings at all table sizes, versions, the latest errors, and own bots.


RATINGS: Final = table_of(
    *("bot-ratings", RatingRow, "/bots/N/ratings", "The ratings of all its versions at all table sizes."),
    Column("seats", "Table", Kind.WHOLE, "rated_seats", css="nowrap"),
    Column("version", "Version", Kind.WHOLE, "rated_version", css="nowrap"),
    Column("active", "Active", Kind.FLAG, quiet=True, of="entry.active"),
    *several(Kind.WHOLE, quiet=True, season="Season", season_rank="Rank at its end", rank="Rank"),
    Column("rating", "Rating", Kind.NUMBER, "rated", of="entry.rating"),
    Column("", "mu ± sigma", Kind.NUMBER, "rated_range"),
    *several(Kind.NUMBER, "entry", quiet=True, mu="mu", sigma="sigma"),
    *several(Kind.WHOLE, "entry", games="Games", wins="Wins", faults="Faults"),
)
VERSIONS: Final = table_of(
    *("bot-versions", VersionSummary, "/bots/N/versions", "Its versions, newest first."),
    Column("version", "Version", Kind.WHOLE, "version_page", css=""),
    *several(Kind.TEXT, quiet=True, url="url", page="page"),
    *(Column("state", "State", cell="state"), Column("uploaded_at", "Uploaded", Kind.MOMENT)),
)
ERRORS: Final = table_of(
    *("bot-errors", FaultRow, "/bots/N/errors"),
    "The first fault in each of the latest twelve matches with one, of the version on the ladder.",
    Column("match", "Match", Kind.WHOLE, "error_match", of="match_id"),
    *(Column("over_at", "Over", Kind.MOMENT, of="at"), Column("version", "Version", Kind.WHOLE)),
    Column("fault", "What", Kind.FAULT, of="kind"),
    *several(Kind.INDEX, block="Block", rotation="Order"),
    *(Column("round", "Round", Kind.WHOLE), Column("where", "Where")),
    Column("at", "Decision", cell="error_at", of="address"),
)


class OwnBotRow(NamedTuple):
    """A bot of one's own, and how its active version stands at each table size."""

    bot: OwnBot
    page: BotPage
    standing: Sequence[RatingRow]
    rating_2: float | None = None
    rating_3: float | None = None
    rating_4: float | None = None
    rank_2: int | None = None
    rank_3: int | None = None
    rank_4: int | None = None

    @property
    def games(self) -> int:
        """How many games its active version has played."""
        return sum(row.entry.games for row in self.standing)

    @property
    def faults(self) -> int:
        """In how many of them it failed."""
        return sum(row.entry.faults for row in self.standing)


OWN_BOTS: Final = table_of(
    *("own-bots", OwnBotRow, "/my-bots", "Your bots, when you are signed in."),
    Column("bot_id", "Number", Kind.WHOLE, quiet=True, of="bot.id"),
    *(Column("bot", "Bot", cell="own_bot", of="bot.name"), Column("game", "Game", cell="own_game", of="bot.game")),
    Column("active_version", "On the ladder", Kind.WHOLE, "own_active", of="bot.active_version", css=""),
    *(Column("", "Rating and rank", cell="own_ratings", css="small"), Column("", "Faults", Kind.WHOLE, "own_faults")),
    Column("newest_version", "Newest version", Kind.WHOLE, "own_newest", of="bot.newest_version", css=""),
    Column("state", "State", quiet=True, of="bot.state"),
    Column("uploaded_at", "Uploaded", Kind.MOMENT, of="bot.uploaded_at"),
    *(Column(f"rating_{seats}", f"Rating, {seats} seats", Kind.NUMBER, quiet=True) for seats in (2, 3, 4)),
    *(Column(f"rank_{seats}", f"Rank, {seats} seats", Kind.WHOLE, quiet=True) for seats in (2, 3, 4)),
    *several(Kind.WHOLE, quiet=True, games="Games", faults="Faults"),
    Column("", "Next", cell="own_next"),
    attributes=' data-key="{{ row.bot.id }}"',
)
ERRORS_LISTED = 12
"""At most this many matches with a fault are listed."""
BOT_TABLES: Final = {"ratings": RATINGS, "versions": VERSIONS, "errors": ERRORS}


def _table(bot_id: int, what: str, caption: str, rows: Sequence[Any]) -> TableData:
    return BOT_TABLES[what].of(rows, caption, **file_urls("bots.whole_table", bot_id=bot_id, what=what))


def ratings_table(bot_id: int, ratings: Sequence[RatingRow]) -> TableData:
    """Return how a bot's versions stand at each table size."""
    return _table(bot_id, "ratings", "Rating is mu − 3 sigma: a strength that the bot almost surely has.", ratings)


def versions_table(bot_id: int, versions: Sequence[Version]) -> TableData:
    """Return a bot's versions, newest first."""
    caption = "Newest first. Each version starts with a new rating."
    return _table(bot_id, "versions", caption, [version_summary(each) for each in versions])


def errors_table(bot_id: int, faults: Sequence[FaultRow]) -> TableData:
    """Return the latest faults of a bot's version, one a match, each with the way to its very decision."""
    return _table(bot_id, "errors", "The first fault of each of its latest matches that had one, newest first", faults)


def own_bots_table(bots: Sequence[BotPage], standing: Mapping[int, Sequence[RatingRow]]) -> TableData:
    """Return a person's bots with their newest versions, and how their active versions stand."""
    rows = []
    for page in bots:
        sizes = standing[stored(page.bot.id)]
        places: dict[str, Any] = {f"rating_{row.seats}": row.entry.rating for row in sizes if row.rated}
        places |= {f"rank_{row.seats}": row.rank for row in sizes if row.rated}
        rows.append(OwnBotRow(own_bot(page), page, sizes, **places))
    return OWN_BOTS.of(rows, **file_urls("bots.mine_file"))


def bot_table(db: Session, page: BotPage, what: str) -> TableData:
    """Return a table of a bot that is about all table sizes."""
    bot_id = stored(page.bot.id)
    if what == "versions":
        return versions_table(bot_id, page.versions)
    ratings = ratings_of(db, bot_id)
    if what == "ratings":
        return ratings_table(bot_id, ratings)
    return errors_table(bot_id, latest_errors(db, page, ratings))


def latest_errors(db: Session, page: BotPage, ratings: Sequence[RatingRow]) -> list[FaultRow]:
    """Return the latest faults of the version that is on the ladders, or else of the newest that was."""
    newest = page.active.number if page.active else max((row.version for row in ratings), default=0)
    versions = {stored(row.entry.id): row.version for row in ratings if row.version == newest}
    return recent_faults(db, versions, matches=ERRORS_LISTED)
