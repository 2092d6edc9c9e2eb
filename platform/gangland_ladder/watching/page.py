"""A replay as one page: the whole story as text, and a viewer on top of it where scripts may run.

Nothing is fetched from anywhere, and the page's own policy allows no style and no script but the two in it, which it
names by their SHA-256.
"""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Iterator, Sequence
from functools import cache
from hashlib import sha256
from html import escape
from importlib import resources
from typing import Any, Final

from gangland.gangster_dice.cards import COLOUR_NAMES, SYMBOL_NAMES, TOKEN_NAMES
from gangland_ladder.watching.film import AIMS, END, Film, Stop
from gangland_ladder.watching.keys import keys_for
from gangland_ladder.watching.scenes import Scene, delta
from gangland_sandbox.wire import clean

SCHEMA: Final = "gangland/film/1"
_WIDE: Final = 1000
_TALL: Final = 100


def replay_page(film: Film, start: str | None = None) -> str:
    """Return the page as HTML.

    Args:
        start: the address at which the viewer opens where the page's own address names none.
    """
    style, script, sprite = (_part(name) for name in ("viewer.css", "viewer.js", "dice.svg"))
    policy = (
        f"default-src 'none'; style-src '{_hash(style)}'; script-src '{_hash(script)}'; "
        "base-uri 'none'; form-action 'none'"
    )
    title = f"{film.title}: {', '.join(film.names)}"
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{_text(title)}</title>\n<style>{style}</style>\n</head>\n<body>\n"
        f'<div class="sprite" aria-hidden="true">{sprite}</div>\n<main>\n'
        f"<h1>{_text(title)}</h1>\n<p>{_text(film.ending)}</p>\n"
        f"{_viewer(film)}\n"
        f'<script type="application/json" id="film">{_json(film_data(film, start))}</script>\n'
        f"<script>{script}</script>\n"
        f"<h2>The story</h2>\n{''.join(_story(film))}\n</main>\n</body>\n</html>\n"
    )


def film_data(film: Film, start: str | None = None) -> dict[str, Any]:
    """Return what `viewer.js` walks through, as plain JSON values of the schema gangland/film/1.

    Each stop has its table as what differs from the stop before, and what its seat was sent as what differs from what
    this seat was sent before.  What followed a decision stands in the page's story, under the decision's address.
    """
    table: Scene = {}
    seen: list[Scene] = [{} for _ in film.names]
    stops = []
    for index, stop in enumerate(film.stops):
        told: dict[str, Any] = {"at": stop.at, "round": stop.round, "seat": stop.seat, "ply": stop.ply, "did": stop.did}
        told |= {"table": delta(table, stop.table), "seen": delta(seen[stop.seat], stop.seen)}
        told |= {"fault": True} if stop.fault else {}
        told |= {"mark": film.marks[index]} if index in film.marks else {}
        told |= {"log": clean(stop.log)} if stop.log else {}
        table, seen[stop.seat] = stop.table, stop.seen
        stops.append(told)
    return {
        "schema": SCHEMA,
        "game": film.game,
        "names": [clean(name) for name in film.names],
        "rounds": film.rounds,
        "words": {"tokens": TOKEN_NAMES, "colours": COLOUR_NAMES, "symbols": SYMBOL_NAMES},
        "start": start,
        "ending": clean(film.ending),
        "stops": stops,
        "end": delta(table, film.table),
        "keys": [
            {"action": key.action, "browser": list(key.browser), "shown": key.shown, "words": key.words}
            for key in keys_for("browser", len(film.names))
        ],
    }


def _viewer(film: Film) -> str:
    kind = "gang" if film.game == "gang-of-dice" else "gangster"
    seats = "".join(
        f'<button type="button" data-do="seat{seat + 1}" aria-pressed="false">{seat + 1}<span class="vh"> what '
        f"{_text(name)} saw</span></button>"
        for seat, name in enumerate(film.names)
    )
    keys = "".join(
        f"<dt><kbd>{_text(key.shown)}</kbd></dt><dd>{_text(key.words)}</dd>"
        for key in keys_for("browser", len(film.names))
    )
    return (
        f'<section class="viewer {kind} n{len(film.names)}" data-replay="film" tabindex="0" aria-label="Replay" hidden>'
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
    legend = " ".join(f'<span class="s{seat}">{_text(name)}</span>' for seat, name in enumerate(film.names))
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
            sections.setdefault(number, []).append(f"<li><p>{_text(line)}</p></li>\n")

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
    yield f'<p id="{END}"><strong>{_text(film.ending)}</strong></p>'


def _item(film: Film, stop: Stop) -> str:
    told = "".join(f'<p class="told">{_text(line)}</p>' for line in stop.told)
    log = f"<pre>{_text(stop.log)}</pre>" if stop.log else ""
    fault = ' class="fault"' if stop.fault else ""
    return (
        f'<li id="{stop.at}"{fault}>'
        f'<a class="at" href="#{stop.at}">{stop.at}</a>'
        f'<p class="did"><bdi>{_text(film.names[stop.seat])}</bdi> {_text(stop.did)}.</p>{told}{log}</li>\n'
    )


def _dice(film: Film, held: tuple[int, ...] | None) -> str:
    if held is None:
        return ""
    told = ", ".join(f"<bdi>{_text(name)}</bdi> {count}" for name, count in zip(film.names, held, strict=True))
    return f'<p class="soft small">Dice at its start: {told}.</p>\n'


def _json(data: dict[str, Any]) -> str:
    """Return JSON that no tag or comment can end or begin in."""
    text = json.dumps(data, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


@cache
def _part(name: str) -> str:
    return (resources.files(__package__) / name).read_text(encoding="utf-8").strip()


def _hash(text: str) -> str:
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"


def _text(text: str) -> str:
    """Return text of a bot's author so that it can do nothing to the page."""
    return escape(clean(text))
