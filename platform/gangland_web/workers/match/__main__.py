"""The match worker's process: `python -m gangland_web.workers.match`."""

import gc
import logging
import os
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any

from celery import Celery, bootsteps
from celery.signals import worker_shutting_down
from celery.worker import state
from redis.exceptions import AuthenticationError, RedisError

from gangland_ladder.common.release import refusal, this_release
from gangland_sandbox.cgroups import Cgroups
from gangland_sandbox.doctor import own_namespaces
from gangland_sandbox.errors import SandboxError
from gangland_sandbox.jail import Mode
from gangland_sandbox.orphans import sweep
from gangland_sandbox.pool import Pool
from gangland_sandbox.privileges import drop, is_root
from gangland_sandbox.runtime import prepare, prepare_numeric
from gangland_web.base.secrecy import forget_secrets, keep_private
from gangland_web.broker.access import credential_of
from gangland_web.broker.link import (
    RELEASE,
    WORKER_WAIT_S,
    ClockError,
    SlotKey,
    announce_slot,
    check_clock,
    connect,
    site_release,
    withdraw_slot,
)
from gangland_web.broker.names import (
    QUEUE_CHECKS,
    QUEUE_DRAFT_CHECKS,
    QUEUE_TABLES,
    TASK_PLAY,
    TASK_TABLE,
    checkers_key,
    code_key,
    play_queues,
    queue_of,
    slots_key,
    table_workers_key,
)
from gangland_web.process import die_with_parent, set_up_logging
from gangland_web.settings import ConfigError, read_settings
from gangland_web.workers.celery_app import SEND_AGAIN_S, SENDS_FOR_S, make_celery, prepared_worker
from gangland_web.workers.match.fitness import REFUSES_TO_PLAY, Fitness, UnfitError
from gangland_web.workers.match.guard import AND_TABLES, NotForWorkers, check_environment, pin_to_core
from gangland_web.workers.match.messages import Messenger, TableMessenger, WatchdogMessenger
from gangland_web.workers.match.playing import CodeMissing, CodeStore, OtherRelease, Player
from gangland_web.workers.match.preload import preload
from gangland_web.workers.match.tables import TablePlayer
from gangland_web.workers.match.watchdog import Watchdog

log = logging.getLogger("gangland_web.workers.match")

ANNOUNCE_EVERY_S = 5.0
SITE_SAYS_S = 10.0
"""So long after its own start a worker waits for a site that still says another release."""
GRACE_S = 20.0
"""How long a match may take to its end when its worker is told to end; whoever tells it kills it after 30 s."""
MISCONFIGURED = 2
CHECKS_ALONE, TABLES_ALONE = "checks", "tables"
"""The slots (GANGLAND_SLOT) of workers that take checks alone, so that no match keeps an upload waiting, and tables of
persons alone, whose bots it keeps at the table."""


class Slot:
    """This worker's place in the counts of matches, checks and tables that can be done at a time."""

    def __init__(self, client: Any, host: str, name: str, keys: Sequence[SlotKey]) -> None:
        """Announce `name` for a host, in each of the counts, through a connection of its own."""
        self._client = client
        self._host = host
        self._keys = keys
        self.name = name

    def announce(self) -> None:
        """Count for a while longer; a broker that is away hears of it the next time."""
        try:
            check_clock(self._client)
            for key_of in self._keys:
                announce_slot(self._client, self._host, self.name, key_of)
        except RedisError as error:
            log.warning("the slot could not be announced: %s", error)
        except ClockError as error:
            log.error("this worker refuses to play on: %s", error)
            state.should_stop = REFUSES_TO_PLAY

    def withdraw(self) -> None:
        """Count no longer."""
        try:
            for key_of in self._keys:
                withdraw_slot(self._client, self._host, self.name, key_of)
        except RedisError as error:
            log.warning("the slot could not be withdrawn: %s", error)


class Grace:
    """How long a match may go on once this worker was told to end."""

    def __init__(self) -> None:
        """Wait to be told."""
        self._ends_at: float | None = None
        worker_shutting_down.connect(self._start_grace, weak=False)

    def is_over(self) -> bool:
        """Whether the match that is on has to be given back."""
        return self._ends_at is not None and time.monotonic() >= self._ends_at

    def _start_grace(self, **_facts: object) -> None:
        if self._ends_at is None:
            self._ends_at = time.monotonic() + GRACE_S


def main() -> int:
    """Play matches until told to stop; return the exit status."""
    own_namespaces()  # the probes of the jail need them, and a closed process cannot read its own
    keep_private()
    set_up_logging()
    die_with_parent()
    try:
        check_environment(os.environ)
        url = read_settings().need_worker_redis_url()
        forget_secrets()
        return _serve(url)
    except (NotForWorkers, ConfigError) as error:
        log.error("%s", error)
        return MISCONFIGURED
    except AuthenticationError as error:
        log.error("the broker does not let this worker host in, it may be revoked: %s", error)
        return MISCONFIGURED
    except (SandboxError, ClockError) as error:
        log.error("this worker refuses to play: %s", error)
        return REFUSES_TO_PLAY


def _serve(url: str) -> int:
    """Get all ready as whoever started us, look whether jails hold, give root up, and take orders."""
    pin_to_core(os.environ)
    preload()
    log.info("release %s", this_release())  # read once, while the host's Python can be
    client = connect(url, wait_s=WORKER_WAIT_S)
    check_clock(client)
    host, _ = credential_of(url)
    machine = os.uname().nodename
    kind = os.environ.get("GANGLAND_SLOT", "")
    fitness = Fitness(client, host, f"{machine}:{kind}")
    watchdog = Watchdog(lambda: WatchdogMessenger(make_celery(url, plays=True)))
    queues, keys = work_of(kind, host)
    slot = Slot(client, host, f"{machine}:{os.getpid()}:{int(time.time())}", keys)
    app = _make_app(url, client, slot, fitness, watchdog)
    worker = prepared_worker(app, queues, f"play-{os.getpid()}")
    was_root = is_root()
    _prepare_numeric()
    try:
        _need_release(client)
        fitness.confirm()
        drop()
    except SandboxError as failure:
        fitness.refuse(failure)
        raise
    keep_private()  # a change of user lets the kernel forget it
    die_with_parent()
    watchdog.start()
    if left := sweep(prepare()):
        log.warning("ended %d half-opened jails whose worker was killed", left)
    log.info("ready to play as user %d%s", os.getuid(), ", root given up" if was_root else "")
    gc.freeze()  # all is imported that ever will be, and a look for cycles need not go through it
    worker.start()
    return int(worker.exitcode or 0)


def _need_release(client: Any) -> None:
    """See that the site is of this release, before its first order; one that has just been upgraded says so soon.

    Raises:
        UnfitError: it is of another one, as far as it says.
    """
    until = time.monotonic() + SITE_SAYS_S
    while (theirs := site_release(client)) not in (None, this_release()):
        if time.monotonic() >= until:
            raise UnfitError(RELEASE, refusal(theirs or ""))
        time.sleep(1)


def work_of(kind: str, host: str) -> tuple[list[str], list[SlotKey]]:
    """Return the queues from which a worker takes, first come first, and where its slot counts.

    A worker that also asks the bots of tables does so between two matches: a person waits for a match at most, and a
    whole game of a bot at a table has no more CPU than one of its games in a match.
    """
    if kind == CHECKS_ALONE:
        return [queue_of(queue, host) for queue in (QUEUE_CHECKS, QUEUE_DRAFT_CHECKS)], [checkers_key]
    if kind == TABLES_ALONE:
        return [queue_of(QUEUE_TABLES, host)], [table_workers_key]
    if kind.endswith(AND_TABLES):
        return [queue_of(QUEUE_TABLES, host), *play_queues(host)], [slots_key, table_workers_key]
    return list(play_queues(host)), [slots_key]


def _prepare_numeric() -> None:
    """Get the numeric profile ready while the host's Python can be read; without numpy the plain one is played."""
    try:
        prepare_numeric()
    except SandboxError as lack:
        log.warning("matches of the numeric profile cannot be played here: %s", lack)


def _make_app(url: str, client: Any, slot: Slot, fitness: Fitness, watchdog: Watchdog) -> Celery:
    app = make_celery(url, plays=True)
    codes = CodeStore(lambda digest: _fetched(client, digest))
    pool = Pool(Mode.JAIL, cgroups=Cgroups.find())
    player = Player(Messenger(app), codes, slot.announce, _end_soon, pool, Grace().is_over, watchdog)
    tables = TablePlayer(TableMessenger(app), codes, slot.announce, _end_soon, pool, watchdog)

    def heed(act: Callable[[str], None]) -> Callable[[str], None]:
        def task(text: str) -> None:
            try:
                act(text)
            except OtherRelease as other:
                slot.withdraw()
                fitness.refuse_release(str(other))
            else:
                fitness.confirm_release()

        return task

    app.task(heed(player.play), name=TASK_PLAY)
    app.task(heed(tables.play), name=TASK_TABLE)
    app.steps["consumer"].add(_announcing(slot, fitness, tables.forget_idle))
    return app


def _fetched(client: Any, digest: str) -> bytes | None:
    """Return a bot's source from the broker, waiting for one that is away: a match is not void for that."""
    deadline = time.monotonic() + SENDS_FOR_S
    while True:
        try:
            source: bytes | None = client.get(code_key(digest))
        except RedisError as error:
            if time.monotonic() >= deadline:
                raise CodeMissing(f"the broker is not reachable: {error}") from error
            time.sleep(SEND_AGAIN_S)
        else:
            return source


def _end_soon() -> None:
    """End after a match that we made void: whoever starts us again has the jail probed before the next."""
    log.error("a match came to nothing by our fault; this worker ends, to be started and probed afresh")
    state.should_stop = REFUSES_TO_PLAY


def _announcing(slot: Slot, fitness: Fitness, forget_idle: Callable[[], None]) -> type[bootsteps.StartStopStep]:
    """Return a step of Celery's consumer for what is done between matches: the slot kept announced, the jail probed."""

    def between_matches() -> None:
        fitness.look_again()
        forget_idle()
        slot.announce()

    class Announcing(bootsteps.StartStopStep):
        requires = ("celery.worker.consumer.tasks:Tasks",)

        def start(self, consumer: Any) -> None:
            slot.announce()
            self.repeated = consumer.timer.call_repeatedly(ANNOUNCE_EVERY_S, between_matches)

        def stop(self, consumer: Any) -> None:
            self.repeated.cancel()
            slot.withdraw()

    return Announcing


if __name__ == "__main__":
    sys.exit(main())
