"""The charts of a replay, as SVG on the same scale as its slider: dice held, and luck, by round."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from gangland.games import game_named
from gangland_ladder.viewer.film import Film, Stop
from gangland_ladder.viewer.games import presentation_of
from gangland_ladder.viewer.turning import signed
from gangland_ladder.viewer.verdicts import percent, what_is_valued

WIDE: Final = 1000
"""What the whole way through a game measures; a chart is stretched to the slider's width."""
_TALL: Final = 100
_APART: Final = 20.0
"""How far apart the labels of two lines are at least; that of a label's height, `viewer.css` says."""
_LEAST_LUCK: Final = 0.1

Line = list[tuple[int, float]]
"""Points: the index of a stop, and a value there."""


def track(film: Film) -> str:
    """Return what lies under the slider: a tick at each round's first decision, marks at faults, leads and mistakes."""
    ticks = [
        _upright(film, index, "", 6, 14)
        for index, stop in enumerate(film.stops)
        if index == 0 or film.stops[index - 1].round != stop.round
    ]
    marks = [_mark(film, index, mark) for index, mark in sorted(film.marks.items())]
    marks += [_upright(film, index, mark, 9, 14) for index, mark in film.mistakes.items()]
    return (
        f'<svg class="v-ticks" viewBox="0 0 {WIDE} 14" preserveAspectRatio="none" aria-hidden="true">'
        f"{''.join(ticks)}{''.join(marks)}</svg>"
    )


def charts(film: Film) -> str:
    """Return the charts, each a `<figure>`, in one box: of values and of luck only where they are known."""
    values = _value_chart(film) if film.analysis is not None else ""
    luck = _luck_chart(film) if game_named(film.game).luck_unit else ""
    return f'<div class="v-charts">{values}{_dice_chart(film)}{luck}</div>'


def _value_chart(film: Film) -> str:
    lines = [_values(film, seat) for seat in _seats(film)]
    until = ""
    if film.analysis is not None and not film.analysis.complete:
        until = f"; analysed up to round {film.stops[lines[0][-1][0]].round} of {film.rounds}"
    caption = f"{what_is_valued(len(film.names))}, 0 to 100%{until}"
    return _chart(film, lines, (0, 1), caption, [percent(line[-1][1], 0) for line in lines])


def _dice_chart(film: Film) -> str:
    lines = [_dice(film, seat) for seat in _seats(film)]
    most = max((value for line in lines for _, value in line), default=0) or 1
    unit = game_named(film.game).unit
    caption = f"{unit.many.capitalize()} held, 0 to {most:.0f}: {unit.aim}"
    return _chart(film, lines, (0, most), caption, [f"{line[-1][1]:.0f}" for line in lines])


def _luck_chart(film: Film) -> str:
    lines = [_luck(film, seat) for seat in _seats(film)]
    reach = max(_LEAST_LUCK, *(abs(value) for line in lines for _, value in line))
    unit = game_named(film.game).luck_unit
    caption = f"Luck, what the dice gave beyond expectation, in {unit}: above the line is lucky"
    ends = [signed(line[-1][1], 1 if unit == game_named(film.game).unit.many else 2) for line in lines]
    return _chart(film, lines, (-reach, reach), caption, ends)


def sample(seat: int) -> str:
    """Return a piece of a seat's line, for a legend."""
    return f'<svg class="v-sample seat{seat + 1}" viewBox="0 0 32 8" aria-hidden="true"><path d="M0 4H32"/></svg>'


def _seats(film: Film) -> range:
    return range(len(film.names))


def _luck(film: Film, seat: int) -> Line:
    first = film.stops[0].luck_before[seat] if film.stops else film.luck[seat]
    return _line(film, first, lambda stop: stop.luck[seat], film.luck[seat])


def _values(film: Film, seat: int) -> Line:
    known = [(index, stop.values_before[seat]) for index, stop in enumerate(film.stops) if stop.values_before]
    analysis = film.analysis
    if analysis is not None and analysis.complete:
        known.append((film.last, analysis.scores[seat]))
    return known or [(0, 1 / 2)]


def _dice(film: Film, seat: int) -> Line:
    held = presentation_of(film.game).held
    return _line(film, film.dice[0][1][seat], lambda stop: held(stop.table)[seat], film.dice[-1][1][seat])


def _line(film: Film, first: float, at: Callable[[Stop], float], last: float) -> Line:
    """Return a value when the first decision is asked, at each round's last one, and at the end."""
    rounds = [stop.round for stop in film.stops]
    ends = [index for index, number in enumerate(rounds) if rounds[index + 1 : index + 2] != [number]]
    return [(0, first), *((index, at(film.stops[index])) for index in ends), (film.last, last)]


def _chart(film: Film, lines: Sequence[Line], scale: tuple[float, float], caption: str, ends: Sequence[str]) -> str:
    low, high = scale
    drawn = "".join(
        f'<polyline class="seat{seat + 1}" points="{" ".join(_points(film, line, low, high))}"/>'
        for seat, line in enumerate(lines)
    )
    zero = f"{_y(0, low, high):.1f}"
    levels = [_y(line[-1][1], low, high) for line in lines]
    labels = "".join(
        f'<text class="seat{seat + 1}" x="4" y="{y:.1f}">{seat + 1}: {end}</text>'
        for seat, (y, end) in enumerate(zip(_spread(levels), ends, strict=True))
    )
    return (
        f'<figure class="v-chart"><figcaption>{caption}</figcaption>'
        f'<svg class="v-lines" viewBox="0 0 {WIDE} {_TALL}" preserveAspectRatio="none" aria-hidden="true">'
        f'<line class="zero" x1="0" x2="{WIDE}" y1="{zero}" y2="{zero}"/>{drawn}'
        f'<line class="cursor" data-cursor x1="0" x2="0" y1="0" y2="{_TALL}"/></svg>'
        f'<svg class="v-ends" viewBox="0 0 72 {_TALL}" aria-hidden="true">{labels}</svg></figure>'
    )


def _points(film: Film, line: Line, low: float, high: float) -> Iterator[str]:
    for index, value in line:
        yield f"{_x(film, index)},{_y(value, low, high):.1f}"


def _y(value: float, low: float, high: float) -> float:
    return _TALL - _TALL * (value - low) / (high - low)


def _x(film: Film, index: int) -> str:
    return f"{WIDE * index / max(1, film.last):.1f}".removesuffix(".0")


def _spread(levels: Sequence[float]) -> list[float]:
    """Return the levels of labels, moved as little as it takes to have them apart and all on the picture."""
    order = sorted(range(len(levels)), key=lambda seat: levels[seat])
    placed = [min(_TALL - _APART * (len(order) - 1 - rank), levels[seat]) for rank, seat in enumerate(order)]
    for rank in range(len(placed)):
        placed[rank] = max(placed[rank], placed[rank - 1] + _APART if rank else _APART / 2)
    return [placed[order.index(seat)] for seat in range(len(levels))]


def _upright(film: Film, index: int, name: str, top: int, foot: int) -> str:
    x = _x(film, index)
    kind = f' class="{name}"' if name else ""
    return f'<line{kind} x1="{x}" x2="{x}" y1="{top}" y2="{foot}"/>'


def _mark(film: Film, index: int, mark: str) -> str:
    """Return a mark: a fault stands tall and thick, a new leader is short."""
    return _upright(film, index, mark, 0, 14 if mark == "fault" else 8)
