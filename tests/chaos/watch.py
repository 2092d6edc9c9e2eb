"""From the kill of a worker to the moment when its match is leased again."""

import time
from dataclasses import dataclass

from tests.chaos.site import Begun, Site

from gangland_web.services.jobs import OPEN


@dataclass
class Wait:
    """A match that was under way when a worker was killed, and what became of its lease.

    Attributes:
        alone: whether nothing else was done to the platform until it was leased again.
    """

    match: Begun
    killed_at: float
    alone: bool
    leased_after_s: float | None = None


class Watch:
    """Looks after the matches that killed workers may have been playing."""

    def __init__(self) -> None:
        self.waiting: list[Wait] = []
        self.leased: list[Wait] = []

    def disturbed(self) -> None:
        """Something else was done: what is waited for from here on may have waited for that."""
        for wait in self.waiting:
            wait.alone = False

    def killed(self, begun: list[Begun], *, alone: bool) -> None:
        """A worker was killed, and one of these matches at most was its; `alone` if nothing else is being done."""
        self.waiting += [Wait(match, time.time(), alone) for match in begun]

    def look(self, site: Site) -> None:
        """Settle what can be settled: a match that came to its result was another worker's."""
        for wait in list(self.waiting):
            job = site.read_job(wait.match)
            if job is None:
                continue
            if (job.leased_at or 0.0) > wait.killed_at:
                wait.leased_after_s = (job.leased_at or 0.0) - wait.killed_at
                self.leased.append(wait)
                self.waiting.remove(wait)
            elif job.state not in OPEN:
                self.waiting.remove(wait)

    def longest(self, *, alone: bool) -> float | None:
        """The longest such time in seconds, of those kills alone that nothing else followed, or of all."""
        return max((wait.leased_after_s or 0.0 for wait in self.leased if wait.alone or not alone), default=None)
