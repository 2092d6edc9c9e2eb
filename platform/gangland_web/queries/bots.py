"""Read bots, versions and ratings; their models for pages, JSON and the API, and their tables."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final, NamedTuple

from flask import url_for
from sqlalchemy import Integer, bindparam, case
from sqlalchemy import select as select_columns
from sqlmodel import Session, col, func, select
from sqlmodel.sql.expression import Select

from gangland_ladder.errors import code_with_title, entries
from gangland_ladder.matches.match_jobs import Problem
from gangland_web.base.formats import timestamp
from gangland_web.base.text import name_key, named_line, shown
from gangland_web.models.accounts import User
from gangland_web.models.bots import HOUSE, OPEN, Bot, Code, Version, VersionState, VersionStep, party_of, shown_owner
from gangland_web.models.columns import row_id
from gangland_web.models.jobs import Job
from gangland_web.models.matches import Match, MatchSeat, MatchState, Purpose
from gangland_web.models.tournaments import Entry, Season, SeasonPlace, Tournament
from gangland_web.queries import ladders, tables
from gangland_web.queries.matches import FaultRow, recent_faults
from gangland_web.services.results import job_of

# Bots, versions and ratings, each read with a fixed number of SQL statements.


class BotOwnership:
    """The base class of pages about a bot; their owner is the owner of the bot."""

    __slots__ = ()
    bot: Bot

    @property
    def owner_id(self) -> int | None:
        """The id of the user who owns the bot, or None."""
        return self.bot.owner_id

    @property
    def team_id(self) -> int | None:
        """The id of the team that owns the bot, or None."""
        return self.bot.team_id


@dataclass(frozen=True, slots=True)
class BotPage(BotOwnership):
    """A bot with its versions, newest first."""

    bot: Bot
    owner: str | None  # the name
    versions: tuple[Version, ...]
    has_been_active: bool  # whether a version is or was active

    @property
    def active(self) -> Version | None:
        """The version on the ladders, or None."""
        return next((version for version in self.versions if version.id == self.bot.active_version_id), None)

    @property
    def open_version(self) -> Version | None:
        """The version that is being checked, or None."""
        return next((version for version in self.versions if version.state in OPEN), None)

    @property
    def is_in_play(self) -> bool:
        """Whether a version is active or being checked."""
        return self.active is not None or any(version.state in OPEN for version in self.versions)


@dataclass(frozen=True, slots=True)
class RatingRow:
    """The rating of a version on one ladder, or in an earlier season of it."""

    seats: int
    version: int
    entry: Entry
    blocks: int  # per match
    rated: bool  # whether the rating includes any match yet
    rank: int | None  # shared by equal ratings; None if the version is not on the ladder
    season: int | None = None  # None between seasons
    season_rank: int | None = None  # in the standings of that season

    @property
    def matches(self) -> int:
        """The number of matches that the version has played on this ladder."""
        return self.entry.games // (self.blocks * self.seats)

    @property
    def is_provisional(self) -> bool:
        """Whether the version has played too few matches for a reliable rating."""
        return self.matches < ladders.PROVISIONAL_MATCHES


def bot_page(db: Session, bot_id: int) -> BotPage | None:
    """Return a bot with its versions, or None."""
    row: Any = db.execute(_BOT, {"bot": bot_id}).one_or_none()
    return None if row is None else _pages(db, [row])[0]


def listed_bots(
    db: Session, limit: int, *, game: str | None = None, name: str | None = None, after: int = 0
) -> list[tuple[Bot, str | None]]:
    """Return bots with their owners' names, sorted by number; `name` is compared by its `name_key`."""
    query = _BOTS.where(col(Bot.id) > after)
    if game is not None:
        query = query.where(Bot.game == game)
    if name is not None:
        query = query.where(Bot.name_key == name_key(name))
    return list(db.exec(query.order_by(col(Bot.id)).limit(limit)).all())


def bots_with_ids(db: Session, ids: Sequence[int]) -> list[tuple[Bot, str | None]]:
    """Return bots with their owners' names, in the order of `ids`."""
    by_id = {bot.id: (bot, owner) for bot, owner in db.exec(_BOTS.where(col(Bot.id).in_(ids))).all()}
    return [by_id[number] for number in ids]


def pages_with_ids(db: Session, ids: Sequence[int]) -> list[BotPage]:
    """Return these bots with their versions, ordered by number."""
    return _pages(db, db.exec(_BOTS.where(col(Bot.id).in_(ids)).order_by(col(Bot.id))).all())


def bots_of_person(db: Session, person_id: int) -> list[BotPage]:
    """Return a user's own bots, without those of a team, sorted by game and name."""
    return _pages_of(db, col(Bot.owner_id) == person_id)


def bots_of(db: Session, owner_id: int) -> list[BotPage]:
    """Return the bots that a user may act for, sorted by game and name."""
    return _pages_of(db, party_of(db, owner_id).own_bots())


def bots_of_team(db: Session, team_id: int) -> list[BotPage]:
    """Return a team's bots, sorted by game and name."""
    return _pages_of(db, col(Bot.team_id) == team_id)


def _pages_of(db: Session, condition: Any) -> list[BotPage]:
    return _pages(db, db.exec(_BOTS.where(condition).order_by(Bot.game, Bot.name_key, col(Bot.id))).all())


def _pages(db: Session, rows: Sequence[tuple[Bot, str]]) -> list[BotPage]:
    versions: dict[int, list[Version]] = {row_id(bot.id): [] for bot, _ in rows}
    played = set()
    version_rows: Any = db.execute(_VERSIONS, {"bots": list(versions)})
    for version, was_active in version_rows:
        versions[version.bot_id].append(version)
        if was_active:
            played.add(version.bot_id)
    return [BotPage(bot, owner, tuple(versions[row_id(bot.id)]), bot.id in played) for bot, owner in rows]


_BOTS: Select[Bot, str] = select(Bot, shown_owner())
_BOT: Any = _BOTS.where(col(Bot.id) == bindparam("bot", type_=Integer))

# Versions of bots, each with a flag for whether it is or was on the ladders.
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


def ratings_of(db: Session, bot_id: int) -> list[RatingRow]:
    """Return the ratings of a bot's versions by table size, newest first, but no replaced entry without games."""
    rows = [row for _, row in _ratings(db, _RATINGS_OF_BOT, {"bot": bot_id})]
    replaced = {row.entry.former_id for row in rows}
    return [row for row in rows if row.entry.games or row.entry.id not in replaced]


def games_by_size(ratings: Iterable[RatingRow]) -> Counter[int]:
    """Return the number of games at each table size."""
    games = Counter[int]()
    for row in ratings:
        games[row.seats] += row.entry.games
    return games


def played_sizes(ratings: Sequence[RatingRow]) -> list[int]:
    """Return the table sizes that a bot has played, in ascending order."""
    return sorted(+games_by_size(ratings))  # + leaves out sizes without games


def active_ratings_of(db: Session, bots: Sequence[BotPage]) -> dict[int, list[RatingRow]]:
    """Return the ladder ratings of these bots' active versions by bot id, each list sorted by table size."""
    ratings: dict[int, list[RatingRow]] = {row_id(page.bot.id): [] for page in bots}
    active = [page.bot.active_version_id for page in bots if page.bot.active_version_id is not None]
    for bot_id, row in _ratings(db, _RATINGS_OF_VERSIONS, {"versions": active}):
        ratings[bot_id].append(row)
    return ratings


def _ratings(db: Session, statement: Any, parameters: dict[str, Any]) -> list[tuple[int, RatingRow]]:
    # The kind is compared here: a condition in the statement makes SQLite start with the rows of all ladders.
    rows: Any = db.execute(statement, parameters)
    return [
        (bot_id, RatingRow(seats, number, entry, blocks, rated, None if better is None else better + 1, *of_season))
        for bot_id, kind, seats, number, entry, blocks, rated, better, *of_season in rows
        if kind == "ladder"
    ]


def entries_of(db: Session, bots: Sequence[int]) -> list[int]:
    """Return the ids of these bots' ladder entries."""
    rows: Any = db.connection().execute(_ENTRIES, {"bots": list(bots)})
    return [entry for entry, kind in rows if kind == "ladder"]


# Whether any match of an entry is in its rating.
_RATED: Any = (
    select(MatchSeat.match_id)
    .where(col(MatchSeat.entry_id) == col(Entry.id), col(MatchSeat.mu_after).is_not(None))
    .correlate(Entry)
    .exists()
)
_RATINGS: Any = (
    select_columns(
        *(col(column) for column in (Version.bot_id, Tournament.kind, Tournament.seats, Version.number)),
        *(Entry, col(Tournament.blocks), _RATED),
        *(case((col(Entry.active).is_(True), ladders.RANKS_ABOVE)), col(Season.number), col(SeasonPlace.rank)),
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


# The model of a bot, for pages, JSON, the API and tables.


class BotSummary(tables.Model):
    """A bot; the owner of a house bot is "house"."""

    id: tables.Number
    url: tables.Path
    page: tables.Path
    name: str
    game: tables.Game
    owner: str
    is_house: bool
    active: bool
    created_at: tables.Moment


class VersionSummary(tables.Model):
    """The main facts about a version."""

    version: tables.Number
    url: tables.Path
    page: tables.Path
    state: str
    uploaded_at: tables.Moment


class BotDetail(BotSummary):
    """A bot with its versions, the newest first."""

    active_version: tables.Number | None
    versions: list[VersionSummary]


class OwnBot(BotSummary):
    """One of your bots, with the state of its newest version."""

    active_version: tables.Number | None
    newest_version: tables.Number | None
    state: str | None
    uploaded_at: tables.Moment | None


def bot_summary(bot: Bot, owner: str | None) -> BotSummary:
    """Return the summary of a bot; `owner` is None for a house bot."""
    return tables.model_from(
        BotSummary,
        bot,
        url=f"{tables.BASE}/bots/{bot.id}",
        page=url_for("bots.bot", bot_id=bot.id),
        owner=owner or HOUSE,
        active=bot.active_version_id is not None,
    )


def bot_detail(page: BotPage) -> BotDetail:
    """Return a bot with its versions."""
    return tables.model_from(
        BotDetail,
        bot_summary(page.bot, page.owner),
        active_version=page.active.number if page.active else None,
        versions=[version_summary(version) for version in page.versions],
    )


def own_bot(page: BotPage) -> OwnBot:
    """Return a bot with the state of its newest version."""
    newest = page.versions[0] if page.versions else None
    return tables.model_from(
        OwnBot,
        bot_summary(page.bot, page.owner),
        active_version=page.active.number if page.active else None,
        newest_version=newest.number if newest else None,
        state=newest.state if newest else None,
        uploaded_at=timestamp(newest.created_at) if newest else None,
    )


def version_summary(version: Version) -> VersionSummary:
    """Return the summary of a version."""
    return tables.model_from(
        VersionSummary,
        version,
        version=version.number,
        url=f"{tables.BASE}/bots/{version.bot_id}/versions/{version.number}",
        page=url_for("bots.version", bot_id=version.bot_id, number=version.number),
        uploaded_at=timestamp(version.created_at),
    )


# Tables: ratings at all table sizes, versions, the latest errors, and own bots.

RATINGS: Final = tables.table_of(
    *("bot-ratings", RatingRow, "/bots/N/ratings", "The ratings of all the bot's versions at all table sizes."),
    tables.Column("seats", "Table", tables.Kind.WHOLE, "rated_seats", css="nowrap"),
    tables.Column("version", "Version", tables.Kind.WHOLE, "rated_version", css="nowrap"),
    tables.Column("active", "Active", tables.Kind.FLAG, quiet=True, of="entry.active"),
    *tables.several(tables.Kind.WHOLE, quiet=True, season="Season", season_rank="Final rank", rank="Rank"),
    tables.Column("rating", "Rating", tables.Kind.NUMBER, "rated", of="entry.rating"),
    tables.Column("", "mu ± sigma", tables.Kind.NUMBER, "rated_range"),
    *tables.several(tables.Kind.NUMBER, "entry", quiet=True, mu="mu", sigma="sigma"),
    *tables.several(tables.Kind.WHOLE, "entry", games="Games", wins="Wins", faults="Faults"),
    phone=("Table", "Version", "Rating", "Games"),
)
VERSIONS: Final = tables.table_of(
    *("bot-versions", VersionSummary, "/bots/N/versions", "The bot's versions, newest first."),
    tables.Column("version", "Version", tables.Kind.WHOLE, "version_page", css=""),
    *tables.several(tables.Kind.TEXT, quiet=True, url="url", page="page"),
    *(tables.Column("state", "State", cell="state"), tables.Column("uploaded_at", "Uploaded", tables.Kind.MOMENT)),
)
ERRORS: Final = tables.table_of(
    *("bot-errors", FaultRow, "/bots/N/errors"),
    "The first fault in each of the latest twelve faulty matches of the version on the ladder.",
    tables.Column("match", "Match", tables.Kind.WHOLE, "error_match", of="match_id"),
    tables.Column("over_at", "Finished", tables.Kind.MOMENT, of="at"),
    tables.Column("version", "Version", tables.Kind.WHOLE),
    tables.Column("fault", "Fault", tables.Kind.FAULT, of="kind"),
    *tables.several(tables.Kind.INDEX, block="Block", rotation="Order"),
    *(tables.Column("round", "Round", tables.Kind.WHOLE), tables.Column("where", "Where")),
    tables.Column("at", "Decision", cell="error_at", of="address"),
    phone=("Match", "Fault", "Decision"),
)


class OwnBotRow(NamedTuple):
    """A bot of the signed-in user, and the ratings of its active version by table size."""

    bot: OwnBot
    page: BotPage
    ratings: Sequence[RatingRow]
    rating_2: float | None = None
    rating_3: float | None = None
    rating_4: float | None = None
    rank_2: int | None = None
    rank_3: int | None = None
    rank_4: int | None = None

    @property
    def games(self) -> int:
        """The number of games of the active version."""
        return sum(row.entry.games for row in self.ratings)

    @property
    def faults(self) -> int:
        """The number of the active version's games with a fault."""
        return sum(row.entry.faults for row in self.ratings)


OWN_BOTS: Final = tables.table_of(
    *("own-bots", OwnBotRow, "/my-bots", "Your bots, when you are signed in."),
    tables.Column("bot_id", "Number", tables.Kind.WHOLE, quiet=True, of="bot.id"),
    tables.Column("bot", "Bot", cell="own_bot", of="bot.name"),
    tables.Column("game", "Game", quiet=True, of="bot.game"),
    tables.Column("active_version", "On the ladder", tables.Kind.WHOLE, "own_active", of="bot.active_version", css=""),
    tables.Column("", "Rating and rank", cell="own_ratings", css="small"),
    tables.Column("", "Faults", tables.Kind.WHOLE, "own_faults"),
    tables.Column("newest_version", "Newest version", tables.Kind.WHOLE, "own_newest", of="bot.newest_version", css=""),
    tables.Column("state", "State", quiet=True, of="bot.state"),
    tables.Column("uploaded_at", "Uploaded", tables.Kind.MOMENT, quiet=True, of="bot.uploaded_at"),
    *(tables.Column(f"rating_{n}", f"Rating, {n} seats", tables.Kind.NUMBER, quiet=True) for n in (2, 3, 4)),
    *(tables.Column(f"rank_{n}", f"Rank, {n} seats", tables.Kind.WHOLE, quiet=True) for n in (2, 3, 4)),
    *tables.several(tables.Kind.WHOLE, quiet=True, games="Games", faults="Faults"),
    tables.Column("", "Next", cell="own_next"),
    attributes=' data-key="{{ row.bot.id }}"',
    phone=("Bot", "Rating and rank"),
)
MAX_ERRORS = 12  # the maximum number of listed matches with a fault
BOT_TABLES: Final = {"ratings": RATINGS, "versions": VERSIONS, "errors": ERRORS}


def _table(bot_id: int, name: str, caption: str, rows: Sequence[Any]) -> tables.TableData:
    return BOT_TABLES[name].of(rows, caption, **tables.file_urls("bots.whole_table", bot_id=bot_id, what=name))


def ratings_table(bot_id: int, ratings: Sequence[RatingRow]) -> tables.TableData:
    """Return the ratings of a bot's versions at each table size."""
    caption = "Rating is a cautious estimate of strength. A version that has not played is new."
    return _table(bot_id, "ratings", caption, ratings)


def versions_table(bot_id: int, versions: Sequence[Version]) -> tables.TableData:
    """Return a bot's versions, newest first."""
    caption = "Newest first. Each version starts with a new rating."
    return _table(bot_id, "versions", caption, [version_summary(version) for version in versions])


def errors_table(bot_id: int, faults: Sequence[FaultRow]) -> tables.TableData:
    """Return the latest faults of a bot's version, one for each match."""
    return _table(bot_id, "errors", "The first fault in each match, newest first", faults)


def own_bots_table(db: Session, user_id: int) -> tables.TableData:
    """Return a user's bots with their newest versions, and the ratings of their active versions."""
    bots = bots_of(db, user_id)
    ratings = active_ratings_of(db, bots)
    rows = []
    for page in bots:
        sizes = ratings[row_id(page.bot.id)]
        figures: dict[str, Any] = {f"rating_{row.seats}": row.entry.rating for row in sizes if row.rated}
        figures |= {f"rank_{row.seats}": row.rank for row in sizes if row.rated}
        rows.append(OwnBotRow(own_bot(page), page, sizes, **figures))
    return OWN_BOTS.of(rows, **tables.file_urls("bots.my_bots_file"))


def bot_table(db: Session, page: BotPage, name: str) -> tables.TableData:
    """Return a table of a bot that covers all table sizes."""
    bot_id = row_id(page.bot.id)
    if name == "versions":
        return versions_table(bot_id, page.versions)
    ratings = ratings_of(db, bot_id)
    if name == "ratings":
        return ratings_table(bot_id, ratings)
    return errors_table(bot_id, latest_errors(db, page, ratings))


def latest_errors(db: Session, page: BotPage, ratings: Sequence[RatingRow]) -> list[FaultRow]:
    """Return the latest faults of the version on the ladders, or else of the newest version that was on them."""
    newest = page.active.number if page.active else max((row.version for row in ratings), default=0)
    versions = {row_id(row.entry.id): row.version for row in ratings if row.version == newest}
    return recent_faults(db, versions, matches=MAX_ERRORS)


# A version with its steps, checks and trials.


class CheckState(StrEnum):
    """The state of a version's check, before its trials."""

    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"


_CHECK_STATES = {MatchState.SCHEDULED.value: CheckState.QUEUED, MatchState.LEASED.value: CheckState.RUNNING}


@dataclass(frozen=True, slots=True)
class VersionPage(BotOwnership):
    """A version of a bot with its steps in order."""

    bot: Bot
    owner: str | None
    version: Version
    steps: tuple[VersionStep, ...]
    trials: tuple[tuple[int, str], ...]  # matches as (id, state), in order
    uploader: str | None = None  # the uploader's name
    check: tuple[int, str] | None = None  # (id, state) of the latest check that is not a trial

    @property
    def check_state(self) -> CheckState:
        """The state of the version's check."""
        if self.trials or self.check is None:
            return CheckState.DONE
        return _CHECK_STATES.get(self.check[1], CheckState.DONE)

    @property
    def trials_all(self) -> int:
        """The number of trial matches that are not void."""
        return sum(state != MatchState.VOID for _, state in self.trials)

    @property
    def trials_done(self) -> int:
        """The number of trial matches that have been played."""
        return sum(state == MatchState.DONE for _, state in self.trials)


def version_page(db: Session, bot_id: int, number: int) -> VersionPage | None:
    """Return one version of a bot, or None."""
    uploader = select(User.name).where(col(User.id) == Version.uploaded_by).correlate(Version).scalar_subquery()
    row = db.exec(
        select(Version, Bot, shown_owner(), uploader)
        .join(Bot, col(Bot.id) == Version.bot_id)
        .where(Version.bot_id == bot_id, Version.number == number)
    ).one_or_none()
    if row is None:
        return None
    version, bot, owner, uploader_name = row
    steps = db.exec(select(VersionStep).where(VersionStep.version_id == version.id).order_by(col(VersionStep.id)))
    query = select(Match.id, Match.state, Match.purpose).where(Match.trial_version_id == version.id)
    matches = [(row_id(each), state, purpose) for each, state, purpose in db.exec(query.order_by(col(Match.id)))]
    trials = tuple((each, state) for each, state, purpose in matches if purpose == Purpose.TRIAL)
    checks = [(each, state) for each, state, purpose in matches if purpose == Purpose.CHECK]
    return VersionPage(bot, owner, version, tuple(steps), trials, uploader_name, checks[-1] if checks else None)


class QueuePosition(tables.Model):
    """The number of waiting checks or trials of other bots ahead of a version, and the counts of its own trials.

    `check` is "queued", "running" or "done".
    """

    ahead: tables.Count
    trials_done: tables.Count
    trials_all: tables.Count
    check: str


def queue_position(db: Session, page: VersionPage) -> QueuePosition:
    """Return the queue position of a version that is being checked."""
    waiting = [match_id for match_id, state in page.trials if state == MatchState.SCHEDULED]
    purpose = Purpose.TRIAL
    if page.check_state is CheckState.QUEUED and page.check is not None:
        waiting, purpose = [page.check[0]], Purpose.CHECK
    ahead = 0
    if waiting:
        queued = select(func.count()).select_from(Match)
        queued = queued.where(Match.state == MatchState.SCHEDULED.value, Match.purpose == purpose.value)
        ahead = db.exec(queued.where(col(Match.id) < min(waiting))).one()
    return tables.model_from(QueuePosition, page, ahead=ahead, check=page.check_state)


def running_trial(db: Session, page: VersionPage) -> Job | None:
    """Return the job of the trial that a worker has leased, or None."""
    leased = [match_id for match_id, state in page.trials if state == MatchState.LEASED]
    return job_of(db, db.get_one(Match, min(leased))) if leased else None


def previous_version(db: Session, version: Version) -> Version | None:
    """Return the previous version of the same bot, or None for the first."""
    earlier = select(Version).where(Version.bot_id == version.bot_id, col(Version.number) < version.number)
    return db.exec(earlier.order_by(col(Version.number).desc(), col(Version.id)).limit(1)).first()


def source_of(db: Session, version: Version) -> bytes:
    """Return the uploaded source of a version.  Raises LookupError: only its SHA-256 is stored."""
    source = db.get_one(Code, version.code_sha256).source
    if source is None:
        raise LookupError(f"the source of {version.code_sha256} is not stored")
    return source


# Findings of checks, with the error catalog's entries for their codes.


class Finding(tables.Model):
    """A problem with a bot; `code`, `title`, `fix` and `page` are null if the platform was at fault."""

    code: tables.Code | None
    title: str | None
    message: str
    line: int | None
    fix: str | None
    page: str | None


def finding_of(problem: Problem, *, in_editor: bool = False) -> Finding:
    """Return a problem with its entry in the error catalog; `in_editor`: for an author without a shell."""
    entry = entries()[problem.code]
    return Finding(
        code=problem.code,
        title=entry.title,
        message=shown(problem.message, limit=4000),
        line=problem.line,
        fix=(in_editor and entry.in_editor) or entry.fix,
        page=entry.page,
    )


# The model of a version: its progress and, for its owner, why a step failed.

_CODE = re.compile(r"[EW]\d{3}\b")
_LABELS = {
    VersionState.RECEIVED: "Received",
    VersionState.SCANNED: "Scanned (size, encoding, file name)",
    VersionState.IMPORTED: "Imported (one bot class)",
    VersionState.LEGAL: "Legal sample decisions",
    VersionState.TIMED: "Within time and memory limits",
    VersionState.TRIAL: "Trial matches against house bots, in every seat",
    VersionState.ACTIVE: "Active on the ladders",
}
# A house bot comes with the site, is not checked and has no trial.
_HOUSE_BOT_STEPS = (VersionState.RECEIVED, VersionState.SCANNED, VersionState.ACTIVE)
_CHECK_HEADLINES = {
    CheckState.QUEUED: "Waiting to be checked.",
    CheckState.RUNNING: "Its check is running.",
    CheckState.DONE: "Checked. Waiting for its trial matches.",
}
# A version can already have trials in these states: for a slow bot, or on a busy machine, the short check may not
# finish, and then continues in the first trial match.
_UNCHECKED_STATES = (VersionState.RECEIVED, VersionState.SCANNED, VersionState.IMPORTED, VersionState.LEGAL)


class VersionStepDetail(tables.Model):
    """A step of a version; the message and line are only for the bot's owner."""

    state: str
    label: str
    status: str
    at: tables.Moment | None
    seconds: float | None
    message: str
    line: int | None


class Trial(tables.Model):
    """A trial match, with the URL of its page."""

    match: tables.Number
    state: str
    url: tables.Path


class VersionDetail(VersionSummary):
    """A version with its progress and, for the bot's owner, why a step failed."""

    id: tables.Number
    bot_id: tables.Number
    bot: str
    game: tables.Game
    filename: str | None
    code_sha256: tables.Hex64 | None
    terminal: bool
    headline: str
    steps: list[VersionStepDetail]
    findings: list[Finding]
    queue: QueuePosition | None
    trials: list[Trial]


def version_detail(db: Session, page: VersionPage, *, private: bool) -> VersionDetail:
    """Return a version; `private` adds data for owners only: reasons, file name, SHA-256 of the source, and trials."""
    bot, version, state = page.bot, page.version, VersionState(page.version.state)
    return tables.model_from(
        VersionDetail,
        version_summary(version),
        id=row_id(version.id),
        bot_id=row_id(bot.id),
        bot=bot.name,
        game=bot.game,
        filename=version.filename if private else None,
        code_sha256=version.code_sha256 if private else None,
        terminal=state not in OPEN,
        headline=_progress(page, state)
        + (" House bots come with the site and are not checked." if bot.is_house else ""),
        steps=_steps(page, state, private=private),
        findings=[_finding(shown(step.message, limit=4000)) for step in page.steps if private and not step.ok],
        queue=queue_position(db, page) if state in OPEN else None,
        trials=[
            Trial(match=match_id, state=match_state, url=url_for("matches.match", match_id=match_id))
            for match_id, match_state in page.trials
            if private
        ],
    )


def _progress(page: VersionPage, state: VersionState) -> str:
    if state == VersionState.ACTIVE:
        return "This version plays on the ladders."
    if state == VersionState.REJECTED:
        plays_on = " Another version still plays on the ladders." if page.bot.active_version_id else ""
        return f"This version was rejected.{plays_on}"
    if state == VersionState.RETIRED:
        reason = next((step.message for step in page.steps if step.state == state), "")
        return f"This version is retired: {shown(reason, limit=200)}." if reason else "This version is retired."
    headline = _CHECK_HEADLINES[page.check_state]
    if page.trials_all and state in _UNCHECKED_STATES:
        headline = "Its check continues in its first trial match."
    elif page.trials_all:
        headline = f"On trial: {page.trials_done} of {page.trials_all} trial matches played."
    if page.bot.active_version_id is not None:
        headline += " The previous version plays until this one passes."
    return headline


def _steps(page: VersionPage, state: VersionState, *, private: bool) -> list[VersionStepDetail]:
    passed = {VersionState(step.state): step for step in page.steps if step.ok}
    reached = set(passed)
    if VersionState.ACTIVE not in reached:  # the trial begins with the first match and ends with the last
        reached.discard(VersionState.TRIAL)
    rejection = next((step for step in reversed(page.steps) if not step.ok), None)
    rejected_step = next((stage for stage in _LABELS if stage not in reached), VersionState.ACTIVE)
    steps = []
    for stage in _HOUSE_BOT_STEPS if page.bot.is_house else _LABELS:
        status, step = "done" if stage in reached else "waiting", passed.get(stage)
        if state == VersionState.REJECTED and stage == rejected_step:
            status, step = "failed", rejection
        message = shown(step.message, limit=4000) if private and step is not None and status != "waiting" else ""
        at, seconds = (timestamp(step.at), round(step.seconds, 3)) if step else (None, None)
        steps.append(VersionStepDetail(stage.value, _LABELS[stage], status, at, seconds, message, named_line(message)))
    return steps


def _finding(message: str) -> Finding:
    code = _CODE.match(message)
    if code is None or not message.startswith(f"{code_with_title(code[0])}: "):
        return Finding(code=None, title=None, message=message, line=named_line(message), fix=None, page=None)
    text = message.removeprefix(f"{code_with_title(code[0])}: ")
    line = named_line(text)
    return finding_of(Problem(code[0], text.removeprefix(f"line {line}: "), line))
