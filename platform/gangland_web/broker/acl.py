"""The broker's access list: the platform may do all, a match worker only what playing needs."""

import hashlib

from gangland_web.broker.names import (
    CODE_PREFIX,
    PLAY_QUEUES,
    QUEUE_RECORDS,
    SLOTS_KEY,
    stopped_key,
)
from gangland_web.broker.stopped import CAUSES

PLATFORM_USER = "gangland"
WORKER_USER = "worker"

CONNECTION_COMMANDS = ("auth", "client|setinfo", "exec", "hello", "multi", "ping", "time")
"""Of no key: to connect, to compare clocks, to do several things at once."""

WORKER_MAY = (
    (("brpop", "lpush", "llen"), tuple(f"~{queue}" for queue in PLAY_QUEUES)),
    (("llen", "lpush"), (f"%W~{QUEUE_RECORDS}",)),
    (("zadd", "zrem"), (f"%W~{SLOTS_KEY}",)),
    (("zadd", "zrem"), tuple(f"%W~{stopped_key(cause)}" for cause in CAUSES)),
    (("get",), (f"%R~{CODE_PREFIX}*",)),
)
"""Which commands on which keys, and no other pair: one list of commands for all keys would let a worker make a hash
of the list of results, on which nobody else can work then.

Found by experiment: what a worker of Celery 5.7 uses to take and to send (llen when it declares a queue), and to put
back on a warm stop what it has taken and not begun.  No name of a key is the worker's choice, but that of code: what it
could write under names of its own, nobody would ever clear away."""


def access_list(platform_password: str, worker_password: str) -> str:
    """Return the text of an ACL file with both users; passwords appear only as SHA-256."""
    selectors = [_selector(commands, keys) for commands, keys in WORKER_MAY]
    connection = [f"+{command}" for command in CONNECTION_COMMANDS]
    worker = ["on", _hashed(worker_password), "resetchannels", "-@all", *connection, *selectors]
    lines = [
        # Nobody can be `default`, but Redis reads its own log back as that user, and drops what it may not do.
        "user default off resetpass ~* &* +@all",
        f"user {PLATFORM_USER} on {_hashed(platform_password)} ~* &* +@all",
        f"user {WORKER_USER} {' '.join(worker)}",
    ]
    return "\n".join(lines) + "\n"


def _selector(commands: tuple[str, ...], keys: tuple[str, ...]) -> str:
    return f"({' '.join([*(f'+{command}' for command in commands), *keys])})"


def _hashed(password: str) -> str:
    return "#" + hashlib.sha256(password.encode()).hexdigest()
