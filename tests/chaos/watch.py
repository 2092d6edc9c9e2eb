"""From the kill of a worker to the moment when its match is leased again."""

import time
from dataclasses import dataclass

from tests.chaos.site import Begun, Site

from gangland_web.services.jobs import OPEN


@dataclass
class Wait:
    """A match under way when a worker was killed; `alone` if nothing else was disturbed until the next lease."""

    match: Begun
    killed_at: float
    alone: bool
    leased_after_s: float | None = None


class Watch:
    def __init__(self) -> None:
        self.waiting: list[Wait] = []
        self.leased: list[Wait] = []

    def disturbed(self) -> None:
        for wait in self.waiting:
            wait.alone = False

    def killed(self, begun: list[Begun], *, alone: bool) -> None:
        self.waiting += [Wait(match, time.time(), alone) for match in begun]

    def look(self, site: Site) -> None:
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
        """Return the longest wait in seconds, of undisturbed ones only if `alone`."""
        return max((wait.leased_after_s or 0.0 for wait in self.leased if wait.alone or not alone), default=None)
