"""The broker's access list: the platform may do all, a worker host only what playing needs, on keys of its own."""

import hashlib
from collections.abc import Mapping

from gangland_web.broker.names import (
    ANALYSIS_USER,
    CODE_PREFIX,
    QUEUE_ANALYSED,
    QUEUE_ANALYSIS,
    QUEUE_CLIPS,
    QUEUE_CLIPS_MADE,
    QUEUE_RECORDS,
    RELEASE_KEY,
    checkers_key,
    host_user,
    order_queues,
    queue_of,
    slots_key,
    stopped_key,
    table_workers_key,
)
from gangland_web.broker.stopped import CAUSES

PLATFORM_USER = "gangland"

CONNECTION_COMMANDS = ("auth", "exec", "hello", "multi", "ping", "time")
"""Of no key: to connect, to compare clocks, to do several things at once.

Not `client|setinfo`, which Redis 7.0 does not know.  Clients send it, and go on where it is refused."""


def host_may(host: str) -> tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]:
    """Return which commands a host may give on which keys, and no other pair.

    One list of commands for all keys would let a worker make a hash of the list of results, on which nobody else can
    work then.  Found by experiment: what a worker of Celery 5.7 uses to take and to send (llen when it declares a
    queue), and to put back on a warm stop what it has taken and not begun.  Every key but that of code has the host's
    name in it, and no name of a key is the host's choice: what it could write under names of its own, nobody would ever
    clear away.
    """
    return (
        (("brpop", "lpush", "llen"), tuple(f"~{queue}" for queue in order_queues(host))),
        (("llen", "lpush"), (f"%W~{queue_of(QUEUE_RECORDS, host)}",)),
        (("zadd", "zrem"), tuple(f"%W~{key_of(host)}" for key_of in (slots_key, checkers_key, table_workers_key))),
        (("zadd", "zrem"), tuple(f"%W~{stopped_key(cause, host)}" for cause in CAUSES)),
        (("get",), (f"%R~{CODE_PREFIX}*", f"%R~{RELEASE_KEY}")),
    )


def host_rules(host: str, password_sha256: str) -> list[str]:
    """Return a host's rights as ACL SETUSER takes them after its name."""
    selectors = [_selector(commands, keys) for commands, keys in host_may(host)]
    connection = [f"+{command}" for command in CONNECTION_COMMANDS]
    return ["on", f"#{password_sha256}", "resetchannels", "-@all", *connection, *selectors]


def analysis_rules(password_sha256: str) -> list[str]:
    """Return the rights of those who analyse games: to take from their own queues and to push results, nothing else."""
    selectors = [
        _selector(("brpop", "lpush", "llen"), (f"~{QUEUE_ANALYSIS}", f"~{QUEUE_CLIPS}")),
        _selector(("llen", "lpush"), (f"%W~{QUEUE_ANALYSED}", f"%W~{QUEUE_CLIPS_MADE}")),
    ]
    connection = [f"+{command}" for command in CONNECTION_COMMANDS]
    return ["on", f"#{password_sha256}", "resetchannels", "-@all", *connection, *selectors]


def access_list(platform_password: str, analysis_password: str, hosts: Mapping[str, str]) -> str:
    """Return the text of an ACL file with platform, analysis and these hosts; passwords appear only as SHA-256.

    Args:
        hosts: the password of each, by its name.
    """
    lines = [
        # Nobody can be `default`, but Redis reads its own log back as that user, and drops what it may not do.
        "user default off resetpass ~* &* +@all",
        f"user {PLATFORM_USER} on #{hashed(platform_password)} ~* &* +@all",
        f"user {ANALYSIS_USER} {' '.join(analysis_rules(hashed(analysis_password)))}",
        *(f"user {host_user(name)} {' '.join(host_rules(name, hashed(hosts[name])))}" for name in hosts),
    ]
    return "\n".join(lines) + "\n"


def hashed(password: str) -> str:
    """Return what is kept of a password: its SHA-256 in hexadecimal digits."""
    return hashlib.sha256(password.encode()).hexdigest()


def _selector(commands: tuple[str, ...], keys: tuple[str, ...]) -> str:
    return f"({' '.join([*(f'+{command}' for command in commands), *keys])})"
