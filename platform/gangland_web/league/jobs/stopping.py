"""Stopping a host whose results do not hold, and taking back what it played since its audits were last good."""

import logging
from collections.abc import Sequence
from itertools import groupby
from typing import Any, Final

from sqlmodel import Session, col, select

from gangland_ladder.tournaments.lifecycle import State
from gangland_web.base.clock import now_s
from gangland_web.league.audits.drawing import draw_more
from gangland_web.league.audits.tallies import Tally, tallies, trusted_since
from gangland_web.league.hosts import stop_host
from gangland_web.league.jobs.following import after_void
from gangland_web.league.jobs.sweep import take_back
from gangland_web.league.open_audits import without_stopped
from gangland_web.league.organising import results
from gangland_web.league.tournaments.contenders import forget_rounds
from gangland_web.models.columns import stored
from gangland_web.models.locks import hold_tournaments, hold_versions
from gangland_web.models.log import HOUSE, note_act
from gangland_web.models.matches import (
    GOOD_RUN,
    RATED,
    Audit,
    AuditDifference,
    AuditState,
    Match,
    MatchState,
    WorkerHost,
)
from gangland_web.models.tournaments import Tournament

log = logging.getLogger("gangland_web.audits")

AT_ONCE: Final = 500
"""Results that are taken back in one transaction; the next follow with the next beat."""
TAKEN_BACK: Final = "the host that played it was stopped by audits, and its secret is public or its results were final"


def judge_hosts(session: Session) -> list[WorkerHost]:
    """Stop the host that audits prove to forge, suspect others that they speak against; return the former."""
    found = tallies(session)
    going = select(WorkerHost).where(col(WorkerHost.stopped_at).is_(None), col(WorkerHost.revoked_at).is_(None))
    hosts = session.exec(going.order_by(col(WorkerHost.id))).all()
    worst = max(hosts, key=lambda host: found[stored(host.id)].evidence, default=None)
    stopped = []
    for host in hosts:
        tally = found[stored(host.id)]
        if host is worst and tally.is_forging:  # one at a time: its own plays may be what spoke against others
            stop(session, host, tally)
            stopped.append(host)
        elif tally.is_suspect and host.suspected_at is None:
            host.suspected_at = now_s()
            session.add(host)
            draw_more(session, host)
        elif not tally.is_suspect and host.suspected_at is not None:
            host.suspected_at = None
            session.add(host)
    session.flush()
    return stopped


def stop(session: Session, host: WorkerHost, tally: Tally) -> None:
    """Stop a host: it is given nothing more, none of its results counts, and those since its last good audit go."""
    count = f"bots of {len(tally.against)} of {len(tally.owners)} owners"
    host.doubted_from, host.suspected_at = doubted_from(session, host), None
    stop_host(session, host, f"audits: {count} decided differently in its plays than in two others that agree")
    session.flush()
    leased = select(Match).where(Match.state == MatchState.LEASED.value, Match.host_id == host.id)
    ended = [match for match in session.exec(leased.order_by(col(Match.id))).all() if take_back(session, match)]
    after_void(session, ended)
    note_act(session, HOUSE, "stopped a worker host", subject=host.name, reason=host.stopped_for)
    log.error("worker host %s is stopped; %s", host.name, host.stopped_for)


def doubted_from(session: Session, host: WorkerHost) -> float:
    """Return since when a host's results are not to be trusted.

    `GOOD_RUN` audits that agreed vouch for what came before them; without so many, nothing does.
    """
    since = trusted_since(host)
    bad = select(Match.done_at).join(Audit, col(Audit.match_id) == Match.id)
    bad = bad.join(AuditDifference, col(AuditDifference.audit_id) == Audit.id)
    bad = bad.where(AuditDifference.blamed_id == host.id, Audit.created_at > since)
    first = session.exec(bad.order_by(col(Match.done_at)).limit(1)).one()
    good = select(Match.done_at).join(Audit, col(Audit.match_id) == Match.id)
    good = good.where(Audit.host_id == host.id, Audit.state == AuditState.AGREED.value, Audit.games_compared > 0)
    good = good.where(col(Audit.second_host_id) != host.id, without_stopped(col(Audit.second_host_id)))
    good = good.where(col(Match.done_at).between(since, first), Audit.digest == Match.digest)
    run = session.exec(good.order_by(col(Match.done_at).desc()).offset(GOOD_RUN - 1).limit(1)).first()
    return since if run is None else run


def take_back_results(session: Session) -> int:
    """Take back some of what stopped hosts played since their last good audit; return how many matches that were."""
    hold_versions(session)  # first, as whoever records a result does, so that the two cannot wait for each other
    doubted = select(WorkerHost).where(col(WorkerHost.doubted_from).is_not(None)).order_by(col(WorkerHost.id))
    return sum(_take_back(session, host) for host in session.exec(doubted).all())


def _take_back(session: Session, host: WorkerHost) -> int:
    chosen = select(Match.id, Match.tournament_id).where(*_untrusted(host))
    found = session.exec(chosen.order_by(col(Match.done_at), col(Match.id)).limit(AT_ONCE)).all()
    if not found:
        host.doubted_from = None
        session.add(host)
        session.flush()
        return 0
    hold_tournaments(session, col(Tournament.id).in_({tournament for _, tournament in found}))
    by_tournament = sorted((tournament, stored(match)) for match, tournament in found)
    for tournament_id, pairs in groupby(by_tournament, key=lambda pair: pair[0]):
        _take_back_in(session, host, tournament_id, [match for _, match in pairs])
    return len(found)


def _take_back_in(session: Session, host: WorkerHost, tournament_id: int, ids: Sequence[int]) -> None:
    tournament = results.held(session, tournament_id)
    chosen = select(Match).where(col(Match.id).in_(ids), Match.state == MatchState.DONE.value)
    matches = session.exec(chosen.order_by(col(Match.number)).execution_options(populate_existing=True)).all()
    again = results.take_back(session, tournament, matches, TAKEN_BACK)
    if tournament.kind == "ladder":
        forget_rounds(session, tournament)
    note_act(
        session,
        HOUSE,
        "took back results",
        tournament_id=tournament_id,
        subject=f"{len(matches)} matches that {host.name} played in {tournament.name}",
        played_again=again,
        void=len(matches) - again,
    )


def _untrusted(host: WorkerHost) -> tuple[Any, ...]:
    """The conditions of the results of a host that are to be taken back: but for those that another host confirmed."""
    until = host.stopped_at if host.stopped_at is not None else trusted_since(host)
    cancelled = select(Tournament.id).where(Tournament.state == State.CANCELLED.value)
    confirmed = select(Audit.id).where(
        Audit.match_id == Match.id,
        Audit.digest == Match.digest,
        Audit.state == AuditState.AGREED.value,
        Audit.games_left_out == 0,
        col(Audit.second_host_id) != host.id,
        without_stopped(col(Audit.second_host_id)),
    )
    return (
        Match.host_id == host.id,
        Match.state == MatchState.DONE.value,
        col(Match.purpose).in_([purpose.value for purpose in RATED]),
        col(Match.done_at) > host.doubted_from,
        col(Match.done_at) <= until,
        col(Match.tournament_id).not_in(cancelled),
        ~confirmed.exists(),
    )
