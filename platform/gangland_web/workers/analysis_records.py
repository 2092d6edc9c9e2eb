"""The record worker's part in analyses: planning, sending, and taking in what comes of them."""

from __future__ import annotations

import logging
import time
from dataclasses import dataclass
from typing import Final

from gangland_web.models.database import Database
from gangland_web.models.jobs import AnalysisVerdict
from gangland_web.services.analyses import AnalysisBroker, plan_analyses, record_analysis, send_analyses, sweep_analyses

log = logging.getLogger("gangland_web.workers.records")

LOOKS_EVERY_S: Final = 30.0
"""How often is looked for games to analyse once there was none; what people open is sent at once."""


@dataclass(frozen=True, slots=True)
class Analyses:
    """How games are analysed.

    Attributes:
        workers: how many processes do it, 0 for none; cpu_s: after which the rest of a game is left out.
        sample: games of each active version, game and table size; budget_s: CPU seconds for these in 24 hours.
    """

    workers: int = 1
    cpu_s: float = 30.0
    sample: int = 12
    budget_s: float = 7200.0


class AnalysisRecorder:
    """What the record worker does for analyses.  All of it is idempotent."""

    def __init__(self, database: Database, post: AnalysisBroker, how: Analyses) -> None:
        self._database = database
        self._post = post
        self._how = how
        self._looks_at = float("-inf")

    def plan(self) -> None:
        """Plan what is analysed while nothing waits."""
        if not self._how.workers or time.monotonic() < self._looks_at:
            return
        with self._database.write() as session:
            planned = plan_analyses(session, sample=self._how.sample, budget_s=self._how.budget_s)
        if not planned:
            self._looks_at = time.monotonic() + LOOKS_EVERY_S

    def send(self) -> None:
        """Send what the workers can take.  Raises RedisError or OperationalError of kombu: the broker is away."""
        send_analyses(self._database, self._post, workers=self._how.workers, cpu_s=self._how.cpu_s)

    def sweep(self) -> None:
        """Take back what fell silent."""
        if taken := sweep_analyses(self._database):
            log.warning("%d analyses ended without a result", taken)

    def record(self, text: str) -> AnalysisVerdict | None:
        """Take in what a worker says of a game; returns what became of it, None for a person's, which nobody counts."""
        recorded = record_analysis(self._database, text)
        if recorded.verdict in (AnalysisVerdict.REFUSED, AnalysisVerdict.FAILED):
            log.warning("game %s: its analysis is %s: %s", recorded.game_id, recorded.verdict.value, recorded.why)
        return None if recorded.is_private else recorded.verdict
