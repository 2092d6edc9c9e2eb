"""What a viewer needs to know of a game, plain enough for any game: views as names and values, the story from events.

A game that is to be shown better brings a class of its own; see `games`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from gangland.game import Event, Game
from gangland.replay import Replay
from gangland.view import View
from gangland_ladder.common.views import fields_shown
from gangland_ladder.viewer.felt import Felt, Html, count, element, framed, pairs, seat_place
from gangland_ladder.viewer.running import RunningTable
from gangland_ladder.viewer.scenes import Scene

if TYPE_CHECKING:
    from rich.text import Text

    from gangland_ladder.viewer.drawing.canvas import Box
    from gangland_ladder.viewer.drawing.table import Drawing


class Presentation:
    """How a game is shown.

    Attributes:
        style: the class of its tables in `viewer.css`.
        frame_px: how tall the frame of an embedded replay is.
        minor: the kinds of events that a screen with little room says nothing of.
    """

    style: str = "plain"
    frame_px: int = 900
    minor: frozenset[str] = frozenset()

    def __init__(self, game: Game[Any]) -> None:
        self.game = game

    def table(self, replay: Replay) -> RunningTable:
        """Return the table of a game, to be kept up from its beginning."""
        return RunningTable(self.table_scene, replay)

    def view_scene(self, view: View, held: Sequence[int], defaulting: frozenset[int]) -> Scene:
        """Return what a seat is shown as a scene: what it sees and what the whole table knows, and nothing else.

        Args:
            held: what `Game.held` says of the state that the view was made from.
            defaulting: the seats at fault as the view shows them.
        """
        return self._scene(held, defaulting, _shown(view), [[]] * len(held))

    def table_scene(self, state: Any, seats: int, defaulting: frozenset[int]) -> Scene:
        """Return what lies on the table and in all hands: first what every seat sees alike, then what each sees."""
        views = [_shown(self.game.observe(state, seat, defaulting)) for seat in range(seats)]
        alike = [each for each in views[0] if all(each in view for view in views)]
        own = [[each for each in view if each not in alike] for view in views]
        return self._scene(self.game.held(state), defaulting, alike, own)

    @staticmethod
    def _scene(
        held: Sequence[int], defaulting: frozenset[int], shows: list[list[str]], own: Sequence[list[list[str]]]
    ) -> Scene:
        seats = {
            str(seat): {"dice": held[seat], "fault": seat in defaulting, "shows": own[seat]}
            for seat in range(len(held))
        }
        return {"shows": shows, "seats": seats}

    def held(self, scene: Scene) -> tuple[int, ...]:
        """Return how many of the game's unit each seat has in a scene, in seat order."""
        return tuple(seat["dice"] for seat in scene["seats"].values())

    def owned(self, scene: Scene) -> tuple[int, ...]:
        """Return how many of the game's unit each seat has in a scene, those included that it may still get back."""
        return self.held(scene)

    def rolled(self, seat: Scene) -> int:
        """Return how many dice lie before a seat."""
        return 0

    def words(self) -> dict[str, Any]:
        """Return words that the script needs, and whether more of the game's unit is better."""
        unit = self.game.unit
        return {"unit": self.game.luck_unit, "held": [unit.one, unit.many], "more": unit.more}

    def decision_data(self, kind: str, decision: Any) -> dict[str, Any]:
        """Return what else the script needs of a decision that was not a fault; what is empty is left out."""
        return {}

    def question(self, view: View, kind: str, state: Any) -> str:
        """Return a question as people ask it, with what is legal: "How many dice, 1 to 48?"."""
        return f"{kind.replace('_', ' ').capitalize()}? {self.game.legal(state, view.seat)}"  # type: ignore[attr-defined]

    def decision(self, kind: str, decision: Any) -> str:
        """Return a decision in canonical form as what a seat does: "rolls 4 dice"."""
        return f"decides {kind.replace('_', ' ')}: {'nothing' if decision is None else decision}"

    def situation(self, view: View, kind: str) -> str:
        """Return of which kind the situation of a question is; alike situations are counted together."""
        return f"choose_{kind}"

    def view_summary(self, view: View) -> str:
        """Return the chief things that a view shows in one line; seats are counted from 1."""
        return "; ".join(f"{name} {value}" for name, value in fields_shown(view))

    def abilities(self, scene: Scene, names: Sequence[str]) -> list[str]:
        """Return in sentences what seats may do that others may not, each with its seat's name in front."""
        return []

    def how_it_ended(self, held: Sequence[int], winners: Sequence[int]) -> str:
        """Return what made winners of them by the rules' own end, as words that follow "in round 12"."""
        return ""

    def ways_to_win(
        self, events: Mapping[int, Sequence[Event]], names: Sequence[str], winner: int, *, by_rules: bool
    ) -> list[tuple[str, int | None]]:
        """Return how a winner came to win, in sentences, each with the round to look at, None for the end.

        Args:
            events: those of the game by round; by_rules: whether the rules ended it, and no limit.
        """
        return []

    def gain(self, events: Sequence[Event], names: Sequence[str], seat: int, number: int, count: int) -> str:
        """Return a sentence on the best round that a seat had, whose events are given."""
        return f"{names[seat]} did best at once in round {number}: {self.game.unit.counted(count)}."

    def loss(self, events: Sequence[Event], names: Sequence[str], seat: int, number: int, count: int) -> str:
        """Return a sentence on the worst round that a seat had, whose events are given."""
        return f"{names[seat]} did worst in round {number}: {self.game.unit.counted(count)}."

    def frame(self, scene: Scene, names: Sequence[str]) -> Iterator[Text]:
        """Yield a scene as lines of a terminal."""
        from gangland_ladder.viewer.lines import pairs, seat_line, seats

        yield from pairs(scene["shows"], "")
        for seat, each in seats(scene):
            yield seat_line(names[seat], seat, each, self.game.unit.counted(each["dice"]))
            yield from pairs(each["shows"], "    ")

    def felt(self, felt: Felt) -> Html:
        """Return a seat's scene as HTML, to be shown with the style of `viewer.css`."""
        rolled = max(map(self.rolled, felt.scene["seats"].values()))
        return framed(felt, self.style, rolled, *self.felt_parts(felt))

    def felt_parts(self, felt: Felt) -> Sequence[Html]:
        """Return the seats' places and what lies in the middle, as HTML."""
        one, many = self.game.unit.one, self.game.unit.many
        held = self.held(felt.scene)
        seats = [
            seat_place(felt, int(seat), [], count(held[int(seat)], one, many), pairs(each["shows"]))
            for seat, each in felt.scene["seats"].items()
        ]
        return [element("div", "v-centre", pairs(felt.scene["shows"])), *seats]

    def draw_seat(self, drawing: Drawing, seat: int, box: Box, u: float) -> None:
        """Draw a seat's place into a picture; `u` is how large, 1 where four seats have room."""
        from gangland_ladder.viewer.drawing.table import figure, pairs, seat_place

        inside = seat_place(drawing, seat, box, u, [])
        figure(drawing, seat, inside.x, inside.y + 17 * u, u, self.game.unit.one, self.game.unit.many)
        below = inside._replace(y=inside.y + 26 * u, height=inside.height - 26 * u)
        pairs(drawing.canvas, below, drawing.scene["seats"][str(seat)]["shows"], 13 * u, "ink")

    def draw_centre(self, drawing: Drawing, box: Box) -> None:
        """Draw what lies in the middle into a picture."""
        from gangland_ladder.viewer.drawing.table import pairs

        pairs(drawing.canvas, box, drawing.scene["shows"], 14, "table-ink")

    def frame_aside(self, aside: Mapping[str, Any], names: Sequence[str]) -> Iterator[Text]:
        """Yield what stands beside a scene, but for plans, as lines of a terminal."""
        yield from ()

    def frame_help(self) -> Iterator[str]:
        """Yield what else the help of a terminal says."""
        yield from ()


def _shown(view: View) -> list[list[str]]:
    """Return what a view shows as names and values, but for the seat, beside whose name it stands."""
    return [[name, value] for name, value in fields_shown(view) if name != "seat"]
