"""A scene drawn as HTML, for pages that show a table without a script: the same felt as the script of a replay draws.

The classes are those of `viewer.css`, which `js/seat.js`, `js/draw.js` and each game's `table.js` write too.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any, Final

from gangland_ladder.viewer.scenes import Scene
from gangland_sandbox.wire import clean

_ROW: Final = 24
_ROWS: Final = 5
_WIDE: Final = 7
"""How many dice of a seat fit in one row."""
MOST_DICE: Final = 12
"""Of more, one of each face is drawn with its number."""


class Html(str):
    """Markup, as against text, which is escaped where it is put into markup."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Felt:
    """What a table is drawn with.

    Attributes:
        scene: a seat's; seat: whose; names: what the seats are called, in seat order.
        kind: the question that is open to the seat, "" for none; parts: the ids of the parts that may be chosen.
        before: the scene before it, with which dice are compared: those that are new roll.  None for nothing rolls.
    """

    scene: Scene
    seat: int
    names: Sequence[str]
    sprite: str
    kind: str = ""
    parts: frozenset[str] = frozenset()
    before: Scene | None = None

    def part(self, seat: int, *ids: str) -> dict[str, str]:
        """Return the attribute of a thing in a seat's place that is the first of these parts which may be chosen."""
        part = next((each for each in ids if each in self.parts), None) if seat == self.seat else None
        return {} if part is None else {"data-part": part}

    def rolled(self, seat: int) -> Scene | None:
        """Return the seat's part of the scene before, None if there is none."""
        return None if self.before is None else self.before["seats"][str(seat)]


def element(tag: str, name: str, *parts: str | None, **attributes: str) -> Html:
    """Return an element; texts in it are escaped, what is empty is left out."""
    attrs = {"class": " ".join(name.split()), **{key.replace("_", "-"): value for key, value in attributes.items()}}
    written = "".join(f' {key}="{escape(clean(value))}"' for key, value in attrs.items() if value)
    inside = "".join(each if isinstance(each, Html) else escape(clean(each)) for each in parts if each)
    return Html(f"<{tag}{written}>{inside}</{tag}>")


def short(tag: str, name: str, text: str) -> Html:
    """Return a text that may be cut off where room is short, and is shown whole on demand."""
    return element(tag, name, text, title=text)


def picture(name: str, label: str, *parts: str | None) -> Html:
    """Return an element for a screen reader and what it shows for the others."""
    return element("span", name, *parts, role="img", aria_label=label)


def symbol(felt: Felt, name: str, *symbols: str, **attributes: str) -> Html:
    """Return a drawing made of symbols of the sprite, one upon the other."""
    uses = [Html(f'<use href="{escape(felt.sprite)}#{escape(each)}"/>') for each in symbols]
    return element("svg", name, *uses, **attributes)


def die(felt: Felt, colour: str, face: str, name: str = "", **attributes: str) -> Html:
    """Return one die; its face is "" for a blank one."""
    symbols = [f"body-{colour}", *([f"mark-{face}"] if face else [])]
    return symbol(felt, f"v-die {colour} {name}", *symbols, **attributes)


def pile(count: int) -> Html:
    """Return so many dice as small squares, in rows; no more than fit."""
    drawn = "".join(
        f"M{each % _ROW * 6 + 1} {each // _ROW * 6 + 1}h4v4h-4Z" for each in range(min(count, _ROW * _ROWS))
    )
    return Html(
        f'<svg class="v-pile" viewBox="0 0 {_ROW * 6} {_ROWS * 6}" preserveAspectRatio="xMinYMin" aria-hidden="true">'
        f'<path d="{drawn}"/></svg>'
    )


def badge(words: str, name: str = "") -> Html:
    """Return how a seat stands, in a word."""
    return element("span", f"v-badge {name}", words)


def count(number: int, one: str = "die", many: str = "dice") -> Html:
    """Return a figure with its unit."""
    return element("p", "v-count", element("b", "", str(number)), f" {one if number == 1 else many}")


def new_ones(now: Iterable[Any], before: Iterable[Any]) -> list[bool]:
    """Return which of some things were not there before, each as often as it is new."""
    left, new = Counter(before), []
    for each in now:
        new.append(left[each] < 1)
        left[each] -= 1
    return new


def seat_place(felt: Felt, seat: int, states: Sequence[str | None], *parts: str | None) -> Html:
    """Return a seat's place: who sits there, how it stands, and what lies before it."""
    each, name = felt.scene["seats"][str(seat)], felt.names[seat]
    fault = badge("default", "bad") if each["fault"] else None
    head = element(
        "p",
        "v-who",
        element("span", "chip", str(seat + 1)),
        short("bdi", "v-name", name),
        element("span", "v-states", fault, *states),
    )
    turn = " turn" if felt.kind and seat == felt.seat else ""
    out = " out" if each.get("state") == "out" else ""
    own = " own" if seat == felt.seat else ""
    return element(
        "section",
        f"v-seat seat{seat + 1} at{seat + 1}{turn}{out}{own}",
        head,
        *parts,
        aria_label=f"Seat {seat + 1}, {name}",
    )


def pairs(shown: Sequence[Sequence[str]]) -> Html:
    """Return names and values."""
    rows = [element("div", "", element("dt", "", name), element("dd", "", value)) for name, value in shown]
    return element("dl", "v-pairs", *rows)


def framed(felt: Felt, style: str, rolled: int, *parts: str) -> Html:
    """Return a table of this style (class) with its seats and middle; `rolled` dice at most lie before a seat."""
    stage = element("div", "v-table", *parts, role="group", aria_label="The table")
    return element("div", f"viewer drawn {classes_of(style, len(felt.names), rolled)}", stage)


def classes_of(style: str, seats: int, rolled: int) -> str:
    """Return the classes by which `viewer.css` knows game, seats, and whether a seat's dice may take two rows."""
    return f"{style} n{seats}{' many' if rolled > _WIDE else ''}"
