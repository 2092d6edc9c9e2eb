"""A replay's frames in a terminal: what stands on the screen where one stands in a film."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from io import StringIO
from typing import Final

from rich.console import Console
from rich.text import Text

from gangland_ladder.viewer.film import END, Film, Stop
from gangland_ladder.viewer.navigation import Cursor, keys_for
from gangland_ladder.viewer.presentation import presentation_of
from gangland_ladder.viewer.scenes import Scene

NARROWEST: Final = 20
_SHORT_FOOT: Final = "← → [ ] 0-4 L D  ? help  q quit"
_FOOT: Final = "← → decision  Shift: round  [ ] marks  0-{seats} views  L log  D debug  ? help  q quit"


class Painter:
    """Makes lines of a frame, as wide as the terminal is."""

    def __init__(self, width: int, env: Mapping[str, str], *, styled: bool = True) -> None:
        """Begin.

        Args:
            env: `NO_COLOR` in it leaves colours out, `TERM` says which there are.
            styled: whether escape sequences may be used at all.
        """
        self.width = max(NARROWEST, width)
        self.console = Console(
            file=StringIO(),
            width=self.width,
            height=1000,
            force_terminal=styled,
            no_color=not styled or bool(env.get("NO_COLOR")),
            color_system="standard" if styled else None,
            legacy_windows=False,
            highlight=False,
            markup=False,
            emoji=False,
            _environ=dict(env),
        )

    def lines(self, texts: Iterator[Text]) -> list[str]:
        """Return texts as lines of the screen, wrapped at words."""
        with self.console.capture() as captured:
            for text in texts:
                self.console.print(text, overflow="fold", soft_wrap=False)
        return captured.get().split("\n")[:-1]


def screen(film: Film, cursor: Cursor, width: int, height: int, env: Mapping[str, str]) -> list[str]:
    """Return the whole screen: at most `height` lines, the head and the foot always there."""
    painter = Painter(width, env)
    head = painter.lines(_head(film, cursor, painter.width))
    foot = painter.lines(iter([_foot(film, cursor, painter.width)]))
    body = painter.lines(_help(film) if cursor.help else _body(film, cursor))
    room = max(0, height - len(head) - len(foot))
    begin = max(0, min(cursor.scroll, len(body) - room))
    shown = body[begin : begin + room]
    shown += [""] * (room - len(shown))
    return [*head, *shown, *foot][: max(1, height)]


def in_plain(film: Film, index: int, width: int) -> str:
    """Return one stop as plain text: the table, what its seat saw, what it decided and what followed."""
    painter = Painter(width, {}, styled=False)
    cursor = Cursor(index)
    texts = [*_head(film, cursor, painter.width), *_body(film, cursor)]
    if index < film.last:
        seat = film.stops[index].seat
        texts += [Text(), *_view(film, index, seat), Text(), *_log(film.stops[index])]
    return "".join(f"{line.rstrip()}\n" for line in painter.lines(iter(texts)))


def _head(film: Film, cursor: Cursor, width: int) -> Iterator[Text]:
    at = film.at(cursor.index)
    where = "the end" if at == END else f"round {film.stops[cursor.index].round} of {film.rounds}"
    mark = film.marks.get(cursor.index)
    yield Text.assemble(
        (film.title, "bold"),
        f"  {where}  {at}  {min(cursor.index + 1, film.last)}/{film.last}",
        ("  " + {"fault": "! fault", "lead": "^ new leader"}[mark] if mark else "", "bold red"),
        no_wrap=True,
        overflow="ellipsis",
    )
    yield _bar(film, cursor.index, width)


def _bar(film: Film, index: int, width: int) -> Text:
    """Return the way through the game in one line: rounds are ticks, `!` is a fault, `^` a new leader."""
    last = max(1, film.last)
    cells = ["─"] * width
    for number, stop in enumerate(film.stops):
        if number == 0 or film.stops[number - 1].round != stop.round:
            cells[number * (width - 1) // last] = "┼"
    for number, mark in film.marks.items():
        cells[number * (width - 1) // last] = "!" if mark == "fault" else "^"
    here = index * (width - 1) // last
    cells[here] = "●"
    return Text.assemble(("".join(cells[:here]), "bold"), ("●", "bold yellow"), ("".join(cells[here + 1 :]), "dim"))


def _foot(film: Film, cursor: Cursor, width: int) -> Text:
    if cursor.typed is not None:
        return Text(f"to round: {cursor.typed}_", style="bold", no_wrap=True)
    if cursor.message:
        return Text(cursor.message, style="bold yellow", no_wrap=True, overflow="ellipsis")
    foot = _FOOT.format(seats=len(film.names))
    return Text(foot if len(foot) <= width else _SHORT_FOOT, style="dim", no_wrap=True, overflow="crop")


def _help(film: Film) -> Iterator[Text]:
    yield Text()
    for key in keys_for("terminal", film):
        yield Text.assemble((f"  {key.shown:>8}  ", "bold"), key.words)
    yield Text()
    yield Text("  In the line above: ┼ begins a round, ! is a fault, ^ a new leader.")
    yield from (Text(f"  {line}") for line in presentation_of(film.game).frame_help())


def _body(film: Film, cursor: Cursor) -> Iterator[Text]:
    yield Text()
    over = cursor.index == film.last
    if cursor.seat is None or over:
        yield from _table(film, cursor.index)
    else:
        yield from _view(film, cursor.index, cursor.seat)
    yield Text()
    if cursor.seat is None and (opened := film.opens(cursor.index)):
        yield from (Text(text, style="dim") for _, text in opened)
        yield Text()
    if over:
        yield Text(film.ending, style="bold")
        return
    stop = film.stops[cursor.index] if cursor.seat is None else film.sight(cursor.index, cursor.seat)
    if stop is None:
        return
    yield from _decided(film, stop, whole=cursor.seat is None)
    if cursor.debug:
        yield Text()
        yield from _log(stop)
    if cursor.log:
        yield Text()
        yield from _round_until(film, cursor)


def _decided(film: Film, stop: Stop, *, whole: bool) -> Iterator[Text]:
    yield Text.assemble(
        ("▶ ", "bold yellow"),
        (f"{film.names[stop.seat]} {stop.did}", "bold red" if stop.fault else "bold"),
        (f"  (choose_{stop.kind}, decision {stop.number})", "dim"),
    )
    yield from (Text(f"  {line}") for line in stop.sentences if whole)


def _round_until(film: Film, cursor: Cursor) -> Iterator[Text]:
    """Return the round until here, in a seat's view its own decisions alone."""
    yield Text("This round until here:", style="bold")
    for stop in film.stops[: cursor.index + 1]:
        if stop.round == film.stops[cursor.index].round and cursor.seat in (None, stop.seat):
            yield Text(f"  {film.names[stop.seat]} {stop.did}.")
            yield from (Text(f"    {line}", style="dim") for line in stop.sentences if cursor.seat is None)


def _log(stop: Stop) -> Iterator[Text]:
    if not stop.log:
        yield Text("No log of this decision is recorded (gangland play --log --out keeps it).", style="dim")
        return
    yield Text("What the bot logged:", style="bold")
    yield from (Text(f"  | {line}") for line in stop.log.split("\n"))


def _view(film: Film, index: int, seat: int) -> Iterator[Text]:
    stop, name = film.sight(index, seat), film.names[seat]
    if stop is None:
        yield Text(f"{name} has not been asked yet, so it saw nothing.")
        return
    here = "" if index < film.last and stop.ply == film.stops[index].ply else ", the last that it was shown until here"
    yield Text(f"What {name} (seat {seat + 1}) saw at {stop.at}{here}:", style="bold")
    yield from _scene(film, stop.observation)


def _table(film: Film, index: int) -> Iterator[Text]:
    """Return what lies there after a decision, with what is decided and not carried out yet."""
    shown = film if index == film.last else film.stops[index]
    yield from _scene(film, shown.table)
    yield from presentation_of(film.game).frame_aside(shown.aside, film.names)
    for seat, plans in shown.aside.get("plans", {}).items():
        yield Text(f"{film.names[int(seat)]} {'; '.join(plans)}, not carried out yet")


def _scene(film: Film, scene: Scene) -> Iterator[Text]:
    return presentation_of(film.game).frame(scene, film.names)
