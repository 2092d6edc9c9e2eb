"""A seeded plan of disturbances, carried out while a schedule is played."""

import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random

from tests.chaos.disturbances import KINDS, Scene, Steps
from tests.chaos.site import Seen, Site

LOOK_S = 0.1
GIVE_UP_S = 300.0  # if nothing ended for this long, nothing will
OVERHEARS = "deal anew"
SHARE = 0.6  # the last disturbance comes when this share of the schedule is over


@dataclass(frozen=True)
class Step:
    """A disturbance: when it is due, as a share of the finished schedule, its kind and its duration."""

    share: float
    kind: str
    seconds: float

    def __str__(self) -> str:
        return f"{self.kind}, {self.seconds:g} s" if self.seconds else self.kind


@dataclass
class _Running:
    step: Step
    steps: Steps
    due: float = 0.0


@dataclass
class Attack:
    """Runs the plan; if `quiet`, it waits after the kill of a worker until its match is leased again."""

    site: Site
    plan: list[Step]
    quiet: bool
    scene: Scene = field(init=False)
    _running: list[_Running] = field(default_factory=list)
    _over: int = -1
    _over_at: float = 0.0

    def __post_init__(self) -> None:
        self.scene = Scene(self.site)

    def run(self) -> bool:
        """Disturb until all tournaments are finished; return False if nothing moved any more."""
        try:
            while not self._is_finished(observed := self.site.look()):
                if observed is not None and self._stands_still(observed):
                    return False
                self.scene.watch.look(self.site)
                self._go_on()
                if observed is not None:
                    self._begin_one(observed)
                time.sleep(LOOK_S)
        finally:
            for running in self._running:
                running.steps.close()  # type: ignore[attr-defined]
        return True

    def _is_finished(self, observed: Seen | None) -> bool:
        return observed is not None and observed.finished

    def _stands_still(self, observed: Seen) -> bool:
        if observed.over != self._over:
            self._over, self._over_at = observed.over, time.monotonic()
        return time.monotonic() - self._over_at > GIVE_UP_S

    def _begin_one(self, observed: Seen) -> None:
        held = {KINDS[running.step.kind].holds for running in self._running} - {""}
        due = [step for step in self.plan if observed.over >= step.share * observed.scheduled]
        free = [step for step in due if KINDS[step.kind].holds not in held]
        if not free or (self.quiet and self.scene.watch.waiting):
            return
        step = free[0]
        self.plan.remove(step)
        sys.stderr.write(f"{time.strftime('%H:%M:%S')} {observed.over} of {observed.scheduled} over: {step}\n")
        self.scene.watch.disturbed()
        self.scene.alone = not self._running
        self._running.append(_Running(step, KINDS[step.kind].act(self.scene, step.seconds)))
        self._go_on()

    def _go_on(self) -> None:
        for running in list(self._running):
            if time.monotonic() >= running.due:
                try:
                    running.due = time.monotonic() + next(running.steps)
                except StopIteration:
                    self._running.remove(running)


def make_plan(seed: int, wanted: Mapping[str, Sequence[float]]) -> list[Step]:
    """Return the disturbances in order of time; `wanted` has the durations of each kind, 0 for a single blow."""
    chosen = [(kind, seconds) for kind, each in sorted(wanted.items()) for seconds in each]
    Random(seed).shuffle(chosen)
    first = next((at for at, (kind, _) in enumerate(chosen) if kind == OVERHEARS), 0)
    chosen.insert(0, chosen.pop(first))
    return [Step(SHARE * (number + 0.5) / len(chosen), kind, seconds) for number, (kind, seconds) in enumerate(chosen)]
