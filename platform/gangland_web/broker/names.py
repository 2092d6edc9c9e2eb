"""Names of queues, keys and tasks on the broker, for both of its sides."""

QUEUE_CHECKS = "checks"
QUEUE_DRAFT_CHECKS = "draft-checks"
"""Checks of drafts, taken after those of uploads by the same workers."""
QUEUE_TRIALS = "trials"
QUEUE_MATCHES = "matches"
QUEUE_RECORDS = "records"
"""Tasks of the record worker from the platform itself; a host's messages are in a queue of its own."""
QUEUE_MAILS = "mails"
QUEUE_SOON, QUEUE_ANALYSIS, QUEUE_ANALYSED = "analysis-soon", "analysis", "analysed"
"""Jobs of the workers that analyze games, those that take a few seconds first, and what becomes of them."""
QUEUE_TABLES = "tables"
"""Tables of people whose bots are to be asked; one worker of a host takes only these, from the host's own queue."""
PLAY_QUEUES = (QUEUE_CHECKS, QUEUE_DRAFT_CHECKS, QUEUE_TRIALS, QUEUE_MATCHES)
"""What match workers take, first come first served in this order; each host from queues of its own."""

HOSTS_KEY = "hosts"
"""A hash that the platform alone writes: each host that may play, and its limit of slots."""
RELEASE_KEY = "release"
"""The release of the site: a worker of another one reports that when it starts."""
HOST_USER_PREFIX = "host-"
ANALYSIS_USER = "analysis"
ANALYSIS_SENDER = "the analysis workers"
"""Who sends what comes from the workers that analyze games; no host can have such a name."""
LOCAL = "local"
"""What `gangland up` and the compose file call the machine that the site runs on."""

TASK_RUN = "gangland.run"
"""To a worker: run a job."""
TASK_ALIVE, TASK_RESULT, TASK_RETURNED = "gangland.alive", "gangland.result", "gangland.returned"
"""From a worker: a job goes on, its result, or that it could not be done by nobody's fault."""
TASK_TICK = "gangland.tick"
"""To the record worker, from the platform: something is due."""
TASK_MAILS = "gangland.mails"
TICK_SWEEP, TICK_SCHEDULE, TICK_DISPATCH = "sweep", "schedule", "dispatch"

RUN_TASKS = frozenset({TASK_RUN})
TICK_TASKS = frozenset({TASK_TICK})
WORKER_TASKS = frozenset({TASK_ALIVE, TASK_RESULT, TASK_RETURNED})
"""The tasks of each kind of queue, by who calls them; everything else in its queues is dropped."""

SLOT_LASTS_S = 20.0
STOPPED_LASTS_S = 120.0
"""Longer than a supervisor or container engine waits before it starts a worker that refuses once more."""

CODE_PREFIX = "code:"


def code_key(sha256: str) -> str:
    """Return the key of a bot's source, for the workers."""
    return CODE_PREFIX + sha256


def host_user(host: str) -> str:
    """Return the user name of a host on the broker."""
    return HOST_USER_PREFIX + host


def queue_of(queue: str, host: str) -> str:
    """Return the name of a host's own queue of a kind: trials, matches or records."""
    return f"{queue}:{host}"


def play_queues(host: str) -> tuple[str, ...]:
    """Return the queues that a host's workers take matches from, in order."""
    return tuple(queue_of(queue, host) for queue in PLAY_QUEUES)


def order_queues(host: str) -> tuple[str, ...]:
    """Return all queues of a host with orders to its workers."""
    return (*play_queues(host), queue_of(QUEUE_TABLES, host))


def sender_of(queue: str) -> str | None:
    """Return the host whose messages are in a queue, or ANALYSIS_SENDER; None for the platform's own."""
    if queue == QUEUE_ANALYSED:
        return ANALYSIS_SENDER
    kind, _, host = queue.partition(":")
    return host if kind == QUEUE_RECORDS and host else None


def tasks_from(queue: str) -> frozenset[str]:
    """Return the tasks that may come to the record worker from a queue."""
    return TICK_TASKS if sender_of(queue) is None else WORKER_TASKS


def slots_key(host: str) -> str:
    """Return the key of a sorted set: the slots of a host's workers, scored with the time until which they count."""
    return f"slots:{host}"


def checkers_key(host: str) -> str:
    """Return the key of a sorted set: the workers of a host that take checks alone, scored as slots are."""
    return f"checkers:{host}"


def table_workers_key(host: str) -> str:
    """Return the key of a sorted set: the workers of a host that take tables alone, scored as slots are."""
    return f"table-workers:{host}"


def stopped_key(cause: str, host: str) -> str:
    """Return the key of a sorted set: the places of a host that a cause keeps from playing, scored as slots are."""
    return f"stopped:{host}:{cause}"
