"""Analyses of games: requesting and planning them, and recording workers' results."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import fsum
from typing import Any, Final, NamedTuple

from msgspec import Raw
from sqlalchemy import delete, update
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col, func, or_, select

from gangland.games import GAME_NAMES
from gangland.replay import load
from gangland_ladder.analysis import transfer
from gangland_ladder.analysis.account import DIGITS, MISTAKES, DecisionFigures, GameFigures, Mark, figures_of
from gangland_ladder.analysis.games import has_reference, is_amount, reference_version
from gangland_ladder.analysis.summary import phase_of
from gangland_ladder.tournaments.lifecycle import State, Viewer, is_listed, results_are_shown
from gangland_web.base.formats import DAY_S, now_s
from gangland_web.broker.names import QUEUE_ANALYSIS
from gangland_web.models.columns import row_id, table_of
from gangland_web.models.jobs import AnalysisSeat, AnalysisState, GameAnalysis, Job, JobState, Requester
from gangland_web.models.matches import RATED, Match, MatchSeat, MatchState, PlayedGame
from gangland_web.models.site import maintenance
from gangland_web.models.tournaments import Entry, Tournament
from gangland_web.services import jobs, retention

# Requesting the analysis of a game.

MAX_WAITING: Final = 200  # maximum number of games waiting because visitors opened them, and of private games waiting


class NotAnalyzedReason(StrEnum):
    """The reason why a game is not analyzed, as a sentence for the game's page."""

    OFF = "This site does not analyze games. Run `gangland analyze` on your machine."
    NO_REFERENCE = "There is no analysis of this game."
    NOT_PUBLIC = "Only public games are analyzed here. Run `gangland analyze` on your machine."
    FULL = "Too many games are waiting. Try again later."


def not_analyzed_reason(match: Match, tournament: Tournament) -> NotAnalyzedReason | None:
    """Return the reason why a match's games cannot be analyzed, or None if they can."""
    if not has_reference(tournament.game):
        return NotAnalyzedReason.NO_REFERENCE
    if match.key is not None:
        return None
    has_replays = match.state == MatchState.DONE.value and match.trimmed < retention.Trim.REPLAYS
    if match.purpose not in RATED or not has_replays or not is_public(tournament):
        return NotAnalyzedReason.NOT_PUBLIC
    return None


def is_public(tournament: Tournament) -> bool:
    """Return whether any visitor may now see the results of matches in a tournament or on a ladder."""
    if tournament.kind != "tournament":
        return tournament.kind == "ladder"
    is_public_state = is_listed(State(tournament.state)) and tournament.announced_at is not None
    are_shown = results_are_shown(State(tournament.state), Viewer.PUBLIC, tournament.embargo_until, now_s())
    return is_public_state and tournament.rehearsal_of is None and are_shown


def queue_analysis(
    session: Session, match: Match, tournament: Tournament, game_id: int, requested_by: Requester = Requester.OPENED
) -> NotAnalyzedReason | None:
    """Queue a game's analysis, or move it up if it is waiting as a sample; return the reason if that is refused."""
    if (reason := not_analyzed_reason(match, tournament)) is not None:
        return reason
    requester = requested_by if match.key is None else Requester.OWN
    analysis = session.get(GameAnalysis, game_id)
    if analysis is not None:
        return _upgrade_sample(session, analysis, requester)
    if requester is not Requester.SAMPLE and _is_full(session, requester):
        return NotAnalyzedReason.FULL
    try:
        with session.begin_nested():
            session.add(GameAnalysis(game_id=game_id, requested_by=requester.value, requested_at=now_s()))
            session.flush()
            session.add_all(_unjudged_seats(session, game_id))
            session.flush()
    except IntegrityError:  # another request was faster
        session.expire_all()
    jobs.add_job(session, ANALYSIS, game_id, priority=_PRIORITIES[requester])
    return None


def _upgrade_sample(session: Session, analysis: GameAnalysis, requester: Requester) -> NotAnalyzedReason | None:
    is_sample = analysis.requested_by == Requester.SAMPLE.value and requester is not Requester.SAMPLE
    if is_sample and analysis.state == AnalysisState.OPEN.value:
        job = jobs.find_job(session, ANALYSIS, row_id(analysis.game_id))
        if job is not None and job.state == JobState.WAITING.value and _is_full(session, requester):
            return NotAnalyzedReason.FULL
        analysis.requested_by, analysis.requested_at = requester.value, now_s()
        session.add(analysis)
        session.flush()
        jobs.raise_priority(session, ANALYSIS, row_id(analysis.game_id), _PRIORITIES[requester])
    return None


def _is_full(session: Session, requester: Requester) -> bool:
    waiting = jobs.waiting_jobs(ANALYSIS).where(Job.priority == _PRIORITIES[requester]).order_by(None).subquery()
    return session.exec(select(func.count()).select_from(waiting)).one() >= MAX_WAITING


def _unjudged_seats(session: Session, game_id: int) -> list[AnalysisSeat]:
    """Return rows for the costs of a game's seats; empty for a private game, which has no entries."""
    query = (
        select(PlayedGame.seating, MatchSeat.position, Entry.id, Entry.version_id)
        .join(MatchSeat, col(MatchSeat.match_id) == PlayedGame.match_id)
        .join(Entry, col(Entry.id) == MatchSeat.entry_id)
        .where(PlayedGame.id == game_id)
    )
    rows = session.exec(query).all()
    by_position = {position: (row_id(entry), version) for _, position, entry, version in rows}
    seating = rows[0][0] if rows else []
    return [
        AnalysisSeat(game_id=game_id, seat=seat, seats=len(seating), entry_id=entry, version_id=version)
        for seat, (entry, version) in enumerate(by_position[position] for position in seating)
    ]


def game_rows() -> Any:
    """Return the query for analyses with their games, matches and tournaments."""
    return (
        select(GameAnalysis, PlayedGame, Match, Tournament)
        .join(PlayedGame, col(PlayedGame.id) == GameAnalysis.game_id)
        .join(Match, col(Match.id) == PlayedGame.match_id)
        .join(Tournament, col(Tournament.id) == Match.tournament_id)
    )


# Planning analyses of samples, and of games that another version of the reference has judged.


MAX_PLANNED: Final = 20  # maximum number of games planned in one transaction
LATEST_MATCHES: Final = 60  # a version's sample is drawn from this many of its latest matches
_ENDED_STATES: Final = (AnalysisState.DONE.value, AnalysisState.FAILED.value)


def plan_analyses(session: Session, *, sample: int, budget_s: float) -> int:
    """Plan analyses, unless one is waiting or the site is under maintenance; return the number planned.

    `sample`: the number of games for each active version and table size.  `budget_s`: CPU seconds for samples in 24
    hours.
    """
    if maintenance(session) is not None or _has_waiting(session):
        return 0
    if (outdated := _plan_outdated(session)) or _spent_cpu_s(session) >= budget_s:
        return outdated
    return sum(_plan_sample(session, entry) for entry in _entries_to_sample(session, sample))


def _has_waiting(session: Session) -> bool:
    return session.exec(jobs.waiting_jobs(ANALYSIS).limit(1)).first() is not None


def _spent_cpu_s(session: Session) -> float:
    spent = select(func.sum(GameAnalysis.cpu_s)).where(GameAnalysis.requested_by == Requester.SAMPLE.value)
    return session.exec(spent.where(col(GameAnalysis.done_at) > now_s() - DAY_S)).one() or 0.0


def _plan_outdated(session: Session) -> int:
    """Queue games that another version of the reference judged; their old figures stay until they are replaced."""
    outdated = [
        (col(Tournament.game) == game) & or_(col(GameAnalysis.version).is_(None), GameAnalysis.version != version)
        for game in GAME_NAMES
        if (version := reference_version(game)) is not None
    ]
    query = game_rows().where(col(GameAnalysis.state).in_(_ENDED_STATES), col(Match.key).is_(None), or_(*outdated))
    query = query.order_by(col(GameAnalysis.requested_at).desc(), GameAnalysis.game_id)
    rows = session.exec(query.limit(MAX_PLANNED)).all()
    for analysis, *_ in rows:
        analysis.state, analysis.failed_for = AnalysisState.OPEN.value, None
        analysis.requested_by = Requester.SAMPLE.value  # no user is waiting for it, so games that users open go first
        session.add(analysis)
        session.flush()
        jobs.add_job(session, ANALYSIS, row_id(analysis.game_id), priority=_PRIORITIES[Requester.SAMPLE])
    return len(rows)


def _entries_to_sample(session: Session, sample: int) -> Sequence[Entry]:
    analyzed: Any = func.count(col(AnalysisSeat.game_id))
    games = [name for name in GAME_NAMES if has_reference(name)]
    query = (
        select(Entry)
        .join(Tournament, col(Tournament.id) == Entry.tournament_id)
        .outerjoin(AnalysisSeat, col(AnalysisSeat.entry_id) == Entry.id)
        .where(Tournament.kind == "ladder", col(Tournament.game).in_(games))
        .where(col(Entry.active).is_(True))
        .group_by(col(Entry.id))
        .having(analyzed < sample, analyzed < col(Entry.games))
        .order_by(analyzed, col(Entry.id))
    )
    return session.exec(query.limit(MAX_PLANNED)).all()


def _plan_sample(session: Session, entry: Entry) -> bool:
    """Queue a version's game against those opponents that are least frequent in its analyzed games."""
    latest = (
        select(Match.id)
        .join(MatchSeat, col(MatchSeat.match_id) == Match.id)
        .where(MatchSeat.entry_id == entry.id, Match.state == MatchState.DONE.value)
        .where(col(Match.trimmed) < retention.Trim.REPLAYS)
        .order_by(col(Match.id).desc())
        .limit(LATEST_MATCHES)
    )
    ids = session.exec(latest).all()
    seats = select(MatchSeat.match_id, MatchSeat.entry_id).where(col(MatchSeat.match_id).in_(ids))
    others: dict[int, list[int]] = {}
    for match_id, other in session.exec(seats).all():
        if other != entry.id:
            others.setdefault(match_id, []).append(other)
    counts = _opponent_counts(session, entry)
    for match_id in sorted(others, key=lambda match: (sum(counts[other] for other in others[match]), -match)):
        game_id = _unanalyzed_game(session, match_id, sum(counts.values()))
        if game_id is not None:
            match = session.get_one(Match, match_id)
            tournament = session.get_one(Tournament, match.tournament_id)
            return queue_analysis(session, match, tournament, game_id, Requester.SAMPLE) is None
    return False


def _opponent_counts(session: Session, entry: Entry) -> Counter[int]:
    game_ids = select(AnalysisSeat.game_id).where(AnalysisSeat.entry_id == entry.id)
    query = select(AnalysisSeat.entry_id, func.count()).where(col(AnalysisSeat.game_id).in_(game_ids))
    query = query.where(AnalysisSeat.entry_id != entry.id).group_by(col(AnalysisSeat.entry_id))
    return Counter(dict(session.exec(query).all()))


def _unanalyzed_game(session: Session, match_id: int, turn: int) -> int | None:
    """Return the id of a match's game without an analysis, or None; `turn` varies the choice."""
    analyzed = select(GameAnalysis.game_id).where(GameAnalysis.game_id == PlayedGame.id)
    query = select(PlayedGame.id).where(PlayedGame.match_id == match_id, ~analyzed.exists())
    games = session.exec(query.order_by(col(PlayedGame.block), col(PlayedGame.rotation))).all()
    return row_id(games[turn % len(games)]) if games else None


# Jobs for the analysis workers, and the checks of their results.


INVALID_ANALYSIS: Final = "The worker sent an invalid analysis."
OTHER_REFERENCE: Final = "The worker has a different version of the reference player."
# How long a worker may be silent. It runs with the lowest priority, so a busy machine may keep it waiting.
ANALYSIS_SILENCE_S: Final = 120.0
ANALYSIS_LEASE_S: Final = 3600.0


@dataclass(frozen=True, slots=True)
class _Checked:
    values: dict[str, Any]
    figures: GameFigures | None


class _Game(NamedTuple):
    replay: str
    game: str


def _game_of(session: Session, job: Job) -> _Game:
    row = session.exec(game_rows().where(PlayedGame.id == job.subject)).first()
    if row is None:
        raise jobs.JobGone
    _, played, match, tournament = row
    if not_analyzed_reason(match, tournament) is not None:
        raise jobs.JobGone
    return _Game(played.replay, tournament.game)


def _analysis_job(session: Session, job: Job) -> transfer.AnalysisJob:
    gives_way = job.priority == _PRIORITIES[Requester.SAMPLE]
    return transfer.AnalysisJob(_game_of(session, job).replay, gives_way)


def _delete_analysis(session: Session, job: Job) -> None:
    session.connection().execute(delete(table_of(GameAnalysis)).where(col(GameAnalysis.game_id) == job.subject))


def _store(session: Session, job: Job, checked: _Checked) -> None:
    game_update = update(table_of(GameAnalysis)).where(col(GameAnalysis.game_id) == job.subject)
    session.connection().execute(game_update.values(**checked.values))
    if checked.figures is None:
        return
    for seat, cost in enumerate(seat_values(checked.figures)):
        conditions = (col(AnalysisSeat.game_id) == job.subject, col(AnalysisSeat.seat) == seat)
        session.connection().execute(update(table_of(AnalysisSeat)).where(*conditions).values(**cost))


def _give_up(session: Session, job: Job, reason: str) -> None:
    """Record the reason why there is no analysis, and delete an earlier version's analysis."""
    row = session.exec(game_rows().where(PlayedGame.id == job.subject)).first()
    values = {"state": AnalysisState.FAILED.value, "failed_for": reason, "course": None, "figures": None}
    values |= {"complete": None, "version": None if row is None else reference_version(row[3].game)}
    game_update = update(table_of(GameAnalysis)).where(col(GameAnalysis.game_id) == job.subject)
    session.connection().execute(game_update.values(**values))
    seat_update = update(table_of(AnalysisSeat)).where(col(AnalysisSeat.game_id) == job.subject)
    session.connection().execute(seat_update.values(decisions=None, good=None, cost=None, costs=None))


def _check(session: Session, job: Job, body: Raw, is_result: bool) -> _Checked:
    recorded = _game_of(session, job)
    try:
        result = transfer.decode_result(bytes(body))
        if result.failed:
            raise jobs.FatalError(result.failed)
        if result.known is None:
            raise jobs.ResultRefused("it has no analysis of the game")
        replay = load(recorded.replay)
        analysis = transfer.received_analysis(replay, result.known, reference_version(recorded.game))
        continued = transfer.received_continuations(replay, analysis, result.continued)
    except transfer.OtherReference as error:
        raise jobs.ResultRefused(OTHER_REFERENCE, str(error)) from error
    except transfer.AnalysisRefused as error:
        raise jobs.ResultRefused(INVALID_ANALYSIS, str(error)) from error
    values: dict[str, Any] = {
        "course": transfer.pack(analysis),
        "version": analysis.version,
        "complete": analysis.complete,
        "cpu_s": result.cpu_s,
    }
    if not is_result:
        return _Checked(values, None)
    figures = figures_of(analysis)
    values |= {"state": AnalysisState.DONE.value, "done_at": now_s(), "figures": transfer.pack(figures)}
    return _Checked(values | {"continued": transfer.pack(continued)}, figures)


OWN_PRIORITY: Final = 0
SAMPLE_PRIORITY: Final = 2
# Users' own games come first, then games that users open, then samples.
_PRIORITIES: Final = {Requester.OWN: OWN_PRIORITY, Requester.OPENED: 1, Requester.SAMPLE: SAMPLE_PRIORITY}
ANALYSIS: Final = jobs.register(
    jobs.Kind(
        name="analysis",
        queue=QUEUE_ANALYSIS,
        payload=_analysis_job,
        check=_check,
        store=_store,
        give_up=_give_up,
        delete_subject=_delete_analysis,
        lease_s=lambda _session, _job: ANALYSIS_LEASE_S,
        silence_s=ANALYSIS_SILENCE_S,
        has_parts=True,
    )
)


def seat_values(figures: GameFigures) -> list[dict[str, Any]]:
    """Return the column values for each seat's row, in seat order."""
    rows = []
    for seat in range(figures.seats):
        own = [decision for decision in figures.decisions if decision.seat == seat]
        good = sum(decision.mark in (Mark.BEST, Mark.GOOD) for decision in own)
        cost = round(fsum(decision.cost for decision in own), DIGITS)
        rows.append({"decisions": len(own), "good": good, "cost": cost, "costs": _costs(figures, own)})
    return rows


def _costs(figures: GameFigures, decisions_of_seat: Sequence[DecisionFigures]) -> list[dict[str, Any]]:
    by_group: dict[tuple[str, str, str], list[DecisionFigures]] = {}
    for decision in decisions_of_seat:
        theme = decision.theme if decision.cost > 0 else ""
        by_group.setdefault((decision.kind, phase_of(decision.round, figures.rounds), theme), []).append(decision)
    return [
        {
            "kind": kind,
            "phase": phase,
            "theme": theme,
            "rounds": [min(decision.round for decision in decisions), max(decision.round for decision in decisions)],
            "decisions": len(decisions),
            "marked": sum(decision.mark in MISTAKES for decision in decisions),
            "cost": round(fsum(decision.cost for decision in decisions), DIGITS),
            **_amounts(figures.game, kind, decisions),
        }
        for (kind, phase, theme), decisions in by_group.items()
    ]


def _amounts(game: str, kind: str, decisions: Sequence[DecisionFigures]) -> dict[str, int]:
    if not is_amount(game, kind):
        return {}
    amounts = [decision for decision in decisions if isinstance(decision.chosen, int)]
    sums = {name: sum(getattr(amount, name) for amount in amounts) for name in ("chosen", "best")}
    return {"amounts": len(amounts), **sums}
