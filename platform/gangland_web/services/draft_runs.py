"""Runs of drafts: asked for in the editor, sent to workers, and recorded."""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any, Final

import msgspec
from msgspec import Struct
from sqlalchemy import update
from sqlmodel import Session, col, delete, func, select

from gangland.games import game_named
from gangland_ladder.matches.judging import Judged, ResultRefused, judge
from gangland_ladder.matches.match_orders import CheckReport, FaultRecord, LogPart, Order, Result, Seat, log_parts
from gangland_sandbox.limits import Limits
from gangland_web.base.formats import now_s
from gangland_web.base.text import name_key, shown
from gangland_web.broker.names import QUEUE_DRAFT_CHECKS, QUEUE_MATCHES, QUEUE_TRIALS
from gangland_web.models.bots import Bot, BotDraft, Version, party_of
from gangland_web.models.columns import stored, table_of
from gangland_web.models.database import Database
from gangland_web.models.jobs import (
    RUN_ATTEMPTS,
    RUN_KEPT_S,
    RUN_SILENCE_S,
    RUN_TAKEN_WITHIN_S,
    DraftRun,
    RunKind,
    RunState,
    order_id,
)
from gangland_web.models.matches import Match, MatchState, Purpose, ResultVerdict, WorkerHost
from gangland_web.models.site import maintenance
from gangland_web.services.dispatch import (
    OrderBroker,
    ensure_signer,
    put_codes,
    quarter_of,
    seat_name,
    sources_of,
    waiting_of,
)
from gangland_web.services.matches import has_ended
from gangland_web.services.play import REASON_CHARS, opponents_of
from gangland_web.services.tournaments import profile_of
from gangland_web.services.trials import CHECK_STAGES
from gangland_web.services.uploads import source_filename
from gangland_web.services.worker_hosts import playing_hosts

# Asking for a run, and finding it.


BLOCKS: Final[Mapping[RunKind, int]] = {RunKind.CHECK: 1, RunKind.PLAY: 2, RunKind.DUEL: 6}
"""Blocks of a run's match; a check plays none of its one."""
MOST_RUNS: Final = 20
"""Runs of a person that are stored, the latest."""


class Opponent(Struct, frozen=True):
    """A bot that a draft plays against, in its version at that time."""

    bot: int
    name: str
    version: int
    filename: str
    code: str


class RunSetup(Struct, frozen=True):
    """The setup of a run, fixed before it begins.

    Attributes:
        name: of the draft.
        filename: of the draft's text in the jail.
        blocks, rng_key: as an order has them.
        address: of the client that asked for it, which bounds the runs under way.
    """

    game: str
    name: str
    filename: str
    blocks: list[str]
    rng_key: str
    opponents: list[Opponent]
    address: str = ""

    @property
    def names(self) -> list[str]:
        """The names of the players, the draft first."""
        return [self.name, *(f"{each.name} v{each.version}" for each in self.opponents)]


class RunRefused(ValueError):
    """A run is not possible; the message is for the draft's author."""


def start_run(
    session: Session, draft: BotDraft, kind: RunKind, bot_ids: Sequence[int] = (), *, address: str = ""
) -> DraftRun:
    """Queue a run of a draft in place of any other that its author has waiting, and return it.

    Args:
        bot_ids: of the opponents of a match, in order.
        address: of the client.

    Raises:
        RunRefused: the opponents are not available.
    """
    opponents = _opponents(session, draft, kind, bot_ids)
    waiting = (DraftRun.user_id == draft.user_id, DraftRun.state == RunState.WAITING.value)
    session.exec(delete(DraftRun).where(*waiting))  # type: ignore[arg-type]
    _drop_oldest(session, draft.user_id)
    setup = RunSetup(
        game=draft.game,
        name=draft.name,
        filename=source_filename(draft.name),
        blocks=[secrets.token_hex(32) for _ in range(BLOCKS[kind])],
        rng_key=secrets.token_hex(32),
        opponents=opponents,
        address=address,
    )
    run = DraftRun(
        draft_id=stored(draft.id),
        user_id=draft.user_id,
        kind=kind.value,
        text=draft.text,
        setup=msgspec.to_builtins(setup),
        limits=dict(Limits.of(profile_of(session, draft.game), BLOCKS[kind]).to_dict()),
        created_at=now_s(),
    )
    session.add(run)
    session.flush()
    return run


def _drop_oldest(session: Session, user_id: int) -> None:
    """Make room for one more run of a person: its games take some 100 KB each."""
    ids = select(DraftRun.id).where(DraftRun.user_id == user_id).order_by(col(DraftRun.id).desc()).offset(MOST_RUNS - 1)
    session.exec(delete(DraftRun).where(col(DraftRun.id).in_(session.exec(ids).all())))


def _opponents(session: Session, draft: BotDraft, kind: RunKind, bot_ids: Sequence[int]) -> list[Opponent]:
    if kind is RunKind.CHECK:
        return []
    if kind is RunKind.DUEL:
        return [_opponent(*_own_active_version(session, draft))]
    sizes = game_named(draft.game).table_sizes
    if len(bot_ids) + 1 not in sizes:
        raise RunRefused(f"Choose {min(sizes) - 1} to {max(sizes) - 1} opponents, not {len(bot_ids)}.")
    known = {stored(bot.id): (bot, version) for bot, version in opponents_of(session, draft.game)}
    if missing := [each for each in bot_ids if each not in known]:
        raise RunRefused(f"Bot {missing[0]} does not play now; choose another one.")
    return [_opponent(*known[each]) for each in bot_ids]


def _opponent(bot: Bot, version: Version) -> Opponent:
    return Opponent(stored(bot.id), bot.name, version.number, version.filename, version.code_sha256)


def _own_active_version(session: Session, draft: BotDraft) -> tuple[Bot, Version]:
    """Return the author's bot with the draft's name, and its active version."""
    query = (
        select(Bot, Version)
        .join(Version, col(Version.id) == Bot.active_version_id)
        .where(Bot.game == draft.game, Bot.name_key == name_key(draft.name), party_of(session, draft.user_id).theirs())
    )
    own = session.exec(query).first()
    if own is None:
        raise RunRefused(f"You have no active version of {draft.name} to play against: upload it first.")
    return own


def run_for(session: Session, user_id: int, game: str, run_id: int) -> DraftRun | None:
    """Return a run if it is of a draft of this person and game, else None."""
    query = select(DraftRun).join(BotDraft, col(BotDraft.id) == DraftRun.draft_id)
    query = query.where(DraftRun.id == run_id, DraftRun.user_id == user_id, BotDraft.game == game)
    return session.exec(query).first()


def latest_run(session: Session, draft_id: int) -> DraftRun | None:
    """Return the latest run of a draft, None if it has none."""
    query = select(DraftRun).where(DraftRun.draft_id == draft_id).order_by(col(DraftRun.id).desc())
    return session.exec(query.limit(1)).first()


def setup_of(run: DraftRun) -> RunSetup:
    """Return the setup of a run."""
    return msgspec.convert(run.setup, RunSetup)


# Sending: lease, commit, and only then send; silent workers lose their lease.


NEVER_ENDED: Final = (
    f"The machine that plays began it {RUN_ATTEMPTS} times and never came to an end. This need not be your bot's fault:"
    " try again later."
)


def send_runs(database: Database, broker: OrderBroker) -> int:
    """Send the runs that may be sent now, one for each person at a time; return how many.

    They go before matches of ladders and after those of tournaments: while one of these waits, runs and matches of
    ladders together have a quarter of the slots, and a run is queued behind the matches that were sent.  While a rated
    match or a trial waits, runs take at most half of the slots; of a single slot every other turn, behind what was
    sent.  Checks also have the checkers.  One address has half of what runs have.
    """
    with database.read() as session:
        if session.exec(_waiting_runs().limit(1)).first() is None:
            return 0
    slots, checkers = broker.slots(), broker.checkers()
    with database.write() as session:
        hosts = [each for each in playing_hosts(session) if slots.get(each.name)]
        if not hosts or maintenance(session) is not None:
            return 0
        places = {stored(each.id): min(slots[each.name], each.slot_limit) for each in hosts}
        checking = sum(checkers.get(each.name, 0) for each in hosts)
        sent = _lease_next(session, hosts, places, checking)
        runs = [run for run, *_ in sent]
        codes = sources_of(session, {each.code for run in runs for each in setup_of(run).opponents})
    put_codes(broker, codes | dict(map(code_of, runs)))
    for _, host, queue, order in sent:
        broker.send(host, queue, order)
    return len(sent)


def _lease_next(
    session: Session, hosts: Sequence[WorkerHost], places: Mapping[int, int], checkers: int
) -> list[tuple[DraftRun, str, str, Order]]:
    """Lease the next runs; return each with its host, queue and order.

    Args:
        places: how many matches each host can play at a time, by its id.
        checkers: how many workers take only checks.
    """
    slots = sum(places.values())
    under_way = session.exec(select(DraftRun).where(DraftRun.state == RunState.LEASED.value)).all()
    by_host = Counter(run.host_id for run in under_way)
    tournament, others = _match_waits(session, Purpose.TOURNAMENT), _match_waits(session, Purpose.LADDER, Purpose.TRIAL)
    room = max(1, slots // 2) if tournament or others else slots
    if tournament:
        room = min(room, quarter_of(slots) - _leased_ladder_matches(session))
    sent = []
    for run in _next_runs(session, under_way, room, checkers):
        host = min(hosts, key=lambda each: (by_host[each.id] / places[stored(each.id)], stored(each.id)))
        by_host[host.id] += 1
        if _lease_run(session, run, host):
            is_check = run.kind == RunKind.CHECK.value
            behind = tournament or (others and slots == 1 and not (is_check and checkers))
            first = QUEUE_DRAFT_CHECKS if is_check else QUEUE_TRIALS
            sent.append((run, host.name, QUEUE_MATCHES if behind else first, _order_of(run)))
    return sent


def _waiting_runs() -> Any:
    return select(DraftRun).where(DraftRun.state == RunState.WAITING.value).order_by(col(DraftRun.id))


def _next_runs(session: Session, under_way: Sequence[DraftRun], room: int, checkers: int) -> Sequence[DraftRun]:
    """Return the oldest runs, one for each person at a time, and for each address at most half of the room.

    Checks and matches are counted apart, so that a check, which takes seconds, waits for no match.

    Args:
        under_way: runs that are leased.
        room: how many slots runs may take.
        checkers: how many workers take only checks.
    """
    people = {run.user_id for run in under_way}
    leased, addresses = Counter(map(_is_check, under_way)), Counter(map(_place_of, under_way))
    runs = []
    for run in session.exec(_waiting_runs()):
        is_check, place = _is_check(run), _place_of(run)
        if is_check:
            half, full = (room + checkers) // 2, leased[True] >= checkers + max(0, room - leased[False])
        else:
            half, full = room // 2, leased[False] + max(0, leased[True] - checkers) >= room
        if run.user_id in people or full or (place[1] and addresses[place] >= max(1, half)):
            continue
        people.add(run.user_id)
        addresses[place] += 1
        leased[is_check] += 1
        runs.append(run)
    return runs


def _is_check(run: DraftRun) -> bool:
    return run.kind == RunKind.CHECK.value


def _place_of(run: DraftRun) -> tuple[bool, str]:
    """Return by what an address is counted: its checks and its matches apart."""
    return _is_check(run), setup_of(run).address


def _match_waits(session: Session, *purposes: Purpose) -> bool:
    """Return whether a match of these purposes waits: to be sent, or to be begun by a worker."""
    unbegun = (Match.state == MatchState.LEASED.value, col(Match.begun_at).is_(None))
    sent = select(Match.id).where(*unbegun, col(Match.purpose).in_([purpose.value for purpose in purposes]))
    waiting = (session.exec(waiting_of(purpose).limit(1)).first() for purpose in purposes)
    return any(waiting) or session.exec(sent.limit(1)).first() is not None


def _leased_ladder_matches(session: Session) -> int:
    leased = (Match.state == MatchState.LEASED.value, Match.purpose == Purpose.LADDER.value)
    return session.exec(select(func.count()).select_from(Match).where(*leased)).one()


def _lease_run(session: Session, run: DraftRun, host: WorkerHost) -> bool:
    """Lease a run by a conditional update; False if another process was faster."""
    token = ensure_signer(session).token(order_id(stored(run.id)), stored(host.id))
    lease: dict[str, Any] = {"lease_token": token, "lease_until": now_s() + RUN_TAKEN_WITHIN_S, "host_id": host.id}
    waiting = (col(DraftRun.id) == run.id, col(DraftRun.state) == RunState.WAITING.value)
    done = session.connection().execute(
        update(table_of(DraftRun)).where(*waiting).values(state=RunState.LEASED.value, **lease)
    )
    session.refresh(run)
    return bool(done.rowcount == 1)


def _order_of(run: DraftRun) -> Order:
    """Return the order of a leased run; built again, it is the same.

    Raises:
        ValueError: the run is not leased.
    """
    if run.lease_token is None or run.lease_until is None:
        raise ValueError(f"run {run.id} is {run.state}, not leased")
    setup = setup_of(run)
    own, _ = code_of(run)
    named: list[tuple[str, str, int | None]] = [(setup.filename, own, None)]
    named += [(each.filename, each.code, each.bot) for each in setup.opponents]
    values: dict[str, Any] = {"options": {}, "limits": run.limits, "check": 0}
    return Order(
        id=order_id(stored(run.id)),
        token=run.lease_token,
        until=run.lease_until,
        game=setup.game,
        blocks=setup.blocks,
        rng_key=setup.rng_key,
        seats=[Seat(at, seat_name(file), code, bot) for at, (file, code, bot) in enumerate(named)],
        check_only=run.kind == RunKind.CHECK.value,
        **values,
    )


def code_of(run: DraftRun) -> tuple[str, bytes]:
    """Return the SHA-256 of a run's text, and the text as workers get it."""
    source = run.text.encode("utf-8", "replace")
    return sha256(source).hexdigest(), source


def sweep_runs(database: Database) -> int:
    """Take back silent leases and delete old runs; return the number of leases."""
    ended = has_ended(col(DraftRun.lease_until), now_s(), RUN_TAKEN_WITHIN_S)
    silent = select(DraftRun).where(DraftRun.state == RunState.LEASED.value, ended)
    old = col(DraftRun.created_at) < now_s() - RUN_KEPT_S
    with database.read() as session:
        if not any(session.exec(each.limit(1)).first() for each in (silent, select(DraftRun).where(old))):
            return 0
    with database.write() as session:
        taken = session.exec(silent).all()
        for run in taken:
            _end_attempt(session, run, NEVER_ENDED)
        session.exec(delete(DraftRun).where(old))
    return len(taken)


def _end_attempt(session: Session, run: DraftRun, why: str) -> None:
    """End a lease without a result: the run waits again, or has failed after its last attempt."""
    run.state, run.lease_token, run.lease_until, run.begun_at = RunState.WAITING.value, None, None, None
    if run.attempt >= RUN_ATTEMPTS:
        run.state, run.failed_for, run.done_at = RunState.FAILED.value, why, now_s()
    session.add(run)
    session.flush()


def take_runs_back(session: Session) -> None:
    """Have every run that is under way wait again, as its workers are gone; no attempt is counted."""
    for run in session.exec(select(DraftRun).where(DraftRun.state == RunState.LEASED.value)).all():
        run.attempt -= run.begun_at is not None
        _end_attempt(session, run, NEVER_ENDED)


# Recording: the only writer of results of runs.


class RunGame(Struct, frozen=True):
    """One game of a run's match.

    Attributes:
        seating: the player at each seat: 0 is the draft, then its opponents in order.
        faults: those of opponents without their messages, which only their authors may read.
        log: what the draft logged.
    """

    block: int
    rotation: int
    seating: list[int]
    places: list[int]
    replay: str
    faults: list[FaultRecord]
    log: list[LogPart]


class RunResult(Struct, frozen=True):
    """The result of a run: its check, and the games of its match, none if the check found problems."""

    check: CheckReport
    games: list[RunGame] = []


def result_of(run: DraftRun) -> RunResult | None:
    """Return the result of a run, None if it has none yet."""
    return None if run.result is None else msgspec.convert(run.result, RunResult)


def begin_run(database: Database, run_id: int, token: str) -> bool:
    """Count an attempt, once a token.  False if the lease has ended or had begun before."""
    now = now_s()
    values = {"begun_at": now, "lease_until": now + RUN_SILENCE_S, "attempt": col(DraftRun.attempt) + 1}
    return _touch_lease(database, run_id, token, values, begun=False)


def beat_run(database: Database, run_id: int, token: str) -> bool:
    """Note that a run goes on.  False if its lease has ended."""
    return _touch_lease(database, run_id, token, {"lease_until": now_s() + RUN_SILENCE_S}, begun=True)


def return_run(database: Database, run_id: int, token: str) -> bool:
    """Queue a run again that its worker could not finish; no attempt is counted.  False if its lease has ended."""
    with database.write() as session:
        run = _leased_run(session, run_id, token)
        if run is None:
            return False
        run.attempt -= run.begun_at is not None
        _end_attempt(session, run, NEVER_ENDED)
    return True


def record_run(database: Database, run_id: int, result: Result) -> tuple[ResultVerdict, str]:
    """Record a result if its lease holds, and replay its games; return the verdict, and why it does not count."""
    with database.read() as session:
        run = _leased_run(session, run_id, result.token)
        if run is None:
            return ResultVerdict.STALE, ""
        order = _order_of(run)
    verdict, why, outcome = ResultVerdict.RECORDED, "", None
    try:
        if result.void is None:
            outcome = _checked_result(order, result)
        else:
            verdict, why = ResultVerdict.VOID, result.void
    except ResultRefused as refused:
        verdict, why = ResultVerdict.REFUSED, str(refused)
    with database.write() as session:
        run = _leased_run(session, run_id, result.token)
        if run is None:
            return ResultVerdict.STALE, ""
        if outcome is None:
            _end_attempt(session, run, NEVER_ENDED)
            return verdict, shown(why, limit=REASON_CHARS)
        draft = session.get_one(BotDraft, run.draft_id)
        draft.passed_at = None if outcome.check.problems else now_s()
        session.add(draft)
        run.result = msgspec.to_builtins(outcome)
        run.state, run.done_at = RunState.DONE.value, now_s()
        run.lease_token = run.lease_until = run.begun_at = None
        session.add(run)
    return verdict, ""


def _checked_result(order: Order, result: Result) -> RunResult:
    """Return the result that is stored, after its check.  Raises ResultRefused."""
    if result.check is None:
        raise ResultRefused("there is no check in it")
    if not result.check.problems:
        needed = CHECK_STAGES[:1] if order.check_only else CHECK_STAGES
        if not set(result.check.stages).issuperset(needed):
            raise ResultRefused(f"only {result.check.stages} of its check came")
    if result.check.problems or order.check_only:
        if result.games:
            raise ResultRefused(f"{len(result.games)} games came with a check that is not followed by any")
        return RunResult(result.check)
    return RunResult(result.check, _run_games(judge(order, result)))


def _run_games(judged: Judged) -> list[RunGame]:
    games = []
    for game in judged.games:
        record = game.record
        own = record.seating.index(0)
        marks = record.log_marks[own] if own < len(record.log_marks) else []
        faults = [each if each.seat == own else msgspec.structs.replace(each, message="") for each in record.faults]
        log = log_parts(record.logs[own], marks) if own < len(record.logs) else []
        places = list(game.outcome.places)
        games.append(RunGame(record.block, record.rotation, record.seating, places, record.replay, faults, log))
    return games


def _leased_run(session: Session, run_id: int, token: str) -> DraftRun | None:
    query = select(DraftRun).where(DraftRun.id == run_id, DraftRun.state == RunState.LEASED.value)
    return session.exec(query.where(DraftRun.lease_token == token)).first()


def _touch_lease(database: Database, run_id: int, token: str, values: dict[str, Any], *, begun: bool) -> bool:
    began = col(DraftRun.begun_at)
    held = (
        col(DraftRun.id) == run_id,
        col(DraftRun.lease_token) == token,
        began.is_not(None) if begun else began.is_(None),
    )
    with database.write() as session:
        done = session.connection().execute(update(table_of(DraftRun)).where(*held).values(**values))
    return bool(done.rowcount == 1)
