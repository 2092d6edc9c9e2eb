"""How Gang of Dice is shown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

from gangland.game import Event
from gangland.gang_of_dice.views import View
from gangland.replay import Replay
from gangland.view import View as AnyView
from gangland_ladder.viewer.games.gang_of_dice import acts, words
from gangland_ladder.viewer.games.gang_of_dice.running import GangTable
from gangland_ladder.viewer.games.gang_of_dice.scenes import scene_of
from gangland_ladder.viewer.presentation import Presentation
from gangland_ladder.viewer.scenes import Scene

if TYPE_CHECKING:
    from rich.text import Text


class GangOfDicePresentation(Presentation):
    """Stashes, the warning, the dice to be won, and each seat's roll."""

    style = "gang"

    def table(self, replay: Replay) -> GangTable:
        """Return a table that is kept up event by event."""
        return GangTable(self.table_scene, replay)

    def seen(self, view: AnyView, state: Any, defaulting: frozenset[int]) -> Scene:
        """Return what a seat was sent as a scene."""
        return scene_of(cast(View, view))

    def table_scene(self, state: Any, seats: int, defaulting: frozenset[int]) -> Scene:
        """Return what lies on the table; no hand is hidden."""
        return scene_of(cast(View, self.game.observe(state, 0, defaulting)))

    def rolled(self, seat: Scene) -> int:
        """Return how many dice lie before a seat."""
        return len(seat["roll"])

    def words(self) -> dict[str, Any]:
        """Return words that the script needs."""
        return {"unit": self.game.luck_unit}

    def besides(self, kind: str, decision: Any) -> dict[str, Any]:
        """Return the faces that are rolled again."""
        return {"again": decision} if kind == "reroll" else {}

    def question(self, view: AnyView, kind: str, state: Any) -> str:
        """Return a question as people ask it."""
        return words.question(cast(View, view), kind)

    def decision(self, kind: str, decision: Any) -> str:
        """Return a decision as what a seat does."""
        return words.DECISIONS[kind](decision)

    def situation(self, view: AnyView, kind: str) -> str:
        """Return of which kind the situation of a question is."""
        return words.situation(cast(View, view), kind)

    def seen_in_short(self, view: AnyView) -> str:
        """Return the chief things that a view shows in one line."""
        return words.seen_in_short(cast(View, view))

    def how_it_ended(self, held: Sequence[int], winners: Sequence[int]) -> str:
        """Return whether the last seat left won, or the most dice."""
        left = [seat for seat, dice in enumerate(held) if dice]
        if not left:
            return ", as the last to go out"
        return ", the only one with dice left" if left == list(winners) and len(left) == 1 else ", the most at the end"

    def gain(self, events: Sequence[Event], names: Sequence[str], seat: int, number: int, count: int) -> str:
        """Return a sentence on the most dice that were won in a round."""
        told = f"{names[seat]} won the most dice at once in round {number}: {count}"
        return acts.telling_of_gain(told, events, seat, count, names)

    def loss(self, events: Sequence[Event], names: Sequence[str], seat: int, number: int, count: int) -> str:
        """Return a sentence on the most dice that were lost in a round."""
        return acts.telling_of_loss(
            f"{names[seat]} lost the most in one round, round {number}: {count}", events, seat, count
        )

    def frame(self, scene: Scene, names: Sequence[str]) -> Iterator[Text]:
        """Yield a scene as lines of a terminal."""
        from gangland_ladder.viewer.games.gang_of_dice.frames import frame

        return frame(scene, names)

    def frame_aside(self, aside: Mapping[str, Any], names: Sequence[str]) -> Iterator[Text]:
        """Yield who won the round."""
        from gangland_ladder.viewer.games.gang_of_dice.frames import award

        return award(aside, names)

    def frame_help(self) -> Iterator[str]:
        """Yield what a G is."""
        yield "G among dice is a gangster."


PRESENTATION = GangOfDicePresentation
