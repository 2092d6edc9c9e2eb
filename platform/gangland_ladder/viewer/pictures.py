"""Pictures of a timeline: a decision, how a round begins, or the end, with its caption."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from gangland.games import game_named
from gangland_ladder.viewer.commentary import result
from gangland_ladder.viewer.drawing.canvas import TEXT_CHARS, Box, Canvas, Scheme, png_of
from gangland_ladder.viewer.drawing.fonts import Face, one_line, wrapped
from gangland_ladder.viewer.drawing.table_parts import BRASS, Drawing, chip
from gangland_ladder.viewer.presentation import presentation_of
from gangland_ladder.viewer.scenes import Scene
from gangland_ladder.viewer.timeline import END, Frame, Timeline

# Moments: what a picture shows of a timeline.


_HEAD_CHARS: Final = 150
"""How many fit into the lines of a caption's head."""


@dataclass(frozen=True, slots=True)
class Still:
    """What lies on the table at one time, and the words below it.

    Attributes:
        at: the address of the decision, "end", or "" where a round begins; where: "Round 7", and "of 12" if
            that is how many the game has.
        scene, aside: what lies there; before: what lay there before the decision, None for no comparison.
        turn: the seat that decided, None if nobody did; fault: whether it failed here.
        lines: what followed, a sentence each; over: whether the places are shown.
    """

    at: str
    where: str
    scene: Scene
    aside: Mapping[str, Any]
    before: Scene | None
    turn: int | None
    head: str
    lines: Sequence[str]
    fault: bool = False
    over: bool = False
    again: Sequence[int] = ()


def moment_at(timeline: Timeline, index: int) -> Still:
    """Return the moment after the decision at an index, or the end."""
    if index == timeline.last:
        before = timeline.frames[-1].table if timeline.frames else None
        lines = [
            text for number, text in timeline.opens(index) if index or not number
        ]  # of a game without a decision: why
        return Still(END, "The end", timeline.table, timeline.aside, before, None, result(timeline), lines, over=True)
    frame = timeline.frames[index]
    head, followed = _head(timeline, frame)
    again = presentation_of(timeline.game).decision_data(frame.kind, frame.decision).get("again", ())
    return Still(
        frame.at,
        _where(timeline, frame.round),
        frame.table,
        frame.aside,
        frame.before,
        frame.seat,
        head,
        [*([f"{frame.note[0].upper()}{frame.note[1:]}."] if frame.note else []), *followed],
        fault=frame.fault,
        again=() if frame.fault else again,
    )


def _head(timeline: Timeline, frame: Frame) -> tuple[str, Sequence[str]]:
    """Return what a seat decided, as words that follow its name, and what else followed.

    A sentence that tells the decision with what came of it is told in its place, if it has room there.
    """
    index = timeline.sentence_of(frame)
    if index is not None and not frame.fault:
        head = frame.sentences[index].removeprefix(f"{timeline.names[frame.seat]} ")
        if len(head) <= _HEAD_CHARS:
            return head, [*frame.sentences[:index], *frame.sentences[index + 1 :]]
    return f"{frame.did}.", frame.sentences


def sentence_at(timeline: Timeline, at: str) -> str:
    """Return in a sentence what is decided at an address of the timeline."""
    index = timeline.index_of(at)
    if index == timeline.last:
        return result(timeline)
    frame = timeline.frames[index]
    return f"{timeline.names[frame.seat]} {frame.did} in round {frame.round}."


def opening(timeline: Timeline, number: int) -> Still:
    """Return how a round begins: the table before its first decision, and how it came to be."""
    index = timeline.round_index(number)
    if index == timeline.last:
        return moment_at(timeline, index)
    frame = timeline.frames[index]
    lines = [text for each, text in timeline.opens(index) if each in (number, 0)]
    return Still("", _where(timeline, number), frame.before, {}, None, None, f"Round {number} begins.", lines)


def _where(timeline: Timeline, number: int) -> str:
    last = game_named(timeline.game).last_round
    return f"Round {number} of {last}" if last else f"Round {number}"


# Drawing: where the moment is, the table, and what was decided and followed.


class Size(NamedTuple):
    """Of a picture, in pixels."""

    width: int
    height: int


PREVIEW: Final = Size(1200, 630)
"""What those who show links expect."""
CLIP: Final = Size(960, 540)
_TALL: Final = 540
"""What every picture measures in the units in which it is drawn; its width follows from its shape."""
_SIDE: Final = 16
_TABLE: Final = Box(_SIDE, 44, 0, 404)
_CENTRE: Final = 98
_GAP: Final = 12
_SIZES: Final = (15, 13)
"""Of what followed, the usual first."""
_LEADING: Final = 1.25
_SENTENCES: Final = 20
"""More than fit."""


def picture(
    timeline: Timeline, moment: Still, size: Size, scheme: Scheme, *, of: str = "", share: float | None = None
) -> bytes:
    """Return a moment as a PNG; the same moment gives the same picture."""
    return png_of(draw(timeline, moment, size, scheme, of=of, share=share), *size)


def draw(
    timeline: Timeline, moment: Still, size: Size, scheme: Scheme, *, of: str = "", share: float | None = None
) -> Canvas:
    """Return the drawing of a moment; see `picture`."""
    canvas = Canvas(_TALL * size.width / size.height, _TALL, scheme, timeline.names)
    canvas.box(Box(0, 0, canvas.width, canvas.height), "paper")
    right = canvas.width - _SIDE
    words = " · ".join(each for each in (of, moment.at) if each)
    right -= canvas.text(right, 29, words, 15, "soft", anchor="end") + 20
    x = _SIDE + canvas.text(_SIDE, 30, timeline.title, 20, "brass", Face.SERIF) + 16
    canvas.text(x, 29, moment.where, 17, "ink", Face.BOLD, most=right - x)
    _draw_table(canvas, timeline, moment)
    _draw_caption(canvas, timeline, moment)
    if share is not None:
        canvas.box(Box(0, _TALL - 5, canvas.width, 5), "rule")
        canvas.box(Box(0, _TALL - 5, canvas.width * share, 5), "brass")
    return canvas


def _draw_table(canvas: Canvas, timeline: Timeline, moment: Still) -> None:
    table = _TABLE._replace(width=canvas.width - 2 * _SIDE)
    canvas.box(table, "lacquer", radius=12)
    canvas.box(table.inner(5), "table-lit", radius=9, edge=BRASS, edge_width=1.5)
    shown, before = presentation_of(timeline.game), moment.before
    drawing = Drawing(
        canvas=canvas,
        scene=moment.scene,
        aside=moment.aside,
        before=before,
        names=timeline.names,
        turn=moment.turn,
        places=timeline.places if moment.over else (),
        held=shown.held(moment.scene),
        held_before=() if before is None else shown.held(before),
        more=game_named(timeline.game).unit.more,
        again=moment.again,
    )
    seats, centre, u = _places(len(timeline.names), table.inner(17))
    shown.draw_centre(drawing, centre)
    for seat, box in enumerate(seats):
        shown.draw_seat(drawing, seat, box, u)


def _places(seats: int, area: Box) -> tuple[Sequence[Box], Box, float]:
    """Return where the seats sit, where the middle lies, and how large a seat is drawn.

    Two sit side by side below the middle, three and four around it as in the viewer: the third below the second.
    """
    half = (area.width - _GAP) / 2
    left, right = area.x, area.x + half + _GAP
    if seats <= 2:
        centre = Box(area.x, area.y, area.width, _CENTRE + 18)
        tall = area.bottom - centre.bottom - _GAP
        return [Box(x, centre.bottom + _GAP, half, tall) for x in (left, right)], centre, 1.45
    tall = (area.height - _CENTRE - 2 * _GAP) / 2
    centre = Box(area.x, area.y + tall + _GAP, area.width, _CENTRE)
    below = centre.bottom + _GAP
    third = (area.x + area.right - half) / 2 if seats == 3 else right
    boxes = [Box(left, area.y, half, tall), Box(right, area.y, half, tall), Box(third, below, half, tall)]
    return [*boxes, Box(left, below, half, tall)][:seats], centre, 1.0


def _draw_caption(canvas: Canvas, timeline: Timeline, moment: Still) -> None:
    x, y, most = float(_SIDE), _TABLE.bottom + 25, canvas.width - 2 * _SIDE
    if moment.turn is not None:
        chip(canvas, x + 10, y - 6, 10, moment.turn)
        x += 28
        name, head = timeline.names[moment.turn], one_line(moment.head, TEXT_CHARS)
        x += canvas.text(x, y, name, 18, "ink", Face.BOLD, most=most * 0.4) + 6
        first = wrapped(head, 18, canvas.width - _SIDE - x, 9)[0]
        rest = head.removeprefix(first).lstrip()
        for left, line in ((x, first), *((_SIDE, each) for each in wrapped(rest, 18, most, 1) if rest)):
            canvas.text(left, y, line, 18, "blood" if moment.fault else "ink")
            y += 23
    else:
        for line in wrapped(one_line(moment.head, TEXT_CHARS), 18, most, 2, Face.BOLD):
            canvas.text(x, y, line, 18, "ink", Face.BOLD)
            y += 23
    size, lines = _followed(moment.lines, most, _TALL - 10 - y, kept=int(moment.fault))
    for line in lines:
        canvas.text(_SIDE, y, line, size, "soft")
        y += _LEADING * size


def _followed(sentences: Sequence[str], most: float, room: float, *, kept: int = 0) -> tuple[int, list[str]]:
    """Return what followed, sentences one after the other, as lines that fit and in which size.

    The smaller size is for what the larger has no room for.  What that has no room for is left out by whole sentences
    from the beginning, since the table shows what was bid and rolled, and an ellipsis says so.
    """
    parts = [one_line(sentence, TEXT_CHARS) for sentence in sentences[-_SENTENCES:]]
    if not parts:
        return _SIZES[0], []
    rows = {size: int(room // (_LEADING * size)) + 1 for size in _SIZES}
    for first in range(kept, max(kept + 1, len(parts))):
        is_whole = first == kept and len(parts) == len(sentences)
        text = " ".join(parts if is_whole else [*parts[:kept], "…", *parts[first:]])
        for size in _SIZES if is_whole else _SIZES[-1:]:
            lines = wrapped(text, size, most, rows[size] + 1)
            if len(lines) <= rows[size]:
                return size, lines
    return _SIZES[-1], wrapped(parts[-1], _SIZES[-1], most, rows[_SIZES[-1]])
