"""Set up what every process needs: logging, and ending when the supervisor ends."""

import json
import logging
import os
import sys
from collections.abc import Callable, Iterator, Mapping, MutableMapping
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from typing import Any, Final, TextIO

import structlog
from structlog.contextvars import bound_contextvars, merge_contextvars

from gangland_ladder.matches.match_jobs import MatchJob
from gangland_sandbox.niceness import lower_priority
from gangland_sandbox.parent import die_with
from gangland_web.settings import ConfigError

# Logging: one line per event, to standard error, where the supervisor or a container engine reads it.
#
# Each line names the request, the match and the bots that it is about: the code that handles them binds their ids,
# which are added to every line until it is done. Text from bots, workers and requests is escaped, so that it cannot
# start a new line.

FORMATS: Final = ("text", "json")
LEVELS: Final = ("debug", "info", "warning")
OWN_LOGGERS: Final = ("gangland", "gangland_web", "gangland_sandbox", "gangland_ladder")
Event = MutableMapping[str, Any]
_TRACE: Final = "    | "  # before each line of a traceback, so that it cannot be mistaken for an event


def set_up_logging(environ: Mapping[str, str] | None = None, stream: TextIO | None = None) -> None:
    """Send this process's log to standard error, as set by LOG_FORMAT and LOG_LEVEL.

    Libraries log only warnings and errors.  A bad setting is reported in the log and otherwise ignored.
    """
    env = os.environ if environ is None else environ
    form, level = env.get("LOG_FORMAT") or "text", env.get("LOG_LEVEL") or "debug"
    handler = logging.StreamHandler(sys.stderr if stream is None else stream)
    handler.setFormatter(formatter(form if form in FORMATS else "text"))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    for name in OWN_LOGGERS:
        logging.getLogger(name).setLevel(level.upper() if level in LEVELS else "DEBUG")
    for name, value, known in (("LOG_FORMAT", form, FORMATS), ("LOG_LEVEL", level, LEVELS)):
        if value not in known:
            logging.getLogger("gangland_web").error("%s must be one of %s, not %r", name, ", ".join(known), value)


def check_log_settings(environ: Mapping[str, str]) -> None:
    """Check the settings of the log, for a process that starts others.  Raises ConfigError."""
    for name, known in (("LOG_FORMAT", FORMATS), ("LOG_LEVEL", LEVELS)):
        if environ.get(name) and environ[name] not in known:
            raise ConfigError(f"{name} must be one of {', '.join(known)}, not {environ[name]!r}")


def formatter(form: str) -> logging.Formatter:
    """Return the formatter for log records in this format."""
    shared: list[Any] = [merge_contextvars, _add_record_ids]
    if form == "json":
        return structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=[*shared, structlog.processors.TimeStamper(fmt="iso", utc=True, key="at")],
            processors=[_json_line],
        )
    return structlog.stdlib.ProcessorFormatter(foreign_pre_chain=shared, processors=[_text_line])


@contextmanager
def log_ids(**ids: object) -> Iterator[None]:
    """Add these ids to every log line of the block, except those that are None."""
    with bound_contextvars(**{name: value for name, value in ids.items() if value is not None}):
        yield


def log_match(match_job: MatchJob, **other_ids: object) -> AbstractContextManager[None]:
    """Add the match and its bots to every log line of the block."""
    bots = [seat.bot for seat in match_job.seats if seat.bot is not None]
    return log_ids(match=match_job.id, bots=",".join(map(str, bots)) or None, **other_ids)


def _add_record_ids(_logger: Any, _method: str, event: Event) -> Event:
    record: logging.LogRecord = event["_record"]
    event.update(getattr(record, "about", {}))  # passed as `extra={"about": {...}}`
    return event


def _parts(event: Event) -> tuple[logging.LogRecord, str, dict[str, Any]]:
    record: logging.LogRecord = event["_record"]
    raised = event.get("exc_info")
    trace = logging.Formatter().formatException(raised) if raised and raised[0] else ""
    return record, trace, {name: event[name] for name in sorted(event) if name not in _RESERVED_KEYS}


_RESERVED_KEYS: Final = frozenset({"event", "at", "exc_info", "stack_info", "_record", "_from_structlog"})


def _json_line(_logger: Any, _method: str, event: Event) -> str:
    record, trace, ids = _parts(event)
    line = {"at": event["at"], "level": record.levelname.lower(), "logger": record.name, "event": event["event"]}
    line |= {name: value for name, value in ids.items() if name not in line}
    if trace:
        line["trace"] = trace
    return json.dumps(line, default=str)


def _text_line(_logger: Any, _method: str, event: Event) -> str:
    record, trace, ids = _parts(event)
    suffix = "".join(f" {name}={_quote(value)}" for name, value in ids.items())
    lines = [f"{record.levelname} {record.name}: {escape_unprintable(str(event['event']))}{suffix}"]
    lines += [f"{_TRACE}{escape_unprintable(line)}" for line in trace.splitlines()]
    return "\n".join(lines)


def _quote(value: object) -> str:
    text = escape_unprintable(str(value))
    return json.dumps(text) if not text or any(char in ' ="' for char in text) else text


def escape_unprintable(text: str) -> str:
    """Return a text on one line, with escapes for all unprintable characters."""
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode() for char in text)


# Children of the supervisor: they end with it, and report bad settings.

PARENT = "GANGLAND_PARENT"  # the supervisor's pid, in its children's environment


def die_with_parent() -> None:
    """Make the kernel end this process when its parent ends, if the parent is the supervisor (only on Linux).

    Call it once more after changing user, since the kernel then resets the setting.
    """
    parent = os.environ.get(PARENT, "")
    if parent.isdigit() and sys.platform.startswith("linux"):
        die_with(int(parent))


def before_exec(nice: int = 0, become: Callable[[], None] | None = None) -> Callable[[], None]:
    """Return a function to call between fork and exec: set niceness, call `become`, and end with the parent."""
    return partial(_before_exec, os.getpid(), nice, become)


def _before_exec(parent: int, nice: int, become: Callable[[], None] | None) -> None:
    lower_priority(nice)
    if become is not None:
        become()
    die_with(parent)  # last: the kernel resets this setting when a process changes its user


def exit_status(run: Callable[[], int]) -> int:
    """Call `run` and return its exit status; if a setting is bad, log the error and return 2."""
    try:
        return run()
    except ConfigError as error:
        logging.getLogger("gangland_web").error("%s", error)
        return 2
