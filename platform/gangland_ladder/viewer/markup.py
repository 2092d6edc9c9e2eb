"""A film as HTML: the outcome, the viewer, and the story that is read where no script runs.

The site's replay page and the file of `gangland replay --html` are both made of these three.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import Final

from gangland.games import game_named
from gangland_ladder.viewer.charts import charts, sample, track
from gangland_ladder.viewer.data import film_data, inline_json
from gangland_ladder.viewer.film import END, Film, Stop
from gangland_ladder.viewer.games import presentation_of
from gangland_ladder.viewer.keys import keys_for
from gangland_ladder.viewer.turning import luck_in_words, result, turning_points
from gangland_ladder.viewer.verdicts import verdict as verdict_of
from gangland_ladder.viewer.verdicts import what_is_valued
from gangland_sandbox.wire import clean

_ROW: Final = 7
"""So many dice have room in one row."""
WHAT_IF: Final = "From here: the best decision on the same dice"
"""The link to a game that is played on."""


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
    """Return the classes by which `viewer.css` knows game, seats, and whether a seat's dice may take two rows."""
    scenes = [*(each for stop in film.stops for each in (stop.before, stop.table)), film.table]
    rolled = presentation_of(film.game).rolled
    most = max(rolled(seat) for scene in scenes for seat in scene["seats"].values())
    return f"{presentation_of(film.game).style} n{len(film.names)}{' many' if most > _ROW else ''}"


def _seat(film: Film, seat: int) -> str:
    return f'<span class="chip">{seat + 1}</span> <bdi>{escaped(film.names[seat])}</bdi>'


def _stage(film: Film) -> str:
    """Return where the table and the decision are drawn; the places are kept free, so that nothing moves later."""
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


def _track(film: Film) -> str:
    return (
        f'<div class="v-track">{track(film)}<input type="range" data-scrub min="0" max="{film.last}" value="0" '
        'aria-label="Decision"></div>\n'
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
    """Return the charts, and beside them each seat's figures where the cursor stands."""
    game = game_named(film.game)
    held, luck = game.unit.many.capitalize(), game.luck_unit
    columns = {"dice": held} | ({"luck": f"Luck, {luck}"} if luck else {})
    if film.analysis is not None:
        columns = {"value": what_is_valued(len(film.names))} | columns
    rows = "".join(
        f'<tbody class="seat{seat + 1}"><tr><th scope="rowgroup" colspan="{len(columns)}">{sample(seat)} '
        f"{_seat(film, seat)}</th></tr><tr>"
        + "".join(f'<td data-{name}="{seat}"></td>' for name in columns)
        + "</tr></tbody>"
        for seat in range(len(film.names))
    )
    head = "".join(f'<th scope="col">{words}</th>' for words in columns.values())
    return (
        f'<div class="v-figures">{charts(film)}<table>'
        f'<caption class="vh">{held}{" and luck" if luck else ""} until this decision</caption>'
        f"<thead><tr>{head}</tr></thead>{rows}</table></div>\n"
    )


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
    """Return the dice and the luck of the seats as a round begins."""
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
