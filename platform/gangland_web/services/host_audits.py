"""Audits of worker hosts: tallying comparisons, and stopping a host if audits prove that it forges results."""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from statistics import median_low
from typing import Any, Final

from sqlalchemy import case, true
from sqlmodel import Session, col, func, select

from gangland_ladder.proof.auditing import BASE, Verdict, base_share, evidence, is_forging, is_suspect
from gangland_ladder.tournaments.lifecycle import State
from gangland_web.base.formats import now_s
from gangland_web.models import matches as match_rows
from gangland_web.models.bots import Bot, Version
from gangland_web.models.columns import add_row, row_id
from gangland_web.models.database import Database
from gangland_web.models.matches import Audit, AuditDifference, AuditState, Match, MatchSeat, MatchState, WorkerHost
from gangland_web.models.organizing import RECORD_WORKER, log_action
from gangland_web.models.site import maintenance
from gangland_web.models.tournaments import Entry, Tournament, lock_tournaments, lock_versions
from gangland_web.services.audits import draw_more_audits, plan_plays
from gangland_web.services.corrections import locked_tournament, remove_results
from gangland_web.services.jobs import requeue_jobs_of
from gangland_web.services.matches import hosts_are_trusted
from gangland_web.services.schedules import reset_rounds
from gangland_web.services.worker_hosts import stop_host

ENDED_STATES: Final = (AuditState.AGREED, AuditState.DIFFERED)


class Auditor:
    """Runs the audits; judges hosts only after another audit has ended."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._judged_audits: tuple[int, float | None] = (-1, None)

    def run(self) -> int:
        """Plan plays, stop hosts and remove a batch of untrusted results; return the number of plays planned."""
        with self._database.write() as session:
            if maintenance(session) is not None:
                return 0
            lock_versions(session)
            planned = plan_plays(session)
            query = select(func.count(), func.max(Audit.ended_at)).where(col(Audit.state).in_(ENDED_STATES))
            count, latest = session.exec(query).one()
            ended = count, latest
            if ended != self._judged_audits:
                _judge_hosts(session)
        self._judged_audits = ended
        with self._database.write() as session:
            lock_versions(
                session
            )  # first, as when results are recorded: the same lock order everywhere prevents deadlocks
            doubted = select(WorkerHost).where(col(WorkerHost.doubted_from).is_not(None)).order_by(col(WorkerHost.id))
            for host in session.exec(doubted).all():
                _remove_batch(session, host)
        return planned


# Tallies of the owners whose bots were compared in a host's plays, and of those whose bots differed.


@dataclass(slots=True)
class Tally:
    """A host's audits, counted by owners instead of bots; a house bot counts as its own owner."""

    owners: set[str] = field(default_factory=set)  # owners whose bots were compared in the host's plays
    # Owners with a bot that decided differently in the host's play than in the two other plays.
    differing: set[str] = field(default_factory=set)
    audits: int = 0  # number of audits of the host's results
    left_out: int = 0  # number of games in these audits that were not compared
    base: float = BASE  # the expected share of owners in `differing` for an honest host

    @property
    def evidence(self) -> float:
        """The likelihood ratio of this tally for the hypothesis that the host forges results."""
        return evidence(len(self.owners), len(self.differing), self.base)

    @property
    def is_forging(self) -> bool:
        """Whether the host should be stopped."""
        return is_forging(len(self.owners), len(self.differing), self.base)

    @property
    def is_suspect(self) -> bool:
        """Whether more of the host's results should be audited."""
        return is_suspect(len(self.owners), len(self.differing), self.base)


_EVERY_AUDIT = true()


def tallies(session: Session, condition: Any = _EVERY_AUDIT) -> dict[int, Tally]:
    """Return the tally of each host's ended audits, by host id; `condition` limits the audits."""
    hosts = {row_id(host.id): host for host in session.exec(select(WorkerHost)).all()}
    by_host = {host: Tally() for host in hosts}
    is_trusted = hosts_are_trusted(col(Audit.host_id), col(Audit.second_host_id), col(Audit.third_host_id))
    rows = session.exec(_differences(condition).where(AuditDifference.verdict == Verdict.BOT.value, is_trusted)).all()
    # Owners with a bot that decided differently through no fault of a host are left out.
    inconsistent_owners = {_owner_of(group, bot) for _, group, bot, _ in rows}
    for plays, owner, drawn_at in _compared_hosts(session, condition):
        for host in plays:
            if owner not in inconsistent_owners and drawn_at > _trusted_since(hosts[host]):
                by_host[host].owners.add(owner)
    for host, owner, drawn_at in _blamed_hosts(session, condition):
        if owner not in inconsistent_owners and drawn_at > _trusted_since(hosts[host]):
            by_host[host].owners.add(owner)
            by_host[host].differing.add(owner)
    _count_audits(session, hosts, by_host, condition)
    for host, tally in by_host.items():
        tally.base = _base(hosts, by_host, host)
    return by_host


def _trusted_since(host: WorkerHost) -> float:
    """Return the Unix time when the operator last resumed a host, or 0; earlier audits do not count."""
    return host.trusted_from or 0.0


def _owner_of(group: str | None, bot_id: int) -> str:
    return group if group is not None else f"b{bot_id}"


def _base(hosts: Mapping[int, WorkerHost], by_host: Mapping[int, Tally], host: int) -> float:
    """Return the median of the other hosts' shares, on which a second forging host has little effect."""
    others = [
        base_share(len(tally.owners), len(tally.differing))
        for other, tally in by_host.items()
        if other != host and hosts[other].stopped_at is None and tally.owners
    ]
    return median_low(others) if others else BASE


def _join_owner(statement: Any) -> Any:
    return statement.join(Version, col(Version.id) == Entry.version_id).join(Bot, col(Bot.id) == Version.bot_id)


def _compared_hosts(session: Session, condition: Any) -> list[tuple[set[int], str, float]]:
    """Return the compared plays as rows of their hosts, a compared bot's owner, and the time of the last draw."""
    plays = (Audit.host_id, Audit.second_host_id, Audit.third_host_id)
    grouped = (*plays, Bot.owner_group, Bot.id)
    query: Any = select(*grouped, func.max(Audit.created_at))  # type: ignore[call-overload]
    query = query.join(MatchSeat, col(MatchSeat.match_id) == Audit.match_id)
    query = _join_owner(query.join(Entry, col(Entry.id) == MatchSeat.entry_id)).group_by(*grouped)
    rows = session.exec(query.where(col(Audit.state).in_(ENDED_STATES), col(Audit.games_compared) > 0, condition)).all()
    return [
        ({host for host in hosts if host is not None}, _owner_of(group, bot), drawn_at)
        for *hosts, group, bot, drawn_at in rows
    ]


def _differences(condition: Any) -> Any:
    query: Any = select(AuditDifference.blamed_id, Bot.owner_group, Bot.id, Audit.created_at)
    query = query.join(Audit, col(Audit.id) == AuditDifference.audit_id)
    return _join_owner(query.join(Entry, col(Entry.id) == AuditDifference.entry_id)).where(condition)


def _blamed_hosts(session: Session, condition: Any) -> list[tuple[int, str, float]]:
    """Return the hosts blamed for differences, each with owner and time of the draw, except by stopped hosts' plays."""
    recorded, second = col(Audit.host_id), col(Audit.second_host_id)
    accuser = case((col(AuditDifference.verdict) == Verdict.RECORDED.value, second), else_=recorded)
    accusers = hosts_are_trusted(accuser, col(Audit.third_host_id))
    rows = session.exec(_differences(condition).where(col(AuditDifference.blamed_id).is_not(None), accusers)).all()
    return [(host, _owner_of(group, bot), drawn_at) for host, group, bot, drawn_at in rows]


def _count_audits(
    session: Session, hosts: Mapping[int, WorkerHost], by_host: Mapping[int, Tally], condition: Any
) -> None:
    for host_id, host in hosts.items():
        query = select(func.count(), func.sum(Audit.games_left_out)).where(Audit.host_id == host_id, condition)
        query = query.where(col(Audit.state).in_(ENDED_STATES), col(Audit.created_at) > _trusted_since(host))
        by_host[host_id].audits, left_out = session.exec(query).one()
        by_host[host_id].left_out = left_out or 0


# Stopping a host, and removing its results since its last good audits.

log = logging.getLogger("gangland_web.audits")

GOOD_RUN: Final = 30  # results from before this many good audits in a row, up to a host's first bad one, stay valid
_MAX_REMOVED: Final = 500  # number of results removed in one transaction; the next run removes more
_REASON: Final = "the host that played it was stopped by audits, and its secret is public or its results were final"


def _judge_hosts(session: Session) -> None:
    """Stop the worst host if audits prove that it forges results, and update which other hosts are suspected."""
    by_host = tallies(session)
    query = select(WorkerHost).where(col(WorkerHost.stopped_at).is_(None), col(WorkerHost.revoked_at).is_(None))
    hosts = session.exec(query.order_by(col(WorkerHost.id))).all()
    worst = max(hosts, key=lambda host: by_host[row_id(host.id)].evidence, default=None)
    for host in hosts:
        tally = by_host[row_id(host.id)]
        if host is worst and tally.is_forging:  # only one, because its plays may have counted against other hosts
            _stop(session, host, tally)
        elif tally.is_suspect and host.suspected_at is None:
            host.suspected_at = now_s()
            session.add(host)
            draw_more_audits(session, host)
        elif not tally.is_suspect and host.suspected_at is not None:
            host.suspected_at = None
            session.add(host)
    session.flush()


def _stop(session: Session, host: WorkerHost, tally: Tally) -> None:
    """Stop a host: it gets no more matches, its leases end, and results since its last good audits will be removed."""
    count = f"bots of {len(tally.differing)} of {len(tally.owners)} owners"
    host.doubted_from, host.suspected_at = _doubted_from(session, host), None
    stop_host(session, host, f"audits: {count} decided differently in its plays than in two others that agree")
    session.flush()
    requeue_jobs_of(session, host)
    log_action(session, RECORD_WORKER, "stopped a worker host", subject=host.name, reason=host.stopped_for)
    log.error("worker host %s is stopped; %s", host.name, host.stopped_for)


def _doubted_from(session: Session, host: WorkerHost) -> float:
    """Return the Unix time since when a host's results are not trusted."""
    # Results from before the last `GOOD_RUN` audits that agreed are trusted. With fewer such audits, no result is
    # trusted.
    since = _trusted_since(host)
    blamed = select(Match.done_at).join(Audit, col(Audit.match_id) == Match.id)
    blamed = blamed.join(AuditDifference, col(AuditDifference.audit_id) == Audit.id)
    blamed = blamed.where(AuditDifference.blamed_id == host.id, Audit.created_at > since)
    first = session.exec(blamed.order_by(col(Match.done_at)).limit(1)).one()
    agreed = select(Match.done_at).join(Audit, col(Audit.match_id) == Match.id)
    agreed = agreed.where(Audit.host_id == host.id, Audit.state == AuditState.AGREED.value, Audit.games_compared > 0)
    agreed = agreed.where(col(Audit.second_host_id) != host.id, hosts_are_trusted(col(Audit.second_host_id)))
    agreed = agreed.where(col(Match.done_at).between(since, first), Audit.digest == Match.digest)
    start = session.exec(agreed.order_by(col(Match.done_at).desc()).offset(GOOD_RUN - 1).limit(1)).first()
    return since if start is None else start


def _remove_batch(session: Session, host: WorkerHost) -> int:
    query = select(Match.id, Match.tournament_id).where(*_untrusted_conditions(host))
    rows = session.exec(query.order_by(col(Match.done_at), col(Match.id)).limit(_MAX_REMOVED)).all()
    if not rows:
        host.doubted_from = None
        add_row(session, host)
        return 0
    lock_tournaments(session, col(Tournament.id).in_({tournament for _, tournament in rows}))
    by_tournament = sorted((tournament, row_id(match)) for match, tournament in rows)
    for tournament_id, pairs in groupby(by_tournament, key=lambda pair: pair[0]):
        _remove_in(session, host, tournament_id, [match for _, match in pairs])
    return len(rows)


def _remove_in(session: Session, host: WorkerHost, tournament_id: int, ids: Sequence[int]) -> None:
    tournament = locked_tournament(session, tournament_id)
    query = select(Match).where(col(Match.id).in_(ids), Match.state == MatchState.DONE.value)
    matches = session.exec(query.order_by(col(Match.number)).execution_options(populate_existing=True)).all()
    replays = remove_results(session, tournament, matches, _REASON)
    if tournament.kind == "ladder":
        reset_rounds(session, tournament)
    log_action(
        session,
        RECORD_WORKER,
        "took back results",
        tournament_id=tournament_id,
        subject=f"{len(matches)} matches that {host.name} played in {tournament.name}",
        played_again=replays,
        void=len(matches) - replays,
    )


def _untrusted_conditions(host: WorkerHost) -> tuple[Any, ...]:
    """Return the conditions for a host's results to remove, which no other host has confirmed."""
    until = host.stopped_at if host.stopped_at is not None else _trusted_since(host)
    canceled = select(Tournament.id).where(Tournament.state == State.CANCELED.value)
    confirmed = select(Audit.id).where(
        Audit.match_id == Match.id,
        Audit.digest == Match.digest,
        Audit.state == AuditState.AGREED.value,
        Audit.games_left_out == 0,
        col(Audit.second_host_id) != host.id,
        hosts_are_trusted(col(Audit.second_host_id)),
    )
    return (
        Match.host_id == host.id,
        Match.state == MatchState.DONE.value,
        col(Match.purpose).in_([purpose.value for purpose in match_rows.RATED]),
        col(Match.done_at) > host.doubted_from,
        col(Match.done_at) <= until,
        col(Match.tournament_id).not_in(canceled),
        ~confirmed.exists(),
    )
