"""How Gangster Dice is shown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

from gangland.game import Event
from gangland.gangster_dice.cards import COLOUR_NAMES, SYMBOL_NAMES, TOKEN_NAMES
from gangland.gangster_dice.characters import HOUSE_SET
from gangland.gangster_dice.views import View
from gangland.replay import Replay
from gangland.view import View as AnyView
from gangland_ladder.viewer.felt import Felt, Html
from gangland_ladder.viewer.games.gangster_dice import riddance, words
from gangland_ladder.viewer.games.gangster_dice.felt import table as felt_table
from gangland_ladder.viewer.games.gangster_dice.running import BiddingTable
from gangland_ladder.viewer.games.gangster_dice.scenes import scene_of
from gangland_ladder.viewer.presentation import Presentation
from gangland_ladder.viewer.scenes import Scene

if TYPE_CHECKING:
    from rich.text import Text

    from gangland_ladder.viewer.drawing.canvas import Box
    from gangland_ladder.viewer.drawing.table import Drawing


class GangsterDicePresentation(Presentation):
    """The four tokens, the cards, and each seat's dice, favors and bids."""

    style = "gangster"
    frame_px = 1150
    minor = frozenset({"dealt", "drew", "paired", "passed", "reshuffled"})

    def table(self, replay: Replay) -> BiddingTable:
        """Return a table that is kept up event by event."""
        return BiddingTable(self.table_scene, replay)

    def view_scene(self, view: AnyView, held: Sequence[int], defaulting: frozenset[int]) -> Scene:
        """Return what a seat is shown as a scene; the view says all of it."""
        return scene_of(cast(View, view))

    def table_scene(self, state: Any, seats: int, defaulting: frozenset[int]) -> Scene:
        """Return what lies on the table and in all hands."""
        views = [cast(View, self.game.observe(state, seat, defaulting)) for seat in range(seats)]
        scene = scene_of(views[0])
        for seat, view in enumerate(views):
            scene["seats"][str(seat)]["hand"] = list(view.hand)
        scene.pop("own")
        return scene

    def held(self, scene: Scene) -> tuple[int, ...]:
        """Return how many dice of all colours each seat has in a scene."""
        return tuple(sum(seat["dice"]) for seat in scene["seats"].values())

    def rolled(self, seat: Scene) -> int:
        """Return how many dice lie before a seat."""
        return sum(len(faces) for faces in seat["faces"])

    def words(self) -> dict[str, Any]:
        """Return words that the script needs."""
        return {
            "tokens": TOKEN_NAMES,
            "colours": COLOUR_NAMES,
            "symbols": SYMBOL_NAMES,
            "unit": self.game.luck_unit,
            "more": self.game.unit.more,
        }

    def question(self, view: AnyView, kind: str, state: Any) -> str:
        """Return a question as people ask it."""
        return words.QUESTIONS[kind](cast(View, view))

    def decision(self, kind: str, decision: Any) -> str:
        """Return a decision as what a seat does."""
        return words.DECISIONS[kind](decision)

    def situation(self, view: AnyView, kind: str) -> str:
        """Return of which kind the situation of a question is."""
        return words.situation(cast(View, view))

    def view_summary(self, view: AnyView) -> str:
        """Return the chief things that a view shows in one line."""
        return words.view_summary(cast(View, view))

    def abilities(self, scene: Scene, names: Sequence[str]) -> list[str]:
        """Return what each seat's character does; names are printed, what they do is our own (G34)."""
        ability = {each.name: each.ability for each in HOUSE_SET}
        characters = zip(names, (each["character"] for each in scene["seats"].values()), strict=True)
        return [
            f"{name}, {character} (house rule): {ability[character]}" for name, character in characters if character
        ]

    def how_it_ended(self, held: Sequence[int], winners: Sequence[int]) -> str:
        """Return what wins."""
        return ", the first to be rid of them all"

    def ways_to_win(
        self, events: Mapping[int, Sequence[Event]], names: Sequence[str], winner: int, *, by_rules: bool
    ) -> list[tuple[str, int | None]]:
        """Return how a winner got rid of its dice, the last ones and all."""
        last = riddance.last_dice_sentence(events, winner, names) if by_rules else None
        acts = riddance.acts_of(events, winner)
        way = riddance.way_sentence(events, winner, names[winner])
        return [*([(last, max(events))] if last else []), (way, acts[0].round if acts else None)]

    def gain(self, events: Sequence[Event], names: Sequence[str], seat: int, number: int, count: int) -> str:
        """Return a sentence on the most dice that a seat got rid of in a round."""
        return riddance.riddance_sentence(
            f"{names[seat]} got rid of the most dice at once in round {number}", events, seat, count
        )

    def loss(self, events: Sequence[Event], names: Sequence[str], seat: int, number: int, count: int) -> str:
        """Return a sentence on the most dice that a seat took in in a round."""
        return f"{names[seat]} took in the most in one round, round {number}: {count}."

    def frame(self, scene: Scene, names: Sequence[str]) -> Iterator[Text]:
        """Yield a scene as lines of a terminal."""
        from gangland_ladder.viewer.games.gangster_dice.frames import frame

        return frame(scene, names)

    def felt_parts(self, felt: Felt) -> Sequence[Html]:
        """Return the seats' places and what lies in the middle, as HTML."""
        return felt_table(felt)

    def draw_seat(self, drawing: Drawing, seat: int, box: Box, u: float) -> None:
        """Draw a seat's place into a picture."""
        from gangland_ladder.viewer.games.gangster_dice.picture import draw_seat

        draw_seat(drawing, seat, box, u)

    def draw_centre(self, drawing: Drawing, box: Box) -> None:
        """Draw what lies in the middle into a picture."""
        from gangland_ladder.viewer.games.gangster_dice.picture import draw_centre

        draw_centre(drawing, box)

    def frame_aside(self, aside: Mapping[str, Any], names: Sequence[str]) -> Iterator[Text]:
        """Yield the bids that are not turned up."""
        from gangland_ladder.viewer.games.gangster_dice.frames import bids_laid

        return bids_laid(aside, names)


PRESENTATION = GangsterDicePresentation
