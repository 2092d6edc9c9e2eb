"""What `gangland up` does once its data folder and its port are free."""

import os
import signal
import time
from functools import partial
from ipaddress import ip_address
from pathlib import Path
from types import FrameType

from redis.exceptions import RedisError
from sqlalchemy import make_url
from sqlalchemy.exc import DBAPIError

from gangland_ladder.documents import machines
from gangland_sandbox.errors import SandboxError
from gangland_sandbox.privileges import is_root
from gangland_sandbox.reach import OPEN, View, view_of
from gangland_web.broker.link import connect
from gangland_web.broker.server import BrokerError, BrokerPlan, plan_broker, remove_socket, wait_until_ready
from gangland_web.models.database import Database, normal_url
from gangland_web.ops.prepare import code_sentence, prepare
from gangland_web.ops.supervisor.children import Children
from gangland_web.ops.supervisor.data_folder import CannotStart, secret_key_file
from gangland_web.ops.supervisor.environment import (
    LOOPBACK,
    NICE,
    Addresses,
    ChildPlan,
    at_port,
    plain_environment,
    plan_children,
)
from gangland_web.ops.supervisor.hosts import let_in_analysis, let_in_hosts, own_address, unrecorded
from gangland_web.ops.supervisor.journal import Journal
from gangland_web.ops.supervisor.ownership import need_writable, settle, settle_broker
from gangland_web.ops.supervisor.progress import Progress, read_progress
from gangland_web.ops.supervisor.reach import code_folders, unreadable
from gangland_web.ops.supervisor.users import BROKER, RECORDS, WEB, as_user, somebody_elses
from gangland_web.services.worker_hosts import HostRefused
from gangland_web.settings import Settings, read_oidc, read_settings, read_smtp, sqlite_url

PROGRESS_EVERY_S = 5.0
SILENT_S, CODE_WITHIN_S = 1.5, 20.0
"""The code for the first admin is printed once the log was silent for so long, and after so long anyhow."""
MATCH_ENDS_WITHIN_S = 30.0
"""How long a match worker may take to finish its match when all stops."""
MAIL_ENDS_WITHIN_S = 30.0
"""How long the mail that is on may take: a server is given 20 s for each answer."""
RECORDS_DRAIN_S = 15.0
IMPATIENT_AFTER_S = 1.0
"""A second signal after this long means: stop at once.  Within it, it is the first one, come by another way."""
PLAIN_HTTP = (
    "warning: the site is served over plain HTTP, so whoever shares the network can read passwords and bots; "
    "serve it so only in a network that you trust, or put a proxy with TLS in front (docs/install.md)"
)


class Supervisor:
    """Starts everything in order, watches over it, and stops it in order."""

    def __init__(
        self, data: Path, port: int, workers: int, journal: Journal, *, host: str = LOOPBACK, nice: int = NICE
    ) -> None:
        """Serve the installation in a data folder at an address and a port of this machine."""
        self._data, self._port, self._workers, self._journal = data, port, workers, journal
        self._host = host
        self._nice = nice
        self._view = _view(data)
        self._children = Children(journal, data, self._view)
        self._broker: BrokerPlan | None = None
        self._reported: Progress | None = None
        self._progress_at = 0.0
        self._code: str | None = None
        self._code_at = 0.0
        self.is_stopping = False
        self._stopping_since = 0.0

    def run(self) -> None:
        """Serve until a signal asks to stop.

        Raises:
            CannotStart: a part that everything else needs cannot be started.
        """
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, self._on_signal)
        try:
            addresses = self._start()
            while not self.is_stopping:
                self._children.watch(0.2)
                self._show_progress(addresses)
                self._show_code()
            self._stop(addresses)
        finally:
            self._children.kill_all()
            if self._broker is not None:
                remove_socket(self._broker)

    def _start(self) -> Addresses:
        """Start everything in order, each under its own user where this process is root."""
        settings, smtp = read_settings(), read_smtp(os.environ)
        read_oidc(os.environ)  # a mistake in it is told here, and not by the web process again and again
        addresses = self._addresses(settings)
        code = self._prepare(addresses, settings)
        plan_of = partial(plan_children, host=self._host, mail=smtp is not None, nice=self._nice)
        plan_of = partial(plan_of, analysis_workers=settings.analysis_workers)
        for plan in plan_of(addresses, self._port, self._workers):
            self._children.start(plan)
        shown = LOOPBACK if ip_address(self._host).is_unspecified else self._host
        address = f"http://{at_port(shown, self._port)}/"
        if not ip_address(self._host).is_loopback:
            self._journal.tell(machines.PlainHttp(), PLAIN_HTTP)
        sentence = f"serving at {address}   (Ctrl-C stops; data in {self._data})"
        self._journal.tell(machines.Ready(address=address), sentence)
        self._code, self._code_at = code, time.monotonic() + CODE_WITHIN_S
        return addresses

    def _show_code(self) -> None:
        """Print the code for the first admin once all parts have said what they say at their start."""
        due = self._journal.silent_s >= SILENT_S or time.monotonic() >= self._code_at or self.is_stopping
        if self._code is not None and due:
            self._journal.confide(machines.SetupCode(code=self._code), code_sentence(self._code))
            self._code = None

    def _prepare(self, addresses: Addresses, settings: Settings) -> str | None:
        prepared = as_user(RECORDS, self._view, partial(_prepared, addresses, settings.blocks))
        if prepared["failure"] is not None:
            raise CannotStart(prepared["failure"])
        return prepared["code"]

    def _addresses(self, settings: Settings) -> Addresses:
        """Where everything is; the private broker is started unless REDIS_URL names another."""
        database_url = normal_url(settings.database_url or sqlite_url(self._data))
        key = secret_key_file(self._data)
        if is_root():
            _settle(self._data, database_url)
        if settings.redis_url is None:
            self._broker = self._start_broker()
            redis_url, worker_url = self._broker.redis_url, self._broker.worker_redis_url
            analysis_url = self._broker.analysis_redis_url
        else:
            redis_url = settings.redis_url
            _need_broker(redis_url)
            worker_url = settings.worker_redis_url or own_address(self._data, redis_url)
            analysis_url = settings.analysis_redis_url or let_in_analysis(self._data, redis_url)
        return Addresses(
            data=self._data,
            database_url=database_url,
            redis_url=redis_url,
            worker_redis_url=worker_url,
            analysis_redis_url=analysis_url,
            secret_key_file=key,
        )

    def _start_broker(self) -> BrokerPlan:
        try:
            plan = plan_broker(self._data, owner=BROKER.number if is_root() else None)
        except BrokerError as error:
            raise CannotStart(str(error)) from error
        if is_root():
            settle_broker(plan.folder)
        self._journal.write("gangland", f"broker: {plan.server}")
        child = self._children.start(ChildPlan("broker", plan.command, plain_environment()))
        if child.process is None:
            raise CannotStart("the private broker did not start")
        try:
            wait_until_ready(plan, child.process)
        except BrokerError as error:
            self._children.watch(0.1)
            raise CannotStart(str(error)) from error
        return plan

    def _show_progress(self, addresses: Addresses) -> None:
        if time.monotonic() < self._progress_at:
            return
        self._progress_at = time.monotonic() + PROGRESS_EVERY_S
        counted = as_user(RECORDS, self._view, partial(_progress, addresses.database_url))
        progress = Progress(*counted) if counted is not None else None
        if progress is not None and progress != self._reported and progress.scheduled:
            self._reported = progress
            line = machines.Progress(scheduled=progress.scheduled, over=progress.over, under_way=progress.under_way)
            self._journal.tell(line, progress.sentence)

    def _stop(self, addresses: Addresses) -> None:
        """Close the door, let matches end and be recorded, and stop the broker last."""
        self._journal.tell(
            machines.Stopping(), "stopping: matches under way are finished first (again to stop at once)"
        )
        self._children.stop("web", within_s=10)
        self._children.stop("beat", within_s=5)
        self._children.stop("mail", within_s=MAIL_ENDS_WITHIN_S)
        self._children.stop("analysis-", within_s=5)
        self._children.stop("play-", within_s=MATCH_ENDS_WITHIN_S)
        self._drain(addresses)
        self._children.stop("records", within_s=15)
        self._children.stop("broker", within_s=10)
        self._journal.tell(machines.Ended(), "stopped")

    def _drain(self, addresses: Addresses) -> None:
        """Give the record worker time for what was sent; what is left waits on the broker's disk."""
        client, deadline = connect(addresses.redis_url), time.monotonic() + RECORDS_DRAIN_S
        try:
            while unrecorded(client) and time.monotonic() < deadline and not self._children.hurry:
                self._children.watch(0.05)
        except RedisError as error:
            self._journal.write("supervisor", f"the broker is away: {error}")
        finally:
            client.close()

    def _on_signal(self, number: int, _frame: FrameType | None) -> None:
        """Note what is asked; nothing more, since a signal may come in the middle of anything."""
        now = time.monotonic()
        if not self.is_stopping:
            self.is_stopping, self._stopping_since = True, now
        elif now - self._stopping_since > IMPATIENT_AFTER_S and number != signal.SIGHUP:
            self._children.hurry = True


def _view(data: Path) -> View:
    """Return what processes without root are to see, once one has tried that it can be had.

    Raises:
        CannotStart: they cannot reach our code; the message says what to do.
    """
    if not is_root():
        return OPEN
    if (whose := somebody_elses()) is not None:
        raise CannotStart(
            f"as root, gangland runs its processes as users of its own, and {whose} is somebody else's on this "
            "machine: start it as an ordinary user, or by the systemd units (docs/install.md)"
        )
    if (path := unreadable()) is not None:
        raise CannotStart(
            f"as root, gangland runs its processes as users of their own, who cannot read {path}: "
            "`chmod -R go+rX` the checkout and its .venv, or start it as an ordinary user"
        )
    view = view_of([*code_folders(), data])
    try:
        as_user(WEB, view, lambda: None)
    except SandboxError as failure:
        raise CannotStart(
            "as root, gangland runs its processes as users of their own, and they cannot be made to reach "
            f"{', '.join(map(str, view.closed)) or 'anything'} (it takes CAP_SETUID, CAP_SETGID and, for a closed "
            "folder, CAP_SYS_ADMIN): put checkout and --data where all users can pass, such as /opt and /srv, or start "
            f"it as an ordinary user ({str(failure).splitlines()[-1]})"
        ) from failure
    return view


def _settle(data: Path, database_url: str) -> None:
    """Give files to the users of the processes, those of an embedded database elsewhere too."""
    settle(data)
    address = make_url(database_url)
    if address.get_backend_name() == "sqlite" and database_url != sqlite_url(data):
        need_writable(Path(address.database or "").absolute())


def _prepared(addresses: Addresses, blocks: int) -> dict[str, str | None]:
    """Prepare database and worker hosts; return the code for the first admin, or why that is not possible."""
    try:
        database = Database(addresses.database_url)
        code = prepare(database, blocks=blocks, worker_redis_url=addresses.worker_redis_url)
        let_in_hosts(database, addresses.redis_url)
    except DBAPIError as error:
        return {"code": None, "failure": f"the database cannot be used: {str(error.orig).strip()}"}
    except (HostRefused, RedisError) as error:
        return {"code": None, "failure": f"this machine cannot be let in to the broker as a worker host: {error}"}
    return {"code": code, "failure": None}


def _progress(database_url: str) -> tuple[int, int, int] | None:
    database = Database(database_url)
    try:
        progress = read_progress(database)
    finally:
        database.close()
    return None if progress is None else (progress.scheduled, progress.over, progress.under_way)


def _need_broker(redis_url: str) -> None:
    try:
        with connect(redis_url) as client:
            client.ping()
    except (RedisError, ValueError) as error:
        raise CannotStart(f"the broker that REDIS_URL names does not answer: {error}") from error
