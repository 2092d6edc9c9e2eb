"""A film as HTML: the viewer, and the story that is read where no script runs.

The site's replay page and the file of `gangland replay --html` are both made of these two.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import Final, NamedTuple

from gangland_ladder.watching.data import film_data, inline_json
from gangland_ladder.watching.film import AIMS, END, Film, Stop
from gangland_ladder.watching.keys import keys_for
from gangland_sandbox.wire import clean

_WIDE: Final = 1000
_TALL: Final = 100
_HERE: Final = ' aria-current="page"'


class GameLink(NamedTuple):
    """A game of the same match: what to call it, where it is, and whether it is this one."""

    label: str
    address: str
    here: bool = False


def viewer_markup(
    film: Film,
    *,
    start: str | None = None,
    sprite: str = "",
    games: Sequence[GameLink] = (),
    game_logs: Mapping[int, str] | None = None,
) -> str:
    """Return the viewer as one `<section>` and the film's data in a `<script type="application/json">` behind it.

    It is hidden until its script runs (`assets.MODULES`, begun by `assets.MAIN` as a module), and needs the style of
    `assets.style()` and, on the same page, the `story_markup` of the same film.  A page has one at most.

    Args:
        start: the address at which it opens where the page's own address names none.
        sprite: the address of the sprite's file (`assets.sprite()`); "" where the sprite stands in the page itself.
        games: the games of the same match, shown as links.
        game_logs: what a bot logged in the whole game, by seat; shown where nothing is known of the single decision.
    """
    data = inline_json(film_data(film, start, game_logs))
    return f'{_viewer(film, sprite)}{_games(games)}\n<script type="application/json" id="film">{data}</script>\n'


def story_markup(film: Film) -> str:
    """Return the story: a `<section>` for each round, in it every decision under its address, at last the ending.

    Headings are `<h3>`.
    """
    return "".join(_story(film))


def escaped(text: str) -> str:
    """Return text of a bot's author so that it can do nothing to the page."""
    return escape(clean(text))


def _games(games: Sequence[GameLink]) -> str:
    if not games:
        return ""
    links = "".join(
        f'<li><a href="{escaped(each.address)}"{_HERE if each.here else ""}>{escaped(each.label)}</a></li>'
        for each in games
    )
    return f'<nav class="games" aria-label="Games of this match"><ul>{links}</ul></nav>'


def _viewer(film: Film, sprite: str) -> str:
    kind = "gang" if film.game == "gang-of-dice" else "gangster"
    seats = "".join(
        f'<button type="button" data-do="seat{seat + 1}" aria-pressed="false">{seat + 1}<span class="vh"> what '
        f"{escaped(name)} saw</span></button>"
        for seat, name in enumerate(film.names)
    )
    keys = "".join(
        f"<dt><kbd>{escaped(key.shown)}</kbd></dt><dd>{escaped(key.words)}</dd>"
        for key in keys_for("browser", len(film.names))
    )
    return (
        f'<section class="viewer {kind} n{len(film.names)}" data-replay="film" data-sprite="{escaped(sprite)}" '
        'tabindex="0" aria-label="Replay" hidden>'
        '<div class="top"><span data-place></span><span class="mark" data-mark></span></div>'
        '<p class="vh" aria-live="polite" data-spoken></p>'
        '<div class="stage" data-stage tabindex="0" role="region" aria-label="The table"></div>'
        '<div class="now" data-now tabindex="0" role="region" aria-label="The decision and what followed"></div>'
        f"{_bar(film)}"
        '<div class="tools" role="group" aria-label="Walk through the game">'
        f"{_button('back_round', '«', 'round before')}{_button('back', '‹', 'decision before')}"
        f"{_button('play', 'Play', '')}{_button('next', '›', 'next decision')}"
        f"{_button('next_round', '»', 'next round')}"
        f"{_button('back_mark', '[', 'fault or lead change before')}"
        f"{_button('next_mark', ']', 'next fault or lead change')}"
        f"{_button('all', 'All', 'all that lies on the table and in hands')}{seats}"
        f"{_button('log', 'Log', '')}{_button('copy', 'Copy address', '')}{_button('help', '?', 'keys')}</div>"
        '<div class="help" data-help hidden><p>While the viewer has the focus:</p>'
        f'<dl class="small">{keys}</dl><label><input type="checkbox" data-keys checked> Keys are on</label></div>'
        "</section>"
    )


def _button(action: str, shown: str, words: str) -> str:
    hidden = f'<span class="vh"> {words}</span>' if words else ""
    pressed = ' aria-pressed="false"' if action in ("play", "all", "log") else ""
    return f'<button type="button" data-do="{action}"{pressed}>{shown}{hidden}</button>'


def _bar(film: Film) -> str:
    """Return the chart of dice, the ticks of rounds and marks, and the slider, all on one scale."""
    lines = "".join(f'<polyline class="s{seat}" points="{points}"/>' for seat, points in enumerate(_points(film)))
    legend = " ".join(f'<span class="s{seat}">{escaped(name)}</span>' for seat, name in enumerate(film.names))
    ticks = [
        f'<line x1="{_x(film, index)}" x2="{_x(film, index)}" y1="4" y2="10"/>'
        for index, stop in enumerate(film.stops)
        if index == 0 or film.stops[index - 1].round != stop.round
    ]
    ticks += [
        f'<line class="{mark}" x1="{_x(film, index)}" x2="{_x(film, index)}" y1="0" y2="14"/>'
        for index, mark in sorted(film.marks.items())
    ]
    cursor = '<line class="cursor" x1="0" x2="0" y1="0" y2="100"/>'
    return (
        f'<div class="bar"><p class="legend small">Dice held ({AIMS[film.game]}): {legend}</p>'
        f'<svg class="chart" viewBox="0 0 {_WIDE} {_TALL}" preserveAspectRatio="none" aria-hidden="true">'
        f"{lines}{cursor}</svg>"
        f'<svg class="ticks" viewBox="0 0 {_WIDE} 14" preserveAspectRatio="none" aria-hidden="true">'
        f'{"".join(ticks)}</svg><input type="range" data-scrub min="0" max="{film.last}" value="0" '
        'aria-label="Decision"></div>'
    )


def _points(film: Film) -> Iterator[str]:
    most = max((count for _, held in film.dice for count in held), default=0) or 1
    for seat in range(len(film.names)):
        yield " ".join(
            f"{_x(film, _index(film, number))},{_TALL - _TALL * held[seat] / most:.1f}" for number, held in film.dice
        )


def _index(film: Film, number: int) -> int:
    return film.round_index(number) if number <= film.rounds else film.last


def _x(film: Film, index: int) -> str:
    return f"{_WIDE * index / max(1, film.last):.1f}"


def _story(film: Film) -> Iterator[str]:
    """Yield the story: rounds, in each what began it and its decisions, every one under its address."""
    sections: dict[int, list[str]] = {0: [], **{number: [] for number in range(1, film.rounds + 1)}}

    def begin(lines: Sequence[tuple[int, str]]) -> None:
        for number, line in lines:
            sections.setdefault(number, []).append(f"<li><p>{escaped(line)}</p></li>\n")

    begin(film.opening)
    for stop in film.stops:
        sections[stop.round].append(_item(film, stop))
        begin(stop.opens)
    held = dict(film.dice)
    for number, items in sections.items():
        if not items:
            continue
        title = f'<h3 id="r{number}">Round {number}</h3>\n' if number else ""
        yield f'<section>{title}{_dice(film, held.get(number))}<ol class="story">\n{"".join(items)}</ol></section>\n'
    yield f'<p id="{END}"><strong>{escaped(film.ending)}</strong></p>'


def _item(film: Film, stop: Stop) -> str:
    told = "".join(f'<p class="told">{escaped(line)}</p>' for line in stop.told)
    log = f"<pre>{escaped(stop.log)}</pre>" if stop.log else ""
    fault = ' class="fault"' if stop.fault else ""
    return (
        f'<li id="{stop.at}"{fault}>'
        f'<a class="at" href="#{stop.at}">{stop.at}</a>'
        f'<p class="did"><bdi>{escaped(film.names[stop.seat])}</bdi> {escaped(stop.did)}.</p>{told}{log}</li>\n'
    )


def _dice(film: Film, held: tuple[int, ...] | None) -> str:
    if held is None:
        return ""
    told = ", ".join(f"<bdi>{escaped(name)}</bdi> {count}" for name, count in zip(film.names, held, strict=True))
    return f'<p class="soft small">Dice at its start: {told}.</p>\n'
