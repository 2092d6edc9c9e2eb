"""How viewers present a game: as scenes, sentences, HTML, terminal lines and pictures.

`games` has a folder with a presentation class for each game.  A game without a folder uses the base class, which shows
views as names and values, and tells the story from events.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from gangland.game import Event, Game
from gangland.games import game_named
from gangland.replay import FAULT, Replay
from gangland.view import View
from gangland_ladder.common.game_modules import module_of
from gangland_ladder.common.texts import view_fields
from gangland_ladder.viewer.drawing import table_parts
from gangland_ladder.viewer.drawing.canvas import Box
from gangland_ladder.viewer.scenes import RunningTable, Scene
from gangland_ladder.viewer.table_view import Html, TableView, count, element, pairs, seat_place, whole_table

if TYPE_CHECKING:
    from rich.text import Text

_GAMES: Final = "gangland_ladder.viewer.games"


@cache
def presentation_of(game: str) -> Presentation:
    """Return a game's presentation.  Raises ValueError: there is no such game."""
    rules, module = game_named(game), module_of(_GAMES, game)
    if module is None:
        return Presentation(rules)
    presentation: type[Presentation] = module.PRESENTATION
    return presentation(rules)


def decision_text(game: str, kind: str, decision: Any) -> str:
    """Return a decision as words that follow a player's name: "rolls 4 dice"."""
    return "is at fault" if decision == FAULT else presentation_of(game).decision(kind, decision)


class Presentation:
    """The presentation of one game; this base class works for every game."""

    style: str = "plain"  # the CSS class of the table
    embed_height_px: int = 900  # the height of a replay embedded in other sites
    minor_events: frozenset[str] = frozenset()  # the kinds that captions leave out
    hidden_kinds: frozenset[str] = frozenset()  # the kinds of questions whose presence depends on hidden information

    def __init__(self, game: Game[Any]) -> None:
        self.game = game

    def table(self, replay: Replay) -> RunningTable:
        """Return the running table of a game that has not started."""
        return RunningTable(self.table_scene, replay)

    def view_scene(self, view: View, held: Sequence[int], defaulting: frozenset[int]) -> Scene:
        """Return a seat's view and public facts as a scene.

        `held` has the counts (`Game.held`) of the view's state; `defaulting` has the seats whose faults it shows.
        """
        return self._scene(held, defaulting, _view_values(view), [[]] * len(held))

    def table_scene(self, state: Any, seats: int, defaulting: frozenset[int]) -> Scene:
        """Return the scene with all hands open: the values common to all views, and each seat's other values."""
        views = [_view_values(self.game.observe(state, seat, defaulting)) for seat in range(seats)]
        shared = [pair for pair in views[0] if all(pair in view for view in views)]
        private = [[pair for pair in view if pair not in shared] for view in views]
        return self._scene(self.game.held(state), defaulting, shared, private)

    @staticmethod
    def _scene(
        held: Sequence[int], defaulting: frozenset[int], shared: list[list[str]], private: Sequence[list[list[str]]]
    ) -> Scene:
        seats = {
            str(seat): {"dice": held[seat], "fault": seat in defaulting, "shows": private[seat]}
            for seat in range(len(held))
        }
        return {"shows": shared, "seats": seats}

    def held(self, scene: Scene) -> tuple[int, ...]:
        """Return each seat's count of the game's unit in a scene, in seat order."""
        return tuple(seat["dice"] for seat in scene["seats"].values())

    def owned(self, scene: Scene) -> tuple[int, ...]:
        """Return the counts that `held` returns, plus any dice that a seat has staked and may get back."""
        return self.held(scene)

    def rolled(self, seat: Scene) -> int:
        """Return the number of dice in front of a seat."""
        return 0

    def script_texts(self) -> dict[str, Any]:
        """Return texts for the viewer's script, and whether more of the game's unit is better."""
        unit = self.game.unit
        return {"unit": self.game.luck_unit, "held": [unit.singular, unit.plural], "more": unit.more_is_better}

    def decision_data(self, kind: str, decision: Any) -> dict[str, Any]:
        """Return additional data about a decision for the viewer's script, without empty members.

        This method is not called for faults.
        """
        return {}

    def question(self, view: View, kind: str, state: Any) -> str:
        """Return a question in a few words: "How many dice, 1 to 48?"."""
        return f"{kind.replace('_', ' ').capitalize()}? {self.game.legal(state, view.seat)}"  # type: ignore[attr-defined]

    def decision(self, kind: str, decision: Any) -> str:
        """Return a decision in canonical form as words that follow a player's name: "rolls 4 dice"."""
        return f"decides {kind.replace('_', ' ')}: {'nothing' if decision is None else decision}"

    def button(self, kind: str, decision: Any) -> str:
        """Return a decision as the label of a button: "Roll 4 dice"."""
        return as_order(self.decision(kind, decision))

    def situation(self, view: View, kind: str) -> str:
        """Return the kind of situation in which a question is asked; statistics group questions by it."""
        return f"choose_{kind}"

    def view_summary(self, view: View) -> str:
        """Return the main values of a view in one line, with seats numbered from 1."""
        return "; ".join(f"{name} {value}" for name, value in view_fields(view))

    def abilities(self, scene: Scene, names: Sequence[str]) -> list[str]:
        """Return the special abilities of seats as sentences that begin with the seat's name."""
        return []

    def win_reason(self, held: Sequence[int], winners: Sequence[int]) -> str:
        """Return why these seats won by the rules, as words that follow "in round 12"."""
        return ""

    def ways_to_win(
        self, events: Mapping[int, Sequence[Event]], names: Sequence[str], winner: int, *, by_rules: bool
    ) -> list[tuple[str, int | None]]:
        """Return sentences about how a seat won, each with the round that shows it (None for the end).

        `by_rules` is False if a limit ended the game.
        """
        return []

    def gain(self, events: Sequence[Event], names: Sequence[str], seat: int, number: int, count: int) -> str:
        """Return a sentence about a seat's best round, from its events."""
        return f"{names[seat]} did best in round {number}: {self.game.unit.counted(count)}."

    def loss(self, events: Sequence[Event], names: Sequence[str], seat: int, number: int, count: int) -> str:
        """Return a sentence about a seat's worst round, from its events."""
        return f"{names[seat]} did worst in round {number}: {self.game.unit.counted(count)}."

    def terminal_lines(self, scene: Scene, names: Sequence[str]) -> Iterator[Text]:
        """Yield a scene as terminal lines."""
        yield from value_lines(scene["shows"], "")
        for seat, player in seats_of(scene):
            yield seat_line(names[seat], seat, player, self.game.unit.counted(player["dice"]))
            yield from value_lines(player["shows"], "    ")

    def table_html(self, table: TableView) -> Html:
        """Return a seat's scene as HTML for the style `viewer.css`."""
        rolled = max(map(self.rolled, table.scene["seats"].values()))
        return whole_table(table, self.style, rolled, *self.html_parts(table))

    def html_parts(self, table: TableView) -> Sequence[Html]:
        """Return the middle of the table and the seats as HTML."""
        held, unit = self.held(table.scene), self.game.unit
        seats = [
            seat_place(table, int(seat), [], count(held[int(seat)], unit.singular, unit.plural), pairs(player["shows"]))
            for seat, player in table.scene["seats"].items()
        ]
        return [element("div", "v-center", pairs(table.scene["shows"])), *seats]

    def draw_seat(self, drawing: table_parts.Drawing, seat: int, box: Box, u: float) -> None:
        """Draw a seat into a picture at the scale `u`, which is 1 for three or four seats."""
        content = table_parts.draw_seat_box(drawing, seat, box, u, [])
        unit = self.game.unit
        table_parts.draw_count(drawing, seat, content.x, content.y + 17 * u, u, unit.singular, unit.plural)
        values_box = content._replace(y=content.y + 26 * u, height=content.height - 26 * u)
        table_parts.draw_pairs(drawing.canvas, values_box, drawing.scene["seats"][str(seat)]["shows"], 13 * u, "ink")

    def draw_center(self, drawing: table_parts.Drawing, box: Box) -> None:
        """Draw the middle of the table into a picture."""
        table_parts.draw_pairs(drawing.canvas, box, drawing.scene["shows"], 14, "table-ink")

    def terminal_aside(self, aside: Mapping[str, Any], names: Sequence[str]) -> Iterator[Text]:
        """Yield an aside, except for its plans, as terminal lines."""
        yield from ()

    def terminal_help(self) -> Iterator[str]:
        """Yield lines for the help in the terminal."""
        yield from ()


def _view_values(view: View) -> list[list[str]]:
    return [[name, value] for name, value in view_fields(view) if name != "seat"]


# Terminal lines. rich is imported only where lines are drawn.

_NAME: Final = 24


def seats_of(scene: Scene) -> Iterator[tuple[int, Scene]]:
    """Yield each seat with its part of a scene."""
    for number, player in scene["seats"].items():
        yield int(number), player


def seat_line(name: str, seat: int, player: Scene, holding: str) -> Text:
    """Return a line with a seat's number, name, holding (such as "5 dice") and state."""
    from rich.text import Text

    name = name if len(name) <= _NAME else f"{name[: _NAME - 1]}…"
    out = "  out" if player.get("state") == "out" else ""
    fault = ("  at fault" if player["fault"] else "", "red")
    return Text.assemble((f"{seat + 1} {name}", "bold"), f"  {holding}{out}", fault)


def value_lines(values: Sequence[Sequence[str]], indent: str) -> Iterator[Text]:
    """Yield a line for each name and value."""
    from rich.text import Text

    for name, value in values:
        yield Text(f"{indent}{name}: {value}")


# Sentences in the second person: "You roll 4 dice" for the game's "Ace rolls 4 dice".

YOU: Final = "You"
_PLAYER: Final = "\x00"  # A placeholder for the player's name in sentences; no name contains it.
_VERB: Final = rf"(?P<begin>^|[.!?:] ){_PLAYER} (?P<verb>[a-z]+)"
_LATER_VERB: Final = r"(?:(?<=\band )|(?<=, ))(?:is|has|gets|takes|pins|plays|wins|names)\b"
_IRREGULAR: Final = {"is": "are", "has": "have", "does": "do", "passes": "pass", "was": "were"}


def names_for(names: Sequence[str], seat: int) -> list[str]:
    """Return names for sentences that `in_second_person` turns into sentences addressed to this seat."""
    return [_PLAYER if index == seat else name for index, name in enumerate(names)]


def in_second_person(sentence: str) -> str:
    """Return a sentence made with names from `names_for` in the second person."""
    text = re.sub(_VERB, lambda match: f"{match['begin']}{YOU} {_second_person_verb(match['verb'])}", sentence)
    if sentence.startswith(f"{_PLAYER} ") and not sentence.startswith(f"{_PLAYER} and "):
        text = re.sub(_LATER_VERB, lambda match: _second_person_verb(match[0]), text)
    text = re.sub(rf"^{_PLAYER}'s", "Your", text).replace(f"{_PLAYER}'s", "your")
    text = re.sub(rf"(^|[.!?:] ){_PLAYER}", rf"\1{YOU}", text).replace(_PLAYER, "you")
    if sentence.startswith(_PLAYER):
        text = text.replace(": it ", ": you ")
    return text.replace(" its ", " your ") if _PLAYER in sentence else sentence


def as_order(text: str) -> str:
    """Return "rolls 4 dice" as "Roll 4 dice"."""
    order = as_second_person(text)
    return order[:1].upper() + order[1:]


def as_second_person(text: str) -> str:
    """Return "rolls 4 dice" as the words after "You": "roll 4 dice"."""
    return in_second_person(f"{_PLAYER} {text}").removeprefix(f"{YOU} ")


def _second_person_verb(verb: str) -> str:
    return _IRREGULAR.get(verb, verb.removesuffix("s"))
