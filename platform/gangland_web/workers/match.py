"""The match worker's process, which can only access the broker (`python -m gangland_web.workers.match`)."""

import gc
import importlib
import logging
import os
import pkgutil
import sys
import time
import traceback
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from celery import Celery, bootsteps
from celery.exceptions import WorkerShutdown
from celery.signals import worker_shutting_down
from celery.worker import state
from redis.exceptions import AuthenticationError, RedisError

from gangland.games import GAME_NAMES, game_named
from gangland_ladder.common.release import release_mismatch, this_release
from gangland_sandbox import cgroups, doctor, machine, orphans, privileges, runtime
from gangland_sandbox.doctor import ALL_FIXES, own_namespaces
from gangland_sandbox.errors import SandboxError
from gangland_sandbox.jail import Mode
from gangland_sandbox.pool import Pool
from gangland_web.base.secrecy import forget_secrets, keep_private
from gangland_web.broker import access, gate, link, names
from gangland_web.process import die_with_parent, set_up_logging
from gangland_web.settings import ConfigError, read_settings
from gangland_web.workers.celery_app import SEND_RETRY_INTERVAL_S, SEND_TIMEOUT_S, make_celery, make_worker
from gangland_web.workers.players import CodeMissing, CodeStore, Messenger, Player, ReleaseMismatch, TablePlayer
from gangland_web.workers.watchdog import Watchdog

log = logging.getLogger("gangland_web.workers.match")


# The environment: settings that a worker must not have, and the core that it runs on.

# Settings of other processes: the database, the site's secret, and the platform's user on the broker.
FORBIDDEN = ("DATABASE_URL", "SECRET_KEY", "REDIS_URL", "ANALYSIS_REDIS_URL")

TABLES_SUFFIX = "+tables"  # suffix of GANGLAND_SLOT for a worker that also runs bots at tables between matches


class ForbiddenSetting(RuntimeError):
    """A match worker's environment contains a setting with another process's credentials."""


def check_environment(environ: Mapping[str, str]) -> None:
    """Check that the environment has no credentials for other processes.

    Raises ForbiddenSetting: it has some; the message names the settings.
    """
    forbidden = [name for setting in FORBIDDEN for name in (setting, f"{setting}_FILE") if environ.get(name)]
    if forbidden:
        raise ForbiddenSetting(f"a match worker must not get {', '.join(forbidden)}; it needs only WORKER_REDIS_URL")


def pin_to_core(environ: Mapping[str, str]) -> None:
    """Pin this process and its jails to one core, if the supervisor assigned a core."""
    # The referee and the bots take turns, so one core is enough. Messages within a core take less than half the time.
    slot = environ.get("GANGLAND_SLOT", "").removesuffix(TABLES_SUFFIX)
    if slot.isdigit():
        cores = sorted(os.sched_getaffinity(0))
        os.sched_setaffinity(0, {cores[int(slot) % len(cores)]})


# Imports: load all modules that matches may need while the host's Python can still be read.

# packages to import with all their modules
PACKAGES = ("gangland", "gangland_sandbox", "celery.worker", "redis._parsers")

# modules that workers would otherwise import late; a test checks the list
MODULES = ("_sha2", "celery.concurrency.solo", "encodings.idna", "encodings.utf_8_sig", "importlib.readers")

JAIL_MODULES = ("gangland_sandbox.inside_code", "gangland_sandbox.probes")  # modules that run only in the jail


def preload() -> int:
    """Import the modules of MODULES and PACKAGES that can be imported here, and return their number."""
    # After the process has dropped root, Python's folder may be unreadable, and late imports would fail.
    for game in GAME_NAMES:
        game_named(game)
    traceback.format_exc()
    names = [*MODULES, *(name for package in PACKAGES for name in _modules_of(package))]
    return sum(_is_importable(name) for name in names)


def _modules_of(package: str) -> list[str]:
    paths = importlib.import_module(package).__path__
    modules = [module.name for module in pkgutil.walk_packages(paths, f"{package}.", onerror=lambda _package: None)]
    return [name for name in modules if name not in JAIL_MODULES and not name.endswith("__main__")]


def _is_importable(name: str) -> bool:
    """Return whether a module can be imported; it cannot if an optional library is missing."""
    try:
        importlib.import_module(name)
    except ImportError:
        return False
    return True


# Fitness: whether jails are secure on this host. The worker probes them before the first match and then at intervals,
# and reports the result to the site.

PROBE_INTERVAL_S = 600.0
EXIT_UNFIT = 3  # exit status of a worker that could not play safely here


class UnfitError(SandboxError):
    """Jails are not secure here, or the release is not the site's; `cause` is a key of `link.CAUSES`, or "unknown"."""

    def __init__(self, cause: str, message: str) -> None:
        super().__init__(message)
        self.cause = cause


def probe_jails() -> int:
    """Run all probes in a jail; return the number that passed.  Raises UnfitError: a probe failed or could not run."""
    try:
        probes = doctor.probe()
    except Exception as bug:  # any other error also means that no match may be played
        log.exception("the probes of the jail failed")
        raise UnfitError("unknown", f"the probes of the jail failed: {type(bug).__name__}: {bug}") from bug
    if doctor.is_safe(probes):
        return len(probes)
    failed = [probe for probe in probes if not probe.ok]
    reasons = "; ".join(f"{probe.name}: {probe.detail} ({probe.fix})" for probe in failed)
    raise UnfitError(failed[0].cause if failed else "unknown", reasons or "no probe of the jail answered")


class Fitness:
    """Reports to the site whether this worker plays, and if not, why."""

    def __init__(self, client: Any, host: str, slot_name: str) -> None:
        """Report for a host's slot, whose name stays the same when the worker restarts."""
        self._client = client
        self._host = host
        self._slot_name = slot_name
        self._probed_at = time.monotonic()
        self._release_confirmed = False

    def report_unfit(self, failure: SandboxError) -> None:
        """Report that this worker plays no matches, with the cause."""
        cause = failure.cause if isinstance(failure, UnfitError) else machine.obstacle(str(failure))
        try:
            link.announce_stopped(self._client, self._host, self._slot_name, cause)
        except RedisError as error:
            log.warning("the report to the site could not be sent: %s", error)

    def report_other_release(self, reason: str) -> None:
        """Log and report that this worker's release differs from the site's, and stop before the next match."""
        failure = UnfitError(link.RELEASE, reason)
        log.error("this worker plays no further match: %s", failure)
        self.report_unfit(failure)
        state.should_stop = EXIT_UNFIT

    def confirm_release(self) -> None:
        """Report that this worker has the site's release, after it accepted a job from that release."""
        if self._release_confirmed:
            return
        self._withdraw([link.RELEASE])
        self._release_confirmed = True

    def probe(self) -> None:
        """Probe the jails and report that they are secure, which does not confirm the release.  Raises UnfitError."""
        passed = probe_jails()
        self._probed_at = time.monotonic()
        log.info("%d probes of the jail passed", passed)
        self._withdraw(ALL_FIXES)

    def probe_if_due(self) -> None:
        """Probe the jails if the last probe was too long ago; if they are not secure, end before the next match."""
        if time.monotonic() - self._probed_at < PROBE_INTERVAL_S:
            return
        try:
            self.probe()
        except UnfitError as failure:
            log.error("this worker plays no further match: %s", failure)
            self.report_unfit(failure)
            raise WorkerShutdown(EXIT_UNFIT) from failure

    def _withdraw(self, causes: Iterable[str]) -> None:
        try:
            link.withdraw_stopped(self._client, self._host, self._slot_name, causes)
        except RedisError as error:
            log.warning("the report to the site could not be sent: %s", error)


# The process: it prepares as root, drops root, and then runs jobs.

ANNOUNCE_INTERVAL_S = 5.0
RELEASE_WAIT_S = 10.0  # how long a new worker waits while the site still reports another release
GRACE_S = 20.0  # time to finish a match when the worker must end; the supervisor kills it after 30 s
EXIT_MISCONFIGURED = 2
# Slots (GANGLAND_SLOT) of workers that only run checks, so that matches never delay an upload, and of workers that only
# run bots at tables where people play.
CHECKS_SLOT, TABLES_SLOT = "checks", "tables"


class Slot:
    """This worker's slot, which counts toward the matches, checks or tables that can run at a time."""

    def __init__(self, client: Any, host: str, name: str, keys: Sequence[link.SlotKey]) -> None:
        """Announce the slot `name` of a host under each of these keys."""
        self._client = client
        self._host = host
        self._keys = keys
        self.name = name

    def announce(self) -> None:
        """Renew the announcement, unless the broker is not reachable; stop the worker if the clocks differ too much."""
        try:
            link.check_clock(self._client)
            for key_of in self._keys:
                link.announce_slot(self._client, self._host, self.name, key_of)
        except RedisError as error:
            log.warning("the slot could not be announced: %s", error)
        except link.ClockError as error:
            log.error("this worker stops playing: %s", error)
            state.should_stop = EXIT_UNFIT

    def withdraw(self) -> None:
        """Remove the announcement."""
        try:
            for key_of in self._keys:
                link.withdraw_slot(self._client, self._host, self.name, key_of)
        except RedisError as error:
            log.warning("the slot could not be withdrawn: %s", error)


class Grace:
    """The time for which a match may continue after this worker was told to end."""

    def __init__(self) -> None:
        self._ends_at: float | None = None
        worker_shutting_down.connect(self._start_grace, weak=False)

    def is_over(self) -> bool:
        """Return whether the current match must be returned unfinished."""
        return self._ends_at is not None and time.monotonic() >= self._ends_at

    def _start_grace(self, **_facts: object) -> None:
        if self._ends_at is None:
            self._ends_at = time.monotonic() + GRACE_S


def main() -> int:
    """Play matches until a signal arrives; return the exit status."""
    own_namespaces()  # for the probes; a process closed by `keep_private` cannot read its own namespaces
    keep_private()
    set_up_logging()
    die_with_parent()
    try:
        check_environment(os.environ)
        url = read_settings().need_worker_redis_url()
        forget_secrets()
        return _serve(url)
    except (ForbiddenSetting, ConfigError) as error:
        log.error("%s", error)
        return EXIT_MISCONFIGURED
    except AuthenticationError as error:
        log.error("the broker refuses this worker host, which may have been revoked: %s", error)
        return EXIT_MISCONFIGURED
    except (SandboxError, link.ClockError) as error:
        log.error("this worker refuses to play: %s", error)
        return EXIT_UNFIT


def _serve(url: str) -> int:
    """Prepare as the current user, probe the jails, drop root, and run jobs."""
    pin_to_core(os.environ)
    preload()
    log.info("release %s", this_release())  # computed now, while the host's Python can be read
    client = link.connect(url, wait_s=link.WORKER_WAIT_S)
    link.check_clock(client)
    host, _ = access.credential_of(url)
    node = os.uname().nodename
    kind = os.environ.get("GANGLAND_SLOT", "")
    fitness = Fitness(client, host, f"{node}:{kind}")
    watchdog = Watchdog(lambda: Messenger(make_celery(url, role="match")))
    queues, keys = queues_and_keys(kind, host)
    slot = Slot(client, host, f"{node}:{os.getpid()}:{int(time.time())}", keys)
    app = _make_app(url, client, slot, fitness, watchdog)
    worker = make_worker(app, queues, f"play-{os.getpid()}")
    was_root = privileges.is_root()
    _prepare_numeric()
    try:
        _require_release(client)
        fitness.probe()
        privileges.drop()
    except SandboxError as failure:
        fitness.report_unfit(failure)
        raise
    keep_private()  # the kernel resets this when the user changes
    die_with_parent()
    watchdog.start()
    if swept := orphans.sweep(runtime.prepare()):
        log.warning("ended %d jails that a killed worker had left behind", swept)
    log.info("ready to play as user %d%s", os.getuid(), " after dropping root" if was_root else "")
    gc.freeze()  # all modules have been imported, so the garbage collector can skip them
    worker.start()
    return int(worker.exitcode or 0)


def _require_release(client: Any) -> None:
    """Check that the site has this release, and wait a few seconds for a site that was just upgraded.

    Raises UnfitError: the site reports another release.
    """
    deadline = time.monotonic() + RELEASE_WAIT_S
    while (release := link.site_release(client)) not in (None, this_release()):
        if time.monotonic() >= deadline:
            raise UnfitError(link.RELEASE, release_mismatch(release or ""))
        time.sleep(1)


def queues_and_keys(kind: str, host: str) -> tuple[list[str], list[link.SlotKey]]:
    """Return a worker's queues, by priority, and the keys of its slot.

    A worker that also runs bots at tables does so between two matches, so a player waits for at most one match.  For a
    whole game at a table, a bot gets no more CPU time than for a game in a match.
    """
    if kind == CHECKS_SLOT:
        return [names.queue_of(queue, host) for queue in (names.QUEUE_CHECKS, names.QUEUE_DRAFT_CHECKS)], [
            names.checkers_key
        ]
    if kind == TABLES_SLOT:
        return [names.queue_of(names.QUEUE_TABLES, host)], [names.table_workers_key]
    if kind.endswith(TABLES_SUFFIX):
        return [names.queue_of(names.QUEUE_TABLES, host), *names.play_queues(host)], [
            names.slots_key,
            names.table_workers_key,
        ]
    return list(names.play_queues(host)), [names.slots_key]


def _prepare_numeric() -> None:
    try:
        runtime.prepare_numeric()
    except SandboxError as error:
        log.warning("matches of the numeric profile cannot be played here: %s", error)


def _make_app(url: str, client: Any, slot: Slot, fitness: Fitness, watchdog: Watchdog) -> Celery:
    app = make_celery(url, role="match")
    messenger, codes = Messenger(app), CodeStore(lambda digest: _fetch(client, digest))
    pool = Pool(Mode.JAIL, cgroups=cgroups.Cgroups.find())
    player = Player(messenger, codes, slot.announce, _exit_after_match, pool, Grace().is_over, watchdog)
    tables = TablePlayer(messenger, codes, slot.announce, _exit_after_match, pool, watchdog)

    def run(text: str) -> None:
        message = gate.decode_message(text)
        try:
            (tables if message.kind == "table" else player).play(message)
        except ReleaseMismatch as other:
            slot.withdraw()
            fitness.report_other_release(str(other))
        else:
            fitness.confirm_release()

    app.task(run, name=names.TASK_RUN)
    app.steps["consumer"].add(_announcement_step(slot, fitness, tables.forget_idle))
    return app


def _fetch(client: Any, digest: str) -> bytes | None:
    deadline = time.monotonic() + SEND_TIMEOUT_S
    while True:
        try:
            source: bytes | None = client.get(names.code_key(digest))
        except RedisError as error:
            if time.monotonic() >= deadline:
                raise CodeMissing(f"the broker is not reachable: {error}") from error
            time.sleep(SEND_RETRY_INTERVAL_S)
        else:
            return source


def _exit_after_match() -> None:
    """Exit after the current job because of a platform fault; after the restart, the jail is probed first."""
    log.error("a match failed through a platform fault; this worker exits, and is probed after its restart")
    state.should_stop = EXIT_UNFIT


def _announcement_step(slot: Slot, fitness: Fitness, forget_idle: Callable[[], None]) -> type[bootsteps.StartStopStep]:
    """Return a step of Celery's consumer that announces the slot and probes the jail between matches."""

    def between_matches() -> None:
        fitness.probe_if_due()
        forget_idle()
        slot.announce()

    class AnnouncementStep(bootsteps.StartStopStep):
        requires = ("celery.worker.consumer.tasks:Tasks",)

        def start(self, consumer: Any) -> None:
            slot.announce()
            self._timer = consumer.timer.call_repeatedly(ANNOUNCE_INTERVAL_S, between_matches)

        def stop(self, consumer: Any) -> None:
            self._timer.cancel()
            slot.withdraw()

    return AnnouncementStep


if __name__ == "__main__":
    sys.exit(main())
