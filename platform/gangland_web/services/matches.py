"""Matches: planning, storing results, voiding and retrying, and queries for audits, quarantines and final tables."""

import json
import secrets
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

import zstandard
from sqlalchemy import ColumnElement, and_, bindparam, insert, literal_column, or_
from sqlmodel import Session, case, col, delete, func, select, update

from gangland_ladder.common.release import this_python
from gangland_ladder.matches import judging, match_jobs, seeds
from gangland_ladder.proof.auditing import Verdict
from gangland_ladder.tournaments.final_table import FinalTerms
from gangland_ladder.tournaments.lifecycle import State, Viewer, results_are_shown
from gangland_web.base.formats import now_s
from gangland_web.models import matches as match_rows
from gangland_web.models.bots import Version, VersionState
from gangland_web.models.columns import row_id
from gangland_web.models.jobs import Job, JobState
from gangland_web.models.matches import Audit, End, Match, MatchSeat, MatchState, PlayedGame, Purpose, WorkerHost
from gangland_web.models.tournaments import Entry, Tournament, lock_tournaments
from gangland_web.services.jobs import drop_jobs

# Planning: rows of matches, which are numbered within their tournament, with seats in the order of the entries.


_BATCH = 5_000  # number of rows in one statement
_MAX_VALUES = 500  # number of values that fit into one statement on any database


def plan_tables(
    session: Session,
    tournament: Tournament,
    tables: Iterable[Sequence[int]],
    *,
    purpose: Purpose,
    ladder_day_id: int | None = None,
    trial_version_id: int | None = None,
    challenger_id: int | None = None,
    is_final: bool = False,
) -> range:
    """Schedule a match for each table, in the order of the tables, and return the matches' numbers.

    In a tournament, a match's dice depend on the code of all bots; otherwise, on the code of the bots at the table.
    """
    sorted_tables = [sorted(table) for table in tables]
    first = next_number(session, tournament)
    codes = _codes(session, tournament, {entry for table in sorted_tables for entry in table})
    common = {
        "tournament_id": row_id(tournament.id),
        "purpose": purpose.value,
        "ladder_day_id": ladder_day_id,
        "trial_version_id": trial_version_id,
        "challenger_id": challenger_id,
        "is_final": is_final,
        "state": MatchState.SCHEDULED.value,
        "attempt": 0,
        "created_at": now_s(),
    }
    roster = tournament.roster_digest if purpose is Purpose.TOURNAMENT else None
    is_ordered = purpose is Purpose.TOURNAMENT and not is_final
    for start in range(0, len(sorted_tables), _BATCH):
        batch = sorted_tables[start : start + _BATCH]
        rows = [
            {
                **common,
                "number": first + start + i,
                "rating_order": first + start + i if is_ordered else None,
                "seed_digest": roster or seeds.entries_digest([codes[entry] for entry in table]).hex(),
            }
            for i, table in enumerate(batch)
        ]
        ids = session.scalars(insert(Match).returning(col(Match.id), sort_by_parameter_order=True), rows).all()
        _add_seats(session, zip(ids, batch, strict=True))
    return range(first, first + len(sorted_tables))


def next_number(session: Session, tournament: Tournament) -> int:
    """Return a tournament's next match number; other transactions that need one wait until this one ends."""
    lock_tournaments(session, Tournament.id == tournament.id)
    highest = session.exec(select(func.max(Match.number)).where(Match.tournament_id == tournament.id)).one()
    return max(highest or 0, 0) + 1


def _codes(session: Session, tournament: Tournament, entries: set[int]) -> dict[int, str]:
    query = select(Entry.id, Version.code_sha256).join(Version, col(Version.id) == Entry.version_id)
    query = query.where(Entry.tournament_id == tournament.id)
    if len(entries) <= _MAX_VALUES:
        query = query.where(col(Entry.id).in_(entries))
    return {row_id(entry): code for entry, code in session.exec(query)}


def _add_seats(session: Session, tables: Iterable[tuple[int | None, Sequence[int]]]) -> None:
    rows = [
        {"match_id": match, "position": position, "entry_id": entry, "wins": 0, "faults": 0}
        for match, table in tables
        for position, entry in enumerate(table)
    ]
    session.execute(insert(MatchSeat), rows)


def plan_check(session: Session, tournament: Tournament, entry: Entry, code: str) -> None:
    """Schedule a version's check in a trials tournament, with a number below 1."""
    planned = _plan_hidden(
        session,
        tournament,
        purpose=Purpose.CHECK.value,
        trial_version_id=entry.version_id,
        seed_digest=seeds.entries_digest([code]).hex(),
    )
    _add_seats(session, [(planned.id, [row_id(entry.id)])])


def plan_audit(session: Session, tournament: Tournament, match: Match) -> Match:
    """Schedule a replay of `match` in a trials tournament, without seats of its own, and return it."""
    purpose = Purpose.AUDIT.value
    return _plan_hidden(session, tournament, purpose=purpose, audit_of=match.id, seed_digest=match.seed_digest)


def _plan_hidden(session: Session, tournament: Tournament, **values: Any) -> Match:
    # The number is below 1, so that it does not change the numbers of the matches that count.
    lock_tournaments(session, Tournament.id == tournament.id)
    lowest = session.exec(select(func.min(Match.number)).where(Match.tournament_id == tournament.id)).one()
    number = min(lowest or 0, 1) - 1
    planned = Match(tournament_id=row_id(tournament.id), number=number, created_at=now_s(), **values)
    session.add(planned)
    session.flush()
    return planned


# Results: games with their replays, and the seats' scores.


def store_games(session: Session, match_id: int, judged: judging.JudgedMatch) -> None:
    """Store a match's games, with their replays and the bots' logs."""
    session.connection().execute(insert(PlayedGame), [_game_row(match_id, game) for game in judged.games])


def _game_row(match_id: int, game: judging.JudgedGame) -> dict[str, Any]:
    record = game.record
    logs = None
    if any(record.logs):
        by_position: list[list[match_jobs.LogPart]] = [[] for _ in record.seating]
        for seat, log in enumerate(record.logs):
            marks = record.log_marks[seat] if seat < len(record.log_marks) else []
            by_position[record.seating[seat]] = match_jobs.log_parts(log, marks)
        logs = zstandard.compress(json.dumps(by_position).encode())
    return {
        "match_id": match_id,
        "block": record.block,
        "rotation": record.rotation,
        "replay": record.replay,
        "views": record.views,
        "seating": list(record.seating),
        "places": list(game.outcome.places),
        "luck": list(game.luck),
        "leads": game.lead_changes,
        "faults": [
            {"seat": f.seat, "kind": f.kind, "message": f.message, "round": f.round, "decision": f.decision}
            for f in record.faults
        ],
        "logs": logs,
    }


def store_scores(
    session: Session, match_id: int, judged: judging.JudgedMatch, think: Sequence[Mapping[int, int]]
) -> None:
    """Store the seats' results and add them to the entries' totals; loaded seats and entries become stale."""
    think_times = think if len(think) == len(judged.scores) else [{}] * len(judged.scores)
    rows = [
        {
            "b_match": match_id,
            "b_entry": score.entry,
            **_score_of(score),
            "more_games": score.games,
            "think": {str(octave): count for octave, count in times.items()} or None,
        }
        for score, times in zip(judged.scores, think_times, strict=True)
    ]
    session.connection().execute(_SEATS, rows)
    session.connection().execute(_ENTRIES, rows)


def _score_of(score: judging.EntryScore) -> dict[str, Any]:
    return {
        "mean_place_num": score.mean_place.numerator,
        "mean_place_den": score.mean_place.denominator,
        "luck": score.mean_luck,
        "adjusted": score.adjusted,
        "wins": score.wins,
        "faults": sum(score.faults.values()),
    }


_SCORE: Final = ("mean_place_num", "mean_place_den", "luck", "adjusted")
_SEATS: Final = (
    update(MatchSeat)
    .where(col(MatchSeat.match_id) == bindparam("b_match"), col(MatchSeat.entry_id) == bindparam("b_entry"))
    .values({name: bindparam(name) for name in (*_SCORE, "wins", "faults", "think")})
)
_ENTRIES: Final = (
    update(Entry)
    .where(col(Entry.id) == bindparam("b_entry"))
    .values(
        games=col(Entry.games) + bindparam("more_games"),
        wins=col(Entry.wins) + bindparam("wins"),
        faults=col(Entry.faults) + bindparam("faults"),
    )
)


# Private matches, which are stored when they are over, and deleted together with their table or draft run.


def store_private(
    session: Session,
    purpose: match_rows.PrivatePurpose,
    match_job: match_jobs.MatchJob,
    names: Sequence[str],
    judged: judging.JudgedMatch,
    *,
    key: str | None = None,
) -> int:
    """Store a match that only its players may see, with `key` in its URL (random if None); return the match's id."""
    condition = (
        Tournament.kind == "private",
        Tournament.game == match_job.game,
        Tournament.seats == len(match_job.seats),
    )
    tournament = session.exec(select(Tournament).where(*condition)).one()
    digest, now = judging.match_digest(match_job, judged), now_s()
    match = Match(
        tournament_id=row_id(tournament.id),
        number=next_number(session, tournament),
        purpose=purpose.value,
        key=key or secrets.token_urlsafe(16),
        seed_digest=digest,
        state=MatchState.DONE.value,
        created_at=now,
        done_at=now,
        digest=digest,
        python=this_python(),
    )
    session.add(match)
    session.flush()
    rows = [
        {"match_id": match.id, "position": position, "name": name, **_score_of(score)}
        for position, (name, score) in enumerate(zip(names, judged.scores, strict=True))
    ]
    session.connection().execute(insert(MatchSeat), rows)
    store_games(session, row_id(match.id), judged)
    return row_id(match.id)


def drop_private_matches(session: Session, ids: Iterable[int | None]) -> None:
    """Delete private matches with their games and analyses; no other row may still refer to them."""
    matches = [match_id for match_id in ids if match_id is not None]
    if not matches:
        return
    games = session.exec(select(PlayedGame.id).where(col(PlayedGame.match_id).in_(matches))).all()
    drop_jobs(session, "analysis", games)
    for model, key in ((PlayedGame, PlayedGame.match_id), (MatchSeat, MatchSeat.match_id), (Match, Match.id)):
        session.connection().execute(delete(model).where(col(key).in_(matches)))


# Ends without a result, after which a match is retried or void.


WITHDRAWN = "the version was withdrawn"
IN_QUARANTINE = "a bot in it is in quarantine"
NOT_PASSED = "not played: the bot on trial did not pass its check"
_ENDS_BY_REASON = {WITHDRAWN: End.WITHDRAWN, IN_QUARANTINE: End.QUARANTINE, NOT_PASSED: End.NOT_PASSED}


def match_end(match: Match) -> End | None:
    """Return how a match ended, or None if it is not over."""
    if match.state == MatchState.DONE.value:
        return End.DONE
    if match.state != MatchState.VOID.value:
        return None
    return _ENDS_BY_REASON.get(match.void_reason or "", End.PLATFORM)


_CLOSED_STATES = (VersionState.REJECTED.value, VersionState.RETIRED.value)


def retry_obstacle(session: Session, match: Match) -> str | None:
    """Return the reason why a match must not be retried after an attempt without a result, or None if it may be."""
    # A tournament keeps its pinned versions and waits while one of them is in quarantine.
    pinned = match.purpose == Purpose.TOURNAMENT.value
    has_left = col(Entry.active).is_(False) if pinned else col(Version.state).in_(_CLOSED_STATES)
    if _has_seated(session, match, has_left):
        return WITHDRAWN
    is_held = col(Entry.quarantined).is_(True)
    if match.purpose == Purpose.CHALLENGE.value:
        is_held = col(Version.id).in_(public_quarantine(session))
    return IN_QUARANTINE if not pinned and _has_seated(session, match, is_held) else None


def _has_seated(session: Session, match: Match, condition: ColumnElement[bool]) -> bool:
    query = select(Version.id).join(Entry, col(Entry.version_id) == Version.id)
    query = query.join(MatchSeat, col(MatchSeat.entry_id) == Entry.id).where(MatchSeat.match_id == match.id)
    return session.exec(query.where(condition)).first() is not None


def void_leased(session: Session, match: Match, reason: str, *, attempt: int = 0) -> bool:
    """Void a leased match permanently; return False if the match is not leased."""
    values = {"state": MatchState.VOID.value, "void_reason": reason, "done_at": now_s(), "attempt": attempt}
    return _end_lease(session, match, values)


def reschedule(session: Session, match: Match, *, attempt: int) -> bool:
    """Reschedule a leased match after an attempt without a result; return False if the match is not leased."""
    return _end_lease(session, match, {"state": MatchState.SCHEDULED.value, "attempt": attempt})


def void_waiting(session: Session, reason: str, *conditions: ColumnElement[bool]) -> None:
    """Void the waiting matches that meet these conditions."""
    drop_waiting_jobs(session, *conditions)
    session.exec(
        update(Match)
        .where(*conditions, col(Match.state) == MatchState.SCHEDULED.value)
        .values(state=MatchState.VOID.value, void_reason=reason, done_at=now_s())
    )


def drop_waiting_jobs(session: Session, *conditions: ColumnElement[bool]) -> None:
    """Delete the jobs of waiting matches that meet these conditions."""
    # Jobs come first, because dispatch locks rows in the same order.
    matches = select(Match.id).where(*conditions, Match.state == MatchState.SCHEDULED.value)
    is_waiting = (col(Job.kind).in_(list(Purpose)), col(Job.state) == JobState.WAITING.value)
    session.exec(
        delete(Job).where(*is_waiting, col(Job.subject).in_(matches)).execution_options(synchronize_session=False)
    )


def _end_lease(session: Session, match: Match, values: dict[str, Any]) -> bool:
    updated = session.exec(
        update(Match)
        .where(col(Match.id) == match.id, col(Match.state) == MatchState.LEASED.value)
        .values(sent_at=None, **values)
        .execution_options(synchronize_session=False)
    )
    session.refresh(match)
    return updated.rowcount == 1


# Public quarantines.


QUARANTINED: Final[Any] = literal_column("entries.quarantined")  # spelled as in ix_entries_quarantined


def quarantine_is_public(tournament: Tournament) -> bool:
    """Return whether a quarantine after a match of this tournament or ladder is public."""
    if tournament.kind != "tournament":
        return True
    # Under an embargo, a public quarantine would reveal that a bot's match could not be played.
    return results_are_shown(State(tournament.state), Viewer.PUBLIC, tournament.embargo_until, now_s())


def public_quarantine(session: Session) -> list[int]:
    """Return the ids of the versions in public quarantine."""
    query = select(Entry.version_id, Tournament).join(Tournament, col(Tournament.id) == Entry.tournament_id)
    rows = session.exec(query.where(QUARANTINED)).all()
    return sorted({version for version, tournament in rows if quarantine_is_public(tournament)})


# Open audits, and the bots that decided differently in them.


def open_audits(condition: Any) -> Any:
    """Return the query for the ids of open audits of the matches that meet a condition."""
    query = select(Audit.id).join(Match, col(Match.id) == Audit.match_id)
    return query.where(Audit.state == match_rows.AuditState.OPEN.value, condition)


def hosts_are_trusted(*hosts: Any) -> Any:
    """Return the condition that these columns of an audit do not refer to a distrusted host."""
    # A host is distrusted if it is stopped, or if it was stopped after the audit was drawn and then resumed.
    was_stopped = or_(col(WorkerHost.stopped_at).is_not(None), col(WorkerHost.trusted_from) >= col(Audit.created_at))
    distrusted = select(WorkerHost.id).where(was_stopped).correlate(Audit)
    return and_(*(or_(host.is_(None), host.not_in(distrusted)) for host in hosts))


def has_doubted_results(session: Session) -> bool:
    """Return whether results of a distrusted host are still waiting to be removed."""
    query = select(WorkerHost.id).where(col(WorkerHost.doubted_from).is_not(None))
    return session.exec(query.limit(1)).first() is not None


def is_audited(session: Session, tournament_id: int) -> bool:
    """Return whether all audits of a tournament's matches are over, and no host's results are waiting to be removed."""
    if has_doubted_results(session):
        return False
    return session.exec(open_audits(Match.tournament_id == tournament_id).limit(1)).first() is None


def inconsistent_versions(session: Session, versions: Iterable[int]) -> set[int]:
    """Return the ids of the versions among these that decided differently when their matches were replayed."""
    query = select(Entry.version_id).join(
        match_rows.AuditDifference, col(match_rows.AuditDifference.entry_id) == Entry.id
    )
    query = query.join(Audit, col(Audit.id) == match_rows.AuditDifference.audit_id)
    # A difference between plays of a stopped host proves nothing about a bot.
    is_trusted = hosts_are_trusted(col(Audit.host_id), col(Audit.second_host_id), col(Audit.third_host_id))
    has_verdict = col(match_rows.AuditDifference.verdict).not_in([Verdict.OPEN.value, Verdict.UNCLEAR.value])
    return set(session.exec(query.where(col(Entry.version_id).in_(list(versions)), has_verdict, is_trusted)).all())


# A tournament's final table: its announced terms, its match and its size.


class Size(NamedTuple):
    """A match's numbers of seats and blocks, and the limits of its bots."""

    seats: int
    blocks: int
    limits: dict[str, Any]


# SQL columns with a match's numbers of seats and blocks, for queries that join matches with their tournaments.
SIZE: Final = tuple(
    case((col(Match.is_final), col(getattr(Tournament, f"final_{name}"))), else_=col(getattr(Tournament, name))).label(
        name
    )
    for name in ("seats", "blocks")
)


def final_terms_of(tournament: Tournament) -> FinalTerms | None:
    """Return the announced terms of a tournament's final table, or None."""
    seats, blocks = tournament.final_seats, tournament.final_blocks
    return None if seats is None or blocks is None else FinalTerms(seats, blocks)


def final_match(session: Session, tournament: Tournament) -> Match | None:
    """Return the match of a tournament's final table, or None if it is not scheduled."""
    if tournament.final_seats is None:
        return None
    is_final = (Match.tournament_id == tournament.id, col(Match.is_final).is_(True))
    return session.exec(select(Match).where(*is_final)).first()


def size_of(tournament: Tournament, match: Match) -> Size:
    """Return the size of a match, which is its tournament's unless the match is a final table."""
    final = final_terms_of(tournament) if match.is_final else None
    if final is None:
        return Size(tournament.seats, tournament.blocks, tournament.limits)
    return Size(final.seats, final.blocks, final.limits(tournament.limits))


def waits_for_organizer(session: Session, final: Match) -> bool:
    """Return whether a final table is void through a platform fault, so that the organizer must replay or void it."""
    if not final.is_final or final.state != MatchState.VOID.value or final.attempt < match_rows.ATTEMPTS:
        return False
    query = select(Entry.id).join(MatchSeat, col(MatchSeat.entry_id) == Entry.id)
    query = query.where(MatchSeat.match_id == final.id, col(Entry.active).is_(False))
    return session.exec(query.limit(1)).first() is None
