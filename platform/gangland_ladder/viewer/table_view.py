"""A scene as script-free HTML, matching the table that the viewer's script draws.

`viewer.css` defines the classes; `js/seat.js`, `js/draw.js` and each game's `table.js` use the same classes.
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
_MAX_ROW_DICE: Final = 7  # The maximum number of a seat's dice in one row.
MAX_DICE: Final = 12  # With more dice, each face is drawn once with its count.


class Html(str):
    """A string of trusted markup.  `element` escapes any other text."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class TableView:
    """A seat's scene, and everything needed to draw it."""

    scene: Scene
    seat: int
    names: Sequence[str]  # in seat order
    sprite: str  # the URL of the sprite with the dice
    kind: str = ""  # the kind of the seat's open question, or ""
    parts: frozenset[str] = frozenset()  # the ids of the parts that can be chosen
    before: Scene | None = None  # the previous scene, to draw new dice as rolling; None for no animation

    def part(self, seat: int, *ids: str) -> dict[str, str]:
        """Return the `data-part` attribute for the first of these ids that can be chosen, or no attribute."""
        part = next((part for part in ids if part in self.parts), None) if seat == self.seat else None
        return {} if part is None else {"data-part": part}

    def rolled(self, seat: int) -> Scene | None:
        """Return the seat's part of the previous scene, or None if not animated."""
        return None if self.before is None else self.before["seats"][str(seat)]


def element(tag: str, name: str, *parts: str | None, **attributes: str) -> Html:
    """Return an HTML element; texts are escaped, and empty parts and attributes are omitted."""
    attrs = {"class": " ".join(name.split()), **{key.replace("_", "-"): value for key, value in attributes.items()}}
    attribute_text = "".join(f' {key}="{escape(clean(value))}"' for key, value in attrs.items() if value)
    content = "".join(part if isinstance(part, Html) else escape(clean(part)) for part in parts if part)
    return Html(f"<{tag}{attribute_text}>{content}</{tag}>")


def short(tag: str, name: str, text: str) -> Html:
    """Return an element whose text the style may truncate, with the whole text as its title."""
    return element(tag, name, text, title=text)


def picture(name: str, label: str, *parts: str | None) -> Html:
    """Return parts as an image with a label for screen readers."""
    return element("span", name, *parts, role="img", aria_label=label)


def symbol(table: TableView, name: str, *symbols: str, **attributes: str) -> Html:
    """Return stacked symbols of the sprite."""
    uses = [Html(f'<use href="{escape(table.sprite)}#{escape(symbol)}"/>') for symbol in symbols]
    return element("svg", name, *uses, **attributes)


def die(table: TableView, color: str, face: str, name: str = "", **attributes: str) -> Html:
    """Return one die; face "" is blank."""
    symbols = [f"body-{color}", *([f"mark-{face}"] if face else [])]
    return symbol(table, f"v-die {color} {name}", *symbols, **attributes)


def pile(count: int) -> Html:
    """Return rows of small squares, one for each die, up to the number that fits."""
    squares = "".join(
        f"M{index % _ROW * 6 + 1} {index // _ROW * 6 + 1}h4v4h-4Z" for index in range(min(count, _ROW * _ROWS))
    )
    return Html(
        f'<svg class="v-pile" viewBox="0 0 {_ROW * 6} {_ROWS * 6}" preserveAspectRatio="xMinYMin" aria-hidden="true">'
        f'<path d="{squares}"/></svg>'
    )


def badge(text: str, name: str = "") -> Html:
    """Return a seat's state as a badge."""
    return element("span", f"v-badge {name}", text)


def count(number: int, one: str = "die", many: str = "dice") -> Html:
    """Return a number with its unit."""
    return element("p", "v-count", element("b", "", str(number)), f" {one if number == 1 else many}")


def flag_new(now: Iterable[Any], before: Iterable[Any]) -> list[bool]:
    """Return whether each item is new; if there are more equal items than before, the additional ones are new."""
    counts, are_new = Counter(before), []
    for item in now:
        are_new.append(counts[item] < 1)
        counts[item] -= 1
    return are_new


def seat_place(table: TableView, seat: int, states: Sequence[str | None], *parts: str | None) -> Html:
    """Return a seat: its name, its states and its dice or cards."""
    scene, name = table.scene["seats"][str(seat)], table.names[seat]
    fault = badge("fault", "bad") if scene["fault"] else None
    head = element(
        "p",
        "v-who",
        element("span", "chip", str(seat + 1)),
        short("bdi", "v-name", name),
        element("span", "v-states", fault, *states),
    )
    turn = " turn" if table.kind and seat == table.seat else ""
    out = " out" if scene.get("state") == "out" else ""
    own = " own" if seat == table.seat else ""
    return element(
        "section",
        f"v-seat seat{seat + 1} at{seat + 1}{turn}{out}{own}",
        head,
        *parts,
        aria_label=f"Seat {seat + 1}, {name}",
    )


def pairs(values: Sequence[Sequence[str]]) -> Html:
    """Return names and values as an HTML list."""
    rows = [element("div", "", element("dt", "", name), element("dd", "", value)) for name, value in values]
    return element("dl", "v-pairs", *rows)


def whole_table(table: TableView, style: str, rolled: int, *parts: str) -> Html:
    """Return the whole table; `style` is a class, and `rolled` is the largest number of dice in front of a seat."""
    stage = element("div", "v-table", *parts, role="group", aria_label="The table")
    return element("div", f"viewer drawn {classes_of(style, len(table.names), rolled)}", stage)


def classes_of(style: str, seats: int, rolled: int) -> str:
    """Return the classes for the game, the number of seats, and dice in two rows; see `viewer.css`."""
    return f"{style} n{seats}{' many' if rolled > _MAX_ROW_DICE else ''}"
