"""Plan the child processes of `gangland up`, and write their log."""

import json
import os
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from ipaddress import ip_address
from pathlib import Path
from typing import TextIO

from gangland_ladder.common.documents import json_text
from gangland_ladder.documents.installations import Ready, SetupCode, UpLine
from gangland_sandbox.niceness import MAX_NICE
from gangland_web.process import PARENT

# Settings: each child gets only the settings that it needs.

# environment variables that all children inherit, if they are set
SHARED_VARIABLES = tuple(
    "GANGLAND_RUNTIME_DIR HOME LANG LC_ALL LOG_FORMAT LOG_LEVEL PATH PYTHONPATH PYTHONWARNINGS TMPDIR TZ "
    "VIRTUAL_ENV XDG_DATA_HOME".split()
)

WEB_VARIABLES = tuple(
    "GANGLAND_ANALYSIS_WORKERS GANGLAND_AUDIT_PERCENT GANGLAND_TEAM_MEMBERS METRICS_TOKEN METRICS_TOKEN_FILE "
    "OIDC_CLIENT_ID OIDC_CLIENT_SECRET OIDC_CLIENT_SECRET_FILE OIDC_DOMAINS OIDC_GROUPS OIDC_ISSUER OIDC_NAME "
    "PROXY_ADDRESSES REQUESTS_CA_BUNDLE SECURE_COOKIES SITE_URL SMTP_FROM TRUSTED_PROXIES".split()
)
RECORDS_VARIABLES = tuple(
    "GANGLAND_ANALYSIS_BUDGET_S GANGLAND_ANALYSIS_CPU_S GANGLAND_ANALYSIS_SAMPLE GANGLAND_ANALYSIS_WORKERS "
    "GANGLAND_AUDIT_PERCENT GANGLAND_ROUNDS KEEP_LOGS_DAYS KEEP_REPLAYS_DAYS".split()
)
BEAT_VARIABLES = ("SMTP_FROM",)
MAIL_VARIABLES = tuple(
    "SITE_URL SMTP_FROM SMTP_PASSWORD SMTP_PASSWORD_FILE SMTP_URL SMTP_URL_FILE SSL_CERT_DIR SSL_CERT_FILE".split()
)

LOOPBACK = "127.0.0.1"
NICE = 10  # niceness of match workers: pages have priority over matches
ANALYSIS_NICE = 5  # lower priority than pages, but higher than matches, because users wait for analyses
TABLES_EXTRA_NICE = 5  # added for the worker that serves tables: tournaments have priority


@dataclass(frozen=True, slots=True)
class Addresses:
    """The addresses of the database and of the broker (for three users), and the file with the site's secret."""

    data: Path
    database_url: str
    redis_url: str
    worker_redis_url: str
    analysis_redis_url: str
    secret_key_file: Path


@dataclass(frozen=True, slots=True)
class ChildPlan:
    """A child process to start."""

    name: str  # in the log
    command: tuple[str, ...]
    environment: dict[str, str]  # the whole environment; nothing is inherited
    nice: int = 0


def plan_children(
    addresses: Addresses,
    port: int,
    workers: int,
    *,
    host: str = LOOPBACK,
    mail: bool = False,
    nice: int = NICE,
    analysis_workers: int = 1,
) -> list[ChildPlan]:
    """Return the children in the order in which they start.

    Args:
        mail: whether the site sends mail, which needs an additional process.
        nice: niceness of match workers, 0 to 19.
        analysis_workers: the number of processes.
    """
    database, broker = {"DATABASE_URL": addresses.database_url}, {"REDIS_URL": addresses.redis_url}
    site = {"SECRET_KEY_FILE": str(addresses.secret_key_file), "GANGLAND_DATA": str(addresses.data)}
    if (address := site_url(host, port)) and not os.environ.get("SITE_URL"):
        site["SITE_URL"] = address
    analysis = {"ANALYSIS_REDIS_URL": addresses.analysis_redis_url}
    play = {"WORKER_REDIS_URL": addresses.worker_redis_url}
    first = os.getpid()  # so that two installations on one machine do not both start with the first core
    slots = [str(first + slot) for slot in range(workers)]
    if workers == 1:
        slots = [f"{first}+tables"]  # a single worker plays matches and, in between, serves tables
    analyzer = (_module("workers.analysis"), _environment((), analysis), min(nice, ANALYSIS_NICE))
    return [
        ChildPlan("records", _module("workers.records"), _environment(RECORDS_VARIABLES, database, broker, analysis)),
        *(_worker(f"play-{number}", slot, play, nice) for number, slot in enumerate(slots, 1)),
        *([_worker("play-tables", "tables", play, min(nice + TABLES_EXTRA_NICE, MAX_NICE))] if workers != 1 else []),
        _worker("play-checks", "checks", play, nice),
        *(ChildPlan(f"analysis-{number}", *analyzer) for number in range(1, analysis_workers + 1)),
        *([ChildPlan("mail", _module("workers.mail"), _environment(MAIL_VARIABLES, database, broker))] if mail else []),
        ChildPlan("beat", _module("workers.beat"), _environment(BEAT_VARIABLES, broker)),
        ChildPlan("web", web_command(port, host), _environment(WEB_VARIABLES, database, broker, site)),
    ]


def _worker(name: str, slot: str, play: Mapping[str, str], nice: int) -> ChildPlan:
    return ChildPlan(name, _module("workers.match"), _environment((), play, {"GANGLAND_SLOT": slot}), nice)


def shared_environment(inherited: Mapping[str, str] = os.environ) -> dict[str, str]:
    """Return the environment that all children share."""
    environment = {name: inherited[name] for name in SHARED_VARIABLES if inherited.get(name)}
    environment.setdefault("LOG_LEVEL", "info")  # so that the log does not contain every request and match
    return {**environment, "PYTHONUNBUFFERED": "1", "PYTHONSAFEPATH": "1", PARENT: str(os.getpid())}


def _environment(names: tuple[str, ...], *layers: Mapping[str, str]) -> dict[str, str]:
    environment = shared_environment() | {name: os.environ[name] for name in names if os.environ.get(name)}
    for settings in layers:
        environment |= settings
    return environment


def _module(name: str) -> tuple[str, ...]:
    return (sys.executable, "-m", f"gangland_web.{name}")


def web_command(port: int, host: str = LOOPBACK) -> tuple[str, ...]:
    """Return the command that serves the site at a local address."""
    return (*_module("ops.serving"), "--bind", host_and_port(host, port))


def host_and_port(host: str, port: int) -> str:
    """Return an address and a port as written in a URL."""
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def site_url(host: str, port: int) -> str | None:
    """Return the URL of a site at an address and port, or None if the address is loopback or unspecified."""
    address = ip_address(host)
    return None if address.is_loopback or address.is_unspecified else f"http://{host_and_port(host, port)}"


# The log: a file contains all lines of the children, with their names; the screen shows only what an operator needs.

MAX_LOG_BYTES = 10 * 1024 * 1024
NAME_WIDTH = 10


class Journal:
    """Writes lines to a file, and sentences for the operator to the screen as well.

    The site continues if either fails.  While the file cannot be written, its lines go to the screen.
    """

    def __init__(self, path: Path, *, as_json: bool, json_lines: bool = False) -> None:
        """Append to the file; a large file is renamed first.

        `as_json`: standard output has only JSON events, and sentences go to standard error.  `json_lines`: the children
        write JSON objects (LOG_FORMAT).
        """
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._path = path
        self._line = _json_line if json_lines else _line
        self._file = path.open("ab", buffering=0)
        self._bytes = path.stat().st_size
        self._broken = False
        self._screen: TextIO | None = sys.stderr if as_json else sys.stdout
        self._events: TextIO | None = sys.stdout if as_json else None
        self._as_json = as_json

    def write(self, name: str, line: str) -> None:
        """Write one line of output of `name` to the file."""
        text = self._line(name, line)
        if not self._write_to_file(text):
            self._show(text)

    def print_line(self, sentence: str) -> None:
        """Print a sentence for the operator, and write it to the file."""
        self._write_to_file(self._line("gangland", sentence))
        self._show(f"{time.strftime('%H:%M:%S')}  {sentence}\n")

    def report(self, event: UpLine, sentence: str, *, on_screen: bool = True) -> None:
        """Write an event to the file, and print it for the operator: as JSON, else as a sentence if `on_screen`."""
        if not self._as_json and on_screen:
            self.print_line(sentence)
            return
        self.write("gangland", sentence)
        if self._as_json:
            self._events = _write_to(self._events, json_text(event) + "\n")

    def announce(self, address: str, code: str | None) -> None:
        """Print the address of the site, with the code for the first administrator if there is one."""
        self._write_to_file(self._line("gangland", f"serving at {address}"))
        if self._as_json:
            events = [Ready(address=address), *([] if code is None else [SetupCode(code=code)])]
            self._events = _write_to(self._events, "".join(json_text(event) + "\n" for event in events))
            return
        line = address if code is None else f"{address}   one-time code: {code}"
        edge = f"+{'-' * (len(line) + 4)}+"
        hint = "" if code is None else "Sign up there, then enter the code at /setup to become the administrator.\n"
        text = f"\n{edge}\n|  {line}  |\n{edge}\n{hint}Log: {self._path}. Ctrl-C stops the site.\n\n"
        # The code must not be in a log, such as a file that standard output is redirected to.
        _write_to(self._screen if code is None else sys.stderr, text)

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def _write_to_file(self, text: str) -> bool:
        """Write to the file and return whether that worked; report on the screen when it first fails or recovers."""
        try:
            if self._bytes > MAX_LOG_BYTES:
                self._rotate()
            self._bytes += self._file.write(text.encode("utf-8", "replace"))
        except OSError as error:
            if not self._broken:
                self._broken = True
                self._show(self._line("gangland", f"{self._path} cannot be written: {error.strerror}"))
        else:
            if self._broken:
                self._broken = False
                self._show(self._line("gangland", f"{self._path} can be written again"))
        return not self._broken

    def _rotate(self) -> None:
        with suppress(FileNotFoundError):  # already renamed, but no new file could be created
            self._path.replace(self._path.with_suffix(".old"))
        large, self._file = self._file, self._path.open("ab", buffering=0)
        self._bytes = 0
        large.close()

    def _show(self, text: str) -> None:
        self._screen = _write_to(self._screen, text)


def _write_to(stream: TextIO | None, text: str) -> TextIO | None:
    if stream is None:
        return None
    try:
        stream.write(text)
        stream.flush()
    except OSError:
        return None
    return stream


def _line(name: str, text: str) -> str:
    return f"{time.strftime('%H:%M:%S')} {name:<{NAME_WIDTH}} | {text}\n"


def _json_line(name: str, text: str) -> str:
    """Return a child's output as a JSON object with its name; plain text becomes the event."""
    line = None
    with suppress(ValueError):
        line = json.loads(text)
    if not isinstance(line, dict):
        at = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        line = {"at": at, "level": "info", "event": text}
    return json.dumps(line | {"process": name}) + "\n"
