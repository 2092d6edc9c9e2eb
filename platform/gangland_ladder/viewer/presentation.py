"""How games are shown: `presentation_of(game)`, plain for any game, better for one that brings a class of its own.

A game's class lies in `games`, a folder a game.  A game without one is shown plainly: views as names and values, the
story from events.
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
from gangland_ladder.common.runtime import module_of
from gangland_ladder.common.texts import fields_shown
from gangland_ladder.viewer.drawing import table_parts
from gangland_ladder.viewer.drawing.canvas import Box
from gangland_ladder.viewer.drawing.table_parts import Drawing
from gangland_ladder.viewer.scenes import RunningTable, Scene
from gangland_ladder.viewer.table_view import Html, TableView, count, element, framed, pairs, seat_place

if TYPE_CHECKING:
    from rich.text import Text

_GAMES: Final = "gangland_ladder.viewer.games"


# Finding how a game is shown.


@cache
def presentation_of(game: str) -> Presentation:
    """Return how a game is shown.  Raises ValueError: no such game."""
    rules, module = game_named(game), module_of(_GAMES, game)
    if module is None:
        return Presentation(rules)
    shown: type[Presentation] = module.PRESENTATION
    return shown(rules)


def decision_in_words(game: str, kind: str, decision: Any) -> str:
    """Return a decision as what a seat does: "rolls 4 dice"."""
    return "is at fault" if decision == FAULT else presentation_of(game).decision(kind, decision)


# What a viewer needs to know of a game.


class Presentation:
    """How a game is shown.

    Attributes:
        minor: the kinds of events that a screen with little room says nothing of.
        hidden_kinds: the kinds of questions that are asked or not by what other seats cannot know.
    """

    style: str = "plain"
    embed_height_px: int = 900
    minor: frozenset[str] = frozenset()
    hidden_kinds: frozenset[str] = frozenset()

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
        """Return a question in a few words: "How many dice, 1 to 48?"; the table shows what is legal."""
        return f"{kind.replace('_', ' ').capitalize()}? {self.game.legal(state, view.seat)}"  # type: ignore[attr-defined]

    def decision(self, kind: str, decision: Any) -> str:
        """Return a decision in canonical form as what a seat does: "rolls 4 dice"."""
        return f"decides {kind.replace('_', ' ')}: {'nothing' if decision is None else decision}"

    def button(self, kind: str, decision: Any) -> str:
        """Return a decision as a button says it: "Roll 4 dice"."""
        return as_order(self.decision(kind, decision))

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

    def terminal_lines(self, scene: Scene, names: Sequence[str]) -> Iterator[Text]:
        """Yield a scene as lines of a terminal."""
        yield from value_lines(scene["shows"], "")
        for seat, each in seats_of(scene):
            yield seat_line(names[seat], seat, each, self.game.unit.counted(each["dice"]))
            yield from value_lines(each["shows"], "    ")

    def table_html(self, table: TableView) -> Html:
        """Return a seat's scene as HTML, to be shown with the style of `viewer.css`."""
        rolled = max(map(self.rolled, table.scene["seats"].values()))
        return framed(table, self.style, rolled, *self.html_parts(table))

    def html_parts(self, table: TableView) -> Sequence[Html]:
        """Return the seats' places and what lies in the middle, as HTML."""
        one, many = self.game.unit.one, self.game.unit.many
        held = self.held(table.scene)
        seats = [
            seat_place(table, int(seat), [], count(held[int(seat)], one, many), pairs(each["shows"]))
            for seat, each in table.scene["seats"].items()
        ]
        return [element("div", "v-centre", pairs(table.scene["shows"])), *seats]

    def draw_seat(self, drawing: Drawing, seat: int, box: Box, u: float) -> None:
        """Draw a seat's place into a picture; `u` is how large, 1 where four seats have room."""
        inside = table_parts.seat_place(drawing, seat, box, u, [])
        table_parts.figure(drawing, seat, inside.x, inside.y + 17 * u, u, self.game.unit.one, self.game.unit.many)
        below = inside._replace(y=inside.y + 26 * u, height=inside.height - 26 * u)
        table_parts.pairs(drawing.canvas, below, drawing.scene["seats"][str(seat)]["shows"], 13 * u, "ink")

    def draw_centre(self, drawing: Drawing, box: Box) -> None:
        """Draw what lies in the middle into a picture."""
        table_parts.pairs(drawing.canvas, box, drawing.scene["shows"], 14, "table-ink")

    def terminal_aside(self, aside: Mapping[str, Any], names: Sequence[str]) -> Iterator[Text]:
        """Yield what stands beside a scene, but for plans, as lines of a terminal."""
        yield from ()

    def terminal_help(self) -> Iterator[str]:
        """Yield what else the help of a terminal says."""
        yield from ()


def _shown(view: View) -> list[list[str]]:
    """Return what a view shows as names and values, but for the seat, beside whose name it stands."""
    return [[name, value] for name, value in fields_shown(view) if name != "seat"]


# Lines of a terminal that scenes of all games are made of.
#
# rich is loaded only where a terminal is drawn.


_NAME: Final = 24


def seats_of(scene: Scene) -> Iterator[tuple[int, Scene]]:
    """Yield each seat and its part of a scene."""
    for number, seat in scene["seats"].items():
        yield int(number), seat


def seat_line(name: str, seat: int, each: Scene, what: str) -> Text:
    """Return who sits in a seat, what it has, and whether it is out or at fault."""
    from rich.text import Text

    name = name if len(name) <= _NAME else f"{name[: _NAME - 1]}…"
    out = "  out" if each.get("state") == "out" else ""
    fault = ("  at fault" if each["fault"] else "", "red")
    return Text.assemble((f"{seat + 1} {name}", "bold"), f"  {what}{out}", fault)


def value_lines(shown: Sequence[Sequence[str]], indent: str) -> Iterator[Text]:
    """Yield names and values, a line each."""
    from rich.text import Text

    for name, value in shown:
        yield Text(f"{indent}{name}: {value}")


# Sentences as they are said to a person: "You roll 4 dice", where the game says "Ace rolls 4 dice".


YOU: Final = "You"
_PERSON: Final = "\x00"
"""Stands for the person in sentences of the game: no name has it."""
_VERB: Final = rf"(?P<begin>^|[.!?:] ){_PERSON} (?P<verb>[a-z]+)"
_MORE: Final = r"(?<=\band )(is|has|gets|takes|pins|wins|names)\b|(?<=, )(is|has|gets|takes|pins|wins|names)\b"
_IRREGULAR: Final = {"is": "are", "has": "have", "does": "do", "passes": "pass", "was": "were"}


def names_for(names: Sequence[str], seat: int) -> list[str]:
    """Return names to make sentences with that `in_second_person` then turns to the person in this seat."""
    return [_PERSON if each == seat else name for each, name in enumerate(names)]


def in_second_person(sentence: str) -> str:
    """Return a sentence of the game, made with `names_for`, as it is said to the person."""
    text = re.sub(_VERB, lambda match: f"{match['begin']}{YOU} {_second(match['verb'])}", sentence)
    if sentence.startswith(f"{_PERSON} ") and not sentence.startswith(f"{_PERSON} and "):
        text = re.sub(_MORE, lambda match: _second(match[0]), text)
    text = re.sub(rf"^{_PERSON}'s", "Your", text).replace(f"{_PERSON}'s", "your")
    text = re.sub(rf"(^|[.!?:] ){_PERSON}", rf"\1{YOU}", text).replace(_PERSON, "you")
    if sentence.startswith(_PERSON):
        text = text.replace(": it ", ": you ")
    return text.replace(" its ", " your ") if _PERSON in sentence else sentence


def as_order(words: str) -> str:
    """Return what a seat does ("rolls 4 dice") as what one does oneself ("Roll 4 dice")."""
    text = as_second_person(words)
    return text[:1].upper() + text[1:]


def as_second_person(words: str) -> str:
    """Return what a seat does ("rolls 4 dice") as it is said to its person, after "You": "roll 4 dice"."""
    return in_second_person(f"{_PERSON} {words}").removeprefix(f"{YOU} ")


def _second(verb: str) -> str:
    return _IRREGULAR.get(verb, verb.removesuffix("s"))
