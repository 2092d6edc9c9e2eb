"""Captioned pictures of a recorded game: a decision, the start of a round, or the end."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from gangland.games import game_named
from gangland_ladder.viewer.commentary import result_sentence
from gangland_ladder.viewer.drawing import fonts, table_parts
from gangland_ladder.viewer.drawing.canvas import TEXT_CHARS, Box, Canvas, Scheme, png_of
from gangland_ladder.viewer.presentation import presentation_of
from gangland_ladder.viewer.scenes import Scene
from gangland_ladder.viewer.timeline import END, Frame, Timeline

_HEAD_CHARS: Final = 150  # A longer sentence does not replace the decision; see `_head`.


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The table at a point of the game, and its caption."""

    at: str  # the address of the decision, "end", or "" at the start of a round
    heading: str  # "Round 7" or "Round 7 of 12"
    scene: Scene
    aside: Mapping[str, Any]
    before: Scene | None  # the scene before the decision, or None to mark no changes
    turn: int | None  # the seat that decided, or None if there is no decision
    head: str
    lines: Sequence[str]  # the results, one sentence each
    fault: bool = False  # whether the seat failed here
    shows_places: bool = False
    rerolled: Sequence[int] = ()  # the rerolled dice


def snapshot_at(timeline: Timeline, index: int) -> Snapshot:
    """Return the snapshot after the decision at an index, or the end."""
    if index == timeline.last:
        before = timeline.frames[-1].table if timeline.frames else None
        # A game without a decision shows the faults that ended it.
        lines = [text for number, text in timeline.sentences_before(index) if index or not number]
        scenes, sentence = (timeline.table, timeline.aside, before), result_sentence(timeline)
        return Snapshot(END, "The end", *scenes, None, sentence, lines, shows_places=True)
    frame = timeline.frames[index]
    head, results = _head(timeline, frame)
    rerolled = presentation_of(timeline.game).decision_data(frame.kind, frame.decision).get("again", ())
    return Snapshot(
        frame.at,
        _heading(timeline, frame.round),
        frame.table,
        frame.aside,
        frame.before,
        frame.seat,
        head,
        [*([f"{frame.note[0].upper()}{frame.note[1:]}."] if frame.note else []), *results],
        fault=frame.fault,
        rerolled=() if frame.fault else rerolled,
    )


def _head(timeline: Timeline, frame: Frame) -> tuple[str, Sequence[str]]:
    """Return the decision as words that follow the seat's name, and sentences about its results.

    A short sentence that has both the decision and its result replaces the decision.
    """
    index = timeline.sentence_of(frame)
    if index is not None and not frame.fault:
        head = frame.sentences[index].removeprefix(f"{timeline.names[frame.seat]} ")
        if len(head) <= _HEAD_CHARS:
            return head, [*frame.sentences[:index], *frame.sentences[index + 1 :]]
    return f"{frame.did}.", frame.sentences


def sentence_at(timeline: Timeline, at: str) -> str:
    """Return the decision at an address as a sentence.  Raises NoSuchFrame: the game has no such frame."""
    index = timeline.index_of(at)
    if index == timeline.last:
        return result_sentence(timeline)
    frame = timeline.frames[index]
    return f"{timeline.names[frame.seat]} {frame.did} in round {frame.round}."


def round_start(timeline: Timeline, number: int) -> Snapshot:
    """Return the start of a round: the table before its first decision."""
    index = timeline.round_index(number)
    if index == timeline.last:
        return snapshot_at(timeline, index)
    frame = timeline.frames[index]
    lines = [text for round_number, text in timeline.sentences_before(index) if round_number in (number, 0)]
    return Snapshot("", _heading(timeline, number), frame.before, {}, None, None, f"Round {number} begins.", lines)


def _heading(timeline: Timeline, number: int) -> str:
    last_round = game_named(timeline.game).last_round
    return f"Round {number} of {last_round}" if last_round else f"Round {number}"


# Drawing: the round, the table, the decision and its results.


class Size(NamedTuple):
    """The size of a picture in pixels."""

    width: int
    height: int


PREVIEW: Final = Size(1200, 630)  # The usual size for link previews.
CLIP: Final = Size(960, 540)
_HEIGHT: Final = 540  # The height of every picture in drawing units.
_MARGIN: Final = 16
_TABLE: Final = Box(_MARGIN, 44, 0, 404)
_CENTER: Final = 98
_GAP: Final = 12
_SIZES: Final = (15, 13)  # The font sizes of the results, the usual size first.
_LEADING: Final = 1.25
_SENTENCES: Final = 20  # More sentences than fit into a picture.


def picture(
    timeline: Timeline, snapshot: Snapshot, size: Size, scheme: Scheme, *, label: str = "", share: float | None = None
) -> bytes:
    """Return a snapshot as a PNG.  Equal snapshots give equal files."""
    return png_of(draw(timeline, snapshot, size, scheme, label=label, share=share), *size)


def draw(
    timeline: Timeline, snapshot: Snapshot, size: Size, scheme: Scheme, *, label: str = "", share: float | None = None
) -> Canvas:
    """Return the drawing of a snapshot; see `picture`."""
    canvas = Canvas(_HEIGHT * size.width / size.height, _HEIGHT, scheme, timeline.names)
    canvas.box(Box(0, 0, canvas.width, canvas.height), "paper")
    right = canvas.width - _MARGIN
    text = " · ".join(filter(None, (label, snapshot.at)))
    right -= canvas.text(right, 29, text, 15, "soft", anchor="end") + 20
    x = _MARGIN + canvas.text(_MARGIN, 30, timeline.title, 20, "brass", fonts.Face.SERIF) + 16
    canvas.text(x, 29, snapshot.heading, 17, "ink", fonts.Face.BOLD, max_width=right - x)
    _draw_table(canvas, timeline, snapshot)
    _draw_caption(canvas, timeline, snapshot)
    if share is not None:
        canvas.box(Box(0, _HEIGHT - 5, canvas.width, 5), "rule")
        canvas.box(Box(0, _HEIGHT - 5, canvas.width * share, 5), "brass")
    return canvas


def _draw_table(canvas: Canvas, timeline: Timeline, snapshot: Snapshot) -> None:
    table = _TABLE._replace(width=canvas.width - 2 * _MARGIN)
    canvas.box(table, "lacquer", radius=12)
    canvas.box(table.inner(5), "table-lit", radius=9, edge=table_parts.BRASS, edge_width=1.5)
    presentation, before = presentation_of(timeline.game), snapshot.before
    drawing = table_parts.Drawing(
        canvas=canvas,
        scene=snapshot.scene,
        aside=snapshot.aside,
        before=before,
        names=timeline.names,
        turn=snapshot.turn,
        places=timeline.places if snapshot.shows_places else (),
        held=presentation.held(snapshot.scene),
        held_before=() if before is None else presentation.held(before),
        more_is_better=game_named(timeline.game).unit.more_is_better,
        rerolled=snapshot.rerolled,
    )
    seats, center, u = _places(len(timeline.names), table.inner(17))
    presentation.draw_center(drawing, center)
    for seat, box in enumerate(seats):
        presentation.draw_seat(drawing, seat, box, u)


def _places(seats: int, area: Box) -> tuple[Sequence[Box], Box, float]:
    """Return the boxes of the seats, the box of the middle of the table, and the scale of a seat."""
    half = (area.width - _GAP) / 2
    left, right = area.x, area.x + half + _GAP
    if seats <= 2:
        center = Box(area.x, area.y, area.width, _CENTER + 18)
        height = area.bottom - center.bottom - _GAP
        return [Box(x, center.bottom + _GAP, half, height) for x in (left, right)], center, 1.45
    height = (area.height - _CENTER - 2 * _GAP) / 2
    center = Box(area.x, area.y + height + _GAP, area.width, _CENTER)
    lower_y = center.bottom + _GAP
    third = (area.x + area.right - half) / 2 if seats == 3 else right
    boxes = [Box(left, area.y, half, height), Box(right, area.y, half, height), Box(third, lower_y, half, height)]
    return [*boxes, Box(left, lower_y, half, height)][:seats], center, 1.0


def _draw_caption(canvas: Canvas, timeline: Timeline, snapshot: Snapshot) -> None:
    x, y, width = float(_MARGIN), _TABLE.bottom + 25, canvas.width - 2 * _MARGIN
    if snapshot.turn is not None:
        table_parts.draw_chip(canvas, x + 10, y - 6, 10, snapshot.turn)
        x += 28
        name, head = timeline.names[snapshot.turn], fonts.one_line(snapshot.head, TEXT_CHARS)
        x += canvas.text(x, y, name, 18, "ink", fonts.Face.BOLD, max_width=width * 0.4) + 6
        first_line = fonts.wrapped(head, 18, canvas.width - _MARGIN - x, 9)[0]
        other_text = head.removeprefix(first_line).lstrip()
        for line_x, line in (
            (x, first_line),
            *((_MARGIN, line) for line in fonts.wrapped(other_text, 18, width, 1) if other_text),
        ):
            canvas.text(line_x, y, line, 18, "blood" if snapshot.fault else "ink")
            y += 23
    else:
        for line in fonts.wrapped(fonts.one_line(snapshot.head, TEXT_CHARS), 18, width, 2, fonts.Face.BOLD):
            canvas.text(x, y, line, 18, "ink", fonts.Face.BOLD)
            y += 23
    size, lines = _result_lines(snapshot.lines, width, _HEIGHT - 10 - y, pinned=int(snapshot.fault))
    for line in lines:
        canvas.text(_MARGIN, y, line, size, "soft")
        y += _LEADING * size


def _result_lines(sentences: Sequence[str], width: float, height: float, *, pinned: int = 0) -> tuple[int, list[str]]:
    """Return the font size, and the sentences as lines that fit.

    If the text does not fit even at the smaller size, an ellipsis replaces sentences after the first `pinned` ones,
    because the table already shows the bids and rolls that they report.
    """
    parts = [fonts.one_line(sentence, TEXT_CHARS) for sentence in sentences[-_SENTENCES:]]
    if not parts:
        return _SIZES[0], []
    rows = {size: int(height // (_LEADING * size)) + 1 for size in _SIZES}
    for first in range(pinned, max(pinned + 1, len(parts))):
        is_whole = first == pinned and len(parts) == len(sentences)
        text = " ".join(parts if is_whole else [*parts[:pinned], "…", *parts[first:]])
        for size in _SIZES if is_whole else _SIZES[-1:]:
            lines = fonts.wrapped(text, size, width, rows[size] + 1)
            if len(lines) <= rows[size]:
                return size, lines
    return _SIZES[-1], fonts.wrapped(parts[-1], _SIZES[-1], width, rows[_SIZES[-1]])
