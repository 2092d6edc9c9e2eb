"""Names of queues, keys and messages on the broker; both sides of it import them from here."""

QUEUE_TRIALS = "trials"
QUEUE_MATCHES = "matches"
QUEUE_RECORDS = "records"
QUEUE_MAILS = "mails"
PLAY_QUEUES = (QUEUE_TRIALS, QUEUE_MATCHES)
"""What match workers take, first come first served in this order."""

TASK_PLAY = "gangland.play"
TASK_BEGUN = "gangland.begun"
TASK_BEAT = "gangland.beat"
TASK_PROGRESS = "gangland.progress"
TASK_RESULT = "gangland.result"
TASK_RETURNED = "gangland.returned"
TASK_SWEEP = "gangland.sweep"
TASK_SCHEDULE = "gangland.schedule"
TASK_MAILS = "gangland.mails"

PLAY_TASKS = frozenset({TASK_PLAY})
RECORD_TASKS = frozenset({TASK_BEGUN, TASK_BEAT, TASK_PROGRESS, TASK_RESULT, TASK_RETURNED, TASK_SWEEP, TASK_SCHEDULE})
"""What each kind of worker can be called to do; whatever else lies in its queues is dropped."""

SLOTS_KEY = "slots"
"""A sorted set: a match worker's slot, scored with the time until which it counts."""
SLOT_LASTS_S = 20.0

STOPPED_PREFIX = "stopped:"
"""Before a cause: a sorted set of the workers' places that are not playing for it, scored as slots are."""
STOPPED_LASTS_S = 120.0
"""Longer than a supervisor or container engine waits before it starts a worker that refuses once more."""

CODE_PREFIX = "code:"


def code_key(sha256: str) -> str:
    """Return the key under which a bot's source lies for the workers."""
    return CODE_PREFIX + sha256


def stopped_key(cause: str) -> str:
    """Return the key under which the workers are that a cause keeps from playing."""
    return STOPPED_PREFIX + cause
