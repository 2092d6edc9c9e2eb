"""Scenes: what a view or a table shows, as plain values that a viewer draws in a terminal, on a page, on the site."""

from collections.abc import Callable
from typing import Any

from gangland.game import Event
from gangland.replay import Answered, Replay, Step

Scene = dict[str, Any]
"""A part for each seat, under its number from 0 as a text, so scenes of a game have the same names all the way down.

A seat's scene is its view and nothing else; the table's, for people who see all, has every seat's hand besides.  A
seat's part has at least `dice`, what it has of the game's unit: a number, or numbers to be added up, and `fault`.
"""


def copied(scene: Scene) -> Scene:
    """Return a scene of its own, all the way down; `deepcopy` takes several times as long."""
    return {name: _copied(value) for name, value in scene.items()}


def _copied(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _copied(each) for name, each in value.items()}
    return [_copied(each) for each in value] if isinstance(value, list) else value


def delta(before: Scene, now: Scene) -> Scene:
    """Return what of a scene differs from the one before: names with their new values, the same all the way down."""
    return {
        name: delta(before[name], value) if isinstance(value, dict) and isinstance(before.get(name), dict) else value
        for name, value in now.items()
        if name not in before or before[name] != value
    }


# The scene of a whole table, kept up moment by moment by what happens.


Aside = dict[str, Any]
"""What stands beside a scene, each part only if there is something in it.

`plans`: by seat, its decisions in words that are not carried out yet; and what else a game puts down there.
"""


class RunningTable:
    """The scene of a table for people who see all, from the first moment of a game to the last.

    This one shows each state as the rules leave it.  A game that keeps its table up event by event, so that a round's
    end is seen before the next begins, puts those events down in `lay` and nothing in `settle`.

    Attributes:
        scene: what lies there now; it changes, so keep what `shown` returns.
    """

    def __init__(self, table_scene: Callable[[Any, int, frozenset[int]], Scene], replay: Replay) -> None:
        """Prepare for a game; `begin` lays the table."""
        self.table_scene = table_scene
        self.replay = replay
        self.scene: Scene = {}
        self.plans: dict[str, list[str]] = {}

    def begin(self, step: Step) -> None:
        """Lay the table as the game begins."""
        self.scene = self.table_scene(step.after, self.replay.seats, step.defaulting)

    def shown(self) -> Scene:
        """Return what lies there now, to keep."""
        return copied(self.scene)

    def aside(self) -> Aside:
        """Return what stands beside it now, to keep."""
        return {name: value for name, value in self._aside().items() if value}

    def _aside(self) -> Aside:
        return {"plans": copied(self.plans)}

    def decide(self, answer: Answered, words: str) -> None:
        """Put down what a seat has decided, as its plan in words."""
        seat = self.scene["seats"][str(answer.seat)]
        seat["fault"] = seat["fault"] or answer.by_default
        self._put_down(answer, words)

    def _put_down(self, answer: Answered, words: str) -> None:
        number = str(answer.seat)
        self.plans[number] = [*self.plans.get(number, []), words]

    def carry_out(self, *, half: bool) -> None:
        """Take up what was put down, for now it happens; `half`: a stage's answers are not all in, so plans stay."""
        if not half:
            self.plans = {}

    def lay(self, event: Event) -> None:
        """Let something happen."""

    def settle(self, step: Step) -> None:
        """Take over what the rules made of a ply, before its events are laid."""
        at_fault = {answer.seat for answer in step.answers if answer.by_default}
        self.scene = self.table_scene(step.after, self.replay.seats, step.defaulting | at_fault)
