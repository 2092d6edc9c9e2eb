"""Every metric of the house: its name, its labels with all that they may say, and what it means.

A label says one of a few words that stand here, or a route of ours, so a stranger's request or a bot makes no series.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from gangland.faults import FaultKind
from gangland_ladder.matches.thinking import HIGHEST, limit_s
from gangland_web.broker.names import (
    PLAY_QUEUES,
    QUEUE_ANALYSED,
    QUEUE_ANALYSIS,
    QUEUE_MAILS,
    QUEUE_RECORDS,
    QUEUE_TABLES,
)
from gangland_web.broker.stopped import CAUSES, cause_label
from gangland_web.models.jobs import AnalysisState, AnalysisVerdict
from gangland_web.models.matches import AuditState, End, Purpose, ResultVerdict
from gangland_web.models.tournaments import RATED_KINDS


class Kind(StrEnum):
    """What a metric is: `counter` and `histogram` are counted by processes, a `gauge` is asked when somebody looks."""

    COUNTER = "counter"
    HISTOGRAM = "histogram"
    GAUGE = "gauge"


@dataclass(frozen=True, slots=True)
class Metric:
    """One metric.

    Attributes:
        labels: by name, every word that the label may say; None for a route of ours, of which there are as many as
            the site has.
        buckets: upper ends of a histogram's classes, rising; one without an end comes after them.
    """

    name: str
    kind: Kind
    help: str
    labels: Mapping[str, tuple[str, ...] | None] = field(default_factory=lambda: MappingProxyType({}))
    buckets: tuple[float, ...] = ()

    def values(self, labels: Mapping[str, str]) -> tuple[str, ...]:
        """Return the labels' values in order.

        Raises:
            ValueError: other labels than the metric has, or a word that one may not say.
        """
        if set(labels) != set(self.labels):
            raise ValueError(f"{self.name} has the labels {sorted(self.labels)}, not {sorted(labels)}")
        for name, known in self.labels.items():
            if known is not None and labels[name] not in known:
                raise ValueError(f"{self.name}: {name} is none of {known}: {labels[name]!r}")
        return tuple(labels[name] for name in self.labels)


def _metric(
    name: str, kind: Kind, text: str, buckets: tuple[float, ...] = (), /, **labels: tuple[str, ...] | None
) -> Metric:
    return Metric(f"gangland_{name}", kind, text, MappingProxyType(labels), buckets)


METHODS: Final = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "other")
CLASSES: Final = ("1xx", "2xx", "3xx", "4xx", "5xx")
PURPOSES: Final = tuple(purpose.value for purpose in Purpose)
ENDS: Final = tuple(end.value for end in End)
VERDICTS: Final = MappingProxyType({verdict: verdict.name.lower() for verdict in ResultVerdict})
"""The word of each, as a label says it."""
PROCESSES: Final = ("web", "records", "mail")
TASKS: Final = ("sweep", "schedule")
AUDIT_STATES: Final = tuple(state.value for state in AuditState)
PROBES: Final = tuple(dict.fromkeys(cause_label(cause) for cause in CAUSES))
PARTS: Final = ("database", "tables", "broker", "writes")
REQUEST_S: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.2, 0.5, 1.0, 2.5, 10.0)
MATCH_S: Final = (0.5, 1.0, 2.0, 5.0, 10.0, 30.0, 60.0, 120.0, 300.0)
OCTAVES: Final = range(4, HIGHEST + 1)
"""Of the classes in which workers count decisions: from 16 microseconds, with what is quicker; up to 4 s."""
DECISION_S: Final = tuple(limit_s(each) for each in OCTAVES if each <= 22)

REQUESTS = _metric(
    "http_requests_total",
    Kind.COUNTER,
    "Requests that were answered.",
    method=METHODS,
    route=None,
    status=tuple(str(status) for status in range(100, 600)),
)
ANSWERS = _metric(
    "http_responses_total",
    Kind.COUNTER,
    "The same by kind of status, without health and metrics, and without what is refused under maintenance.",
    kind=CLASSES,
)
KEPT = _metric(
    "http_cached_responses_total", Kind.COUNTER, "Live parts that were answered from memory, beside the requests above."
)
REQUEST_TIME = _metric(
    "http_request_seconds",
    Kind.HISTOGRAM,
    "From the moment at which a thread has a request to its answer's first byte.",
    REQUEST_S,
    route=None,
)
RESULTS = _metric(
    "results_total",
    Kind.COUNTER,
    "What workers sent in: counted (recorded), after its lease had ended (stale), untrue (refused), nothing (void), or"
    " of another release than the site (other_release).",
    verdict=tuple(VERDICTS.values()),
)
ANALYSES = _metric(
    "analysis_messages_total",
    Kind.COUNTER,
    "What workers said of games that they analyse: all of it (done), so far (part), still at it (alive), cannot be"
    " analysed (failed), given back (returned), untrue (refused), or after its lease had ended (stale).",
    verdict=tuple(verdict.value for verdict in AnalysisVerdict),
)
FORGED = _metric(
    "forged_messages_total",
    Kind.COUNTER,
    "Messages of a worker host about a match that was not given to it; none of them counts.",
)
MATCHES = _metric(
    "matches_total",
    Kind.COUNTER,
    "Matches that came to an end: done, or void and why. Those that organisers made void are not among them.",
    purpose=PURPOSES,
    end=ENDS,
)
MATCH_TIME = _metric(
    "match_seconds", Kind.HISTOGRAM, "How long recorded matches took, as their workers said.", MATCH_S, purpose=PURPOSES
)
LEASES = _metric(
    "leases_silent_total", Kind.COUNTER, "Leases of which nothing was heard any more, so that the match was taken back."
)
JAILS = _metric("jails_opened_total", Kind.COUNTER, "Jails that were opened for recorded matches, as workers said.")
DECISIONS = _metric(
    "decision_seconds",
    Kind.HISTOGRAM,
    "CPU seconds of bots' decisions in recorded matches, as workers measured them.",
    DECISION_S,
)
FAULTS = _metric(
    "faults_total",
    Kind.COUNTER,
    "Games that a bot forfeited in recorded matches, by what it did.",
    kind=tuple(kind.value for kind in FaultKind),
)
MAILS = _metric("mails_total", Kind.COUNTER, "Mails that left the outbox.", end=("sent", "refused", "given_up"))
STARTS = _metric(
    "starts_total", Kind.COUNTER, "Processes that were started, of those that reach the database.", process=PROCESSES
)

READY = _metric("ready", Kind.GAUGE, "1 for what the site needs and has, as in /readyz, else 0.", part=PARTS)
INFO = _metric("info", Kind.GAUGE, "1, with the version that answers.", version=None)
COUNTED_SINCE = _metric(
    "counted_since_timestamp_seconds", Kind.GAUGE, "Since when is counted; it moves when the broker was emptied."
)
TASK_AGE = _metric(
    "task_age_seconds", Kind.GAUGE, "How long ago the record worker last did what the scheduler asks it to.", task=TASKS
)
MAINTENANCE = _metric("maintenance", Kind.GAUGE, "1 while the site is under maintenance, else 0.")
MATCH_SLOTS = _metric("match_slots", Kind.GAUGE, "How many matches can be played at a time.")
STOPPED = _metric(
    "workers_stopped",
    Kind.GAUGE,
    "Match workers that do not play, by the probe of the jail that failed; release where they are of another one.",
    probe=PROBES,
)
HOSTS_STOPPED = _metric(
    "worker_hosts_stopped", Kind.GAUGE, "Worker hosts that were stopped because their results do not hold."
)
AUDITS = _metric(
    "audits", Kind.GAUGE, "Rated matches that were drawn to be played again, by result.", state=AUDIT_STATES
)
GAMES_ANALYSED = _metric(
    "analyses",
    Kind.GAUGE,
    "Games that are analysed or are to be, by state.",
    state=tuple(state.value for state in AnalysisState),
)
QUEUE = _metric(
    "queue_matches",
    Kind.GAUGE,
    "Matches that wait or are given out to workers.",
    purpose=PURPOSES,
    state=("waiting", "given_out"),
)
OLDEST = _metric(
    "queue_oldest_wait_seconds",
    Kind.GAUGE,
    "How long the first match in line has waited of those that may be played now; 0 where none waits.",
    purpose=PURPOSES,
)
RATING_LAG = _metric(
    "rating_lag_matches", Kind.GAUGE, "Matches that are done and not in the ratings yet.", kind=RATED_KINDS
)
RATING_AGE = _metric(
    "rating_lag_seconds", Kind.GAUGE, "How long the first of them has been done; 0 where none waits.", kind=RATED_KINDS
)
MAILS_WAITING = _metric("mails_waiting", Kind.GAUGE, "Mails that wait to be sent.")
MAILS_OLDEST = _metric("mails_oldest_wait_seconds", Kind.GAUGE, "How long the oldest of them waits; 0 where none does.")
DATABASE_BYTES = _metric("database_bytes", Kind.GAUGE, "How large the database is.")
DISK_FREE = _metric(
    "database_disk_free_bytes", Kind.GAUGE, "What is free where an SQLite database lies; PostgreSQL's we do not see."
)
BACKUP_AGE = _metric(
    "backup_age_seconds", Kind.GAUGE, "How old the newest backup is; without any, how long the site has been there."
)
BROKER_QUEUE = _metric(
    "broker_queue_messages",
    Kind.GAUGE,
    "Messages on the broker that nobody has taken yet, of all worker hosts together.",
    queue=(*PLAY_QUEUES, QUEUE_TABLES, QUEUE_RECORDS, QUEUE_MAILS, QUEUE_ANALYSIS, QUEUE_ANALYSED),
)
BROKER_BYTES = _metric("broker_memory_bytes", Kind.GAUGE, "What the broker holds in memory.")
BROKER_LIMIT = _metric(
    "broker_memory_limit_bytes", Kind.GAUGE, "What it may hold; at the limit it takes no message. Left out without one."
)

CATALOGUE: Final[Mapping[str, Metric]] = MappingProxyType(
    {metric.name: metric for metric in list(globals().values()) if isinstance(metric, Metric)}
)
"""All of them by name, in the order in which they are told."""
