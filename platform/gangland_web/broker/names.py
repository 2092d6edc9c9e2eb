"""Names of the queues, keys and tasks on the broker, which the platform and the workers share."""

QUEUE_CHECKS = "checks"
QUEUE_DRAFT_CHECKS = "draft-checks"  # the same workers take these after the checks of uploads
QUEUE_TRIALS = "trials"
QUEUE_MATCHES = "matches"
# Tasks from the platform for the record worker; each host has its own queue for its messages.
QUEUE_RECORDS = "records"
QUEUE_MAILS = "mails"
# Queues of the analysis workers: jobs of a few seconds, other jobs, and results.
QUEUE_SOON, QUEUE_ANALYSIS, QUEUE_ANALYZED = "analysis-soon", "analysis", "analyzed"
# Live tables that wait for a bot's decision; each host has its own queue.
QUEUE_TABLES = "tables"
# Queues of match workers, in the order in which workers take messages; each host has its own queue of each kind.
PLAY_QUEUES = (QUEUE_CHECKS, QUEUE_DRAFT_CHECKS, QUEUE_TRIALS, QUEUE_MATCHES)

HOSTS_KEY = "hosts"  # a hash that only the platform writes, with the slot limit of each host that may play matches
RELEASE_KEY = "release"  # the site's release; a worker with a different release reports that when it starts
HOST_USER_PREFIX = "host-"
ANALYSIS_USER = "analysis"
ANALYSIS_SENDER = "the analysis workers"  # sender of the analysis workers' messages; not a valid host name
LOCAL = "local"  # name of the site's own machine as a host, with `gangland up` and the compose file

TASK_RUN = "gangland.run"  # to a worker: run a job
# From a worker: the job is in progress, the job's result, or the worker could not do the job.
TASK_ALIVE, TASK_RESULT, TASK_RETURNED = "gangland.alive", "gangland.result", "gangland.returned"
TASK_TICK = "gangland.tick"  # from the platform to the record worker: do the work that is due
TASK_MAILS = "gangland.mails"
TICK_SWEEP, TICK_SCHEDULE, TICK_DISPATCH = "sweep", "schedule", "dispatch"

RUN_TASKS = frozenset({TASK_RUN})
TICK_TASKS = frozenset({TASK_TICK})
# The tasks that workers may send; all other tasks are dropped.
WORKER_TASKS = frozenset({TASK_ALIVE, TASK_RESULT, TASK_RETURNED})

SLOT_EXPIRY_S = 20.0
# Longer than a supervisor or a container engine waits before it restarts a stopped worker.
STOPPED_EXPIRY_S = 120.0

CODE_PREFIX = "code:"


def code_key(sha256: str) -> str:
    """Return the key under which workers find a bot's source."""
    return CODE_PREFIX + sha256


def host_user(host: str) -> str:
    """Return a host's user name on the broker."""
    return HOST_USER_PREFIX + host


def queue_of(queue: str, host: str) -> str:
    """Return the name of a host's own queue of this kind, such as its trials or records."""
    return f"{queue}:{host}"


def play_queues(host: str) -> tuple[str, ...]:
    """Return the queues from which a host's workers take checks, trials and matches, by priority."""
    return tuple(queue_of(queue, host) for queue in PLAY_QUEUES)


def job_queues(host: str) -> tuple[str, ...]:
    """Return all of a host's queues with jobs for its workers."""
    return (*play_queues(host), queue_of(QUEUE_TABLES, host))


def sender_of(queue: str) -> str | None:
    """Return the host that sends to a queue, or ANALYSIS_SENDER; None for the platform's own queues."""
    if queue == QUEUE_ANALYZED:
        return ANALYSIS_SENDER
    kind, _, host = queue.partition(":")
    return host if kind == QUEUE_RECORDS and host else None


def tasks_from(queue: str) -> frozenset[str]:
    """Return the tasks that the record worker accepts from a queue."""
    return TICK_TASKS if sender_of(queue) is None else WORKER_TASKS


def slots_key(host: str) -> str:
    """Return the key of a host's sorted set of slots; a score is the Unix time when the slot expires."""
    return f"slots:{host}"


def checkers_key(host: str) -> str:
    """Return the key of a host's sorted set of workers that take only checks, with scores as for slots."""
    return f"checkers:{host}"


def table_workers_key(host: str) -> str:
    """Return the key of a host's sorted set of workers that take tables, with scores as for slots."""
    return f"table-workers:{host}"


def stopped_key(cause: str, host: str) -> str:
    """Return the key of a host's sorted set of workers that stopped for this cause, with scores as for slots."""
    return f"stopped:{host}:{cause}"
