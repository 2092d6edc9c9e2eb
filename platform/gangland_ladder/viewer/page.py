"""A replay as HTML: one page of its own, or the outcome, the viewer and the story for a page of the site."""

from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping, Sequence
from hashlib import sha256
from html import escape
from typing import Final, NamedTuple

from gangland.games import game_named
from gangland.words import listed
from gangland_ladder.common.texts import counted
from gangland_ladder.viewer.assets import page_style, script, sprite, style
from gangland_ladder.viewer.commentary import luck_in_words, percent, result, signed, turning_points, what_is_valued
from gangland_ladder.viewer.commentary import verdict as verdict_of
from gangland_ladder.viewer.felt import classes_of
from gangland_ladder.viewer.film import END, Film, Stop
from gangland_ladder.viewer.film_data import film_data, inline_json
from gangland_ladder.viewer.navigation import keys_for
from gangland_ladder.viewer.presentation import presentation_of
from gangland_sandbox.wire import clean

# One page: the whole story as text, and a viewer on top of it where scripts may run.


class Original(NamedTuple):
    """The recorded game of which a page shows a what-if; `href` leads to its page, "" if it has none."""

    href: str
    words: str


def replay_page(film: Film, start: str | None = None, *, recorded: Original | None = None) -> str:
    """Return the page as HTML, which opens at `start` where its own address names none."""
    # Nothing is fetched: the page's own policy allows only the style and the script in it, named by their SHA-256.
    css, js = f"{page_style()}\n{style()}", script()
    policy = (
        f"default-src 'none'; style-src '{_hash(css)}'; script-src '{_hash(js)}'; base-uri 'none'; form-action 'none'"
    )
    rounds = counted(film.rounds, "round")
    title = f"{'What if: ' if recorded else ''}{film.title}: {', '.join(film.names)}"
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escaped(title)}</title>\n<style>{css}</style>\n</head>\n<body>\n"
        f'<div class="sprite" aria-hidden="true">{sprite()}</div>\n<main>\n'
        f'<p class="eyebrow">{escaped(film.title)}, {len(film.names)} seats, {rounds}</p>\n'
        f"<h1>{escaped(listed(film.names))}</h1>\n{_banner(recorded)}{viewer_markup(film, start=start)}"
        f'<script type="module">{js}</script>\n{outcome_markup(film)}'
        f'<section class="story"><h2>The story</h2>\n{story_markup(film)}</section>\n</main>\n</body>\n</html>\n'
    )


def _banner(recorded: Original | None) -> str:
    """Return what says that this game was not played, with the way back; "" for one that was."""
    if recorded is None:
        return ""
    back = f' <a href="{escaped(recorded.href)}">Back to the recorded game</a>' if recorded.href else ""
    return f'<p class="banner" role="note"><strong>What if:</strong> {escaped(recorded.words)}{back}</p>\n'


def _hash(text: str) -> str:
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"


# The outcome, the viewer, and the story that is read where no script runs.
#
# The site's replay page and the page above are both made of these three.


WHAT_IF: Final = "From here: the best decision on the same dice"


def outcome_markup(film: Film) -> str:
    """Return who won and why: the places with the dice at the end, and the game's turning points as links."""
    held, unit = film.dice[-1][1], game_named(film.game).unit
    order = sorted(range(len(film.names)), key=lambda seat: (film.places[seat], seat))
    places = "".join(
        f'<li class="seat{seat + 1}"><b class="v-rank">{film.places[seat]}</b> {_seat(film, seat)} '
        f'<span class="v-held">{unit.counted(held[seat])}</span></li>'
        for seat in order
    )
    points = "".join(f'<li><a href="#{point.at}">{escaped(point.text)}</a></li>' for point in turning_points(film))
    return (
        f'<div class="v-outcome"><ol class="v-places" aria-label="Places">{places}</ol>'
        f'<ul class="v-why" aria-label="How it came about">{points}</ul></div>\n'
    )


def viewer_markup(
    film: Film,
    *,
    start: str | None = None,
    sprite: str = "",
    game_logs: Mapping[int, str] | None = None,
    pictured: bool = False,
) -> str:
    """Return the viewer as one `<section>` and the film's data in a `<script type="application/json">` behind it.

    It needs its script (`assets.modules()`, begun by `assets.MAIN`; without scripts its style hides it), the
    style of `assets.style()` and, on the same page, the `story_markup` of the same film.  A page has one at most.

    Args:
        start: the address at which it opens where the page's own address names none.
        sprite: the address of the sprite's file (`assets.sprite()`); "" where the sprite stands in the page itself.
        game_logs: what a bot logged in the whole game, by seat; shown where nothing is known of the single decision.
        pictured: whether the picture of the page's address is of the decision that its `?at=` names.
    """
    data, pictures = inline_json(film_data(film, start, game_logs)), " data-pictured" if pictured else ""
    return (
        f'<section class="viewer {table_classes(film)}" data-replay="film" '
        f'data-sprite="{escaped(sprite)}"{pictures} tabindex="0" aria-label="Replay">\n'
        f"{_stage(film)}{_tools(film, sprite)}{_help(film)}{_track(film)}{_figures(film)}</section>\n"
        f'<script type="application/json" id="film">{data}</script>\n'
    )


def story_markup(film: Film) -> str:
    """Return the story: a `<section>` for each round, in it every decision under its address, at last the ending.

    Headings are `<h3>`.
    """
    return "".join(_story(film))


def escaped(text: str) -> str:
    """Return text of a bot's author so that it can do nothing to the page."""
    return escape(clean(text))


def table_classes(film: Film) -> str:
    """Return the classes of a film's table; see `classes_of`."""
    scenes = [*(each for stop in film.stops for each in (stop.before, stop.table)), film.table]
    presentation = presentation_of(film.game)
    rolled = max(presentation.rolled(seat) for scene in scenes for seat in scene["seats"].values())
    return classes_of(presentation.style, len(film.names), rolled)


def _seat(film: Film, seat: int) -> str:
    return f'<span class="chip">{seat + 1}</span> <bdi>{escaped(film.names[seat])}</bdi>'


def _stage(film: Film) -> str:
    seats = "".join(f'<div class="v-seat at{seat + 1}"></div>' for seat in range(len(film.names)))
    return (
        '<p class="v-head"><span data-place>&nbsp;</span> <span class="v-view" data-view></span> '
        '<b class="v-mark" data-mark></b></p>\n<p class="vh" aria-live="polite" data-spoken></p>\n'
        '<div class="v-stage"><div class="v-table" data-stage role="group" aria-label="The table">'
        f'<div class="v-centre"></div>{seats}</div>\n'
        '<div class="v-side"><div class="v-now" data-now tabindex="0" role="region" '
        'aria-label="The decision and what followed"></div>'
        '<p class="v-more" data-more aria-hidden="true" hidden><span>more below ↓</span></p></div></div>\n'
    )


def _tools(film: Film, sprite: str) -> str:
    def button(action: str, icon: str, words: str, *, pressed: bool = False) -> str:
        state = ' aria-pressed="false"' if pressed else ""
        return (
            f'<button type="button" data-do="{action}" aria-label="{words}" title="{words}"{state}>'
            f'<svg viewBox="0 0 16 16" aria-hidden="true"><use href="{escaped(sprite)}#i-{icon}"/></svg></button>'
        )

    def word(action: str, shown: str, words: str) -> str:
        return f'<button type="button" data-do="{action}" aria-pressed="false" title="{words}">{shown}</button>'

    seats = "".join(
        f'<button type="button" data-do="seat{seat + 1}" class="seat{seat + 1}" aria-pressed="false" '
        f'aria-label="What {escaped(name)} saw, seat {seat + 1}" title="What {escaped(name)} saw">{seat + 1}</button>'
        for seat, name in enumerate(film.names)
    )
    walk = (
        button("back_round", "round-back", "Previous round"),
        button("back", "back", "Previous decision"),
        button("play", "play", "Play", pressed=True),
        button("next", "next", "Next decision"),
        button("next_round", "round-next", "Next round"),
    )
    marks = (
        button("back_mark", "mark-back", "Previous fault or lead change"),
        button("next_mark", "mark-next", "Next fault or lead change"),
    )
    mistakes = tuple(
        f'<button type="button" data-do="{action}" aria-label="{words}" title="{words}">{shown}</button>'
        for action, shown, words in (
            ("back_mistake", "‹ ?", "Previous mistake"),
            ("next_mistake", "? ›", "Next mistake"),
        )
    )
    judged = "" if film.analysis is None else _group("Mistakes", mistakes)
    pace = (button("slower", "less", "Slower"), "<span data-speed>1×</span>", button("faster", "more", "Faster"))
    more = (
        word("log", "Log", "The log of the round, in words"),
        word("debug", "Debug", "What the bot logged"),
        button("copy", "link", "Copy a link to this decision"),
        button("help", "help", "Keys", pressed=True),
    )
    view = (word("all", "All", "The whole table with all hands"), seats)
    return (
        '<div class="v-bar"><div class="v-tools v-walk">'
        f"{_group('Walk through the game', walk)}{_group('Faults and lead changes', marks)}{judged}</div>\n"
        f'<div class="v-tools">{_group("Speed", pace)}{_group("Whose view", view)}{_group("More", more)}</div></div>\n'
    )


def _group(label: str, buttons: Sequence[str]) -> str:
    return f'<div role="group" aria-label="{label}">{"".join(buttons)}</div>'


def _help(film: Film) -> str:
    keys = "".join(
        f"<div><dt><kbd>{escaped(key.shown)}</kbd></dt><dd>{escaped(key.words)}</dd></div>"
        for key in keys_for("browser", film)
    )
    return (
        '<div class="v-help" data-help hidden><p>The arrow keys work while the viewer is on screen and nothing else '
        "has the focus, all keys while the viewer has it:</p>"
        f'<dl>{keys}</dl><p><label><input type="checkbox" data-keys checked> Use keys</label></p></div>\n'
    )


def _figures(film: Film) -> str:
    game = game_named(film.game)
    held, luck = game.unit.many.capitalize(), game.luck_unit
    columns = {"dice": held} | ({"luck": f"Luck, {luck}"} if luck else {})
    if film.analysis is not None:
        columns = {"value": what_is_valued(len(film.names))} | columns
    rows = "".join(
        f'<tbody class="seat{seat + 1}"><tr><th scope="rowgroup" colspan="{len(columns)}">'
        f'<svg class="v-sample seat{seat + 1}" viewBox="0 0 32 8" aria-hidden="true"><path d="M0 4H32"/></svg> '
        f"{_seat(film, seat)}</th></tr><tr>"
        + "".join(f'<td data-{name}="{seat}"></td>' for name in columns)
        + "</tr></tbody>"
        for seat in range(len(film.names))
    )
    head = "".join(f'<th scope="col">{words}</th>' for words in columns.values())
    return (
        f'<div class="v-figures">{_charts(film)}<table>'
        f'<caption class="vh">{held}{" and luck" if luck else ""} until this decision</caption>'
        f"<thead><tr>{head}</tr></thead>{rows}</table></div>\n"
    )


def _story(film: Film) -> Iterator[str]:
    sections: dict[int, list[str]] = {0: [], **{number: [] for number in range(1, film.rounds + 1)}}

    def begin(lines: Sequence[tuple[int, str]]) -> None:
        for number, line in lines:
            sections.setdefault(number, []).append(f"<li><p>{escaped(line)}</p></li>\n")

    begin(film.opening)
    for stop in film.stops:
        sections[stop.round].append(_item(film, stop))
        begin(stop.opens)
    for number, items in sections.items():
        if not items:
            continue
        title = f'<h3 id="r{number}">Round {number}</h3>\n' if number else ""
        yield (f'<section>{title}{_standing(film, number)}<ol class="v-story">\n{"".join(items)}</ol></section>\n')
    yield f'<p id="{END}" class="v-ending"><strong>{escaped(result(film))}</strong></p>\n'


def _item(film: Film, stop: Stop) -> str:
    judged = stop.judged
    verdict = f'<p class="judged {judged.mark}">{escaped(verdict_of(film.game, judged))}</p>' if judged else ""
    note = f'<p class="noted">{escaped(stop.note)}</p>' if stop.note else ""
    then = "".join(f'<p class="told">{escaped(line)}</p>' for line in stop.sentences)
    what_if = f'<p class="what-if"><a href="{escaped(stop.what_if)}">{WHAT_IF}</a></p>' if stop.what_if else ""
    log = f"<pre>{escaped(stop.log)}</pre>" if stop.log else ""
    fault = ' class="fault"' if stop.fault else ""
    return (
        f'<li id="{stop.at}"{fault}><a class="at" href="#{stop.at}">{stop.at}</a>'
        f'<p class="asked">{escaped(stop.question)}</p>'
        f'<p class="did"><bdi>{escaped(film.names[stop.seat])}</bdi> {escaped(stop.did)}.</p>'
        f"{log}{verdict}{what_if}{note}{then}</li>\n"
    )


def _standing(film: Film, number: int) -> str:
    held = dict(film.dice).get(number)
    first = next((stop for stop in film.stops if stop.round >= number), None)
    if held is None or not number:
        return ""
    luck = film.luck if first is None else first.luck_before
    game = game_named(film.game)
    figures = ", ".join(
        f"<bdi>{escaped(name)}</bdi> {count}" + (f" ({luck_in_words(each, '')})" if game.luck_unit else "")
        for name, count, each in zip(film.names, held, luck, strict=True)
    )
    what = f", and luck until then in {game.luck_unit}" if game.luck_unit else ""
    return f'<p class="v-standing">{game.unit.many.capitalize()} at its start{what}: {figures}.</p>\n'


# Charts, as SVG on the same scale as the slider: dice held, and luck, by round.


_WIDE: Final = 1000
"""What the whole way through a game measures; a chart is stretched to the slider's width."""
_TALL: Final = 100
_APART: Final = 20.0
"""How far apart the labels of two lines are at least; that of a label's height, `viewer.css` says."""
_LEAST_LUCK: Final = 0.1

Line = list[tuple[int, float]]
"""Points: the index of a stop, and a value there."""


def _track(film: Film) -> str:
    """Return the slider, over a tick at each round's first decision and marks at faults, leads and mistakes."""
    ticks = [
        _upright(film, index, "", 6, 14)
        for index, stop in enumerate(film.stops)
        if index == 0 or film.stops[index - 1].round != stop.round
    ]
    # A fault is tall and thick, a new leader short.
    marks = [_upright(film, index, mark, 0, 14 if mark == "fault" else 8) for index, mark in sorted(film.marks.items())]
    marks += [_upright(film, index, mark, 9, 14) for index, mark in film.mistakes.items()]
    return (
        f'<div class="v-track"><svg class="v-ticks" viewBox="0 0 {_WIDE} 14" preserveAspectRatio="none" '
        f'aria-hidden="true">{"".join(ticks)}{"".join(marks)}</svg><input type="range" data-scrub min="0" '
        f'max="{film.last}" value="0" aria-label="Decision"></div>\n'
    )


def _charts(film: Film) -> str:
    values = _value_chart(film) if film.analysis is not None else ""
    luck = _luck_chart(film) if game_named(film.game).luck_unit else ""
    return f'<div class="v-charts">{values}{_dice_chart(film)}{luck}</div>'


def _value_chart(film: Film) -> str:
    lines = [_values(film, seat) for seat in range(len(film.names))]
    until = ""
    if film.analysis is not None and not film.analysis.complete:
        until = f"; analyzed up to round {film.stops[lines[0][-1][0]].round} of {film.rounds}"
    caption = f"{what_is_valued(len(film.names))}, 0 to 100%{until}"
    return _chart(film, lines, (0, 1), caption, [percent(line[-1][1], 0) for line in lines])


def _dice_chart(film: Film) -> str:
    lines = [_dice(film, seat) for seat in range(len(film.names))]
    most = max((value for line in lines for _, value in line), default=0) or 1
    unit = game_named(film.game).unit
    caption = f"{unit.many.capitalize()} held, 0 to {most:.0f}: {unit.aim}"
    return _chart(film, lines, (0, most), caption, [f"{line[-1][1]:.0f}" for line in lines])


def _luck_chart(film: Film) -> str:
    lines = [_luck(film, seat) for seat in range(len(film.names))]
    reach = max(_LEAST_LUCK, *(abs(value) for line in lines for _, value in line))
    unit = game_named(film.game).luck_unit
    caption = f"Luck, what the dice gave beyond expectation, in {unit}: above the line is lucky"
    ends = [signed(line[-1][1], 1 if unit == game_named(film.game).unit.many else 2) for line in lines]
    return _chart(film, lines, (-reach, reach), caption, ends)


def _luck(film: Film, seat: int) -> Line:
    first = film.stops[0].luck_before[seat] if film.stops else film.luck[seat]
    return _line(film, first, lambda stop: stop.luck[seat], film.luck[seat])


def _values(film: Film, seat: int) -> Line:
    known = [(index, stop.values_before[seat]) for index, stop in enumerate(film.stops) if stop.values_before]
    if film.analysis is not None and film.analysis.complete:
        known.append((film.last, film.analysis.scores[seat]))
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
    points = [" ".join(f"{_x(film, index)},{_y(value, low, high):.1f}" for index, value in line) for line in lines]
    drawn = "".join(f'<polyline class="seat{seat + 1}" points="{each}"/>' for seat, each in enumerate(points))
    zero = f"{_y(0, low, high):.1f}"
    levels = [_y(line[-1][1], low, high) for line in lines]
    labels = "".join(
        f'<text class="seat{seat + 1}" x="4" y="{y:.1f}">{seat + 1}: {end}</text>'
        for seat, (y, end) in enumerate(zip(_spread(levels), ends, strict=True))
    )
    return (
        f'<figure class="v-chart"><figcaption>{caption}</figcaption>'
        f'<svg class="v-lines" viewBox="0 0 {_WIDE} {_TALL}" preserveAspectRatio="none" aria-hidden="true">'
        f'<line class="zero" x1="0" x2="{_WIDE}" y1="{zero}" y2="{zero}"/>{drawn}'
        f'<line class="cursor" data-cursor x1="0" x2="0" y1="0" y2="{_TALL}"/></svg>'
        f'<svg class="v-ends" viewBox="0 0 72 {_TALL}" aria-hidden="true">{labels}</svg></figure>'
    )


def _y(value: float, low: float, high: float) -> float:
    return _TALL - _TALL * (value - low) / (high - low)


def _x(film: Film, index: int) -> str:
    return f"{_WIDE * index / max(1, film.last):.1f}".removesuffix(".0")


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
