"""What lies on a table, moment by moment: kept up by what happens, with what is decided but not yet carried out."""

from __future__ import annotations

from typing import Any

from gangland.game import ROUND_BEGAN, Event, Game
from gangland.gang_of_dice import events as gang
from gangland.replay import Answered, Replay, Step
from gangland_ladder.viewer.running_gang import lay_gang
from gangland_ladder.viewer.running_gangster import GangsterTable
from gangland_ladder.viewer.scenes import Scene, copied, table_scene

Aside = dict[str, Any]
"""What stands beside a scene, each part only if there is something in it.

`plans`: by seat, its decisions in words that are not carried out yet; `laid`: by seat, the bids that it has put down
and not turned up, token and favor each; `award`: who won how many dice as the round ended, None if they stay.
"""


class RunningTable:
    """The scene of a table for people who see all, from the first moment of a game to the last.

    Attributes:
        scene: what lies there now; it changes, so keep what `shown` returns.
    """

    def __init__(self, game: Game[Any], replay: Replay) -> None:
        """Prepare for a game; `begin` lays the table."""
        self.game = game
        self.replay = replay
        self.scene: Scene = {}
        self.gangster: GangsterTable | None = None
        self.plans: dict[str, list[str]] = {}
        self.laid: dict[str, list[list[int]]] = {}
        self.award: list[int | None] | None = None

    def begin(self, step: Step) -> None:
        """Lay the table as the game begins."""
        self.scene = table_scene(self.game, step.after, self.replay.seats, step.defaulting)
        if "tokens" in self.scene:
            options = self.game.options(self.replay.options)
            self.gangster = GangsterTable(self.scene, spent_favor=options.spent_favor)

    def shown(self) -> Scene:
        """Return what lies there now, to keep."""
        return copied(self.scene)

    def aside(self) -> Aside:
        """Return what stands beside it now, to keep."""
        told = {"plans": copied(self.plans), "laid": copied(self.laid), "award": self.award}
        return {name: value for name, value in told.items() if value}

    def decide(self, answer: Answered, words: str) -> None:
        """Put down what a seat has decided: bids as cards out of its hand, all else as its plan in words."""
        seat, number = self.scene["seats"][str(answer.seat)], str(answer.seat)
        seat["fault"] = seat["fault"] or answer.by_default
        if answer.kind == "bids":
            decision: Any = answer.decision
            self.laid[number] = [list(bid) for bid in decision]
            seat["hand"] = list(seat["hand"])
            for _, favor in decision:
                seat["hand"].remove(favor)
        else:
            self.plans[number] = [*self.plans.get(number, []), words]

    def carry_out(self, *, half: bool) -> None:
        """Take up what was put down, for now it happens; `half`: a stage's answers are not all in, so plans stay."""
        for number, bids in self.laid.items():
            seat = self.scene["seats"][number]
            seat["hand"] = sorted([*seat["hand"], *(favor for _, favor in bids)])
        self.laid = {}
        if not half:
            self.plans = {}

    def lay(self, event: Event) -> None:
        """Let something happen."""
        if self.gangster is not None:
            self.gangster.lay(event)
            return
        lay_gang(self.scene, event)
        happened = gang.typed(event)
        if isinstance(happened, gang.RoundWon):
            self.award = [happened.seat, happened.dice]
        elif isinstance(happened, gang.AllBust):
            self.award = [None, happened.dice]
        elif event[0] == ROUND_BEGAN:
            self.award = None
