"""Tournaments and ladders with their entries, seasons and records, the items of channels, and locks."""

from enum import StrEnum
from typing import Any

from sqlalchemy import CheckConstraint, ColumnElement, Index, Text, UniqueConstraint, false
from sqlmodel import Field, Session, col, select

from gangland_ladder.tournaments.lifecycle import State
from gangland_web.models.columns import Table, bytes_column, index_where, json_column, one_of

# Tournaments and ladders, and the versions entered in them.


# Trials, ladders, challenges and private tournaments always exist, one of each kind for every game and table size.
KINDS = ("trials", "ladder", "challenges", "private", "tournament")
RATED_KINDS = ("ladder", "tournament")  # kinds whose matches are rated
ENTRY_RULES = ("open", "code")
_FROZEN = "state IN ('frozen', 'playing', 'paused', 'finished', 'revealed')"
_PERMANENT = "kind <> 'tournament'"


class Tournament(Table, table=True):
    """A set of numbered matches of one game and table size: a tournament, a ladder, or another of the `KINDS`.

    Times are Unix seconds; if a deadline is None, the organizer makes the move.  Database triggers maintain `revision`,
    `matches_planned` and `matches_over` (done or void).  Other code does not write these columns, and a loaded object
    may have old values.
    """

    __tablename__ = "tournaments"
    __table_args__ = (
        index_where("uq_tournaments_permanent", "kind", "game", "seats", where=_PERMANENT, unique=True),
        one_of("kind", KINDS, "kind"),
        one_of("state", State, "state"),
        one_of("entry_rule", ENTRY_RULES, "entry_rule"),
        CheckConstraint(f"kind = 'tournament' OR state = '{State.PLAYING}'", name="standing_plays"),
        CheckConstraint("(entry_rule = 'code') = (join_code_hash IS NOT NULL)", name="join_code"),
        CheckConstraint(f"{_PERMANENT} OR NOT ({_FROZEN}) OR length(roster_digest) = 64", name="frozen_roster"),
        CheckConstraint(f"{_PERMANENT} OR NOT ({_FROZEN}) OR announced_at IS NOT NULL", name="frozen_announced"),
        CheckConstraint("(state = 'revealed') = (revealed_at IS NOT NULL)", name="revealed_at"),
        CheckConstraint("state NOT IN ('finished', 'revealed') OR finished_at IS NOT NULL", name="finished_at"),
        CheckConstraint("opens_at IS NULL OR freezes_at IS NULL OR opens_at <= freezes_at", name="opens_first"),
        CheckConstraint("freezes_at IS NULL OR starts_at IS NULL OR freezes_at <= starts_at", name="freezes_first"),
        CheckConstraint("embargo_until IS NULL OR reveals_at IS NULL OR embargo_until <= reveals_at", name="embargo"),
        CheckConstraint("tables IS NULL OR tables >= 1", name="tables"),
        CheckConstraint("audit_percent IS NULL OR audit_percent BETWEEN 0 AND 100", name="audit_percent"),
        CheckConstraint(
            "public_value IS NULL OR (randomness IS NOT NULL AND public_value_at IS NOT NULL)", name="public_value"
        ),
        CheckConstraint("settle_first IS NULL OR settle_first BETWEEN 1 AND 10", name="settle_first"),
        CheckConstraint("settle_percent IS NULL OR settle_percent BETWEEN 1 AND 20", name="settle_percent"),
        CheckConstraint("settle_blocks IS NULL OR settle_blocks BETWEEN 1 AND 1000", name="settle_blocks"),
        CheckConstraint("settle_round IS NULL OR settle_round >= 0", name="settle_round"),
        CheckConstraint("final_seats IS NULL OR final_seats BETWEEN 2 AND 4", name="final_seats"),
        CheckConstraint("final_blocks IS NULL OR final_blocks BETWEEN 1 AND 60", name="final_blocks"),
        CheckConstraint("(final_seats IS NULL) = (final_blocks IS NULL)", name="final_table"),
        CheckConstraint("final_seats IS NOT NULL OR NOT has_premiere", name="has_premiere"),
        CheckConstraint("premiered >= 0", name="premiered"),
        CheckConstraint("premiered_void >= 0", name="premiered_void"),
        Index("ix_tournaments_kind", "kind", "state", "id"),
        CheckConstraint("seats BETWEEN 2 AND 4", name="seats"),
        CheckConstraint("blocks >= 1", name="blocks"),
        CheckConstraint("cursor >= 1", name="cursor"),
        CheckConstraint("matches_over BETWEEN 0 AND matches_planned", name="matches_over"),
        CheckConstraint("rounds >= 0", name="rounds"),
        CheckConstraint("length(commitment) = 64", name="commitment"),
    )

    id: int | None = Field(default=None, primary_key=True)
    kind: str = Field(max_length=16)
    game: str = Field(max_length=32)
    seats: int
    name: str = Field(max_length=80)
    options: dict[str, Any] = Field(sa_column=json_column())
    blocks: int
    limits: dict[str, Any] = Field(sa_column=json_column())
    secret: bytes = Field(sa_column=bytes_column())  # determines all dice; in a ladder, each day has its own secret
    commitment: str = Field(max_length=64)
    state: str = Field(default=State.PLAYING.value, max_length=16)
    organizer_id: int | None = Field(default=None, foreign_key="users.id")
    entry_rule: str = Field(default="open", max_length=8)
    join_code_hash: str | None = Field(default=None, max_length=64)
    join_code: str | None = Field(default=None, max_length=100)  # shown to the organizer; NULL in old rows
    # The tournament whose rules this rehearsal with house bots tests; only its organizer can see a rehearsal.
    rehearsal_of: int | None = Field(default=None, foreign_key="tournaments.id")
    event_id: int | None = Field(default=None, foreign_key="events.id", index=True)
    house_bots: bool = Field(default=True)
    # Whether house bots are ranked; otherwise they cannot win, be on the podium or play at the final table.
    house_ranked: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    # Whether bots must be written in the editor at `/write`; does not apply to house bots.
    browser_only: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    audit_percent: int | None = Field(default=None)  # percentage of results to audit; None for the site's setting
    tables: int | None = Field(default=None)  # size of a balanced sample with three or four seats; None for all tables
    # The announcement of the public value for the dice, see `gangland_ladder.proof.randomness`.
    randomness: dict[str, Any] | None = Field(default=None, sa_column=json_column(nullable=True))
    # The public value in its canonical form, entered after the freeze and before the first match.
    public_value: str | None = Field(default=None, sa_type=Text)
    public_value_at: float | None = Field(default=None)
    # The terms for settling the first places (`gangland_ladder.tournaments.settling_rounds.Terms`); None without
    # settling.
    settle_first: int | None = Field(default=None)
    settle_percent: int | None = Field(default=None)
    settle_blocks: int | None = Field(default=None)
    settle_round: int | None = Field(default=None)  # number of settling rounds planned; None before settling begins
    # The terms of the final table (`gangland_ladder.tournaments.final_table.FinalTerms`); None without a final table.
    final_seats: int | None = Field(default=None)
    final_blocks: int | None = Field(default=None)
    # Whether all results are hidden until the premiere of the final table, which shows it game by game.
    has_premiere: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    # The number of steps of the premiere shown so far (`services.final_tables.PremiereSchedule`).
    premiered: int = Field(default=0, sa_column_kwargs={"server_default": "0"})
    premiered_at: float | None = None  # time of the latest step
    # The number of steps shown of the latest final table that became void.
    premiered_void: int = Field(default=0, sa_column_kwargs={"server_default": "0"})
    opens_at: float | None = Field(default=None)
    freezes_at: float | None = Field(default=None)
    # When the entries closed, if the freeze is waiting for checks of versions that were uploaded before.
    closed_at: float | None = Field(default=None)
    starts_at: float | None = Field(default=None)
    embargo_until: float | None = Field(default=None)
    reveals_at: float | None = Field(default=None)
    note: str = Field(default="", sa_type=Text)  # public: the reason for a cancellation, or other news
    announced_at: float | None = Field(default=None)
    finished_at: float | None = Field(default=None)
    revealed_at: float | None = Field(default=None)
    cursor: int = Field(default=1)  # the lowest position in the rating order that is not rated yet
    # Identifies the frozen entries; in a ladder, the active entries for which the day's `rounds` were planned.
    roster_digest: str = Field(default="", max_length=64)
    rounds: int = Field(default=0)
    rounds_taken: int = Field(default=0)  # the last ladder round whose results matchmaking has applied
    # The number of times a ladder was reset because a season began or ended.
    period: int = Field(default=0, sa_column_kwargs={"server_default": "0"})
    revision: int = Field(default=0)  # increases with every change that is visible on the tournament's pages
    matches_planned: int = Field(default=0)
    matches_over: int = Field(default=0)
    created_at: float


class Event(Table, table=True):
    """Related tournaments, such as a school's, one per game, that share a join code, a page and a console."""

    __tablename__ = "events"
    __table_args__ = (CheckConstraint("length(name) BETWEEN 1 AND 60", name="name_length"),)

    id: int | None = Field(default=None, primary_key=True)
    name: str = Field(max_length=60)
    organizer_id: int | None = Field(default=None, foreign_key="users.id")
    created_at: float


class StoredStandings(Table, table=True):
    """The standings of a finished tournament, in the form of gangland/standings/1, computed once for all pages."""

    __tablename__ = "stored_standings"

    tournament_id: int = Field(primary_key=True, foreign_key="tournaments.id")
    body: dict[str, Any] = Field(sa_column=json_column())
    made_at: float


class LadderDay(Table, table=True):
    """A day (UTC) of a ladder.  Its commitment is published a day ahead, and its secret after its matches."""

    __tablename__ = "ladder_days"
    __table_args__ = (
        UniqueConstraint("tournament_id", "day"),
        CheckConstraint("length(commitment) = 64", name="commitment"),
    )

    id: int | None = Field(default=None, primary_key=True)
    tournament_id: int = Field(foreign_key="tournaments.id")
    day: int  # counted from 1970-01-01
    secret: bytes = Field(sa_column=bytes_column())
    commitment: str = Field(max_length=64)
    committed_at: float
    revealed_at: float | None = Field(default=None)  # set when the day and all its matches and audits are over


class LadderRound(Table, table=True):
    """Matches of a ladder that were planned together, with the match numbers from `first` to `last`.

    In a placement round, new entries meet the others immediately; later rounds do not wait for it.
    """

    __tablename__ = "ladder_rounds"
    __table_args__ = (
        CheckConstraint("first >= 1 AND last >= first", name="matches"),
        CheckConstraint("number >= 1", name="number_from_one"),
    )

    tournament_id: int = Field(primary_key=True, foreign_key="tournaments.id")
    number: int = Field(primary_key=True)
    placement: bool
    first: int
    last: int


class LadderTurns(Table, table=True):
    """A ladder's account for taking turns with the other ladders (`services.ladder_queue`)."""

    __tablename__ = "ladder_turns"
    __table_args__ = (
        CheckConstraint("sent >= 0", name="sent"),
        CheckConstraint("spent_s >= 0", name="spent_s"),
        CheckConstraint("match_cpu_s IS NULL OR match_cpu_s > 0", name="match_cpu_s"),
    )

    tournament_id: int = Field(primary_key=True, foreign_key="tournaments.id")
    sent: int = Field(default=0)  # the last assigned position in the rating order
    spent_s: float = Field(default=0.0)  # the CPU time in seconds charged to the ladder
    match_cpu_s: float | None = Field(default=None)  # recent average CPU time of a match; None before the first


class Entrant(Table, table=True):
    """A bot that is entered in a tournament; the version that is active at the freeze will play."""

    __tablename__ = "entrants"
    __table_args__ = (Index("ix_entrants_bot_id", "bot_id"),)

    tournament_id: int = Field(primary_key=True, foreign_key="tournaments.id")
    bot_id: int = Field(primary_key=True, foreign_key="bots.id")
    entered_at: float
    # The reason why the freeze left the bot out, or entered an older version than the newest one.
    note: str = Field(default="", sa_type=Text, sa_column_kwargs={"server_default": ""})


class Entry(Table, table=True):
    """A version's entry in a tournament, with its rating and counters; only the record worker writes it.

    In a ladder, a version has an entry for each `period` (`Tournament.period`) when it was active, each with its
    own ratings, meetings and conduct.
    """

    __tablename__ = "entries"
    __table_args__ = (
        UniqueConstraint("tournament_id", "version_id", "period"),
        CheckConstraint("sigma > 0", name="sigma_positive"),
        CheckConstraint("games >= 0 AND wins >= 0 AND faults >= 0", name="counters"),
        CheckConstraint("round_sigma > 0", name="round_sigma_positive"),
        CheckConstraint("appearances >= 0 AND strikes BETWEEN 0 AND 6", name="conduct"),
        Index("ix_entries_board", "tournament_id", "active", "rating", "id"),
        Index("ix_entries_version_id", "version_id"),
        index_where("ix_entries_quarantined", "version_id", where="quarantined"),
    )

    id: int | None = Field(default=None, primary_key=True)
    tournament_id: int = Field(foreign_key="tournaments.id")
    version_id: int = Field(foreign_key="versions.id")
    period: int = Field(default=0, sa_column_kwargs={"server_default": "0"})
    former_id: int | None = Field(default=None, foreign_key="entries.id")  # the entry that this one replaced
    mu: float
    sigma: float
    rating: float  # mu - 3 sigma, stored so that leaderboards can be read from an index
    games: int = Field(default=0)
    wins: int = Field(default=0)
    faults: int = Field(default=0)
    active: bool = Field(default=True)
    # Whether a match of the entry could not be played; it gets no further matches until its version passes a solo
    # trial.
    quarantined: bool = Field(default=False)
    round_mu: float  # mu after the second-to-last ladder round, from which the next round is planned
    round_sigma: float
    # The position in the rating order of the match that led to `round_mu`; 0 before the first match.
    round_order: int = Field(default=0, sa_column_kwargs={"server_default": "0"})
    appearances: int = Field(default=0)  # number of ladder matches with the entry, played or not
    last_round: int | None = Field(default=None)  # the last ladder round with the entry
    # The entry's conduct after the same round as `round_mu`; see `gangland_ladder.pairing.demand.Conduct`.
    strikes: int = Field(default=0)
    probation: bool = Field(default=False)
    # The owner at the freeze, so that later changes to teams do not change the schedule.
    owner_group: str | None = Field(default=None, max_length=16)
    disqualified_at: float | None = Field(default=None)
    disqualified_for: str = Field(default="", sa_type=Text)  # the reason, which is public
    created_at: float


# Seasons of ladders, and the standings at their end.

_FIGURES = ("mu", "sigma", "rating", "games", "wins", "faults")


class Season(Table, table=True):
    """A season of a ladder, with the days (UTC) from `first_day` to `last_day`, both counted from 1970-01-01.

    The season's entries are the ladder's entries with the same `period`, which is set when the season starts (never, if
    the season was missed completely).  The standings list the entries at its end (`ended_at`).  They
    become final (`fixed_at`) when all the season's matches are over and rated and the secrets of its days are public.
    """

    __tablename__ = "seasons"
    __table_args__ = (
        UniqueConstraint("tournament_id", "number"),
        UniqueConstraint("tournament_id", "period"),
        CheckConstraint("number >= 1", name="number_from_one"),
        CheckConstraint("first_day <= last_day", name="days"),
        CheckConstraint("period >= 1", name="period"),
        CheckConstraint("fixed_at IS NULL OR ended_at IS NOT NULL", name="fixed_at"),
    )

    id: int | None = Field(default=None, primary_key=True)
    tournament_id: int = Field(foreign_key="tournaments.id")
    number: int
    name: str = Field(default="", max_length=60)
    first_day: int
    last_day: int
    announced_at: float
    period: int | None = Field(default=None)
    ended_at: float | None = Field(default=None)
    fixed_at: float | None = Field(default=None)


class SeasonPlace(Table, table=True):
    """An entry's place in a season's standings."""

    __tablename__ = "season_places"
    __table_args__ = (
        CheckConstraint(" AND ".join(f"(rank IS NULL) = ({name} IS NULL)" for name in _FIGURES), name="fixed"),
        CheckConstraint("rank >= 1", name="rank"),
        Index("ix_season_places_season_id", "season_id", "rank"),
    )

    entry_id: int = Field(primary_key=True, foreign_key="entries.id")
    season_id: int = Field(foreign_key="seasons.id")
    # The id of the owner at the end of the season, so that pages show the owner's current name.
    owner_id: int | None = Field(default=None, foreign_key="users.id")
    team_id: int | None = Field(default=None, foreign_key="teams.id")
    rank: int | None = Field(default=None)
    mu: float | None = Field(default=None)
    sigma: float | None = Field(default=None)
    rating: float | None = Field(default=None)
    games: int | None = Field(default=None)
    wins: int | None = Field(default=None)
    faults: int | None = Field(default=None)


# Records of a ladder, and the progress of computing them.


class RecordKind(StrEnum):
    """The kinds of records."""

    REIGN = "reign"
    UPSET = "upset"
    CLOSEST = "closest"


class LadderRecords(Table, table=True):
    """The progress of computing a ladder's records."""

    __tablename__ = "ladder_records"

    tournament_id: int = Field(primary_key=True, foreign_key="tournaments.id")
    cursor: int = Field(default=1)  # the next position in the rating order to count
    leader_id: int | None = Field(default=None, foreign_key="bots.id")  # the bot in first place at the last check
    leads_since: float | None = Field(default=None)  # when a check first found this bot there


class Record(Table, table=True):
    """A bot's best score for one kind of record on a ladder.  The highest score (if equal, the earliest) wins."""

    __tablename__ = "records"
    __table_args__ = (UniqueConstraint("tournament_id", "kind", "bot_id"), one_of("kind", RecordKind, "kind"))

    id: int | None = Field(default=None, primary_key=True)
    tournament_id: int = Field(foreign_key="tournaments.id")
    kind: str = Field(max_length=16)
    bot_id: int = Field(foreign_key="bots.id", index=True)
    score: float
    at: float
    # The game or match that proves the record, if there is one.
    match_id: int | None = Field(default=None, foreign_key="matches.id")
    block: int | None = Field(default=None)
    rotation: int | None = Field(default=None)
    about: dict[str, Any] = Field(sa_column=json_column())  # see `services.hall_of_fame.Offer`


# Items of channels: past games, the current game and the next one.


class ChannelItem(Table, table=True):
    """A game in a channel's program, with fixed times, so that all screens show it together; see `services.channels`.

    Code that reads an item must check whether the game's result may be shown.
    """

    __tablename__ = "channel_items"
    __table_args__ = (
        UniqueConstraint("channel", "number"),
        CheckConstraint("number >= 1", name="number_from_one"),
        CheckConstraint("block >= 0 AND rotation >= 0", name="coordinates"),
        CheckConstraint("ends_at > starts_at", name="ends_later"),
        Index("ix_channel_items_match", "match_id", "channel"),
    )

    id: int | None = Field(default=None, primary_key=True)
    channel: str = Field(max_length=48)
    number: int  # from 1, in order
    match_id: int = Field(foreign_key="matches.id")
    block: int
    rotation: int
    again: bool  # whether the channel has shown a game of this match before
    why: str = Field(sa_type=Text)  # the reason for choosing the game, which is shown once the game is over
    starts_at: float
    ends_at: float  # when the next item begins; for a game of a premiere, when its result is shown


# Locks: a transaction locks tournaments against other writers, in a fixed order.


def lock_tournaments(session: Session, condition: ColumnElement[bool] | bool) -> None:
    """Lock tournaments until the transaction ends; pending changes are flushed, since callers refresh rows."""
    session.flush()
    if session.get_bind().dialect.name == "sqlite":
        return  # there is only one writer
    # Rows are locked in the order of ids, so that two transactions cannot deadlock. With key_share, inserting a match
    # that refers to a locked tournament does not have to wait.
    query = select(Tournament.id).where(condition).order_by(col(Tournament.id))
    session.exec(query.with_for_update(key_share=True)).all()


def lock_tournament(session: Session, tournament: Tournament) -> None:
    """Lock one tournament and refresh it."""
    lock_tournaments(session, Tournament.id == tournament.id)
    session.refresh(tournament)


def lock_versions(session: Session) -> None:
    """Prevent other transactions from changing a version's state until this one ends; call it before reading versions.

    Uploads and the record worker both change states of versions and plan trials.  Both lock all trials tournaments
    first, before any other row, so that they cannot deadlock.
    """
    lock_tournaments(session, Tournament.kind == "trials")
