"""`gangland up`: run the whole platform on one machine, as children of one process."""

import argparse
import os
import selectors
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import closing, suppress
from dataclasses import asdict, astuple, dataclass
from functools import partial
from ipaddress import ip_address
from pathlib import Path
from types import FrameType
from typing import Any

from redis import Redis
from redis.exceptions import RedisError
from sqlalchemy import make_url
from sqlalchemy.exc import DBAPIError, SQLAlchemyError
from sqlmodel import col, func, select

from gangland_ladder.common.runtime import INTERRUPTED, accept_interrupt
from gangland_ladder.common.texts import counted
from gangland_ladder.documents import installations as machines
from gangland_ladder.local.salt import data_folder
from gangland_sandbox.errors import SandboxError
from gangland_sandbox.privileges import is_root
from gangland_sandbox.reach import OPEN_VIEW, View, view_of
from gangland_web.base.secrecy import keep_private, stored_secret
from gangland_web.broker import access, link, names, server
from gangland_web.models.database import Database, normal_url
from gangland_web.models.matches import Match, MatchState
from gangland_web.ops import children, prepare, users
from gangland_web.process import before_exec, check_log_settings
from gangland_web.services.worker_hosts import HostRefused, broker_access
from gangland_web.settings import ConfigError, Settings, read_oidc, read_settings, read_smtp, sqlite_url

# Children: start, watch, restart and stop them, and write each line that they print to the log file.

MIN_PAUSE_S = 0.5
MAX_PAUSE_S = 30.0
STABLE_AFTER_S = 30.0  # A child that ran for this long is restarted after the shortest pause.
READ_BYTES = 65536


@dataclass(slots=True)
class Child:
    """A child, running or waiting for its restart."""

    plan: children.ChildPlan
    process: "subprocess.Popen[bytes] | None" = None
    started_at: float = 0.0
    restart_at: float = 0.0
    pause_s: float = MIN_PAUSE_S
    incomplete_line: bytes = b""
    is_stopping: bool = False

    @property
    def is_running(self) -> bool:
        """Whether the child's process exists."""
        return self.process is not None and self.process.poll() is None


class Children:
    """All children; use it in one thread only, since the kernel ties a child to the thread that started it."""

    def __init__(self, journal: children.Journal, folder: Path, view: View = OPEN_VIEW) -> None:
        """Write the children's output to the journal; they run in `folder`, with this view if root is dropped."""
        self._journal = journal
        self._folder = folder
        self._view = view
        self._selector = selectors.DefaultSelector()
        self.all: list[Child] = []
        self.kill_immediately = False  # if set, children get no more time to end on their own

    def start(self, plan: children.ChildPlan) -> Child:
        """Start a child and keep it running."""
        child = Child(plan)
        self.all.append(child)
        self._spawn(child)
        return child

    def watch(self, max_s: float) -> None:
        """Wait at most `max_s` seconds for output of the children and forward it; restart children that ended."""
        self._read(max_s)
        for child in self.all:
            self._restart_if_ended(child)

    def stop(self, prefix: str, *, within_s: float) -> None:
        """Stop the children whose names begin with `prefix`; kill those that take longer than `within_s` seconds."""
        ending = [child for child in self.all if child.plan.name.startswith(prefix)]
        for child in ending:
            child.is_stopping = True
            if child.process is not None and child.is_running:
                child.process.terminate()
        deadline = time.monotonic() + within_s
        while any(child.is_running for child in ending) and time.monotonic() < deadline and not self.kill_immediately:
            self._read(0.05)
        for child in ending:
            if child.process is not None and child.is_running:
                reason = "had to stop immediately" if self.kill_immediately else f"did not end within {within_s:.0f} s"
                self._journal.write("supervisor", f"{child.plan.name} {reason}; killed")
                _kill_group(child.process)
            self._reap(child)

    def kill_all(self) -> None:
        """Kill all remaining children immediately."""
        for child in self.all:
            child.is_stopping = True
            if child.process is not None:
                _kill_group(child.process)
                self._reap(child)

    def _spawn(self, child: Child) -> None:
        user, environment, become = users.user_of(child.plan.name), child.plan.environment, None
        if user is not None:
            environment = users.without_root_settings(users.copy_files(self._folder, user, environment), self._folder)
            become = partial(user.become, self._view)
        child.process = subprocess.Popen(
            child.plan.command,
            env=environment,
            cwd=self._folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            preexec_fn=before_exec(child.plan.nice, become),  # noqa: PLW1509  # one thread
        )
        child.started_at = time.monotonic()
        if child.process.stdout is not None:
            os.set_blocking(child.process.stdout.fileno(), False)
            self._selector.register(child.process.stdout, selectors.EVENT_READ, child)

    def _restart_if_ended(self, child: Child) -> None:
        now = time.monotonic()
        if child.is_stopping or child.is_running:
            return
        if child.process is not None:
            status, lived_s = child.process.returncode, now - child.started_at
            self._reap(child)
            child.pause_s = MIN_PAUSE_S if lived_s > STABLE_AFTER_S else min(child.pause_s * 2, MAX_PAUSE_S)
            self._schedule_restart(child, now, f"ended with status {status}")
        elif now >= child.restart_at:
            try:
                self._spawn(child)
            except (OSError, subprocess.SubprocessError) as error:  # may be temporary, such as a lack of memory
                child.pause_s = min(child.pause_s * 2, MAX_PAUSE_S)
                self._schedule_restart(child, now, f"could not be started: {error}")

    def _schedule_restart(self, child: Child, now: float, reason: str) -> None:
        child.restart_at = now + child.pause_s
        self._journal.print_line(f"{child.plan.name} {reason}; restarting in {child.pause_s:g} s")

    def _read(self, max_s: float) -> None:
        if not self._selector.get_map():
            time.sleep(max_s)
            return
        for key, _ in self._selector.select(max_s):
            self._forward_output(key.data)

    def _forward_output(self, child: Child) -> None:
        """Write the complete lines that the child has printed; drop its pipe if the pipe is closed."""
        if child.process is None or child.process.stdout is None:
            return
        try:
            read = os.read(child.process.stdout.fileno(), READ_BYTES)
        except BlockingIOError:
            return
        if not read:
            self._selector.unregister(child.process.stdout)
            child.process.stdout.close()
            child.process.stdout = None
        *lines, child.incomplete_line = (child.incomplete_line + read).split(b"\n")
        if len(child.incomplete_line) > READ_BYTES or (not read and child.incomplete_line):
            lines, child.incomplete_line = [*lines, child.incomplete_line], b""
        for line in filter(None, lines):
            self._journal.write(child.plan.name, line.decode("utf-8", "replace").rstrip())

    def _reap(self, child: Child) -> None:
        if child.process is None:
            return
        child.process.wait()
        while child.process.stdout is not None:
            before = child.process.stdout
            self._forward_output(child)
            if child.process.stdout is before and not _readable(before.fileno()):
                self._selector.unregister(before)
                before.close()
                child.process.stdout = None
        child.process = None


def _readable(descriptor: int) -> bool:
    """Return whether there is more to read now; a grandchild may keep the pipe open without writing."""
    with selectors.DefaultSelector() as selector:
        selector.register(descriptor, selectors.EVENT_READ)
        return bool(selector.select(0))


def _kill_group(process: "subprocess.Popen[bytes]") -> None:
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        process.poll()


# Hosts: this machine as a worker host of its own site, and other hosts that the broker must know from the start.


def own_broker_address(data: Path, redis_url: str) -> str:
    """Return the address of another machine's broker for this host, with a password stored in the data folder."""
    folder = data / "broker"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return access.host_url(redis_url, names.LOCAL, stored_secret(folder / server.HOST_PASSWORD))


def admit_analysis(data: Path, redis_url: str) -> str:
    """Admit the analysis workers to another machine's broker, and return its address for them.  Raises RedisError."""
    password = stored_secret(data / "broker" / server.ANALYSIS_PASSWORD)
    with link.connect(redis_url) as client:
        set_user: Any = client.execute_command
        set_user("ACL SETUSER", names.ANALYSIS_USER, "reset", *access.analysis_rules(access.stored_hash(password)))
    return access.analysis_url(redis_url, password)


def admit_hosts(database: Database, redis_url: str) -> None:
    """Admit the hosts that may play to the broker, before any child starts.  Raises RedisError."""
    with database.read() as session, link.connect(redis_url) as client:
        access.BrokerUsers(client).admit(broker_access(session))


def count_unrecorded(client: Redis) -> int:
    """Return the number of messages that the record worker has not received yet."""
    queues = [names.QUEUE_RECORDS, *(names.queue_of(names.QUEUE_RECORDS, host) for host in link.known_hosts(client))]
    return sum(int(client.llen(queue)) for queue in queues)


@dataclass(frozen=True, slots=True)
class Progress:
    """The numbers of matches that are scheduled, over and under way."""

    scheduled: int
    over: int
    under_way: int  # now being played

    @property
    def tenths(self) -> int:
        """The number of full tenths of the matches that are over."""
        return 10 * self.over // self.scheduled

    @property
    def sentence(self) -> str:
        """The line to show."""
        if self.over == self.scheduled:
            return f"{counted(self.scheduled, 'match')} played, none left"
        return f"{self.over} of {counted(self.scheduled, 'match')} played"


def read_progress(database: Database) -> Progress | None:
    """Return the progress of the matches; None while the database is not available."""
    try:
        counts = select(Match.state, func.count()).where(col(Match.key).is_(None))
        with database.read() as session:
            by_state = dict(session.exec(counts.group_by(Match.state)).all())
    except SQLAlchemyError:
        return None
    over = by_state.get(MatchState.DONE.value, 0) + by_state.get(MatchState.VOID.value, 0)
    return Progress(sum(by_state.values()), over, by_state.get(MatchState.LEASED.value, 0))


# The supervisor, once its data folder and its port are free.

PROGRESS_INTERVAL_S = 5.0
SENTENCE_INTERVAL_S = 60.0  # interval for printing the progress, which is also printed at each tenth of the matches
SITE_TIMEOUT_S = 60.0
MATCH_TIMEOUT_S = 30.0  # for a match worker to finish its match on shutdown
MAIL_TIMEOUT_S = 30.0  # for the email in progress: a server has 20 s for each reply
DRAIN_TIMEOUT_S = 15.0
# A second signal after this time means: stop immediately. Before, it is the same signal, received twice.
SECOND_SIGNAL_AFTER_S = 1.0
PLAIN_HTTP = (
    "Warning: no TLS, so others on this network can read passwords and bots. "
    "Outside a trusted network, use a TLS proxy (docs/systemd.md)."
)


class Supervisor:
    """Starts the processes in order, supervises them, and stops them in order."""

    def __init__(
        self,
        data: Path,
        port: int,
        workers: int,
        journal: children.Journal,
        *,
        host: str = children.LOOPBACK,
        nice: int = children.NICE,
    ) -> None:
        self._data, self._port, self._workers, self._journal = data, port, workers, journal
        self._host = host
        self._nice = nice
        self._view = _view(data)
        self._children = Children(journal, data, self._view)
        self._broker: server.BrokerPlan | None = None
        self._reported: Progress | None = None
        self._progress_at = 0.0
        self._sentence_at = 0.0
        self.is_stopping = False
        self._stopping_since = 0.0

    def run(self) -> None:
        """Run the site until a signal.  Raises CannotStart, and ConfigError: a setting is invalid."""
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, self._on_signal)
        try:
            addresses = self._start()
            while not self.is_stopping:
                self._children.watch(0.2)
                self._show_progress(addresses)
            self._stop(addresses)
        finally:
            self._children.kill_all()
            if self._broker is not None:
                server.remove_socket(self._broker)

    def _start(self) -> children.Addresses:
        settings, smtp = read_settings(), read_smtp(os.environ)
        read_oidc(os.environ)  # reports a mistake once, instead of at each start of the web process
        addresses = self._addresses(settings)
        prepared = users.as_user(users.RECORDS, self._view, partial(_prepare, addresses, settings.blocks))
        if prepared["failure"] is not None:
            raise users.CannotStart(prepared["failure"])
        plan_of = partial(children.plan_children, host=self._host, mail=smtp is not None, nice=self._nice)
        plan_of = partial(plan_of, analysis_workers=settings.analysis_workers)
        for plan in plan_of(addresses, self._port, self._workers):
            self._children.start(plan)
        visible_host = children.LOOPBACK if ip_address(self._host).is_unspecified else self._host
        address = f"http://{children.host_and_port(visible_host, self._port)}/"
        if not ip_address(self._host).is_loopback:
            self._journal.report(machines.PlainHttp(), PLAIN_HTTP)
        self._wait_for_site(visible_host)
        self._journal.announce(address, prepared["code"])
        return addresses

    def _wait_for_site(self, host: str) -> None:
        """Wait until the site accepts connections, at most SITE_TIMEOUT_S."""
        deadline = time.monotonic() + SITE_TIMEOUT_S
        while time.monotonic() < deadline and not self.is_stopping:
            with suppress(OSError), socket.create_connection((host, self._port), 1):
                return
            self._children.watch(0.1)

    def _addresses(self, settings: Settings) -> children.Addresses:
        database_url = normal_url(settings.database_url or sqlite_url(self._data))
        key = users.secret_key_file(self._data)
        if is_root():
            _set_owners(self._data, database_url)
        if settings.redis_url is None:
            self._broker = self._start_broker()
            redis_url, worker_url = self._broker.redis_url, self._broker.worker_redis_url
            analysis_url = self._broker.analysis_redis_url
        else:
            redis_url = settings.redis_url
            _need_broker(redis_url)
            worker_url = settings.worker_redis_url or own_broker_address(self._data, redis_url)
            analysis_url = settings.analysis_redis_url or admit_analysis(self._data, redis_url)
        return children.Addresses(
            data=self._data,
            database_url=database_url,
            redis_url=redis_url,
            worker_redis_url=worker_url,
            analysis_redis_url=analysis_url,
            secret_key_file=key,
        )

    def _start_broker(self) -> server.BrokerPlan:
        try:
            plan = server.plan_broker(self._data, owner=users.BROKER.number if is_root() else None)
        except server.BrokerError as error:
            raise users.CannotStart(str(error)) from error
        if is_root():
            users.set_broker_owners(plan.folder)
        self._journal.write("gangland", f"broker: {plan.server}")
        child = self._children.start(children.ChildPlan("broker", plan.command, children.shared_environment()))
        if child.process is None:
            raise users.CannotStart("the broker did not start")
        try:
            server.wait_until_ready(plan, child.process)
        except server.BrokerError as error:
            self._children.watch(0.1)
            raise users.CannotStart(f"{error}; see {self._data / 'log' / 'gangland.log'}") from error
        return plan

    def _show_progress(self, addresses: children.Addresses) -> None:
        if time.monotonic() < self._progress_at:
            return
        self._progress_at = time.monotonic() + PROGRESS_INTERVAL_S
        counts = users.as_user(users.RECORDS, self._view, partial(_progress, addresses.database_url))
        progress = Progress(*counts) if counts is not None else None
        if progress is None or progress == self._reported or not progress.scheduled:
            return
        before, self._reported = self._reported, progress
        now = time.monotonic()
        is_due = before is None or before.tenths != progress.tenths or now >= self._sentence_at
        self._sentence_at = now + SENTENCE_INTERVAL_S if is_due else self._sentence_at
        self._journal.report(machines.Progress(**asdict(progress)), progress.sentence, on_screen=is_due)

    def _stop(self, addresses: children.Addresses) -> None:
        """Close the site, let matches end and record them, and stop the broker last."""
        self._journal.report(
            machines.Stopping(), "stopping after the running matches; press Ctrl-C again to stop immediately"
        )
        self._children.stop("web", within_s=10)
        self._children.stop("beat", within_s=5)
        self._children.stop("mail", within_s=MAIL_TIMEOUT_S)
        self._children.stop("analysis-", within_s=5)
        self._children.stop("play-", within_s=MATCH_TIMEOUT_S)
        self._drain(addresses)
        self._children.stop("records", within_s=15)
        self._children.stop("broker", within_s=10)
        self._journal.report(machines.SiteStopped(), "stopped")

    def _drain(self, addresses: children.Addresses) -> None:
        """Give the record worker time to handle messages; the rest stays on the broker's disk."""
        deadline = time.monotonic() + DRAIN_TIMEOUT_S
        try:
            with link.connect(addresses.redis_url) as client:
                while count_unrecorded(client) and time.monotonic() < deadline and not self._children.kill_immediately:
                    self._children.watch(0.05)
        except RedisError as error:
            self._journal.print_line(f"the broker is not reachable: {error}")

    def _on_signal(self, number: int, _frame: FrameType | None) -> None:
        """Only record the signal, since it may interrupt any code."""
        now = time.monotonic()
        if not self.is_stopping:
            self.is_stopping, self._stopping_since = True, now
        elif now - self._stopping_since > SECOND_SIGNAL_AFTER_S and number != signal.SIGHUP:
            self._children.kill_immediately = True


def _view(data: Path) -> View:
    """Return the file system view for unprivileged processes, after testing it."""
    if not is_root():
        return OPEN_VIEW
    if (owner := users.conflicting_owner()) is not None:
        raise users.CannotStart(
            f"as root, gangland needs its own users, but {owner} belongs to another account of this machine: "
            "start it as an ordinary user, or with the systemd units (docs/systemd.md)"
        )
    if (path := users.find_unreadable()) is not None:
        raise users.CannotStart(
            f"as root, gangland runs its processes as other users, and these cannot read {path}: "
            "run `chmod -R go+rX` on the checkout and its .venv, or start it as an ordinary user"
        )
    view = view_of([*users.code_folders(), data])
    try:
        users.as_user(users.WEB, view, lambda: None)
    except SandboxError as failure:
        raise users.CannotStart(
            "as root, gangland runs its processes as other users, and these cannot reach "
            f"{', '.join(map(str, view.closed)) or 'its files'} without CAP_SETUID, CAP_SETGID and CAP_SYS_ADMIN: "
            "move the checkout and --data to folders that all users can enter, such as /opt and /srv, or start it as "
            f"an ordinary user ({str(failure).splitlines()[-1]})"
        ) from failure
    return view


def _set_owners(data: Path, database_url: str) -> None:
    users.set_owners(data)
    address = make_url(database_url)
    if address.get_backend_name() == "sqlite" and database_url != sqlite_url(data):
        users.check_writable(Path(address.database or "").absolute())


def _prepare(addresses: children.Addresses, blocks: int) -> dict[str, str | None]:
    """Prepare database and worker hosts; return the code for the first admin, or the reason for a failure."""
    try:
        with closing(Database(addresses.database_url)) as database:
            code = prepare.prepare(database, blocks=blocks, worker_redis_url=addresses.worker_redis_url)
            admit_hosts(database, addresses.redis_url)
    except DBAPIError as error:
        return {"code": None, "failure": f"the database cannot be used: {str(error.orig).strip()}"}
    except (HostRefused, RedisError) as error:
        return {"code": None, "failure": f"cannot add this machine to the broker as a worker host: {error}"}
    return {"code": code, "failure": None}


def _progress(database_url: str) -> tuple[int, int, int] | None:
    with closing(Database(database_url)) as database:
        progress = read_progress(database)
    return None if progress is None else astuple(progress)


def _need_broker(redis_url: str) -> None:
    try:
        with link.connect(redis_url) as client:
            client.ping()
    except (RedisError, ValueError) as error:
        raise users.CannotStart(f"the broker at REDIS_URL does not answer: {error}") from error


# The command `python -m gangland_web.ops.supervisor`, which `gangland up` runs.

CANNOT_START = 2


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the site until a signal arrives, and return the exit status."""
    options = _parser().parse_args(arguments)
    users.enter_scope(sys.argv[1:] if arguments is None else arguments)
    keep_private()
    data = (options.data or data_folder(os.environ)).expanduser().absolute()
    try:
        accept_interrupt()
        check_log_settings(os.environ)
        users.open_folder(data)
        lock = users.lock_folder(data)
        users.check_port(options.port, options.host)
        journal = children.Journal(
            data / "log" / "gangland.log", as_json=options.json, json_lines=os.environ.get("LOG_FORMAT") == "json"
        )
        try:
            if options.with_wheels:
                prepare.fetch_packages(data, journal.print_line)
            Supervisor(data, options.port, options.workers, journal, host=options.host, nice=options.nice).run()
        finally:
            journal.close()
            lock.close()
    except (users.CannotStart, ConfigError, prepare.FetchFailed) as error:
        sys.stderr.write(f"gangland up: {error}\n")
        return CANNOT_START
    except KeyboardInterrupt:  # before the supervisor handles signals: during imports, or while packages are fetched
        sys.stderr.write("gangland up: interrupted\n")
        return INTERRUPTED
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="gangland up", description="Serve the whole site on this machine.")
    parser.add_argument("--port", type=int, default=8000, help="the port on which the site listens")
    parser.add_argument("--host", default=children.LOOPBACK, help="the address on which it listens")
    parser.add_argument("--with-wheels", action="store_true", help="fetch the base install, to be served at /download")
    parser.add_argument("--data", type=Path, default=None, help="the data folder")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1, help="number of match workers")
    nice_help = "nice value of match workers (0 to 19)"
    parser.add_argument("--nice", type=int, choices=range(20), default=children.NICE, help=nice_help)
    parser.add_argument("--json", action="store_true", help="events as lines of JSON on standard output")
    return parser


if __name__ == "__main__":
    sys.exit(main())
