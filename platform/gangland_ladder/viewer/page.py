"""A replay as HTML: a standalone page, or the outcome, the viewer and the story for a page of the site."""

from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping, Sequence
from hashlib import sha256
from html import escape
from typing import Final, NamedTuple

from gangland.games import game_named
from gangland.words import join_and
from gangland_ladder.common.texts import counted
from gangland_ladder.viewer.assets import page_style, script, sprite, style
from gangland_ladder.viewer.commentary import luck_text, percent, result_sentence, signed, turning_points, value_label
from gangland_ladder.viewer.commentary import verdict as verdict_of
from gangland_ladder.viewer.navigation import keys_for
from gangland_ladder.viewer.presentation import presentation_of
from gangland_ladder.viewer.table_view import classes_of
from gangland_ladder.viewer.timeline import END, Frame, Timeline
from gangland_ladder.viewer.timeline_data import inline_json, timeline_data
from gangland_sandbox.wire import clean

# A standalone page: the story as text, and the viewer if scripts run.


class Original(NamedTuple):
    """The recorded game behind a what-if page; `href` is the URL of its page, or "" if it has no page."""

    href: str
    text: str


def replay_page(timeline: Timeline, start: str | None = None, *, recorded: Original | None = None) -> str:
    """Return the standalone page as HTML; it opens at the frame `start` unless its URL names another one."""
    # The page fetches nothing: its Content-Security-Policy allows only its own style and script, by SHA-256.
    css, js = f"{page_style()}\n{style()}", script()
    policy = (
        f"default-src 'none'; style-src '{_hash(css)}'; script-src '{_hash(js)}'; base-uri 'none'; form-action 'none'"
    )
    rounds = counted(timeline.rounds, "round")
    title = f"{'What if: ' if recorded else ''}{timeline.title}: {', '.join(timeline.names)}"
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escaped(title)}</title>\n<style>{css}</style>\n</head>\n<body>\n"
        f'<div class="sprite" aria-hidden="true">{sprite()}</div>\n<main>\n'
        f'<p class="eyebrow">{escaped(timeline.title)}, {len(timeline.names)} seats, {rounds}</p>\n'
        f"<h1>{escaped(join_and(timeline.names))}</h1>\n{_banner(recorded)}{viewer_markup(timeline, start=start)}"
        f'<script type="module">{js}</script>\n<details><summary>Result</summary>{outcome_markup(timeline)}</details>\n'
        f'<section class="story"><h2>The story</h2>\n{story_markup(timeline)}</section>\n</main>\n</body>\n</html>\n'
    )


def _banner(recorded: Original | None) -> str:
    if recorded is None:
        return ""
    back = f' <a href="{escaped(recorded.href)}">Back to the recorded game</a>' if recorded.href else ""
    return f'<p class="banner" role="note"><strong>What if:</strong> {escaped(recorded.text)}{back}</p>\n'


def _hash(text: str) -> str:
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"


# The outcome, the viewer and the story, for the standalone page and the site's replay page.

WHAT_IF: Final = "Play on from the best decision"


def outcome_markup(timeline: Timeline) -> str:
    """Return the places with the final counts, and the turning points as links."""
    held, unit = timeline.counts[-1][1], game_named(timeline.game).unit
    order = sorted(range(len(timeline.names)), key=lambda seat: (timeline.places[seat], seat))
    places = "".join(
        f'<li class="seat{seat + 1}"><b class="v-rank">{timeline.places[seat]}</b> {_seat(timeline, seat)} '
        f'<span class="v-held">{unit.counted(held[seat])}</span></li>'
        for seat in order
    )
    points = "".join(f'<li><a href="#{point.at}">{escaped(point.text)}</a></li>' for point in turning_points(timeline))
    return (
        f'<div class="v-outcome"><ol class="v-places" aria-label="Places">{places}</ol>'
        f'<ul class="v-why" aria-label="Turning points">{points}</ul></div>\n'
    )


def viewer_markup(
    timeline: Timeline,
    *,
    start: str | None = None,
    sprite: str = "",
    game_logs: Mapping[int, str] | None = None,
    pictured: bool = False,
) -> str:
    """Return the viewer as a `<section>`, and its data as a `<script type="application/json">`.

    The page needs the script `assets.MAIN`, `assets.style()` (which hides the viewer without scripts), and
    `story_markup` of the same timeline.  A page can have only one viewer.

    Args:
        start: the address of the frame at which the viewer opens, unless the page's URL names another one.
        sprite: the URL of `assets.sprite()`, or "" if the page contains the sprite.
        game_logs: by seat, the bot's log of the whole game, for decisions without a separate log.
        pictured: whether the page's preview picture shows the decision at the address in `?at=`.
    """
    data, pictures = inline_json(timeline_data(timeline, start, game_logs)), " data-pictured" if pictured else ""
    return (
        f'<section class="viewer {table_classes(timeline)}" data-replay="timeline" '
        f'data-sprite="{escaped(sprite)}"{pictures} tabindex="0" aria-label="Replay">\n'
        f"{_stage(timeline)}{_tools(timeline, sprite)}{_help(timeline)}{_track(timeline)}{_figures(timeline)}"
        "</section>\n"
        f'<script type="application/json" id="timeline">{data}</script>\n'
    )


def story_markup(timeline: Timeline) -> str:
    """Return the story: a `<section>` with an `<h3>` for each round, the decisions by address, and the ending."""
    return "".join(_story(timeline))


def escaped(text: str) -> str:
    """Return untrusted text escaped for HTML."""
    return escape(clean(text))


def table_classes(timeline: Timeline) -> str:
    """Return the classes of a timeline's table; see `classes_of`."""
    scenes = [*(scene for frame in timeline.frames for scene in (frame.before, frame.table)), timeline.table]
    presentation = presentation_of(timeline.game)
    rolled = max(presentation.rolled(seat) for scene in scenes for seat in scene["seats"].values())
    return classes_of(presentation.style, len(timeline.names), rolled)


def _seat(timeline: Timeline, seat: int) -> str:
    return f'<span class="chip">{seat + 1}</span> <bdi>{escaped(timeline.names[seat])}</bdi>'


def _stage(timeline: Timeline) -> str:
    seats = "".join(f'<div class="v-seat at{seat + 1}"></div>' for seat in range(len(timeline.names)))
    return (
        '<p class="v-head"><span data-place>&nbsp;</span> <span class="v-view" data-view></span> '
        '<b class="v-mark" data-mark></b></p>\n<p class="vh" aria-live="polite" data-spoken></p>\n'
        '<div class="v-stage"><div class="v-table" data-stage role="group" aria-label="The table">'
        f'<div class="v-center"></div>{seats}</div>\n'
        '<div class="v-side"><div class="v-now" data-now tabindex="0" role="region" '
        'aria-label="The decision and what followed"></div>'
        '<p class="v-more" data-more aria-hidden="true" hidden><span>more below ↓</span></p></div></div>\n'
    )


def _tools(timeline: Timeline, sprite: str) -> str:
    def button(action: str, icon: str, title: str, *, pressed: bool = False) -> str:
        state = ' aria-pressed="false"' if pressed else ""
        return (
            f'<button type="button" data-do="{action}" aria-label="{title}" title="{title}"{state}>'
            f'<svg viewBox="0 0 16 16" aria-hidden="true"><use href="{escaped(sprite)}#i-{icon}"/></svg></button>'
        )

    def toggle(action: str, label: str, title: str) -> str:
        return f'<button type="button" data-do="{action}" aria-pressed="false" title="{title}">{label}</button>'

    seats = "".join(
        f'<button type="button" data-do="seat{seat + 1}" class="seat{seat + 1}" aria-pressed="false" '
        f'aria-label="What {escaped(name)} saw, seat {seat + 1}" title="What {escaped(name)} saw">{seat + 1}</button>'
        for seat, name in enumerate(timeline.names)
    )
    walk = (
        button("previous_round", "round-back", "Previous round"),
        button("back", "back", "Previous decision"),
        button("play", "play", "Play", pressed=True),
        button("next", "next", "Next decision"),
        button("next_round", "round-next", "Next round"),
    )
    marks = (
        button("previous_mark", "mark-back", "Previous fault or lead change"),
        button("next_mark", "mark-next", "Next fault or lead change"),
    )
    mistakes = tuple(
        f'<button type="button" data-do="{action}" aria-label="{title}" title="{title}">{label}</button>'
        for action, label, title in (
            ("previous_mistake", "‹ ?", "Previous mistake"),
            ("next_mistake", "? ›", "Next mistake"),
        )
    )
    judged = "" if timeline.analysis is None else _group("Mistakes", mistakes)
    pace = (button("slower", "less", "Slower"), "<span data-speed>1×</span>", button("faster", "more", "Faster"))
    tools = (
        toggle("log", "Log", "Log of the round"),
        toggle("debug", "Debug", "What the bot logged"),
        button("copy", "link", "Copy a link to this decision"),
        button("help", "help", "Keys", pressed=True),
    )
    view = (toggle("all", "All", "All hands"), seats)
    return (
        '<div class="v-bar"><div class="v-tools v-walk">'
        f"{_group('Walk through the game', walk)}{_group('Faults and lead changes', marks)}{judged}</div>\n"
        f'<div class="v-tools">{_group("Speed", pace)}{_group("Whose view", view)}{_group("More", tools)}</div></div>\n'
    )


def _group(label: str, buttons: Sequence[str]) -> str:
    return f'<div role="group" aria-label="{label}">{"".join(buttons)}</div>'


def _help(timeline: Timeline) -> str:
    keys = "".join(
        f"<div><dt><kbd>{escaped(key.label)}</kbd></dt><dd>{escaped(key.effect)}</dd></div>"
        for key in keys_for("browser", timeline)
    )
    return (
        '<div class="v-help" data-help hidden><p>Click the viewer to use these keys. Arrow keys work right away.</p>'
        f'<dl>{keys}</dl><p><label><input type="checkbox" data-keys checked> Use keys</label></p></div>\n'
    )


def _figures(timeline: Timeline) -> str:
    game = game_named(timeline.game)
    unit_name, luck = game.unit.plural.capitalize(), game.luck_unit
    columns = {"dice": unit_name} | ({"luck": f"Luck, {luck}"} if luck else {})
    if timeline.analysis is not None:
        columns = {"value": value_label(len(timeline.names))} | columns
    rows = "".join(
        f'<tbody class="seat{seat + 1}"><tr><th scope="rowgroup" colspan="{len(columns)}">'
        f'<svg class="v-sample seat{seat + 1}" viewBox="0 0 32 8" aria-hidden="true"><path d="M0 4H32"/></svg> '
        f"{_seat(timeline, seat)}</th></tr><tr>"
        + "".join(f'<td data-{name}="{seat}"></td>' for name in columns)
        + "</tr></tbody>"
        for seat in range(len(timeline.names))
    )
    head = "".join(f'<th scope="col">{heading}</th>' for heading in columns.values())
    return (
        f'<div class="v-figures">{_charts(timeline)}<table>'
        f'<caption class="vh">{unit_name}{" and luck" if luck else ""} after this decision</caption>'
        f"<thead><tr>{head}</tr></thead>{rows}</table></div>\n"
    )


def _story(timeline: Timeline) -> Iterator[str]:
    sections: dict[int, list[str]] = {0: [], **{number: [] for number in range(1, timeline.rounds + 1)}}

    def begin(lines: Sequence[tuple[int, str]]) -> None:
        for number, line in lines:
            sections.setdefault(number, []).append(f"<li><p>{escaped(line)}</p></li>\n")

    begin(timeline.opening)
    for frame in timeline.frames:
        sections[frame.round].append(_item(timeline, frame))
        begin(frame.next_round_sentences)
    for number, items in sections.items():
        if not items:
            continue
        title = f'<h3 id="r{number}">Round {number}</h3>\n' if number else ""
        yield f'<section>{title}{_holdings(timeline, number)}<ol class="v-story">\n{"".join(items)}</ol></section>\n'
    yield f'<p id="{END}" class="v-ending"><strong>{escaped(result_sentence(timeline))}</strong></p>\n'


def _item(timeline: Timeline, frame: Frame) -> str:
    judged = frame.judged
    verdict = f'<p class="judged {judged.mark}">{escaped(verdict_of(timeline.game, judged))}</p>' if judged else ""
    note = f'<p class="noted">{escaped(frame.note)}</p>' if frame.note else ""
    results = "".join(f'<p class="told">{escaped(line)}</p>' for line in frame.sentences)
    what_if = f'<p class="what-if"><a href="{escaped(frame.what_if)}">{WHAT_IF}</a></p>' if frame.what_if else ""
    log = f"<pre>{escaped(frame.log)}</pre>" if frame.log else ""
    fault = ' class="fault"' if frame.fault else ""
    return (
        f'<li id="{frame.at}"{fault}><a class="at" href="#{frame.at}">{frame.at}</a>'
        f'<p class="asked">{escaped(frame.question)}</p>'
        f'<p class="did"><bdi>{escaped(timeline.names[frame.seat])}</bdi> {escaped(frame.did)}.</p>'
        f"{log}{verdict}{what_if}{note}{results}</li>\n"
    )


def _holdings(timeline: Timeline, number: int) -> str:
    held = dict(timeline.counts).get(number)
    first = next((frame for frame in timeline.frames if frame.round >= number), None)
    if held is None or not number:
        return ""
    luck = timeline.luck if first is None else first.luck_before
    game = game_named(timeline.game)
    figures = ", ".join(
        f"<bdi>{escaped(name)}</bdi> {count}" + (f" ({luck_text(seat_luck, '')})" if game.luck_unit else "")
        for name, count, seat_luck in zip(timeline.names, held, luck, strict=True)
    )
    luck_note = f" (luck so far, in {game.luck_unit})" if game.luck_unit else ""
    unit = game.unit.plural.capitalize()
    return f'<p class="v-standing">{unit} at the start of the round{luck_note}: {figures}.</p>\n'


# Charts by round, as SVG, on the same scale as the slider.

_WIDTH: Final = 1000  # A chart is stretched to the slider's width.
_CAP: Final = 4  # how far the ends of lines reach beyond a chart
_HEIGHT: Final = 100
_LABEL_GAP: Final = 20.0  # The minimum distance between two labels; `viewer.css` sets their height.
_MIN_LUCK_SCALE: Final = 0.1  # The minimum scale of the luck chart, so that rounding errors look small.

Line = list[tuple[int, float]]  # The index of a frame, and a value there.


def _track(timeline: Timeline) -> str:
    """Return the slider, with a tick at the start of each round and marks at faults, leads and mistakes."""
    ticks = [
        _vertical_line(timeline, index, "", 6, 14)
        for index, frame in enumerate(timeline.frames)
        if index == 0 or timeline.frames[index - 1].round != frame.round
    ]
    marks = [
        _vertical_line(timeline, index, mark, 0, 14 if mark == "fault" else 8)
        for index, mark in sorted(timeline.marks.items())
    ]
    marks += [_vertical_line(timeline, index, mark, 9, 14) for index, mark in timeline.mistakes.items()]
    return (
        f'<div class="v-track"><svg class="v-ticks" viewBox="0 0 {_WIDTH} 14" preserveAspectRatio="none" '
        f'aria-hidden="true">{"".join(ticks)}{"".join(marks)}</svg><input type="range" data-scrub min="0" '
        f'max="{timeline.last}" value="0" aria-label="Decision"></div>\n'
    )


def _charts(timeline: Timeline) -> str:
    values = _value_chart(timeline) if timeline.analysis is not None else ""
    luck = _luck_chart(timeline) if game_named(timeline.game).luck_unit else ""
    return f'<div class="v-charts">{values}{_dice_chart(timeline)}{luck}</div>'


def _value_chart(timeline: Timeline) -> str:
    lines = [_values(timeline, seat) for seat in range(len(timeline.names))]
    until = ""
    if timeline.analysis is not None and not timeline.analysis.complete:
        until = f"; analyzed up to round {timeline.frames[lines[0][-1][0]].round} of {timeline.rounds}"
    caption = f"{value_label(len(timeline.names))}, 0 to 100%{until}"
    return _chart(timeline, lines, (0, 1), caption, [percent(line[-1][1], 0) for line in lines])


def _dice_chart(timeline: Timeline) -> str:
    lines = [_dice(timeline, seat) for seat in range(len(timeline.names))]
    top = max((value for line in lines for _, value in line), default=0) or 1
    unit = game_named(timeline.game).unit
    caption = f"{unit.plural.capitalize()} held, 0 to {top:.0f}: {unit.aim}"
    return _chart(timeline, lines, (0, top), caption, [f"{line[-1][1]:.0f}" for line in lines])


def _luck_chart(timeline: Timeline) -> str:
    lines = [_luck(timeline, seat) for seat in range(len(timeline.names))]
    reach = max(_MIN_LUCK_SCALE, *(abs(value) for line in lines for _, value in line))
    unit = game_named(timeline.game).luck_unit
    caption = f"Luck, in {unit}: above the line is lucky"
    ends = [signed(line[-1][1], 1 if unit == game_named(timeline.game).unit.plural else 2) for line in lines]
    return _chart(timeline, lines, (-reach, reach), caption, ends)


def _luck(timeline: Timeline, seat: int) -> Line:
    start_luck = timeline.frames[0].luck_before[seat] if timeline.frames else timeline.luck[seat]
    return _line(timeline, start_luck, lambda frame: frame.luck[seat], timeline.luck[seat])


def _values(timeline: Timeline, seat: int) -> Line:
    points = [(index, frame.values_before[seat]) for index, frame in enumerate(timeline.frames) if frame.values_before]
    if timeline.analysis is not None and timeline.analysis.complete:
        points.append((timeline.last, timeline.analysis.scores[seat]))
    return points or [(0, 1 / 2)]


def _dice(timeline: Timeline, seat: int) -> Line:
    counts_of = presentation_of(timeline.game).held
    return _line(
        timeline, timeline.counts[0][1][seat], lambda frame: counts_of(frame.table)[seat], timeline.counts[-1][1][seat]
    )


def _line(timeline: Timeline, start_value: float, at: Callable[[Frame], float], end_value: float) -> Line:
    """Return a value's points: at the first question, at the last decision of each round, and at the end."""
    rounds = [frame.round for frame in timeline.frames]
    ends = [index for index, number in enumerate(rounds) if rounds[index + 1 : index + 2] != [number]]
    return [(0, start_value), *((index, at(timeline.frames[index])) for index in ends), (timeline.last, end_value)]


def _chart(
    timeline: Timeline, lines: Sequence[Line], scale: tuple[float, float], caption: str, ends: Sequence[str]
) -> str:
    low, high = scale
    points = [" ".join(f"{_x(timeline, index)},{_y(value, low, high):.1f}" for index, value in line) for line in lines]
    polylines = "".join(f'<polyline class="seat{seat + 1}" points="{path}"/>' for seat, path in enumerate(points))
    zero = f"{_y(0, low, high):.1f}"
    levels = [_y(line[-1][1], low, high) for line in lines]
    labels = "".join(
        f'<text class="seat{seat + 1}" x="4" y="{y:.1f}">{seat + 1}: {end}</text>'
        for seat, (y, end) in enumerate(zip(_spread(levels), ends, strict=True))
    )
    return (
        f'<figure class="v-chart"><figcaption>{caption}</figcaption>'
        f'<svg class="v-lines" viewBox="0 0 {_WIDTH} {_HEIGHT}" preserveAspectRatio="none" aria-hidden="true">'
        f'{polylines}<rect class="v-ahead" data-ahead x="0" y="-2" width="{_WIDTH + _CAP}" height="{_HEIGHT + 4}"/>'
        f'<path class="zero" d="M0 0H{_WIDTH}M0 {zero}H{_WIDTH}M0 {_HEIGHT}H{_WIDTH}"/>'
        f'<line class="cursor" data-cursor x1="0" x2="0" y1="0" y2="{_HEIGHT}"/></svg>'
        f'<svg class="v-ends" viewBox="0 0 72 {_HEIGHT}" aria-hidden="true">{labels}</svg></figure>'
    )


def _y(value: float, low: float, high: float) -> float:
    return _HEIGHT - _HEIGHT * (value - low) / (high - low)


def _x(timeline: Timeline, index: int) -> str:
    return f"{_WIDTH * index / max(1, timeline.last):.1f}".removesuffix(".0")


def _spread(levels: Sequence[float]) -> list[float]:
    """Return the vertical positions of labels, moved as little as possible so that none overlap."""
    order = sorted(range(len(levels)), key=lambda seat: levels[seat])
    positions = [min(_HEIGHT - _LABEL_GAP * (len(order) - 1 - rank), levels[seat]) for rank, seat in enumerate(order)]
    for rank in range(len(positions)):
        positions[rank] = max(positions[rank], positions[rank - 1] + _LABEL_GAP if rank else _LABEL_GAP / 2)
    return [positions[order.index(seat)] for seat in range(len(levels))]


def _vertical_line(timeline: Timeline, index: int, name: str, top: int, foot: int) -> str:
    x = _x(timeline, index)
    kind = f' class="{name}"' if name else ""
    return f'<line{kind} x1="{x}" x2="{x}" y1="{top}" y2="{foot}"/>'
