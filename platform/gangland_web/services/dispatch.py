"""Dispatch: choose the next matches, lease them to hosts, commit, and only then send them."""

from __future__ import annotations

import hmac
import logging
import secrets
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from hashlib import sha256
from typing import Any, Final, Protocol

import msgspec
from sqlalchemy import bindparam, literal, union_all
from sqlalchemy import select as select_columns
from sqlalchemy.orm.attributes import set_committed_value
from sqlmodel import Session, col, func, select, update
from sqlmodel.sql.expression import SelectOfScalar

from gangland_ladder.matches.match_orders import FaultRecord, GameRecord, Order, Seat
from gangland_ladder.matches.seeds import block_seed, rng_key
from gangland_ladder.tournaments.lifecycle import State, may_play
from gangland_sandbox.intake import stem_of
from gangland_sandbox.limits import Limits
from gangland_web.base.formats import now_s
from gangland_web.broker.names import QUEUE_CHECKS, QUEUE_MATCHES, QUEUE_TRIALS
from gangland_web.models.bots import Bot, Code, Version
from gangland_web.models.columns import stored, table_of
from gangland_web.models.database import Database
from gangland_web.models.jobs import DraftRun, RunState
from gangland_web.models.matches import RATED, Audit, Match, MatchSeat, MatchState, PlayedGame, Purpose, WorkerHost
from gangland_web.models.site import Fact, SiteFact, fact, keep_fact, maintenance
from gangland_web.models.tournaments import Entry, Tournament
from gangland_web.process import about_order
from gangland_web.services.ladder_days import secret_of
from gangland_web.services.ladder_queue import draw_order, next_of_ladders, note_order
from gangland_web.services.matches import size_of
from gangland_web.services.worker_hosts import playing_hosts

# What dispatch needs of the broker.


class CodeBroker(Protocol):
    """What storing sources for workers needs of the broker."""

    def put_code(self, sha256: str, source: bytes, lasts_s: float) -> None:
        """Store a bot's source for the workers."""


class OrderBroker(CodeBroker, Protocol):
    """What sending orders to hosts needs of the broker."""

    def slots(self) -> Mapping[str, int]:
        """Return how many matches each host can play at a time now, by its name."""

    def checkers(self) -> Mapping[str, int]:
        """Return how many workers of each host take only checks, by its name."""

    def send(self, host: str, queue: str, order: Order) -> None:
        """Send an order to a host's workers."""


class MatchBroker(OrderBroker, Protocol):
    """What dispatch and the sweep need of the broker."""

    def waiting(self, hosts: Sequence[str]) -> Mapping[str, int]:
        """Return how many orders of each host no worker has taken yet."""

    def take_back(self, hosts: Sequence[str]) -> None:
        """Remove the orders of these hosts that no worker has taken."""


# Dispatch.


log = logging.getLogger("gangland_web.dispatch")


def check_waits(database: Database) -> bool:
    """Whether the check of an upload waits to be sent."""
    with database.read() as session:
        return session.exec(waiting_of(Purpose.CHECK).limit(1)).first() is not None


@dataclass(frozen=True, slots=True)
class Dispatch:
    """An order to be sent, its host and queue, and how long its lease lasts."""

    host: str
    queue: str
    order: Order
    lasts_s: float


def dispatch(database: Database, broker: MatchBroker, sent: SentOrders | None = None) -> int:
    """Send as many matches as the workers can take soon; return how many.

    A lost message costs nothing but time: the sweep sends its row again.

    Args:
        sent: keeps the orders until their results are recorded.
    """
    announced, checkers = broker.slots(), broker.checkers()
    if not any((*announced.values(), *checkers.values())):
        return 0
    with database.write() as session:
        if maintenance(session) is not None:
            return 0
        pool = HostPool(playing_hosts(session), announced, _count_leased(session), checkers)
        if not (pool.slots or pool.checkers):
            return 0  # the hosts that announced them may not play any more
        slots, leased, due = pool.slots, pool.leased, _scheduled_purposes(session)
        matches: list[Match] = []
        if Purpose.CHECK in due:
            matches += _next_uploads(session, Purpose.CHECK, pool.checkers + quarter_of(slots) - leased[Purpose.CHECK])
        if slots and Purpose.TRIAL in due:
            matches += _next_uploads(session, Purpose.TRIAL, quarter_of(slots) - leased[Purpose.TRIAL])
        if slots:
            matches += _next_matches(session, slots, leased, due)
        if not matches:
            return 0
        signer = ensure_signer(session)
        dispatches = [each for match in matches if (each := _lease(session, match, pool, signer)) is not None]
        codes = sources_of(session, {seat.code for each in dispatches for seat in each.order.seats})
    put_codes(broker, codes, max((each.lasts_s for each in dispatches), default=0.0))
    for each in dispatches:
        if sent is not None:
            sent.keep(each.order)
        broker.send(each.host, each.queue, each.order)
        with about_order(each.order, queue=each.queue, host=each.host):
            log.debug("match %d is sent", each.order.id)
    return len(dispatches)


class HostPool:
    """The hosts that can play now, and what each is playing; the next match goes where least is under way."""

    def __init__(
        self,
        hosts: Sequence[WorkerHost],
        announced: Mapping[str, int],
        under_way: Mapping[tuple[int | None, str], int],
        checkers: Mapping[str, int],
    ) -> None:
        """Count what is under way.

        Args:
            announced: how many matches each host can play at a time, by its name.
            under_way: how many matches are leased, by host and purpose.
            checkers: how many workers of each host take only checks, by its name.
        """
        self._slots = {host.id: min(announced.get(host.name, 0), host.slot_limit) for host in hosts}
        self._checkers = {host.id: min(checkers.get(host.name, 0), host.slot_limit) for host in hosts}
        self._all = hosts
        self._under_way = Counter(under_way)
        self.slots = sum(self._slots.values())
        self.checkers = sum(self._checkers.values())
        self.leased: Counter[str] = Counter()
        for (_, purpose), count in under_way.items():
            self.leased[purpose] += count

    def next_for(self, match: Match, later: Mapping[int, int]) -> WorkerHost:
        """Return the host for a match: not the one that had it last, and the one with the least for each slot.

        Args:
            later: the ranks of hosts whose turn comes after that of all others, by id (`_host_ranks`).
        """

        def turn(one: WorkerHost) -> tuple[float, ...]:
            number = stored(one.id)
            return later.get(number, 0), number == match.host_id, *self._load(one, match.purpose), number

        checks = match.purpose == Purpose.CHECK.value
        able = [one for one in self._all if self._slots[one.id] or (checks and self._checkers[one.id])]
        host = min(able, key=turn)
        self._under_way[host.id, match.purpose] += 1
        return host

    def _load(self, host: WorkerHost, purpose: str) -> tuple[float, float]:
        """Matches of a host for each slot: trials, for a trial, since these are played first; then all.

        For a check: whether the checkers are all busy, so that it would wait for the end of a match; then checks.
        """
        slots, checkers = self._slots[host.id], self._checkers[host.id]
        if purpose == Purpose.CHECK.value:
            checks = self._under_way[host.id, purpose]
            return float(checks >= checkers), checks / (slots + checkers)
        trials = self._under_way[host.id, Purpose.TRIAL.value] if purpose == Purpose.TRIAL.value else 0
        return trials / slots, sum(self._under_way[host.id, each.value] for each in Purpose) / slots


def _count_leased(session: Session) -> dict[tuple[int | None, str], int]:
    """Return how many matches of each host and purpose are under way or wait on the broker.

    Runs of drafts count as matches of ladders, whose share they have.
    """
    counts: Counter[tuple[int | None, str]] = Counter()
    for host, purpose, count in session.connection().execute(_LEASED_COUNTS):
        counts[host, purpose] += count
    return counts


_LEASED_COUNTS: Final[Any] = union_all(
    select(Match.host_id, Match.purpose, func.count())
    .where(Match.state == MatchState.LEASED.value)
    .group_by(col(Match.host_id), col(Match.purpose)),
    select(DraftRun.host_id, literal(Purpose.LADDER.value), func.count())
    .where(DraftRun.state == RunState.LEASED.value)
    .group_by(col(DraftRun.host_id)),
)


# The next matches: each purpose has its share of the slots.


MATCHES_A_SLOT = 3
"""How many matches, not counting trials, are under way or wait on the broker for each slot."""


def quarter_of(slots: int) -> int:
    """Return how many matches of one minor purpose may be under way: a quarter of the slots, but at least one.

    It limits trials and challenges, checks beyond the checkers, audits while rated matches wait, and ladders while
    tournaments are played.  Three matches are under way for each slot, so this is a twelfth of the work where there
    are four slots or more, and a third where there is one.
    """
    return max(1, slots // 4)


def _scheduled_purposes(session: Session) -> frozenset[str]:
    """Return the purposes with a scheduled match; those of the others need no query."""
    row = session.connection().execute(_SCHEDULED).one()
    return frozenset([purpose.value for purpose, is_due in zip(Purpose, row, strict=True) if is_due])


_SCHEDULED: Final = select(
    *[
        select(Match.id)
        .where(Match.state == MatchState.SCHEDULED.value, Match.purpose == purpose.value)
        .exists()
        .label(purpose.value)
        for purpose in Purpose
    ]
)


def _next_uploads(session: Session, purpose: Purpose, free: int) -> list[Match]:
    """Return the oldest checks or trials, one for each owner, `free` at most."""
    waiting = _uploads(session, purpose, MatchState.SCHEDULED) if free > 0 else []
    if not waiting:
        return []
    busy = {owner for _, owner in _uploads(session, purpose, MatchState.LEASED)}
    matches: list[Match] = []
    for match, owner in waiting:
        if owner not in busy and len(matches) < free:
            busy.add(owner)
            matches.append(match)
    return matches


def _uploads(session: Session, purpose: Purpose, state: MatchState) -> Sequence[tuple[Match, str | int]]:
    """Return checks or trials with the owner of the version; a team and its members count as one."""
    rows = session.exec(_UPLOADS, params={"its_state": state.value, "its_purpose": purpose.value}).all()
    return [(match, owner if owner is not None else stored(bot)) for match, owner, bot in rows]


_UPLOADS: Final = (
    select(Match, Bot.owner_group, Bot.id)
    .join(Version, col(Version.id) == Match.trial_version_id)
    .join(Bot, col(Bot.id) == Version.bot_id)
    .where(Match.state == bindparam("its_state"), Match.purpose == bindparam("its_purpose"))
    .order_by(col(Match.id))
)


def _next_matches(session: Session, slots: int, leased: Mapping[str, int], due: frozenset[str]) -> list[Match]:
    """Return the matches to send, except checks and trials.

    Challenges, audits and ladders have their shares; then tournaments, ladders by turns, and audits if nothing waits.

    Args:
        due: the purposes with a scheduled match.
    """
    free = slots * MATCHES_A_SLOT - sum(
        leased.get(purpose, 0) for purpose in (Purpose.CHALLENGE, Purpose.AUDIT, *RATED)
    )
    matches = _next_challenges(session, min(free, quarter_of(slots))) if Purpose.CHALLENGE in due else []
    audits = min(free - len(matches), quarter_of(slots) - leased.get(Purpose.AUDIT, 0))
    if audits > 0 and Purpose.AUDIT in due:
        matches += session.exec(waiting_of(Purpose.AUDIT).limit(audits)).all()
    free = max(0, free - len(matches))
    wanted = (
        session.exec(waiting_of(Purpose.TOURNAMENT).limit(free)).all() if free and Purpose.TOURNAMENT in due else []
    )
    share = max(0, min(free, quarter_of(slots) - leased.get(Purpose.LADDER, 0)))
    ladders = []
    if Purpose.LADDER in due:
        ladders = next_of_ladders(session, free=max(share, free - len(wanted)), slots=slots)
    matches += [*wanted[: free - len(ladders)], *ladders]
    if free > len(wanted) + len(ladders) and Purpose.AUDIT in due:
        known = {match.id for match in matches}
        audits = free - len(wanted) - len(ladders)
        more = session.exec(waiting_of(Purpose.AUDIT).limit(audits + len(known))).all()
        matches += [match for match in more if match.id not in known][:audits]
    return matches


def _next_challenges(session: Session, at_once: int) -> list[Match]:
    """Return the oldest challenges, one for each person, while fewer than `at_once` are under way."""
    busy = session.exec(_CHALLENGERS).all()
    if len(busy) >= at_once:
        return []
    ids = session.exec(_CHALLENGES.limit(at_once - len(busy)), params={"busy": busy}).all()
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
def waiting_of(purpose: Purpose) -> SelectOfScalar[Match]:
    """Return the query for the matches of a purpose that may be sent now, the oldest first."""
    query = select(Match).where(Match.state == MatchState.SCHEDULED.value, Match.purpose == purpose.value)
    if purpose is Purpose.TOURNAMENT:
        held = select(MatchSeat.match_id).join(Entry, col(Entry.id) == MatchSeat.entry_id)
        held = held.where(MatchSeat.match_id == Match.id, col(Entry.quarantined).is_(True))
        playing = select(Tournament.id).where(Tournament.kind == "tournament", col(Tournament.state).in_(_PLAYING))
        query = query.where(col(Match.tournament_id).in_(playing), ~held.exists())
    return query.order_by(col(Match.id))


# Leases.


LEASE_MARGIN_S = 120.0
_QUEUES = {Purpose.CHECK.value: QUEUE_CHECKS, Purpose.TRIAL.value: QUEUE_TRIALS}


def _lease(session: Session, match: Match, pool: HostPool, signer: LeaseSigner) -> Dispatch | None:
    """Lease one match to a host by a conditional update; None if another process was faster."""
    host = pool.next_for(match, _host_ranks(session, match))
    played, tournament = played_in(session, match)
    size = size_of(tournament, played)
    now, lasts_s = now_s(), Limits.from_dict(size.limits).match_lasts_s(size.seats) + LEASE_MARGIN_S
    order = draw_order(session, match)
    lease = {
        "state": MatchState.LEASED.value,
        "rating_order": order,
        "lease_token": signer.token(stored(match.id), stored(host.id)),
        "host_id": host.id,
        "leased_at": now,
        "lease_until": now + lasts_s,
    }
    # The condition on the state is the lock: of two dispatchers one updates a row, and only that one sends.  The row is
    # committed before the order goes out, so a message that is lost is sent again and none is sent without a lease.
    session.flush()
    leased = session.connection().execute(_LEASE, {"its_id": match.id, **lease})
    if leased.rowcount != 1:
        return None
    for name, value in lease.items():
        set_committed_value(match, name, value)
    note_order(session, match, order)
    queue = _QUEUES.get(match.purpose, QUEUE_MATCHES)
    return Dispatch(host.name, queue, build_order(session, match, tournament), lasts_s)


_LEASE: Final = (
    update(table_of(Match))
    .where(col(Match.id) == bindparam("its_id"), col(Match.state) == MatchState.SCHEDULED.value)
    .values(
        {
            name: bindparam(name)
            for name in ("state", "rating_order", "lease_token", "host_id", "leased_at", "lease_until")
        }
    )
)


def _host_ranks(session: Session, play: Match) -> Mapping[int, int]:
    """Return by id the ranks of hosts that should play an audit only if no other host can.

    If there is no third host for a third play, the host with the lower id of the two that played takes it.
    """
    if play.audit_of is None:
        return {}
    query = select(Audit).where((Audit.second_id == play.id) | (Audit.third_id == play.id))
    audit = session.exec(query).first()
    if audit is None:
        return {}
    if audit.second_id == play.id:
        return {} if audit.host_id is None else {audit.host_id: 1}
    played = sorted({host for host in (audit.host_id, audit.second_host_id) if host is not None})
    return {host: later for later, host in enumerate(played, 1)}


# Orders, made only from rows: the same match always gives the same order.


NAME_CHARS = 80
KEPT_ORDERS = 1000


class SentOrders:
    """Orders that this process sent, kept until their results come.

    They only save queries: an order built from its rows again is the same.  Whether a lease still holds, the row says.
    """

    def __init__(self) -> None:
        """Begin empty."""
        self._kept: dict[tuple[int, str], Order] = {}

    def keep(self, order: Order) -> None:
        """Keep an order; the oldest goes if there are too many."""
        self._kept[order.id, order.token] = order
        if len(self._kept) > KEPT_ORDERS:
            del self._kept[next(iter(self._kept))]

    def take(self, match_id: int, token: str) -> Order | None:
        """Return the order with this token, and forget it; None if it is not here."""
        return self._kept.pop((match_id, token), None)


def build_order(session: Session, match: Match, tournament: Tournament) -> Order:
    """Return the order by which a worker plays a match; an audit's is that of the match which it audits.

    Raises:
        ValueError: the match is not leased.
    """
    if match.lease_token is None or match.lease_until is None:
        raise ValueError(f"match {match.id} is {match.state}, not leased")
    if match.audit_of is None:
        return _order(session, match, tournament, match.lease_token, match.lease_until)
    played, its_tournament = played_in(session, match)
    order = _order(session, played, its_tournament, match.lease_token, match.lease_until)
    return msgspec.structs.replace(order, id=stored(match.id), check=None)


def seat_name(filename: str) -> str:
    """Return the name of a bot's file on orders and in archives."""
    return stem_of(filename)[:NAME_CHARS]


def played_in(session: Session, match: Match) -> tuple[Match, Tournament]:
    """Return the match whose seats, size and dice are played (for an audit, the audited one) and its tournament."""
    played = match if match.audit_of is None else session.get_one(Match, match.audit_of)
    return played, session.get_one(Tournament, played.tournament_id)


def recorded_games(session: Session, match_id: int) -> list[GameRecord]:
    """Return the recorded games of a match as a worker sent them, by block and rotation, without the logs."""
    columns = (PlayedGame.block, PlayedGame.rotation, PlayedGame.seating, PlayedGame.replay, PlayedGame.views)
    query = select_columns(*map(col, columns), col(PlayedGame.faults)).where(col(PlayedGame.match_id) == match_id)
    rows: Any = session.connection().execute(query.order_by(col(PlayedGame.block), col(PlayedGame.rotation)))
    return [
        GameRecord(block, rotation, seating, replay, views, msgspec.convert(faults, list[FaultRecord]), [])
        for block, rotation, seating, replay, views, faults in rows
    ]


def played_order(session: Session, match: Match, tournament: Tournament) -> Order:
    """Return the order by which a match that is done was played, with a token and a time of no lease."""
    return msgspec.structs.replace(_order(session, match, tournament, "done", 0.0), check=None)


def _order(session: Session, match: Match, tournament: Tournament, token: str, until: float) -> Order:
    digest = bytes.fromhex(match.seed_digest)
    secret = secret_of(session, tournament, match)
    size = size_of(tournament, match)
    seeds = [block_seed(secret, digest, match.number, block).hex() for block in range(size.blocks)]
    seats = _seats(session, match)
    return Order(
        id=stored(match.id),
        token=token,
        until=until,
        game=tournament.game,
        options=tournament.options,
        blocks=seeds,
        rng_key=rng_key(secret, match.number).hex(),
        seats=[seat for _, seat in seats],
        limits=size.limits,
        check=next((i for i, (version, _) in enumerate(seats) if _is_checked(match, tournament, version)), None),
        check_only=match.purpose == Purpose.CHECK.value,
    )


def _is_checked(match: Match, tournament: Tournament, version_id: int) -> bool:
    # A bot on trial is checked again before its smallest table: a slow one did not finish its short check.
    return version_id == match.trial_version_id and tournament.seats == 2


def _seats(session: Session, match: Match) -> list[tuple[int, Seat]]:
    rows: Any = session.connection().execute(_SEATS, {"its_match": match.id})
    return [
        (version, Seat(entry=entry, name=seat_name(filename), code=code, bot=bot))
        for entry, version, filename, code, bot in rows
    ]


_SEATS: Final = (
    select_columns(
        col(MatchSeat.entry_id), col(Version.id), col(Version.filename), col(Version.code_sha256), col(Version.bot_id)
    )
    .join(Entry, col(Entry.id) == MatchSeat.entry_id)
    .join(Version, col(Version.id) == Entry.version_id)
    .join(Bot, col(Bot.id) == Version.bot_id)
    .where(col(MatchSeat.match_id) == bindparam("its_match"))
    .order_by(col(MatchSeat.position))
)


# Code that orders need, stored with the broker under its hash.


CODE_STAYS_S: Final = 3600.0
"""How long the broker keeps a source after the last lease that needs it could have ended."""


def sources_of(session: Session, wanted: Collection[str]) -> dict[str, bytes]:
    """Return sources by their SHA-256, as far as they are stored."""
    if not wanted:
        return {}
    rows = session.exec(select(Code.sha256, Code.source).where(col(Code.sha256).in_(wanted))).all()
    return {sha256: source for sha256, source in rows if source is not None}


def put_codes(broker: CodeBroker, codes: Mapping[str, bytes], lasts_s: float = 0.0) -> None:
    """Store sources with the broker for orders whose leases last `lasts_s`."""
    for code_hash, source in codes.items():
        broker.put_code(code_hash, source, lasts_s + CODE_STAYS_S)


# Senders: whether a message about a match comes from the host that leased it.
#
# The broker says in which host's queue a message was. The lease's token says, by a code that only this site can make,
# to which host it was given. So a late message from the host of an earlier lease differs from one that another host
# made up.


_NONCE_BYTES: Final = 8
_CODE_CHARS: Final = 32


class Sender(StrEnum):
    """A message's sender: the host that leased the match, a host that may not play, or one without such a lease."""

    ITSELF = "itself"
    SHUT_OUT = "shut out"
    FORGED = "forged"


@dataclass(frozen=True, slots=True)
class LeaseSigner:
    """Makes the tokens of leases and recognizes them, by a key that never leaves the database."""

    key: bytes

    def token(self, match_id: int, host_id: int) -> str:
        """Return a new token for a lease of a match to a host: 48 hexadecimal digits."""
        nonce = secrets.token_hex(_NONCE_BYTES)
        return nonce + self._code(match_id, host_id, nonce)

    def has_signed(self, token: str, match_id: int, host_id: int) -> bool:
        """Whether a token was given to this host for this match, now or earlier."""
        nonce, code = token[: 2 * _NONCE_BYTES], token[2 * _NONCE_BYTES :]
        return hmac.compare_digest(self._code(match_id, host_id, nonce).encode(), code.encode("utf-8", "replace"))

    def _code(self, match_id: int, host_id: int, nonce: str) -> str:
        payload = f"{match_id}|{host_id}|{nonce}".encode("utf-8", "replace")
        return hmac.new(self.key, payload, sha256).hexdigest()[:_CODE_CHARS]


def ensure_signer(session: Session) -> LeaseSigner:
    """Return the signer of this installation, whose key is drawn on first use."""
    if (known := fact(session, Fact.LEASE_KEY)) is not None:
        return LeaseSigner(bytes.fromhex(known.value["key"]))
    signer = LeaseSigner(secrets.token_bytes(32))
    keep_fact(session, Fact.LEASE_KEY, {"key": signer.key.hex()})
    return signer


def look_at_sender(database: Database, host_name: str, match_id: int, token: str) -> Sender:
    """Return who sent a message about a match; whether the lease still holds, the row says."""
    with database.read() as session:
        host = session.connection().execute(_HOST_AND_KEY, {"its_name": host_name}).first()
    if host is None:
        return Sender.SHUT_OUT
    host_id, key = host
    signed = key is not None and LeaseSigner(bytes.fromhex(key["key"])).has_signed(token, match_id, host_id)
    return Sender.ITSELF if signed else Sender.FORGED


_HOST_AND_KEY: Final = (
    select_columns(col(WorkerHost.id), col(SiteFact.value))
    .join_from(WorkerHost, SiteFact, col(SiteFact.name) == Fact.LEASE_KEY.value, isouter=True)
    .where(
        col(WorkerHost.name) == bindparam("its_name"),
        col(WorkerHost.revoked_at).is_(None),
        col(WorkerHost.stopped_at).is_(None),
    )
)
