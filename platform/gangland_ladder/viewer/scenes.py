"""Scenes: views and tables as plain values that viewers draw in a terminal or on a page."""

from collections.abc import Callable
from typing import Any

from gangland.game import Event
from gangland.replay import Replay, Step, StepAnswer

Scene = dict[str, Any]
"""A scene; all scenes of a game have the same keys.

The key `seats` maps seat numbers, from "0", to each seat's part, which has at least `fault` and `dice`.  `dice` is how
many of the game's units, such as dice, the seat has: a number, or several to add up.  A seat's scene has only the
content of that seat's view; a table's scene has every seat's hand.
"""


def deep_copy(scene: Scene) -> Scene:
    """Return a deep copy, several times faster than `deepcopy`."""
    return {name: _copy(value) for name, value in scene.items()}


def _copy(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _copy(part) for name, part in value.items()}
    return [_copy(part) for part in value] if isinstance(value, list) else value


def delta(before: Scene, now: Scene) -> Scene:
    """Return the entries of a scene that differ from the previous scene; nested dicts are compared the same way."""
    return {
        name: delta(before[name], value) if isinstance(value, dict) and isinstance(before.get(name), dict) else value
        for name, value in now.items()
        if name not in before or before[name] != value
    }


# The scene of a whole table, updated during a game.

Aside = dict[str, Any]
"""Pending decisions as text (`plans`, by seat), and other data that a game shows next to a scene; no empty values."""


class RunningTable:
    """The scene of a table with all hands open, during a game.

    This class makes the scene from the state after each ply.  A game that shows the end of a round before the next one
    begins overrides `apply` to update the scene with each event, and `apply_state` to do nothing.
    """

    def __init__(self, table_scene: Callable[[Any, int, frozenset[int]], Scene], replay: Replay) -> None:
        self.table_scene = table_scene
        self.replay = replay
        self.scene: Scene = {}  # changed in place; `snapshot` returns a copy
        self.plans: dict[str, list[str]] = {}

    def begin(self, step: Step) -> None:
        """Set the scene to the start of the game."""
        self.scene = self.table_scene(step.after, self.replay.seats, step.defaulting)

    def snapshot(self) -> Scene:
        """Return a copy of the scene."""
        return deep_copy(self.scene)

    def aside(self) -> Aside:
        """Return a copy of the aside."""
        return {name: value for name, value in self._full_aside().items() if value}

    def _full_aside(self) -> Aside:
        return {"plans": deep_copy(self.plans)}

    def decide(self, answer: StepAnswer, text: str) -> None:
        """Add a seat's decision, as text, to its plans, and note a default answer as a fault."""
        seat = self.scene["seats"][str(answer.seat)]
        seat["fault"] = seat["fault"] or answer.by_default
        self._add_plan(answer, text)

    def _add_plan(self, answer: StepAnswer, text: str) -> None:
        number = str(answer.seat)
        self.plans[number] = [*self.plans.get(number, []), text]

    def clear_plans(self, *, incomplete: bool) -> None:
        """Clear the plans, which were carried out; if `incomplete`, keep them, because answers are still missing."""
        if not incomplete:
            self.plans = {}

    def apply(self, event: Event) -> None:
        """Update the scene with an event; by default, do nothing."""

    def apply_state(self, step: Step) -> None:
        """Update the scene with the state after a ply, before the ply's events."""
        at_fault = {answer.seat for answer in step.answers if answer.by_default}
        self.scene = self.table_scene(step.after, self.replay.seats, step.defaulting | at_fault)
