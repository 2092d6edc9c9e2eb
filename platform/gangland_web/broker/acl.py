"""The broker's access list: the platform may do all, a match worker only what playing needs."""

import hashlib

from gangland_web.broker.names import CODE_PREFIX, PLAY_QUEUES, PLAY_UNACKED, QUEUE_RECORDS, SLOTS_KEY

PLATFORM_USER = "gangland"
WORKER_USER = "worker"

WORKER_COMMANDS = (
    "auth",
    "brpop",
    "client|setinfo",
    "exec",
    "get",
    "hdel",
    "hello",
    "hget",
    "hset",
    "llen",
    "lpush",
    "multi",
    "ping",
    "rpush",
    "select",
    "time",
    "unwatch",
    "watch",
    "zadd",
    "zrem",
)
"""Found by experiment: what a worker of Celery 5.7 uses to connect, to take, to send, and (get, hget, rpush,
unwatch, watch among them) to fetch code and to put back on a warm stop what it has taken and not begun."""


def access_list(platform_password: str, worker_password: str) -> str:
    """Return the text of an ACL file with both users; passwords appear only as SHA-256."""
    own = [f"~{queue}" for queue in PLAY_QUEUES] + [f"~{PLAY_UNACKED}*"]
    others = [f"%W~{QUEUE_RECORDS}", f"%W~{SLOTS_KEY}", f"%R~{CODE_PREFIX}*"]
    commands = [f"+{command}" for command in WORKER_COMMANDS]
    worker = ["on", _hashed(worker_password), "resetchannels", *own, *others, "-@all", *commands]
    lines = [
        "user default off resetpass resetchannels -@all",
        f"user {PLATFORM_USER} on {_hashed(platform_password)} ~* &* +@all",
        f"user {WORKER_USER} {' '.join(worker)}",
    ]
    return "\n".join(lines) + "\n"


def _hashed(password: str) -> str:
    return "#" + hashlib.sha256(password.encode()).hexdigest()
