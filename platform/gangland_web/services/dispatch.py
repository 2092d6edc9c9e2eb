"""Dispatch: select and lease the next jobs, commit the leases, and then send the jobs to the workers."""

import logging
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, partial
from typing import Final, Protocol

from sqlalchemy import bindparam
from sqlmodel import Session, col, func, select
from sqlmodel.sql.expression import SelectOfScalar

from gangland_ladder.tournaments.lifecycle import State, may_play
from gangland_web.broker import names
from gangland_web.broker.gate import Message
from gangland_web.models.bots import Bot, Version
from gangland_web.models.columns import row_id
from gangland_web.models.database import Database
from gangland_web.models.jobs import DraftRun, Job, JobState
from gangland_web.models.matches import RATED, Match, MatchSeat, MatchState, Purpose, WorkerHost
from gangland_web.models.site import maintenance
from gangland_web.models.tournaments import Entry, Tournament
from gangland_web.process import log_ids, log_match
from gangland_web.services import analyses, clips, ladder_queue, play, results, worker_hosts
from gangland_web.services.drafts import DRAFT, DRAFT_CHECK, setup_of
from gangland_web.services.jobs import KINDS, Run, add_job, lease, waiting_jobs

__all__ = ["analyses", "clips"]

log = logging.getLogger("gangland_web.dispatch")


class JobBroker(Protocol):
    """The operations of the broker that dispatch and the sweep use."""

    def slots(self) -> Mapping[str, int]:
        """Return the number of matches that each host can currently play at a time, by host name."""

    def checkers(self) -> Mapping[str, int]:
        """Return the number of workers that run only checks, by host name."""

    def table_workers(self) -> Mapping[str, int]:
        """Return the number of workers that run bots at tables, by host name."""

    def waiting(self, queues: Iterable[str]) -> Mapping[str, int]:
        """Return the number of pending messages in each queue."""

    def put_code(self, sha256: str, source: bytes, ttl_s: float) -> None:
        """Store a bot's source for the workers."""

    def send(self, queue: str, message: Message) -> None:
        """Send a message about a job into a queue."""

    def withdraw(self, queues: Iterable[str]) -> None:
        """Remove pending messages from these queues."""


CODE_TTL_S: Final = 3600.0  # how long the broker stores a source after the end of the last lease that needs it


def dispatch(database: Database, broker: JobBroker, *, analysis_workers: int = 0) -> int:
    """Send as many jobs as the workers can begin soon, and return the number sent; the sweep resends lost jobs."""
    announced, checkers, table_workers = broker.slots(), broker.checkers(), broker.table_workers()
    queued = broker.waiting([names.QUEUE_ANALYSIS])[names.QUEUE_ANALYSIS] if analysis_workers else 0
    if not (analysis_workers or any((*announced.values(), *checkers.values(), *table_workers.values()))):
        return 0
    with database.write() as session:
        if maintenance(session) is not None:
            return 0
        hosts = worker_hosts.playing_hosts(session)
        leased_counts = {(host, kind): count for host, kind, count in session.connection().execute(_LEASED_COUNTS)}
        pool = HostPool(hosts, announced, leased_counts, checkers)
        runs = _send_tables(session, [host for host in hosts if table_workers.get(host.name)])
        if pool.slots or pool.checkers:
            runs += _send_drafts(session, pool, hosts)
            runs += _send_matches(session, pool)
        if analysis_workers:
            runs += _send_to_analysis(session, analysis_workers, queued)
        sources = _sources_of(session, runs)
    for digest, (source, lease_s) in sources.items():
        broker.put_code(digest, source, lease_s + CODE_TTL_S)
    for run in runs:
        broker.send(run.queue, run.message)
        queue, _, host = run.queue.partition(":")
        with log_match(run.payload) if run.message.kind in set(Purpose) else log_ids(), log_ids(queue=queue, host=host):
            log.debug("sent %s job %d", run.message.kind, run.message.job)
    return len(runs)


def is_user_waiting(database: Database) -> bool:
    """Return whether a user is waiting for a job, such as a check, a draft run or a hint."""
    jobs = waiting_jobs(*(kind for kind in KINDS.values() if kind.name not in set(Purpose)))
    with database.read() as session:
        return any(
            session.exec(query.limit(1)).first() is not None
            for query in (jobs.where(Job.priority < analyses.SAMPLE_PRIORITY), waiting_matches(Purpose.CHECK))
        )


def _sources_of(session: Session, runs: Sequence[Run]) -> dict[str, tuple[bytes, float]]:
    sources: dict[str, tuple[bytes, float]] = {}  # by SHA-256, with the longest lease in seconds
    for run in runs:
        codes = KINDS[run.message.kind].codes
        for digest, source in (codes(session, run.payload) if codes is not None else {}).items():
            sources[digest] = source, max(run.lease_s, sources.get(digest, (b"", 0.0))[1])
    return sources


class HostPool:
    """The hosts that can play now, with their loads, so that the next match goes to the least loaded host."""

    def __init__(
        self,
        hosts: Sequence[WorkerHost],
        announced: Mapping[str, int],
        leased_counts: Mapping[tuple[int | None, str], int],
        checkers: Mapping[str, int],
    ) -> None:
        """Count the jobs that are already leased.

        Args:
            announced: the number of matches that each host can play at a time, by host name.
            leased_counts: the number of leased jobs, by host and kind (for a match, its purpose).
            checkers: the number of workers that run only checks, by host name.
        """
        self._slots = {host.id: min(announced.get(host.name, 0), host.slot_limit) for host in hosts}
        self._checkers = {host.id: min(checkers.get(host.name, 0), host.slot_limit) for host in hosts}
        self._hosts = hosts
        self._leased_counts = Counter(leased_counts)
        self.slots = sum(self._slots.values())
        self.checkers = sum(self._checkers.values())
        self.leased: Counter[str] = Counter()
        for (_, purpose), count in leased_counts.items():
            self.leased[purpose] += count

    def host_for(self, match: Match, ranks: Mapping[int, int]) -> WorkerHost:
        """Return the host with the least load per slot, avoiding the match's previous host if possible.

        `ranks`: ranks, by id, of the hosts that are used only if no other host is left (`results.host_ranks`).
        """

        def sort_key(host: WorkerHost) -> tuple[float, ...]:
            host_id = row_id(host.id)
            return ranks.get(host_id, 0), host_id == match.host_id, *self._load(host, match.purpose), host_id

        is_check = match.purpose == Purpose.CHECK.value
        candidates = [host for host in self._hosts if self._slots[host.id] or (is_check and self._checkers[host.id])]
        host = min(candidates, key=sort_key)
        self.count_job(host, match.purpose)
        return host

    def count_job(self, host: WorkerHost, kind: str) -> None:
        """Count a job that is assigned to a host."""
        self._leased_counts[host.id, kind] += 1
        self.leased[kind] += 1

    def slots_of(self, host: WorkerHost) -> int:
        """Return the number of matches that a host can play at a time."""
        return self._slots[host.id]

    def drafts_of(self, host: WorkerHost) -> int:
        """Return the number of draft runs that a host has."""
        return self._leased_counts[host.id, DRAFT.name] + self._leased_counts[host.id, DRAFT_CHECK.name]

    def _load(self, host: WorkerHost, purpose: str) -> tuple[float, float]:
        """Return a host's load as a sort key, by default in matches per slot.

        For a trial, trials per slot are compared before all matches per slot, because trials are played first.  For a
        check, the first number is 1 if all checkers are busy, so that the check would have to wait for a match to end.
        The second number is checks per slot and checker.
        """
        slots, checkers = self._slots[host.id], self._checkers[host.id]
        if purpose == Purpose.CHECK.value:
            checks = self._leased_counts[host.id, purpose]
            return float(checks >= checkers), checks / (slots + checkers)
        trials = self._leased_counts[host.id, Purpose.TRIAL.value] if purpose == Purpose.TRIAL.value else 0
        matches = sum(self._leased_counts[host.id, each.value] for each in Purpose) + self.drafts_of(host)
        return trials / slots, matches / slots


_LEASED_COUNTS: Final = (
    select(Job.host_id, Job.kind, func.count())
    .where(Job.state == JobState.LEASED.value)
    .group_by(col(Job.host_id), col(Job.kind))
)


def _send_matches(session: Session, pool: HostPool) -> list[Run]:
    slots, leased, scheduled = pool.slots, Counter(pool.leased), session.connection().execute(_SCHEDULED).one()
    due = frozenset([purpose.value for purpose, is_due in zip(Purpose, scheduled, strict=True) if is_due])
    leased[Purpose.LADDER.value] += leased[DRAFT.name] + leased[DRAFT_CHECK.name]  # draft runs share the ladders' limit
    matches: list[Match] = []
    if Purpose.CHECK in due:
        matches += _next_uploads(session, Purpose.CHECK, pool.checkers + quarter_limit(slots) - leased[Purpose.CHECK])
    if slots and Purpose.TRIAL in due:
        matches += _next_uploads(session, Purpose.TRIAL, quarter_limit(slots) - leased[Purpose.TRIAL])
    if slots:
        matches += _next_matches(session, slots, leased, due)
    runs = []
    for match in matches:
        kind = results.match_kind(match)
        job, host = add_job(session, kind, row_id(match.id)), pool.host_for(match, results.host_ranks(session, match))
        if job is not None and (run := lease(session, job, names.queue_of(kind.queue, host.name), host)) is not None:
            runs.append(run)
    return runs


# The next matches. Each purpose has a share of the slots.

MATCHES_PER_SLOT = 3  # being played or waiting on the broker, not counting checks and trials


def quarter_limit(slots: int) -> int:
    """Return the limit of matches in progress for a limited purpose: a quarter of the slots, but at least one.

    The limit applies to trials and challenges, to checks beyond the number of checkers, to audits while rated matches
    are waiting, and to ladders while tournaments are being played.  Since three matches are sent for each slot, the
    limit is a third of the matches with one slot, and about a twelfth with many slots.
    """
    return max(1, slots // 4)


_SCHEDULED: Final = select(
    *[
        select(Match.id)
        .where(Match.state == MatchState.SCHEDULED.value, Match.purpose == purpose.value)
        .exists()
        .label(purpose.value)
        for purpose in Purpose
    ]
)


def _next_uploads(session: Session, purpose: Purpose, limit: int) -> list[Match]:
    """Return the oldest checks or trials, at most `limit` of them and one for each owner."""
    waiting = _uploads(session, purpose, MatchState.SCHEDULED) if limit > 0 else []
    if not waiting:
        return []
    busy_owners = {owner for _, owner in _uploads(session, purpose, MatchState.LEASED)}
    matches: list[Match] = []
    for match, owner in waiting:
        if owner not in busy_owners and len(matches) < limit:
            busy_owners.add(owner)
            matches.append(match)
    return matches


def _uploads(session: Session, purpose: Purpose, state: MatchState) -> Sequence[tuple[Match, str | int]]:
    """Return checks or trials with their versions' owners; a team and its members count as one owner."""
    rows = session.exec(_UPLOADS, params={"state": state.value, "purpose": purpose.value}).all()
    return [(match, owner if owner is not None else row_id(bot)) for match, owner, bot in rows]


_UPLOADS: Final = (
    select(Match, Bot.owner_group, Bot.id)
    .join(Version, col(Version.id) == Match.trial_version_id)
    .join(Bot, col(Bot.id) == Version.bot_id)
    .where(Match.state == bindparam("state"), Match.purpose == bindparam("purpose"))
    .order_by(col(Match.id))
)


def _next_matches(session: Session, slots: int, leased: Mapping[str, int], due: frozenset[str]) -> list[Match]:
    """Return the matches to send now, other than checks and trials.

    Challenges, audits and ladders get their shares first.  The remaining slots go to tournaments, then to the ladders
    in turn, and to audits if nothing else is waiting.
    """
    free = slots * MATCHES_PER_SLOT - sum(
        leased.get(purpose, 0) for purpose in (Purpose.CHALLENGE, Purpose.AUDIT, *RATED)
    )
    matches = _next_challenges(session, min(free, quarter_limit(slots))) if Purpose.CHALLENGE in due else []
    audits = min(free - len(matches), quarter_limit(slots) - leased.get(Purpose.AUDIT, 0))
    if audits > 0 and Purpose.AUDIT in due:
        matches += session.exec(waiting_matches(Purpose.AUDIT).limit(audits)).all()
    free = max(0, free - len(matches))
    query = waiting_matches(Purpose.TOURNAMENT).limit(free)
    rated = session.exec(query).all() if free and Purpose.TOURNAMENT in due else []
    share = max(0, min(free, quarter_limit(slots) - leased.get(Purpose.LADDER, 0)))
    ladders = []
    if Purpose.LADDER in due:
        ladders = ladder_queue.next_matches(session, free=max(share, free - len(rated)), slots=slots)
    matches += [*rated[: free - len(ladders)], *ladders]
    if free > len(rated) + len(ladders) and Purpose.AUDIT in due:
        known_ids = {match.id for match in matches}
        audits = free - len(rated) - len(ladders)
        candidates = session.exec(waiting_matches(Purpose.AUDIT).limit(audits + len(known_ids))).all()
        matches += [match for match in candidates if match.id not in known_ids][:audits]
    return matches


def _next_challenges(session: Session, limit: int) -> list[Match]:
    challengers = session.exec(_CHALLENGERS).all()
    if len(challengers) >= limit:
        return []
    ids = session.exec(_CHALLENGES.limit(limit - len(challengers)), params={"busy": challengers}).all()
    return [session.get_one(Match, match_id) for match_id in ids]


_CHALLENGERS: Final = select(Match.challenger_id).where(
    Match.state == MatchState.LEASED.value, Match.purpose == Purpose.CHALLENGE.value
)
_CHALLENGES: Final = (
    select(func.min(Match.id))
    .where(
        Match.state == MatchState.SCHEDULED.value,
        Match.purpose == Purpose.CHALLENGE.value,
        col(Match.challenger_id).not_in(bindparam("busy", expanding=True)),
    )
    .group_by(col(Match.challenger_id))
    .order_by(func.min(Match.id))
)
_PLAYING = tuple(state.value for state in State if may_play(state))


@cache
def waiting_matches(purpose: Purpose) -> SelectOfScalar[Match]:
    """Return the query for a purpose's matches that may be sent now, oldest first."""
    query = select(Match).where(Match.state == MatchState.SCHEDULED.value, Match.purpose == purpose.value)
    if purpose is Purpose.TOURNAMENT:
        quarantined = select(MatchSeat.match_id).join(Entry, col(Entry.id) == MatchSeat.entry_id)
        quarantined = quarantined.where(MatchSeat.match_id == Match.id, col(Entry.quarantined).is_(True))
        playing = select(Tournament.id).where(Tournament.kind == "tournament", col(Tournament.state).in_(_PLAYING))
        query = query.where(col(Match.tournament_id).in_(playing), ~quarantined.exists())
    return query.order_by(col(Match.id))


# Draft runs are sent before ladder matches and after tournament matches.


def _send_drafts(session: Session, pool: HostPool, hosts: Sequence[WorkerHost]) -> list[Run]:
    """Lease the draft runs that may be sent now, one per user at a time.

    While a tournament match is waiting, draft runs and ladder matches share a quarter of the slots, and a run is queued
    behind the matches already sent.  While a ladder match or a trial is waiting, runs get at most half of the slots;
    with a single slot, runs and matches alternate, and a run is queued behind the matches already sent.  Checks can
    also use the checkers.  Runs from one IP address get at most half of the slots for runs.
    """
    if session.exec(waiting_jobs(DRAFT, DRAFT_CHECK).limit(1)).first() is None:
        return []
    candidates = [host for host in hosts if pool.slots_of(host)]
    if not candidates:
        return []
    has_tournament = _is_match_waiting(session, Purpose.TOURNAMENT)
    has_others = _is_match_waiting(session, Purpose.LADDER, Purpose.TRIAL)
    limit = max(1, pool.slots // 2) if has_tournament or has_others else pool.slots
    if has_tournament:
        limit = min(limit, quarter_limit(pool.slots) - pool.leased[Purpose.LADDER])
    runs = []
    for job in _next_drafts(session, limit, pool.checkers):
        is_check = job.kind == DRAFT_CHECK.name
        host = min(candidates, key=partial(_draft_sort_key, pool, job))
        queue_behind_matches = has_tournament or (has_others and pool.slots == 1 and not (is_check and pool.checkers))
        queue = names.QUEUE_DRAFT_CHECKS if is_check else names.QUEUE_TRIALS
        if (
            run := lease(
                session, job, names.queue_of(names.QUEUE_MATCHES if queue_behind_matches else queue, host.name), host
            )
        ) is not None:
            pool.count_job(host, job.kind)
            runs.append(run)
    return runs


def _draft_sort_key(pool: HostPool, job: Job, host: WorkerHost) -> tuple[float, ...]:
    return host.id == job.host_id, pool.drafts_of(host) / pool.slots_of(host), row_id(host.id)


def _next_drafts(session: Session, limit: int, checkers: int) -> list[Job]:
    """Return the oldest runs, one per user at a time; each IP address gets at most half of the places.

    Checks and matches are counted separately, so that a check, which takes only seconds, does not wait for a match.
    """
    kinds = (DRAFT_CHECK.name, DRAFT.name)
    query = select(Job, DraftRun).join(DraftRun, col(DraftRun.id) == Job.subject).where(col(Job.kind).in_(kinds))
    leased_runs = session.exec(query.where(Job.state == JobState.LEASED.value)).all()
    user_ids = {run.user_id for _, run in leased_runs}
    leased = Counter(job.kind == DRAFT_CHECK.name for job, _ in leased_runs)
    addresses = Counter((job.kind, setup_of(run).address) for job, run in leased_runs)
    jobs = []
    for job, run in session.exec(query.where(Job.state == JobState.WAITING.value).order_by(col(Job.id))).all():
        is_check, address_key = job.kind == DRAFT_CHECK.name, (job.kind, setup_of(run).address)
        if is_check:
            half, full = (limit + checkers) // 2, leased[True] >= checkers + max(0, limit - leased[False])
        else:
            half, full = limit // 2, leased[False] + max(0, leased[True] - checkers) >= limit
        if run.user_id in user_ids or full or (address_key[1] and addresses[address_key] >= max(1, half)):
            continue
        user_ids.add(run.user_id)
        addresses[address_key] += 1
        leased[is_check] += 1
        jobs.append(job)
    return jobs


def _is_match_waiting(session: Session, *purposes: Purpose) -> bool:
    names = [purpose.value for purpose in purposes]
    not_started = (Job.state == JobState.LEASED.value, col(Job.begun_at).is_(None), col(Job.kind).in_(names))
    waiting = (session.exec(waiting_matches(purpose).limit(1)).first() for purpose in purposes)
    return any(waiting) or session.exec(select(Job.id).where(*not_started).limit(1)).first() is not None


# Tables where people play. All waiting tables are sent. A table returns to its previous host, where its bots may still
# be running, unless an attempt there has failed.


def _send_tables(session: Session, hosts: Sequence[WorkerHost]) -> list[Run]:
    runs = []
    for job in session.exec(waiting_jobs(play.TABLE)).all() if hosts else ():
        previous_hosts = [host for host in hosts if host.id == job.host_id]
        other_hosts = [host for host in hosts if host.id != job.host_id]
        candidates = previous_hosts if previous_hosts and not job.attempt else other_hosts or previous_hosts
        host = candidates[job.subject % len(candidates)]
        if (run := lease(session, job, names.queue_of(names.QUEUE_TABLES, host.name), host)) is not None:
            runs.append(run)
    return runs


# Jobs for the analysis workers.


def _send_to_analysis(session: Session, workers: int, queued: int) -> list[Run]:
    """Lease all short jobs, and as many analyses of games as the workers can begin soon.

    Jobs that a user is waiting for are also sent while workers are busy with samples; a worker then returns its sample.
    """
    short_kinds = [kind for kind in KINDS.values() if kind.queue == names.QUEUE_SOON]
    runs = [
        run
        for job in session.exec(waiting_jobs(*short_kinds)).all()
        if (run := lease(session, job, names.QUEUE_SOON)) is not None
    ]
    kinds = [kind for kind in KINDS.values() if kind.queue == names.QUEUE_ANALYSIS]
    is_leased = (Job.state == JobState.LEASED.value, col(Job.kind).in_([kind.name for kind in kinds]))
    leased = Counter(session.exec(select(Job.priority).where(*is_leased)).all())
    opened = sum(count for priority, count in leased.items() if priority < analyses.SAMPLE_PRIORITY)
    total = leased.total()
    free = workers - queued
    for job in session.exec(waiting_jobs(*kinds).limit(max(0, free))).all():
        if free <= 0 or (total if job.priority >= analyses.SAMPLE_PRIORITY else opened) >= workers:
            continue
        if (run := lease(session, job, names.QUEUE_ANALYSIS)) is not None:
            free, total, opened = free - 1, total + 1, opened + 1
            runs.append(run)
    return runs
