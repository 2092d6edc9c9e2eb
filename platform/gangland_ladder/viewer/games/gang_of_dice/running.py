"""The table of Gang of Dice, kept up event by event, so that it can be shown as a round ends."""

from __future__ import annotations

from gangland.game import Event
from gangland.gang_of_dice import events as gang
from gangland.gang_of_dice.warnings import NUMBER_OF, WARNINGS
from gangland.replay import Step
from gangland_ladder.viewer.running import Aside, RunningTable
from gangland_ladder.viewer.scenes import Scene


class GangTable(RunningTable):
    """The scene of the table; beside it `award`: who won how many dice as the round ended, None if they stay."""

    award: list[int | None] | None = None

    def _aside(self) -> Aside:
        return {**super()._aside(), "award": self.award}

    def settle(self, step: Step) -> None:
        """Leave it to the events."""

    def lay(self, event: Event) -> None:
        """Let something happen: put what it tells into the scene; see `scenes` for its parts."""
        scene, happened = self.scene, gang.typed(event)
        if isinstance(happened, gang.RoundBegan):
            self.award = None
            _begin(scene, happened)
        elif isinstance(happened, gang.Rolled):
            seat = scene["seats"][str(happened.seat)]
            if happened.roll == 1:
                seat["dice"] -= len(happened.dice)
                scene["table"] += len(happened.dice)
            seat |= {"roll": list(happened.dice), "total": sum(happened.dice), "state": f"roll {happened.roll}"}
        elif isinstance(happened, gang.Stood):
            scene["seats"][str(happened.seat)]["state"] = "stands"
            scene["best"] = _better(scene, happened.seat)
        elif isinstance(happened, gang.Busted):
            scene["seats"][str(happened.seat)] |= {"state": "bust", "bust": True}
        elif isinstance(happened, gang.RoundWon):
            self.award = [happened.seat, happened.dice]
            scene["seats"][str(happened.seat)]["dice"] += happened.dice
            scene |= {"table": 0, "left": 0, "bonus": 0}
        elif isinstance(happened, gang.AllBust):
            self.award = [None, happened.dice]
            scene |= {"left": happened.dice, "bonus": 0}
        elif isinstance(happened, gang.Eliminated):
            for number in happened.seats:
                scene["seats"][str(number)]["state"] = "out"


def _begin(scene: Scene, began: gang.RoundBegan) -> None:
    card = WARNINGS[NUMBER_OF[began.card]]
    scene |= {
        "card": {"id": card.id, "colour": str(card.colour), "words": card.words},
        "left": began.carried,
        "bonus": began.bonus,
        "table": began.carried + began.bonus,
        "best": None,
        "order": list(began.order),
    }
    for number, seat in scene["seats"].items():
        seat |= {"roll": [], "total": None, "bust": False, "state": "" if int(number) in began.order else "out"}


def _better(scene: Scene, seat: int) -> int:
    """Return who leads when a seat stands: a tie goes to more dice, then to the earlier turn (D15)."""
    best: int | None = scene["best"]
    if best is None:
        return seat
    now, before = (scene["seats"][str(each)] for each in (seat, best))
    return seat if (now["total"], len(now["roll"])) > (before["total"], len(before["roll"])) else best
