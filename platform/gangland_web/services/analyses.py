"""Analyses of games: asked for or planned, sent to workers, and recorded."""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from math import fsum
from typing import Any, Final, NamedTuple, Protocol

from sqlalchemy import ColumnElement, and_, update
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col, func, or_, select

from gangland.games import GAME_NAMES
from gangland.replay import load
from gangland_ladder.analysis.account import DIGITS, MISTAKES, DecisionFigures, GameFigures, Mark, figures_of
from gangland_ladder.analysis.analyser import Known
from gangland_ladder.analysis.games import has_reference, is_amount, reference_version
from gangland_ladder.analysis.summary import phase_of
from gangland_ladder.analysis.transfer import (
    AnalysisOrder,
    AnalysisRefused,
    AnalysisResult,
    GameOf,
    OtherReference,
    decode_result,
    pack,
    received_analysis,
    received_continuations,
)
from gangland_ladder.common.runtime import this_release
from gangland_ladder.playing.table_state import Standing
from gangland_ladder.tournaments.lifecycle import State, Viewer, is_listed, results_are_shown
from gangland_web.base.formats import DAY_S, now_s
from gangland_web.base.text import shown
from gangland_web.models.columns import stored, table_of
from gangland_web.models.database import Database
from gangland_web.models.jobs import (
    ANALYSIS_ATTEMPTS,
    ANALYSIS_LEASE_S,
    OPENED_LIMIT,
    AnalysisSeat,
    AnalysisState,
    AnalysisVerdict,
    DraftRun,
    GameAnalysis,
    PlayTable,
    RequestedBy,
    RunAnalysis,
    TableAnalysis,
    TableState,
)
from gangland_web.models.matches import RATED, Match, MatchSeat, MatchState, PlayedGame
from gangland_web.models.site import maintenance
from gangland_web.models.tournaments import Entry, Tournament
from gangland_web.services.draft_runs import result_of
from gangland_web.services.draft_runs import setup_of as setup_of_run
from gangland_web.services.hall_of_fame import offer_luck
from gangland_web.services.matches import has_ended
from gangland_web.services.play import REASON_CHARS, TOKEN_BYTES, rows_of, setup_of
from gangland_web.services.retention import Trimmed

# Asking for an analysis: of a game of a match, of a table or of a draft's run.


class WhyNotAnalyzed(StrEnum):
    """Why a game is not analyzed, in a sentence for its page."""

    OFF = "This site analyses no games; `gangland analyse` does it on your own machine."
    NO_REFERENCE = "There is no analysis of this game."
    NOT_PUBLIC = "Only games that everybody may see are analysed here; `gangland analyse` does it on your own machine."
    FULL = "Too many games wait to be analysed already; try again later."


def why_not_analyzed(match: Match, tournament: Tournament) -> WhyNotAnalyzed | None:
    """Return why a match's games are not analyzed, None if they may be."""
    if not has_reference(tournament.game):
        return WhyNotAnalyzed.NO_REFERENCE
    kept = match.state == MatchState.DONE.value and match.trimmed < Trimmed.REPLAYS
    if match.purpose not in RATED or not kept or not is_shown_to_all(tournament):
        return WhyNotAnalyzed.NOT_PUBLIC
    return None


def is_shown_to_all(tournament: Tournament) -> bool:
    """Return whether any visitor may see the results of a tournament's or a ladder's matches now."""
    if tournament.kind != "tournament":
        return tournament.kind == "ladder"
    listed = is_listed(State(tournament.state)) and tournament.announced_at is not None
    shown = results_are_shown(State(tournament.state), Viewer.PUBLIC, tournament.embargo_until, now_s())
    return listed and tournament.rehearsal_of is None and shown


def ask(
    session: Session, match: Match, tournament: Tournament, game_id: int, requested_by: RequestedBy
) -> WhyNotAnalyzed | None:
    """Have a game analyzed, sooner if only a sample has it so far; return why not, None if it is."""
    if (why := why_not_analyzed(match, tournament)) is not None:
        return why
    known = session.get(GameAnalysis, game_id)
    if known is not None:
        return _ask_sooner(session, known, requested_by)
    if requested_by is RequestedBy.OPENED and _is_full(session):
        return WhyNotAnalyzed.FULL
    try:
        with session.begin_nested():
            session.add(GameAnalysis(game_id=game_id, requested_by=requested_by.value, requested_at=now_s()))
            session.flush()
            session.add_all(_unjudged_seats(session, game_id))
            session.flush()
    except IntegrityError:  # another person asked at the same moment
        session.expire_all()
    return None


def _ask_sooner(session: Session, known: GameAnalysis, requested_by: RequestedBy) -> WhyNotAnalyzed | None:
    """Move a game of a sample ahead once a person opens it."""
    sample = known.requested_by == RequestedBy.SAMPLE.value and requested_by is RequestedBy.OPENED
    waiting = known.state == AnalysisState.WAITING.value
    if sample and (waiting or known.state == AnalysisState.LEASED.value):
        if waiting and _is_full(session):
            return WhyNotAnalyzed.FULL
        known.requested_by, known.requested_at = requested_by.value, now_s()
        session.add(known)
        session.flush()
    return None


def _is_full(session: Session) -> bool:
    waiting = (GameAnalysis.state == AnalysisState.WAITING.value, GameAnalysis.requested_by == RequestedBy.OPENED.value)
    return session.exec(select(func.count()).where(*waiting)).one() >= OPENED_LIMIT


def _unjudged_seats(session: Session, game_id: int) -> list[AnalysisSeat]:
    query = (
        select(PlayedGame.seating, MatchSeat.position, Entry.id, Entry.version_id)
        .join(MatchSeat, col(MatchSeat.match_id) == PlayedGame.match_id)
        .join(Entry, col(Entry.id) == MatchSeat.entry_id)
        .where(PlayedGame.id == game_id)
    )
    rows = session.exec(query).all()
    by_position = {position: (stored(entry), version) for _, position, entry, version in rows}
    seating = rows[0][0] if rows else []
    return [
        AnalysisSeat(game_id=game_id, seat=seat, seats=len(seating), entry_id=entry, version_id=version)
        for seat, (entry, version) in enumerate(by_position[position] for position in seating)
    ]


def ask_for_table(session: Session, table: PlayTable) -> WhyNotAnalyzed | None:
    """Have a game at a table analyzed, unless it is already; return why not, None if it is."""
    if not has_reference(setup_of(table).game) or table.state != TableState.OVER:
        return WhyNotAnalyzed.NO_REFERENCE
    if session.get(TableAnalysis, table.id) is not None:
        return None
    return _add_own(session, TableAnalysis(table_id=table.id, requested_at=now_s()))


def ask_for_run_game(session: Session, run: DraftRun, number: int) -> WhyNotAnalyzed | None:
    """Have a game of a draft's run analyzed; see `ask_for_table`."""
    if recorded_run_game(run, number) is None or not has_reference(setup_of_run(run).game):
        return WhyNotAnalyzed.NO_REFERENCE
    if find_run_analysis(session, run, number) is not None:
        return None
    return _add_own(session, RunAnalysis(run_id=stored(run.id), number=number, requested_at=now_s()))


def find_run_analysis(session: Session, run: DraftRun, number: int) -> RunAnalysis | None:
    """Return the analysis of a game of a draft's run, None if none was asked for."""
    query = select(RunAnalysis).where(RunAnalysis.run_id == run.id, RunAnalysis.number == number)
    return session.exec(query).first()


def _add_own(session: Session, analysis: TableAnalysis | RunAnalysis) -> WhyNotAnalyzed | None:
    """Queue a person's own game, unless too many of its kind wait."""
    waiting = select(func.count()).where(type(analysis).state == AnalysisState.WAITING.value)
    if session.exec(waiting).one() >= OPENED_LIMIT:
        return WhyNotAnalyzed.FULL
    try:
        with session.begin_nested():
            session.add(analysis)
            session.flush()
    except IntegrityError:  # asked twice at the same moment
        session.expire_all()
    return None


# The queue: games of matches in the order in which they are sent.


def game_rows() -> Any:
    """Select analyses with their game, match and tournament."""
    return (
        select(GameAnalysis, PlayedGame, Match, Tournament)
        .join(PlayedGame, col(PlayedGame.id) == GameAnalysis.game_id)
        .join(Match, col(Match.id) == PlayedGame.match_id)
        .join(Tournament, col(Tournament.id) == Match.tournament_id)
    )


def sent_before(analysis: GameAnalysis) -> ColumnElement[bool]:
    """Return the condition of the waiting analyses that are sent before one."""
    earlier = and_(
        col(GameAnalysis.requested_by) == analysis.requested_by,
        or_(
            col(GameAnalysis.requested_at) < analysis.requested_at,
            and_(col(GameAnalysis.requested_at) == analysis.requested_at, col(GameAnalysis.game_id) < analysis.game_id),
        ),
    )
    if analysis.requested_by == RequestedBy.SAMPLE.value:
        earlier = or_(earlier, col(GameAnalysis.requested_by) == RequestedBy.OPENED.value)
    return and_(col(GameAnalysis.state) == AnalysisState.WAITING.value, earlier)


QUEUE_ORDER: Final = (col(GameAnalysis.requested_by), col(GameAnalysis.requested_at), col(GameAnalysis.game_id))
"""The names of who asked are in the order in which they are sent: opened, sample."""


# Planning: games that another version of the reference judged, and samples.


AT_ONCE: Final = 20
"""Games that are planned in one transaction, at most."""
LATEST: Final = 60
"""Of a version's matches, from which its sample is taken."""
_ENDED: Final = (AnalysisState.DONE.value, AnalysisState.FAILED.value)


def plan_analyses(session: Session, *, sample: int, budget_s: float) -> int:
    """Plan analyses while none waits, and return how many.

    Args:
        sample: games of each active version, game and table size.
        budget_s: CPU seconds that samples may take in 24 hours.
    """
    if maintenance(session) is not None or _something_waits(session):
        return 0
    if (outdated := _plan_outdated(session)) or _spent_s(session) >= budget_s:
        return outdated
    return sum(_plan_one(session, entry) for entry in _short_of(session, sample))


def _something_waits(session: Session) -> bool:
    waiting = select(GameAnalysis.game_id).where(GameAnalysis.state == AnalysisState.WAITING.value)
    return session.exec(waiting.limit(1)).first() is not None


def _spent_s(session: Session) -> float:
    spent = select(func.sum(GameAnalysis.cpu_s)).where(GameAnalysis.requested_by == RequestedBy.SAMPLE.value)
    return session.exec(spent.where(col(GameAnalysis.done_at) > now_s() - DAY_S)).one() or 0.0


def _plan_outdated(session: Session) -> int:
    """Have games that another version of the reference judged analyzed again; its verdict is shown until then."""
    outdated = [
        (col(Tournament.game) == game) & or_(col(GameAnalysis.version).is_(None), GameAnalysis.version != version)
        for game in GAME_NAMES
        if (version := reference_version(game)) is not None
    ]
    query = game_rows().where(col(GameAnalysis.state).in_(_ENDED), or_(*outdated))
    query = query.order_by(col(GameAnalysis.requested_at).desc(), GameAnalysis.game_id)
    rows = session.exec(query.limit(AT_ONCE)).all()
    for analysis, *_ in rows:
        analysis.state, analysis.attempt, analysis.failed_for = AnalysisState.WAITING.value, 0, None
        analysis.requested_by = RequestedBy.SAMPLE.value  # no person waits for it, and what is opened goes first
        session.add(analysis)
    session.flush()
    return len(rows)


def _short_of(session: Session, sample: int) -> Sequence[Entry]:
    """Return a few entries with too few games analyzed, those with the fewest first."""
    analysed: Any = func.count(col(AnalysisSeat.game_id))
    games = [name for name in GAME_NAMES if has_reference(name)]
    query = (
        select(Entry)
        .join(Tournament, col(Tournament.id) == Entry.tournament_id)
        .outerjoin(AnalysisSeat, col(AnalysisSeat.entry_id) == Entry.id)
        .where(Tournament.kind == "ladder", col(Tournament.game).in_(games))
        .where(col(Entry.active).is_(True))
        .group_by(col(Entry.id))
        .having(analysed < sample, analysed < col(Entry.games))
        .order_by(analysed, col(Entry.id))
    )
    return session.exec(query.limit(AT_ONCE)).all()


def _plan_one(session: Session, entry: Entry) -> bool:
    """Ask for a game of a version against the opponents of which its analyzed games have fewest."""
    latest = (
        select(Match.id)
        .join(MatchSeat, col(MatchSeat.match_id) == Match.id)
        .where(MatchSeat.entry_id == entry.id, Match.state == MatchState.DONE.value)
        .where(col(Match.trimmed) < Trimmed.REPLAYS)
        .order_by(col(Match.id).desc())
        .limit(LATEST)
    )
    ids = session.exec(latest).all()
    met = select(MatchSeat.match_id, MatchSeat.entry_id).where(col(MatchSeat.match_id).in_(ids))
    others: dict[int, list[int]] = {}
    for match_id, other in session.exec(met).all():
        if other != entry.id:
            others.setdefault(match_id, []).append(other)
    known = _met_in_sample(session, entry)
    for match_id in sorted(others, key=lambda each: (sum(known[other] for other in others[each]), -each)):
        game_id = _unknown_game(session, match_id, sum(known.values()))
        if game_id is not None:
            match = session.get_one(Match, match_id)
            tournament = session.get_one(Tournament, match.tournament_id)
            return ask(session, match, tournament, game_id, RequestedBy.SAMPLE) is None
    return False


def _met_in_sample(session: Session, entry: Entry) -> Counter[int]:
    """Return how often each other entry sat in a version's analyzed games."""
    own = select(AnalysisSeat.game_id).where(AnalysisSeat.entry_id == entry.id)
    query = select(AnalysisSeat.entry_id, func.count()).where(col(AnalysisSeat.game_id).in_(own))
    query = query.where(AnalysisSeat.entry_id != entry.id).group_by(col(AnalysisSeat.entry_id))
    return Counter(dict(session.exec(query).all()))


def _unknown_game(session: Session, match_id: int, turn: int) -> int | None:
    """Return a game of a match that is not analyzed, a different one by turns; None if all are."""
    known = select(GameAnalysis.game_id).where(GameAnalysis.game_id == PlayedGame.id)
    query = select(PlayedGame.id).where(PlayedGame.match_id == match_id, ~known.exists())
    games = session.exec(query.order_by(col(PlayedGame.block), col(PlayedGame.rotation))).all()
    return stored(games[turn % len(games)]) if games else None


# Subjects: games of matches, which all visitors may see, and of tables and drafts, which only their owners may.
#
# They have models of their own, so that statistics of the first never include the others.


class RecordedGame(NamedTuple):
    """A recorded game that may be analyzed: its replay as JSON, and the name of the game."""

    replay: str
    game: str


class Subject(NamedTuple):
    """The kind of game that an analysis is of.

    Attributes:
        model: the model of its analyses.
        key: the column of that model that an order's `id` names.
        find: returns the game of an id, None if it may not be analyzed.
    """

    model: Any
    key: Any
    find: Callable[[Session, int], RecordedGame | None]


def recorded_game(session: Session, table: PlayTable) -> RecordedGame:
    """Return the game of a table that is over."""
    setup = setup_of(table)
    return RecordedGame(Standing(setup, rows_of(session, table)).played().replay.to_json(), setup.game)


def recorded_run_game(run: DraftRun, number: int) -> RecordedGame | None:
    """Return a game of a draft's run, None where there is none."""
    result = result_of(run)
    if result is None or not 0 <= number < len(result.games):
        return None
    return RecordedGame(result.games[number].replay, setup_of_run(run).game)


def _find_game(session: Session, game_id: int) -> RecordedGame | None:
    row = session.exec(game_rows().where(PlayedGame.id == game_id)).first()
    if row is None:
        return None
    _, played, match, tournament = row
    return None if why_not_analyzed(match, tournament) is not None else RecordedGame(played.replay, tournament.game)


def _find_table(session: Session, table_id: int) -> RecordedGame | None:
    table = session.get(PlayTable, table_id)
    return None if table is None or table.state != TableState.OVER else recorded_game(session, table)


def _find_run_game(session: Session, analysis_id: int) -> RecordedGame | None:
    analysis = session.get(RunAnalysis, analysis_id)
    return None if analysis is None else recorded_run_game(session.get_one(DraftRun, analysis.run_id), analysis.number)


SUBJECTS: Final = {
    GameOf.TABLE: Subject(TableAnalysis, TableAnalysis.table_id, _find_table),
    GameOf.DRAFT: Subject(RunAnalysis, RunAnalysis.id, _find_run_game),
    GameOf.MATCH: Subject(GameAnalysis, GameAnalysis.game_id, _find_game),
}


# Sending: lease, commit, and only then send; silent workers lose their lease.


NEVER_ENDED: Final = f"It was begun {ANALYSIS_ATTEMPTS} times and never came to an end."


class AnalysisBroker(Protocol):
    """What sending games to be analyzed needs of the broker."""

    def send_analysis(self, order: AnalysisOrder) -> None:
        """Send an order to the workers that analyze games."""

    def analyses_waiting(self) -> int:
        """Return how many orders no worker has taken yet."""


def send_analyses(database: Database, broker: AnalysisBroker, *, workers: int, cpu_s: float) -> int:
    """Send as many games as the workers can take at once; return how many.

    People's own games go first, then those that they opened.  Both are also sent to workers that analyze a sample,
    which they then give back.

    Args:
        cpu_s: after which a worker leaves the rest of a game out.
    """
    if not workers or not analysis_waits(database):
        return 0
    free = workers - broker.analyses_waiting()
    with database.write() as session:
        if maintenance(session) is not None:
            return 0
        wanted, under_way = _under_way(session)
        orders = _lease_own(session, min(free, workers - wanted), cpu_s)
        orders += _lease_games(session, min(free, workers - wanted) - len(orders), cpu_s, RequestedBy.OPENED)
        orders += _lease_games(session, min(free, workers - under_way) - len(orders), cpu_s, RequestedBy.SAMPLE)
    for order in orders:
        broker.send_analysis(order)
    return len(orders)


def analysis_waits(database: Database) -> bool:
    """Whether a game waits to be sent."""
    with database.read() as session:
        return any(session.exec(each).first() is not None for each in _ANY_WAITING)


_ANY_WAITING: Final = [
    select(model).where(model.state == AnalysisState.WAITING.value).limit(1) for model, _, _ in SUBJECTS.values()
]


def _under_way(session: Session) -> tuple[int, int]:
    """Return how many games that a person waits for are leased, and how many in all."""
    leased = select(GameAnalysis.requested_by, func.count()).where(GameAnalysis.state == AnalysisState.LEASED.value)
    counted = dict(session.exec(leased.group_by(col(GameAnalysis.requested_by))).all())
    own = sum(
        session.exec(select(func.count()).where(model.state == AnalysisState.LEASED.value)).one()
        for model in (TableAnalysis, RunAnalysis)
    )
    return counted.get(RequestedBy.OPENED.value, 0) + own, sum(counted.values()) + own


def _lease_games(session: Session, free: int, cpu_s: float, requested_by: RequestedBy) -> list[AnalysisOrder]:
    """Lease the next games of matches; an analysis is deleted if its game is no longer public."""
    query = game_rows().where(
        GameAnalysis.state == AnalysisState.WAITING.value, GameAnalysis.requested_by == requested_by.value
    )
    orders: list[AnalysisOrder] = []
    for analysis, played, match, tournament in session.exec(query.order_by(*QUEUE_ORDER).limit(max(0, free))).all():
        if why_not_analyzed(match, tournament) is not None:
            session.delete(analysis)
            continue
        order = _order(stored(played.id), played.replay, cpu_s, gives_way=requested_by is RequestedBy.SAMPLE)
        orders += [order] if _lease(session, order) else []
    return orders


def _lease_own(session: Session, free: int, cpu_s: float) -> list[AnalysisOrder]:
    """Lease the next games of tables and of drafts, in the order in which they were asked for."""
    waiting: list[tuple[float, int, GameOf]] = []
    for of in (GameOf.TABLE, GameOf.DRAFT):
        model, key, _ = SUBJECTS[of]
        query = select(model.requested_at, key).where(model.state == AnalysisState.WAITING.value)
        rows = session.exec(query.order_by(model.requested_at, key).limit(max(0, free))).all()
        waiting += [(requested_at, number, of) for requested_at, number in rows]
    orders: list[AnalysisOrder] = []
    for _, number, of in sorted(waiting)[: max(0, free)]:
        recorded = SUBJECTS[of].find(session, number)
        if recorded is not None:
            order = _order(number, recorded.replay, cpu_s, of=of)
            orders += [order] if _lease(session, order) else []
    return orders


def _order(
    number: int, replay: str, cpu_s: float, *, gives_way: bool = False, of: GameOf = GameOf.MATCH
) -> AnalysisOrder:
    return AnalysisOrder(
        id=number,
        token=secrets.token_hex(TOKEN_BYTES),
        until=now_s() + ANALYSIS_LEASE_S,
        replay=replay,
        cpu_s=cpu_s,
        release=this_release(),
        gives_way=gives_way,
        of=of,
    )


def _lease(session: Session, order: AnalysisOrder) -> bool:
    """Lease a game by a conditional update; False if another process was faster."""
    model, key, _ = SUBJECTS[order.of]
    waiting = (key == order.id, model.state == AnalysisState.WAITING.value)
    values = {
        "state": AnalysisState.LEASED.value,
        "lease_token": order.token,
        "lease_until": order.until,
        "begun_at": None,
        "failed_for": None,
    }
    leased = session.connection().execute(update(table_of(model)).where(*waiting).values(**values))
    return bool(leased.rowcount == 1)


def sweep_analyses(database: Database) -> int:
    """Take back silent leases, and return how many; one that had begun counts as an attempt."""
    now = now_s()
    silent = [
        select(model).where(
            model.state == AnalysisState.LEASED.value, has_ended(col(model.lease_until), now, ANALYSIS_LEASE_S)
        )
        for model, _, _ in SUBJECTS.values()
    ]
    with database.read() as session:
        if not any(session.exec(each.limit(1)).first() for each in silent):
            return 0
    with database.write() as session:
        ended = [analysis for each in silent for analysis in session.exec(each).all()]
        for analysis in ended:
            _end_attempt(session, analysis, NEVER_ENDED)
    return len(ended)


def _end_attempt(session: Session, analysis: GameAnalysis | TableAnalysis | RunAnalysis, reason: str) -> None:
    """End a lease without a result: the analysis waits again, or has failed after the last attempt.

    A failed one loses what an earlier version of the reference said.
    """
    analysis.lease_token = analysis.lease_until = analysis.begun_at = None
    analysis.state = AnalysisState.WAITING.value
    if analysis.attempt >= ANALYSIS_ATTEMPTS:
        analysis.state, analysis.failed_for = AnalysisState.FAILED.value, reason
        analysis.course = analysis.figures = analysis.complete = None
        if isinstance(analysis, TableAnalysis):
            analysis.version = reference_version(setup_of(session.get_one(PlayTable, analysis.table_id)).game)
        elif isinstance(analysis, RunAnalysis):
            analysis.version = reference_version(setup_of_run(session.get_one(DraftRun, analysis.run_id)).game)
        else:
            tournament = session.exec(game_rows().where(GameAnalysis.game_id == analysis.game_id)).one()[3]
            analysis.version = reference_version(tournament.game)
            nothing = update(table_of(AnalysisSeat)).where(col(AnalysisSeat.game_id) == analysis.game_id)
            session.connection().execute(nothing.values(decisions=None, good=None, cost=None, costs=None))
    session.add(analysis)
    session.flush()


# Recording: the only writer of analyses.


IMPOSSIBLE: Final = "What the worker sent could not be right."
OTHER_REFERENCE: Final = "The worker that analysed it has another version of the reference player than this site."


@dataclass(frozen=True, slots=True)
class RecordedAnalysis:
    """A verdict, the game that it is about, a sentence for the log, and whether the game is a person's own."""

    verdict: AnalysisVerdict
    game_id: int | None
    why: str = ""
    is_private: bool = False


def record_analysis(database: Database, text: str) -> RecordedAnalysis:
    """Record a worker's message: decode it strictly, check it against the replay, and store it if its lease holds.

    The first message of a lease counts as an attempt, and each prolongs the lease.
    """
    try:
        result = decode_result(text)
    except AnalysisRefused as error:
        return RecordedAnalysis(AnalysisVerdict.REFUSED, None, str(error))
    if result.release != this_release():
        why = f"it is of release {result.release[:40]!r}"
        return RecordedAnalysis(AnalysisVerdict.REFUSED, result.id, why, result.of is not GameOf.MATCH)
    return replace(_record(database, result), is_private=result.of is not GameOf.MATCH)


def _record(database: Database, result: AnalysisResult) -> RecordedAnalysis:
    if not _begin(database, result):
        return RecordedAnalysis(AnalysisVerdict.STALE, result.id)
    if result.returned or result.failed:
        return _record_end(database, result)
    if result.known is None:
        return RecordedAnalysis(AnalysisVerdict.ALIVE, result.id)
    return _record_known(database, result, result.known)


def _begin(database: Database, result: AnalysisResult) -> bool:
    """Prolong the lease, and count the attempt if this is its first message; False if the lease has ended."""
    with database.write() as session:
        analysis = _held(session, result)
        if analysis is None:
            return False
        if analysis.begun_at is None:
            analysis.begun_at, analysis.attempt = now_s(), min(analysis.attempt + 1, ANALYSIS_ATTEMPTS)
        analysis.lease_until = now_s() + ANALYSIS_LEASE_S
        session.add(analysis)
    return True


def _record_end(database: Database, result: AnalysisResult) -> RecordedAnalysis:
    """End a lease whose game gave way, which is no attempt, or cannot be analyzed, however often it is tried."""
    why = shown(result.failed, limit=REASON_CHARS)
    with database.write() as session:
        analysis = _held(session, result)
        if analysis is None:
            return RecordedAnalysis(AnalysisVerdict.STALE, result.id)
        analysis.attempt = analysis.attempt - 1 if result.returned else ANALYSIS_ATTEMPTS
        _end_attempt(session, analysis, NEVER_ENDED if result.returned else why)
    if result.returned:
        return RecordedAnalysis(AnalysisVerdict.RETURNED, result.id)
    return RecordedAnalysis(AnalysisVerdict.FAILED, result.id, why)


def _record_known(database: Database, result: AnalysisResult, known: Known) -> RecordedAnalysis:
    with database.read() as session:
        recorded = SUBJECTS[result.of].find(session, result.id)
    if recorded is None:
        return _forget(database, result)
    try:
        replay = load(recorded.replay)
        analysis = received_analysis(replay, known, reference_version(recorded.game))
        continued = received_continuations(replay, analysis, result.continued)
    except AnalysisRefused as error:
        return _refuse(database, result, error)
    values: dict[str, Any] = {"course": pack(analysis), "version": analysis.version, "complete": analysis.complete}
    values["cpu_s"] = result.cpu_s
    if not result.done:
        stored = _store(database, result, values, None)
        return RecordedAnalysis(AnalysisVerdict.PART if stored else AnalysisVerdict.STALE, result.id)
    figures = figures_of(analysis)
    values |= {"lease_token": None, "lease_until": None, "begun_at": None, "continued": pack(continued)}
    values |= {"state": AnalysisState.DONE.value, "done_at": now_s(), "figures": pack(figures)}
    stored = _store(database, result, values, figures)
    return RecordedAnalysis(AnalysisVerdict.DONE if stored else AnalysisVerdict.STALE, result.id)


def _store(database: Database, result: AnalysisResult, values: Mapping[str, Any], figures: GameFigures | None) -> bool:
    """Write values if the lease still holds; return whether it did."""
    model = SUBJECTS[result.of].model
    with database.write() as session:
        done = session.connection().execute(update(table_of(model)).where(*_held_by(result)).values(**values))
        if done.rowcount != 1:
            return False
        if result.of is not GameOf.MATCH or figures is None:
            return True
        for seat, cost in enumerate(seat_values(figures)):
            this_seat = (col(AnalysisSeat.game_id) == result.id, col(AnalysisSeat.seat) == seat)
            session.connection().execute(update(table_of(AnalysisSeat)).where(*this_seat).values(**cost))
        offer_luck(session, result.id, figures)
    return True


def _refuse(database: Database, result: AnalysisResult, why: AnalysisRefused) -> RecordedAnalysis:
    with database.write() as session:
        analysis = _held(session, result)
        if analysis is not None:
            _end_attempt(session, analysis, OTHER_REFERENCE if isinstance(why, OtherReference) else IMPOSSIBLE)
    return RecordedAnalysis(AnalysisVerdict.REFUSED, result.id, str(why))


def _forget(database: Database, result: AnalysisResult) -> RecordedAnalysis:
    """Delete an analysis whose game is no longer public."""
    with database.write() as session:
        analysis = _held(session, result)
        if analysis is not None:
            session.delete(analysis)
    return RecordedAnalysis(AnalysisVerdict.STALE, result.id)


def _held(session: Session, result: AnalysisResult) -> Any:
    """Return the analysis that a message is about, None if its lease does not hold."""
    return session.exec(select(SUBJECTS[result.of].model).where(*_held_by(result))).first()


def _held_by(result: AnalysisResult) -> tuple[Any, ...]:
    """Return the conditions that an analysis is the one of a message, and its lease holds."""
    model, key, _ = SUBJECTS[result.of]
    return key == result.id, model.state == AnalysisState.LEASED.value, model.lease_token == result.token


def seat_values(figures: GameFigures) -> list[dict[str, Any]]:
    """Return the values of each seat's row, in seat order."""
    rows = []
    for seat in range(figures.seats):
        own = [each for each in figures.decisions if each.seat == seat]
        good = sum(each.mark in (Mark.BEST, Mark.GOOD) for each in own)
        cost = round(fsum(each.cost for each in own), DIGITS)
        rows.append({"decisions": len(own), "good": good, "cost": cost, "costs": _costs(figures, own)})
    return rows


def _costs(figures: GameFigures, own: Sequence[DecisionFigures]) -> list[dict[str, Any]]:
    by_sort: dict[tuple[str, str, str], list[DecisionFigures]] = {}
    for each in own:
        key = (each.kind, phase_of(each.round, figures.rounds), each.theme if each.cost > 0 else "")
        by_sort.setdefault(key, []).append(each)
    return [
        {
            "kind": kind,
            "phase": phase,
            "theme": theme,
            "rounds": [min(each.round for each in decisions), max(each.round for each in decisions)],
            "decisions": len(decisions),
            "marked": sum(each.mark in MISTAKES for each in decisions),
            "cost": round(fsum(each.cost for each in decisions), DIGITS),
            **_amounts(figures.game, kind, decisions),
        }
        for (kind, phase, theme), decisions in by_sort.items()
    ]


def _amounts(game: str, kind: str, decisions: Sequence[DecisionFigures]) -> dict[str, int]:
    if not is_amount(game, kind):
        return {}
    amounts = [each for each in decisions if isinstance(each.chosen, int)]
    sums = {name: sum(getattr(each, name) for each in amounts) for name in ("chosen", "best")}
    return {"amounts": len(amounts), **sums}
