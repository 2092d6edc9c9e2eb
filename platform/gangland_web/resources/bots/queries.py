"""What the pages ask about bots and their versions, each in a fixed number of statements."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from sqlalchemy import Integer, bindparam, case
from sqlalchemy import select as select_columns
from sqlmodel import Session, col, func, select
from sqlmodel.sql.expression import Select

from gangland_web.base.text import name_key
from gangland_web.models.accounts import User
from gangland_web.models.bots import OPEN, Bot, Code, Version, VersionState, VersionStep
from gangland_web.models.columns import stored
from gangland_web.models.matches import Match, MatchSeat, MatchState, Purpose
from gangland_web.models.owners import owner_shown, party_of
from gangland_web.models.tournaments import Entry, Season, SeasonPlace, Tournament
from gangland_web.resources.fields import Count, Model, model_from
from gangland_web.resources.ladders.mine import ABOVE


class _OfBot:
    """What is shown of a bot; whose it is."""

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
class BotPage(_OfBot):
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


class Checking(StrEnum):
    """How far the check of a version is, before its trials."""

    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"


_CHECKING = {MatchState.SCHEDULED.value: Checking.QUEUED, MatchState.LEASED.value: Checking.RUNNING}


@dataclass(frozen=True, slots=True)
class VersionPage(_OfBot):
    """One version of a bot, the steps it took and its trial matches as (id, state), in order; `by`: who sent it in.

    `check` is the latest check of it, as (id, state); None for a version that was never checked apart from its trials.
    """

    bot: Bot
    owner: str | None
    version: Version
    steps: tuple[VersionStep, ...]
    trials: tuple[tuple[int, str], ...]
    by: str | None = None
    check: tuple[int, str] | None = None

    @property
    def checking(self) -> Checking:
        """How far its check is."""
        if self.trials or self.check is None:
            return Checking.DONE
        return _CHECKING.get(self.check[1], Checking.DONE)

    @property
    def trials_all(self) -> int:
        """How many trial matches there are that still count."""
        return sum(state != MatchState.VOID for _, state in self.trials)

    @property
    def trials_done(self) -> int:
        """How many of them are played."""
        return sum(state == MatchState.DONE for _, state in self.trials)


@dataclass(frozen=True, slots=True)
class RatingRow:
    """How a version stands on one ladder, whose matches have so many blocks, or stood there in an earlier season.

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
    found: Any = db.execute(_BOT, {"bot": bot_id}).one_or_none()
    if found is None:
        return None
    return _pages(db, [found])[0]


def listed_bots(
    db: Session, limit: int, *, game: str | None = None, name: str | None = None, after: int = 0
) -> list[tuple[Bot, str | None]]:
    """Return bots with their owners' names, in order of their numbers: of a game, of a name in any spelling."""
    chosen = _BOTS.where(col(Bot.id) > after)
    if game is not None:
        chosen = chosen.where(Bot.game == game)
    if name is not None:
        chosen = chosen.where(Bot.name_key == name_key(name))
    return list(db.exec(chosen.order_by(col(Bot.id)).limit(limit)).all())


def bots_numbered(db: Session, ids: Sequence[int]) -> list[tuple[Bot, str | None]]:
    """Return bots with their owners' names, in the order of `ids`."""
    found = {bot.id: (bot, owner) for bot, owner in db.exec(_BOTS.where(col(Bot.id).in_(ids))).all()}
    return [found[number] for number in ids]


def bot_pages_numbered(db: Session, ids: Sequence[int]) -> list[BotPage]:
    """Return some bots with their versions, in order of their numbers."""
    return _pages(db, db.exec(_BOTS.where(col(Bot.id).in_(ids)).order_by(col(Bot.id))).all())


def bots_of_person(db: Session, person_id: int) -> list[BotPage]:
    """Return a person's own bots, none of a team, with their versions, in order of game and name."""
    theirs = col(Bot.owner_id) == person_id
    return _pages(db, db.exec(_BOTS.where(theirs).order_by(Bot.game, Bot.name_key, col(Bot.id))).all())


def bots_of(db: Session, owner_id: int) -> list[BotPage]:
    """Return the bots that a person may act for with their versions, in order of game and name."""
    theirs = party_of(db, owner_id).theirs()
    return _pages(db, db.exec(_BOTS.where(theirs).order_by(Bot.game, Bot.name_key, col(Bot.id))).all())


def bots_of_team(db: Session, team_id: int) -> list[BotPage]:
    """Return a team's bots with their versions, in order of game and name."""
    theirs = col(Bot.team_id) == team_id
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


def version_page(db: Session, bot_id: int, number: int) -> VersionPage | None:
    """Return one version of a bot with its steps in order, or None if there is none."""
    by = select(User.name).where(col(User.id) == Version.uploaded_by).correlate(Version).scalar_subquery()
    found = db.exec(
        select(Version, Bot, owner_shown(), by)
        .join(Bot, col(Bot.id) == Version.bot_id)
        .where(Version.bot_id == bot_id, Version.number == number)
    ).one_or_none()
    if found is None:
        return None
    version, bot, owner, by_name = found
    steps = db.exec(select(VersionStep).where(VersionStep.version_id == version.id).order_by(col(VersionStep.id)))
    chosen = select(Match.id, Match.state, Match.purpose).where(Match.trial_version_id == version.id)
    matches = [(stored(each), state, purpose) for each, state, purpose in db.exec(chosen.order_by(col(Match.id)))]
    trials = tuple((each, state) for each, state, purpose in matches if purpose == Purpose.TRIAL)
    checks = [(each, state) for each, state, purpose in matches if purpose == Purpose.CHECK]
    return VersionPage(bot, owner, version, tuple(steps), trials, by_name, checks[-1] if checks else None)


class Waits(Model):
    """How many checks or trials of others come before its next, and how many of its own trials are played.

    `check` is "queued", "running" or "done".
    """

    ahead: Count
    trials_done: Count
    trials_all: Count
    check: str


def queue_of(db: Session, page: VersionPage) -> Waits:
    """Return where a version that is not through yet waits."""
    waiting = [match_id for match_id, state in page.trials if state == MatchState.SCHEDULED]
    purpose = Purpose.TRIAL
    if page.checking is Checking.QUEUED and page.check is not None:
        waiting, purpose = [page.check[0]], Purpose.CHECK
    ahead = 0
    if waiting:
        queued = select(func.count()).select_from(Match)
        queued = queued.where(Match.state == MatchState.SCHEDULED.value, Match.purpose == purpose.value)
        ahead = db.exec(queued.where(col(Match.id) < min(waiting))).one()
    return model_from(Waits, page, ahead=ahead, check=page.checking)


def under_way(db: Session, page: VersionPage) -> Match | None:
    """Return the trial of a version that a worker has now, None if none has."""
    leased = [match_id for match_id, state in page.trials if state == MatchState.LEASED]
    return db.get(Match, min(leased)) if leased else None


def version_before(db: Session, version: Version) -> Version | None:
    """Return the version of the same bot that came before, None for the first."""
    earlier = select(Version).where(Version.bot_id == version.bot_id, col(Version.number) < version.number)
    return db.exec(earlier.order_by(col(Version.number).desc(), col(Version.id)).limit(1)).first()


def source_of(db: Session, version: Version) -> bytes:
    """Return a version's source as it was uploaded.

    Raises:
        LookupError: it was played elsewhere alone, and only its SHA-256 is known.
    """
    source = db.get_one(Code, version.code_sha256).source
    if source is None:
        raise LookupError(f"the source of {version.code_sha256} is not here")
    return source


def ratings_of(db: Session, bot_id: int) -> list[RatingRow]:
    """Return how a bot's versions stand on the ladders: by table size, the newest version and season first.

    A season in which a version has played nothing is left out.
    """
    rows = [row for _, row in _ratings(db, _RATINGS_OF_BOT, {"bot": bot_id})]
    replaced = {row.entry.former_id for row in rows}
    return [row for row in rows if row.entry.games or row.entry.id not in replaced]


def active_ratings_of(db: Session, bots: Sequence[BotPage]) -> dict[int, list[RatingRow]]:
    """Return how the active versions of some bots stand on the ladders, by bot, in order of table size."""
    found: dict[int, list[RatingRow]] = {stored(page.bot.id): [] for page in bots}
    active = [page.bot.active_version_id for page in bots if page.bot.active_version_id is not None]
    for bot_id, row in _ratings(db, _RATINGS_OF_VERSIONS, {"versions": active}):
        found[bot_id].append(row)
    return found


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
