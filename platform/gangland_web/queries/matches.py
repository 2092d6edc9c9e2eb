"""Read a match and its games: access, timelines, faults, and the sentences on the match's page."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

from sqlalchemy import Integer, bindparam, literal_column
from sqlalchemy import select as select_columns
from sqlalchemy.orm import defer
from sqlmodel import Session, col, func, select
from zstandard import ZstdDecompressor

from gangland.games import game_named
from gangland.replay import Replay, ReplayError, Step, StepAnswer, expand, load
from gangland_ladder.analysis.account import Analysis
from gangland_ladder.common.texts import address
from gangland_ladder.errors import fault_title
from gangland_ladder.matches.match_jobs import LogPart
from gangland_ladder.proof.named_replays import named_replay
from gangland_ladder.rating.trueskill import shown
from gangland_ladder.tournaments.lifecycle import State
from gangland_ladder.viewer.presentation import presentation_of
from gangland_ladder.viewer.timeline import END, Timeline, timeline_of
from gangland_web.base.formats import DAY_S, fault_label, number, signed
from gangland_web.models.bots import Bot, Version, shown_owner
from gangland_web.models.columns import literal_number, row_id
from gangland_web.models.jobs import DraftRun, PlayTable
from gangland_web.models.matches import Match, MatchSeat, MatchState, PlayedGame, PrivatePurpose, Purpose, WorkerHost
from gangland_web.models.tournaments import RATED_KINDS, Entry, LadderDay, Tournament
from gangland_web.queries.visibility import CurrentUser, NotVisible, acts_for, results_visible, shown_secret
from gangland_web.services.drafts import OWN_POSITION as DRAFT_SEAT
from gangland_web.services.ladder_queue import waiting_ids
from gangland_web.services.matches import Size, quarantine_is_public, size_of
from gangland_web.services.play import setup_of, table_owner
from gangland_web.services.results import job_of
from gangland_web.services.retention import require_replays

# A match, its seats and its games, each read with a fixed number of SQL statements.

_LOGS: Any = PlayedGame.logs  # lists do not read this column


@dataclass(frozen=True, slots=True)
class SeatRow:
    """A bot in a match.  A seat of a private match has only a name, and 0 for bot and version."""

    position: int
    bot_id: int
    bot: str
    version: int
    owner_id: int | None  # in a private match, the draft's owner
    team_id: int | None
    owner: str | None
    mean_place: float | None
    seat: MatchSeat

    @property
    def label(self) -> str:
        """The bot and its version as one word, as in the log."""
        return f"{self.bot} v{self.version}" if self.bot_id else self.bot


@dataclass(frozen=True, slots=True)
class MatchPage:
    """A match with its tournament and its seats in entry order."""

    match: Match
    tournament: Tournament
    seats: tuple[SeatRow, ...]
    host: str | None = None  # the host that played the match; None if it had no named host or has no result yet
    run: DraftRun | None = None  # of a private match
    table: PlayTable | None = None  # of a private match
    is_own: bool = False  # whether the table belongs to the visitor

    @property
    def ref(self) -> int | str:
        """The match in URLs: its number, or the key of a private match."""
        return self.match.key or row_id(self.match.id)

    @property
    def title(self) -> str:
        """The name of the match in sentences."""
        if self.match.key is None:
            return f"match {self.match.id}"
        return "a game against bots" if self.table is not None else "a match of your draft"

    def title_of(self, played: PlayedGame) -> str:
        """Return the name of one of the games in sentences."""
        return self.title if self.table else f"{self.title}, game {self.number_of(played.block, played.rotation)}"

    def number_of(self, block: int, rotation: int) -> int:
        """Return the number of a game in the match, from 1."""
        return block * self.size.seats + rotation + 1

    def file_of(self, block: int, rotation: int) -> str:
        """Return the name of a game's file, without the extension."""
        suffix = "" if self.table else f"-block-{block}-rotation-{rotation}"
        return f"gangland-match-{self.ref}{suffix}"

    @property
    def person(self) -> int | None:
        """The visitor's seat at the visitor's own table, else None."""
        return setup_of(self.table).humans[0] if self.table is not None and self.is_own else None

    @property
    def size(self) -> Size:
        """The seats, blocks and limits of the match."""
        return size_of(self.tournament, self.match)

    def names(self, seating: Iterable[int]) -> tuple[str, ...]:
        """Return the label of each seat of one game."""
        return tuple(self.seats[position].label for position in seating)


def seats_of(db: Session, match_ids: Iterable[int]) -> dict[int, tuple[SeatRow, ...]]:
    """Return the seats of each match, in entry order."""
    seats_by_match: dict[int, list[SeatRow]] = {match_id: [] for match_id in match_ids}
    rows = db.exec(
        select(MatchSeat, Bot, Version.number, shown_owner())
        .join(Entry, col(Entry.id) == MatchSeat.entry_id)
        .join(Version, col(Version.id) == Entry.version_id)
        .join(Bot, col(Bot.id) == Version.bot_id)
        .where(col(MatchSeat.match_id).in_(seats_by_match))
        .order_by(col(MatchSeat.match_id), col(MatchSeat.position))
    )
    for seat, bot, version, owner in rows:
        owners = (bot.owner_id, bot.team_id, owner)
        row = SeatRow(seat.position, row_id(bot.id), bot.name, version, *owners, _mean_place(seat), seat)
        seats_by_match[seat.match_id].append(row)
    return {match_id: tuple(seats) for match_id, seats in seats_by_match.items()}


def _mean_place(seat: MatchSeat) -> float | None:
    if seat.mean_place_num is None or seat.mean_place_den is None:
        return None
    return float(Fraction(seat.mean_place_num, seat.mean_place_den))


def match_page(db: Session, match_id: int) -> MatchPage | None:
    """Return a match with its seats, or None."""
    match = db.get(Match, match_id)
    if match is None:
        return None
    played = match.state == MatchState.DONE.value and match.host_id is not None
    host = db.get_one(WorkerHost, match.host_id).name if played else None
    return MatchPage(match, db.get_one(Tournament, match.tournament_id), seats_of(db, [match_id])[match_id], host)


_NO_GAME = "There is no such game, or it is private."


def _private_page(db: Session, key: str, who: CurrentUser | None, browser: str | None) -> MatchPage:
    """Return a private match to its author or player, or a shared table to anyone who knows its URL."""
    match = db.exec(select(Match).where(Match.key == key)).first() if "\0" not in key else None
    if match is None:
        raise NotVisible(_NO_GAME)
    table = db.exec(select(PlayTable).where(PlayTable.match_id == match.id)).first()
    run = db.exec(select(DraftRun).where(DraftRun.match_id == match.id)).first()
    owner = who is not None and run is not None and run.user_id == who.id
    is_own = table is not None and table_owner(None if who is None else who.id, browser).owns(table)
    if not (owner or is_own or (table is not None and table.shared_at is not None)):
        raise NotVisible(_NO_GAME)
    rows = db.exec(select(MatchSeat).where(MatchSeat.match_id == match.id).order_by(col(MatchSeat.position)))
    seats = tuple(
        SeatRow(
            *(seat.position, 0, seat.name or "", 0),
            *(run.user_id if run is not None and seat.position == DRAFT_SEAT else None, None, None),
            *(_mean_place(seat), seat),
        )
        for seat in rows
    )
    tournament = db.get_one(Tournament, match.tournament_id)
    return MatchPage(match, tournament, seats, run=run, table=table, is_own=is_own)


def games_of(db: Session, match_id: int) -> list[PlayedGame]:
    """Return a match's games by block and rotation, without the logs."""
    query = select(PlayedGame).where(PlayedGame.match_id == match_id).options(defer(_LOGS))
    return list(db.exec(query.order_by(col(PlayedGame.block), col(PlayedGame.rotation))))


def game_of(db: Session, match_id: int, block: int, rotation: int) -> PlayedGame | None:
    """Return one game of a match, or None if it was not played."""
    coordinates = (PlayedGame.match_id == match_id, PlayedGame.block == block, PlayedGame.rotation == rotation)
    return db.exec(select(PlayedGame).where(*coordinates)).one_or_none()


# Access: one rule for a match's page, its games, and all files made from them.


def visible_match(db: Session, match_id: int, who: CurrentUser | None) -> MatchPage:
    """Return a match with its seats if the visitor may see it.  Raises NotVisible.

    Trials are visible to the bot's owner, challenges to all owners of their bots, and matches under embargo to
    organizers.  Checks, audits and private matches are never visible here.
    """
    page = match_page(db, match_id)
    if page is None or page.match.purpose in (Purpose.CHECK, Purpose.AUDIT, *PrivatePurpose):
        raise NotVisible
    if page.match.purpose in (Purpose.TRIAL, Purpose.CHALLENGE) and not any(acts_for(who, seat) for seat in page.seats):
        raise NotVisible
    if not results_visible(page.tournament, who):
        raise NotVisible
    return page


def finished_match(db: Session, ref: int | str, who: CurrentUser | None, browser: str | None = None) -> MatchPage:
    """Return a finished match by its number or key.  Raises NotVisible or ReplaysDeleted."""
    page = visible_match(db, ref, who) if isinstance(ref, int) else _private_page(db, ref, who, browser)
    if page.match.state != MatchState.DONE:
        raise NotVisible
    require_replays(page.match)
    return page


def visible_game(
    db: Session, ref: int | str, block: int, rotation: int, who: CurrentUser | None, browser: str | None = None
) -> tuple[MatchPage, PlayedGame]:
    """Return a game of a finished match; raises the same errors as `finished_match`."""
    page = finished_match(db, ref, who, browser)
    played = game_of(db, row_id(page.match.id), block, rotation)
    if played is None:
        raise NotVisible
    return page, played


def replay_lines(db: Session, page: MatchPage) -> str:
    """Return all replays of a finished match, one per line, by block and rotation."""
    return "".join(f"{replay_file(page, played)}\n" for played in games_of(db, row_id(page.match.id)))


# One game: its timeline, logs for the bots' owners, and faults.

_HINT_NOTE = "a hint was taken"
_LOG_BYTES = 1024 * 1024  # the maximum size of a game's unpacked logs; bots may write at most 64 KiB


@dataclass(frozen=True, slots=True)
class GameLog:
    """The log of a visitor's bot in a game."""

    number: int  # the bot's seat, from 0
    seat: SeatRow
    parts: tuple[LogPart, ...]

    @property
    def text(self) -> str:
        """The whole log."""
        return "\n".join(text for _, text in self.parts)

    @property
    def parts_by_decision(self) -> dict[int, str]:
        """The parts whose decision is known, by the number of the decision."""
        return {decision: text for decision, text in self.parts if decision is not None}


@dataclass(frozen=True, slots=True)
class GameFault:
    """A seat's fault."""

    number: int  # the seat, from 0
    seat: SeatRow
    fault: str  # its kind
    word: str  # the public word for it
    round: int
    where: str  # the place in the game, as text
    at: str | None = None  # the address of the decision; None before the first one and after the game
    kind: str = ""  # of the question
    view: str = ""  # the bot's view as text
    legal: str = ""  # the legal answers as text
    title: str | None = None  # this and the next two are only for the bot's owner
    message: str | None = None
    log: str | None = None


@dataclass(frozen=True, slots=True)
class GameDetails:
    """A game with the contents of its page; logs and details of faults only for the visitor's own bots."""

    played: PlayedGame
    replay: Replay
    timeline: Timeline
    seats: tuple[SeatRow, ...]
    faults: tuple[GameFault, ...]
    logs: tuple[GameLog, ...]

    @property
    def unplaced_logs(self) -> dict[int, str]:
        """Logs by seat that are not divided by decision."""
        return {log.number: log.text for log in self.logs if log.text and not log.parts_by_decision}


def game_details(
    page: MatchPage, played: PlayedGame, who: CurrentUser | None, analysis: Analysis | None = None
) -> GameDetails:
    """Return the contents of a game's page.  Raises ReplayError: its rules are no longer known."""
    replay = load(played.replay)
    logs = own_logs(page, played, who)
    at_decisions = {number: text for log in logs for number, text in log.parts_by_decision.items()}
    notes = notes_of(played) | dict.fromkeys([] if page.table is None else page.table.hints, _HINT_NOTE)
    names = page.names(played.seating)
    timeline = timeline_of(replay, names, logs=at_decisions, notes=notes, analysis=analysis, you=page.person)
    seats = tuple(page.seats[position] for position in played.seating)
    return GameDetails(played, replay, timeline, seats, _faults(played, replay, timeline, seats, who), logs)


def public_timeline(page: MatchPage, played: PlayedGame, analysis: Analysis | None = None) -> Timeline:
    """Return the public timeline of a game.  Raises ReplayError: its rules are no longer known."""
    return timeline_of(load(played.replay), page.names(played.seating), notes=notes_of(played), analysis=analysis)


def replay_file(page: MatchPage, played: PlayedGame) -> str:
    """Return a game's replay for download, with the names of its bots, on one line."""
    return named_replay(played.replay, page.names(played.seating))


def notes_of(played: PlayedGame) -> dict[int, str]:
    """Return the public words for faults, by the number of the decision."""
    return {fault["decision"]: fault_label(fault["kind"]) for fault in played.faults if fault["decision"] is not None}


def own_logs(page: MatchPage, played: PlayedGame, who: CurrentUser | None) -> tuple[GameLog, ...]:
    """Return the logs of the visitor's own bots in a game, by seat."""
    seats = [(number, page.seats[position]) for number, position in enumerate(played.seating)]
    own_seats = [(number, seat) for number, seat in seats if acts_for(who, seat)]
    if not own_seats or played.logs is None:
        return ()
    logs = json.loads(ZstdDecompressor().decompress(played.logs, max_output_size=_LOG_BYTES))
    return tuple(
        GameLog(number, seat, tuple((decision, text) for decision, text in logs[seat.position]))
        for number, seat in own_seats
        if logs[seat.position]
    )


def _faults(
    played: PlayedGame, replay: Replay, timeline: Timeline, seats: tuple[SeatRow, ...], who: CurrentUser | None
) -> tuple[GameFault, ...]:
    decisions = _decisions_of(replay, {fault["decision"] for fault in played.faults} - {None})
    return tuple(
        _fault(fault, replay, timeline, seats, decisions.get(fault["decision"]), who) for fault in played.faults
    )


def _decisions_of(replay: Replay, numbers: set[int]) -> dict[int, tuple[Step, StepAnswer]]:
    if not numbers:
        return {}
    return {
        answer.number: (step, answer)
        for step in expand(replay)
        for answer in step.answers
        if answer.number is not None and answer.number in numbers
    }


def _fault(
    fault: dict[str, Any],
    replay: Replay,
    timeline: Timeline,
    seats: tuple[SeatRow, ...],
    decision: tuple[Step, StepAnswer] | None,
    who: CurrentUser | None,
) -> GameFault:
    common = _common_members(fault, seats[fault["seat"]], mine=acts_for(who, seats[fault["seat"]]))
    if decision is None:
        late = (fault["seat"], None) not in replay.faults
        place = "after the game" if late else "before its first decision"
        return GameFault(where=place, at=END if late else None, **common)
    step, answer = decision
    game, frame = game_named(replay.game), timeline.frames[fault["decision"]]
    return GameFault(
        where=f"in round {frame.round}",
        at=frame.at,
        kind=answer.kind,
        view=presentation_of(replay.game).view_summary(game.observe(step.before, frame.seat, step.defaulting)),
        legal=game.legal(step.before, frame.seat),
        log=frame.log if acts_for(who, seats[frame.seat]) else None,
        **common,
    )


def _common_members(fault: dict[str, Any], seat: SeatRow, *, mine: bool) -> dict[str, Any]:
    return {
        "number": fault["seat"],
        "seat": seat,
        "fault": fault["kind"],
        "word": fault_label(fault["kind"]),
        "round": fault["round"],
        "title": fault_title(fault["kind"], fault["message"]) if mine else None,
        "message": fault["message"] if mine else None,
    }


# The latest faults of a bot in rated matches, each with the address of its decision.


class FaultRow(NamedTuple):
    """A fault of a bot in a rated match."""

    match_id: int
    at: float | None  # the end of the match
    block: int
    rotation: int
    version: int
    fault: dict[str, Any]
    address: str | None  # of the decision, such as r7.s2.d1; None if the replay does not show it

    @property
    def kind(self) -> str:
        """The kind of the fault."""
        return str(self.fault["kind"])

    @property
    def round(self) -> int | None:
        """The round of the fault, None before the game."""
        return self.fault["round"] or None

    @property
    def where(self) -> str:
        """Why the replay does not show the decision; empty if it does."""
        if self.address:
            return ""
        if self.fault["decision"] is not None:
            return "replay not kept"
        return "after the game" if self.fault["round"] else "before the game"


def recent_faults(db: Session, versions: Mapping[int, int], *, matches: int = 5) -> list[FaultRow]:
    """Return a bot's first fault in each of its latest faulty matches; `versions`: version numbers by entry."""
    rows = db.connection().execute(_FAULTY, {"entries": list(versions), "limit": matches}).all()
    seats = {row.match_id: row for row in rows if row.state == MatchState.DONE}
    first_faults: dict[int, FaultRow] = {}
    games = db.connection().execute(_GAMES, {"matches": list(seats)}).all() if seats else ()
    for match, block, rotation, seating, faults, replay in games:
        for fault in faults:
            if match not in first_faults and seating[fault["seat"]] == seats[match].position:
                version = versions[seats[match].entry_id]
                at = decision_address(replay, fault["decision"])
                first_faults[match] = FaultRow(match, seats[match].done_at, block, rotation, version, fault, at)
    return [first_faults[match] for match in seats if match in first_faults]


def trial_fault(db: Session, version_id: int, number: int) -> FaultRow | None:
    """Return the fault in a version's latest faulty trial, or None."""
    entries = db.connection().execute(_TRIALS, {"version": version_id}).scalars()
    return next(iter(recent_faults(db, dict.fromkeys(entries, number), matches=1)), None)


def decision_address(replay: str, decision: int | None) -> str | None:
    """Return the address of a decision on its game's page, or None if the replay does not show it."""
    if decision is None:
        return None
    try:
        return _address_of(decision, expand(load(replay)))
    except ReplayError:
        return None


def _address_of(decision: int, steps: Iterable[Step]) -> str | None:
    counts: Counter[tuple[int, int]] = Counter()
    for step in steps:
        for answer in step.answers:
            if answer.number is not None:
                counts[step.round, answer.seat] += 1
                if answer.number == decision:
                    return address(step.round, answer.seat, counts[step.round, answer.seat])
    return None


_TRIALS: Any = (
    select_columns(col(MatchSeat.entry_id))
    .join(Match, col(Match.id) == MatchSeat.match_id)
    .join(Entry, col(Entry.id) == MatchSeat.entry_id)
    .where(col(Match.trial_version_id) == bindparam("version", type_=Integer))
    .where(col(Entry.version_id) == bindparam("version", type_=Integer))
    .distinct()
)
_entries: Any = bindparam("entries", expanding=True)
# The 0 is a literal, because the index of faulty seats has the condition "above 0".
_FAULTY: Any = (
    select_columns(
        *(col(column) for column in (MatchSeat.match_id, MatchSeat.position, MatchSeat.entry_id)),
        *(col(column) for column in (Match.state, Match.done_at)),
    )
    .join(Match, col(Match.id) == MatchSeat.match_id)
    .where(col(MatchSeat.entry_id).in_(_entries), col(MatchSeat.faults) > literal_column("0"))
    .order_by(col(MatchSeat.match_id).desc())
    .limit(literal_number("limit"))
)
_GAMES: Any = (
    select_columns(
        *(col(column) for column in (PlayedGame.match_id, PlayedGame.block, PlayedGame.rotation)),
        *(col(column) for column in (PlayedGame.seating, PlayedGame.faults, PlayedGame.replay)),
    )
    .where(col(PlayedGame.match_id).in_(bindparam("matches", expanding=True)))
    .order_by(col(PlayedGame.match_id), col(PlayedGame.block), col(PlayedGame.rotation))
)


# The reason why a match is not played yet, and the secret of its dice.

_STATE_TEXTS = {MatchState.SCHEDULED.value: "is queued", MatchState.LEASED.value: "is being played"}

# At most this many matches ahead are counted: the page polls every two seconds, and 100,000 matches may be waiting.
MAX_COUNTED = 1_000


@dataclass(frozen=True, slots=True)
class Dice:
    """The secret behind a match's dice."""

    commitment: str | None
    secret: str | None
    day_at: float | None = None  # the beginning of a ladder's day, in Unix seconds


@dataclass(frozen=True, slots=True)
class EarlierMatch:
    """A match that must be rated before another match."""

    match_id: int
    state_text: str


def dice_of(db: Session, page: MatchPage) -> Dice:
    """Return the commitment, and the secret once it is public; trials and challenges have neither."""
    if page.match.ladder_day_id is not None:
        ladder_day = db.get_one(LadderDay, page.match.ladder_day_id)
        secret = ladder_day.secret.hex() if ladder_day.revealed_at is not None else None
        return Dice(ladder_day.commitment, secret, ladder_day.day * DAY_S)
    if page.tournament.kind == "tournament":
        return Dice(page.tournament.commitment, shown_secret(page.tournament))
    return Dice(None, None)


def unrated_before(db: Session, page: MatchPage) -> EarlierMatch | None:
    """Return the earlier match that delays the ratings of a played match, or None."""
    match, tournament = page.match, page.tournament
    if match.state != MatchState.DONE.value or tournament.kind not in RATED_KINDS:
        return None
    if match.rating_order is None or match.rating_order < tournament.cursor:
        return None
    query = select(Match.id, Match.state).where(Match.tournament_id == tournament.id)
    earlier = db.exec(query.where(Match.rating_order == tournament.cursor)).first()
    if earlier is None or earlier[0] == match.id:
        return None
    return EarlierMatch(row_id(earlier[0]), _STATE_TEXTS.get(earlier[1], "is about to be rated"))


def is_begun(db: Session, page: MatchPage) -> bool:
    """Return whether a match is being played."""
    job = job_of(db, page.match) if page.match.state == MatchState.LEASED else None
    return job is not None and job.begun_at is not None


def waiting_reason(db: Session, page: MatchPage) -> str:
    """Return why a scheduled match is not played yet; empty if it is not scheduled."""
    if page.match.state != MatchState.SCHEDULED.value:
        return ""
    state = State(page.tournament.state)
    if state is State.PAUSED:
        return "the tournament is paused"
    if state is not State.PLAYING:
        return "the tournament has not begun"
    entries = [seat.seat.entry_id for seat in page.seats]
    quarantined = select(Entry.id).where(col(Entry.id).in_(entries), col(Entry.quarantined).is_(True))
    shows_quarantine = page.match.purpose == Purpose.TOURNAMENT.value and quarantine_is_public(page.tournament)
    if shows_quarantine and db.exec(quarantined).first() is not None:
        return "a bot in it must pass a trial first"
    kind = {"trial": "trial", "challenge": "challenge"}.get(page.match.purpose, "match")
    plural = f"{kind}es" if kind == "match" else f"{kind}s"
    ahead = _count_ahead(db, page.match)
    if page.match.purpose == Purpose.LADDER.value:
        kind, plural = "match of this ladder", "matches of this ladder"
    if ahead > MAX_COUNTED:
        return f"more than {MAX_COUNTED:,} {plural} before it"
    return f"{ahead} {kind if ahead == 1 else plural} before it" if ahead else ""


def _count_ahead(db: Session, match: Match) -> int:
    """Return the number of matches ahead of a waiting one, at most MAX_COUNTED + 1; in a ladder, only its own."""
    if match.purpose == Purpose.LADDER.value:
        ids = list(waiting_ids(db, match.tournament_id, MAX_COUNTED + 1))
        return ids.index(row_id(match.id)) if match.id in ids else MAX_COUNTED + 1
    queue = select(col(Match.id)).where(Match.state == MatchState.SCHEDULED.value, Match.purpose == match.purpose)
    earlier = queue.where(col(Match.id) < row_id(match.id)).limit(MAX_COUNTED + 1).subquery()
    return int(db.exec(select(func.count()).select_from(earlier)).one())


# Sentences: luck against result, changes of ratings, commands.

_MIN_LUCK = 0.05  # smaller differences of luck, in dice or wins per game, are ignored


@dataclass(frozen=True, slots=True)
class Commands:
    """Commands for a terminal; None if a command would not work."""

    watch: str | None
    reproduce: str | None


class RatingChange(NamedTuple):
    """The rating of a bot before and after a match, and the reason for the change."""

    before: float
    after: float
    why: str


def luck_summary(page: MatchPage) -> str:
    """Return sentences that compare luck and result; empty before luck is known."""
    seats = [seat for seat in page.seats if seat.mean_place is not None and seat.seat.luck is not None]
    if len(seats) < 2:
        return ""
    unit = game_named(page.tournament.game).luck_unit
    lucky = max(seats, key=lambda seat: (seat.seat.luck or 0.0, -seat.position))
    best = min(seats, key=lambda seat: (seat.mean_place or 0.0, seat.position))
    fair = min(seats, key=lambda seat: (seat.seat.adjusted or 0.0, seat.position))
    hapless = min(seats, key=lambda seat: (seat.seat.luck or 0.0, seat.position))
    high, low = lucky.seat.luck or 0.0, hapless.seat.luck or 0.0
    first = "All tied." if _is_tied(seats) else f"{best.label} came first."
    if high - low < _MIN_LUCK:
        return f"{first} The dice favored no bot."
    text = f"{first} Most luck: {lucky.label} ({signed(high)} {unit} per game). "
    text += f"Least: {hapless.label} ({signed(low)})."
    if _is_tied(seats):
        return text
    still = "still " if fair.position == best.position else ""
    return f"{text} Without luck {fair.label} would {still}be first."


def _is_tied(seats: list[SeatRow]) -> bool:
    places = {seat.mean_place for seat in seats}
    return len(places) == 1


def rating_moves(page: MatchPage) -> dict[int, RatingChange]:
    """Return the rating change of each rated seat, by position."""
    rated = [seat for seat in page.seats if seat.seat.mu_before is not None and seat.seat.mu_after is not None]
    if len(rated) < len(page.seats):
        return {}
    changes = {}
    for seat in rated:
        before = shown(seat.seat.mu_before or 0.0, seat.seat.sigma_before or 0.0)
        after = shown(seat.seat.mu_after or 0.0, seat.seat.sigma_after or 0.0)
        changes[seat.position] = RatingChange(before, after, _change_reason(seat, rated))
    return changes


def _change_reason(seat: SeatRow, rated: list[SeatRow]) -> str:
    others = [each for each in rated if each.position != seat.position]
    text = _against_one(seat, others[0]) if len(others) == 1 else _against_many(seat, others)
    row = seat.seat
    mu = (row.mu_after or 0.0) - (row.mu_before or 0.0)
    sigma = (row.sigma_after or 0.0) - (row.sigma_before or 0.0)
    text += f". Strength {_change_text(mu)}"
    if abs(sigma) >= _MIN_CHANGE:
        text += f", uncertainty {_change_text(sigma)} (counts three times: {signed(-3 * sigma)})"
    if mu * (mu - 3 * sigma) < 0 and abs(mu) >= _MIN_CHANGE:
        text += f". So the rating {'fell' if mu > 0 else 'rose'}"
    return f"{text}."


def _change_text(change: float) -> str:
    if abs(change) < _MIN_CHANGE:
        return "hardly moved"
    return f"{'rose' if change > 0 else 'fell'} by {number(abs(change))}"


def _against_one(seat: SeatRow, other: SeatRow) -> str:
    place, other_place = seat.mean_place or 0.0, other.mean_place or 0.0
    mu, other_mu = seat.seat.mu_before or 0.0, other.seat.mu_before or 0.0
    finish = "Ahead of" if place < other_place else "Behind" if place > other_place else "Level with"
    strength = "a higher" if other_mu > mu else "a lower" if other_mu < mu else "the same"
    return f"{finish} {other.label}, which had {strength} strength"


def _against_many(seat: SeatRow, others: list[SeatRow]) -> str:
    place = seat.mean_place or 0.0
    better = sum((other.mean_place or 0.0) > place for other in others)
    level = sum(other.mean_place == seat.mean_place for other in others)
    stronger = sum((other.seat.mu_before or 0.0) > (seat.seat.mu_before or 0.0) for other in others)
    text = f"Ahead of {better} of {len(others)}" + (f", level with {level}" if level else "")
    return f"{text}. {stronger or 'None'} had a higher strength"


_MIN_CHANGE = 0.005  # a smaller change is shown as 0


def commands_of(page: MatchPage, block: int | None = None, rotation: int | None = None) -> Commands:
    """Return the commands to watch games of a match, and to reproduce it with one of your bots."""
    match = page.match
    if block is None:
        watch = f"gangland replay gangland-match-{match.id}.ndjson --game 1"
    else:
        watch = f"gangland replay {page.file_of(block, rotation or 0)}.json"
    reproduce = None
    if match.purpose == Purpose.TOURNAMENT:
        archive = f"gangland-tournament-{page.tournament.id}.tar"
        reproduce = f"gangland reproduce {match.number} my_bot.py --archive {archive}"
    return Commands(watch, reproduce)
