"""`gangland replay`: watch a recorded game, or write it as a page, a picture or a clip."""

import os
import shlex
import sys
from collections.abc import Iterator, Mapping
from io import StringIO
from itertools import chain, islice
from pathlib import Path
from typing import Annotated, Final

import typer
from msgspec import UNSET
from msgspec.structs import replace
from rich.console import Console
from rich.text import Text

from gangland.replay import ReplayError
from gangland.story import Line, tell
from gangland_ladder.analysis.account import Analysis
from gangland_ladder.cli import output
from gangland_ladder.cli.replay_files import Entry, all_entries, file_name
from gangland_ladder.cli.verify import MAX_LISTED, failure_line, print_verdict
from gangland_ladder.common.runtime import FINDINGS, ExtraMissing, write_errors_as
from gangland_ladder.common.texts import counted, distinct_names, match_game_at
from gangland_ladder.documents.games import GAME_MEMBERS, Failure, ListedReplay, Replays, Story, StoryLine
from gangland_ladder.local.bots import InvalidArgument
from gangland_ladder.viewer.drawing.canvas import Scheme, require_image_packages
from gangland_ladder.viewer.navigation import Cursor, after_key, keys_for
from gangland_ladder.viewer.page import replay_page
from gangland_ladder.viewer.presentation import presentation_of
from gangland_ladder.viewer.scenes import Scene
from gangland_ladder.viewer.timeline import END, Frame, NoSuchFrame, Timeline, timeline_of

# The command.


PLAIN_WIDTH = 80  # Width in columns of a frame that is not shown on a terminal.

Html = Annotated[
    Path | None, typer.Option("--html", metavar="OUT", help="Write the game as one page that works offline.")
]
ClipPart = Annotated[
    str | None, typer.Option("--clip", metavar="PART", help="Draw a round (r7), the game, or one decision (r7.s2.d1).")
]
ClipOut = Annotated[
    Path | None,
    typer.Option("--out", metavar="FILE", help="With --clip: the file. Clips are .webp or .gif, pictures .png."),
]


def replay(
    file: Annotated[
        Path,
        typer.Argument(metavar="FILE", help="A replay, an archive, or a file from `gangland play --out`; - is stdin."),
    ],
    number: Annotated[
        int | None, typer.Option("--game", min=1, metavar="N", help="The number of the replay in the file, from 1.")
    ] = None,
    at: Annotated[
        str | None, typer.Option("--at", metavar="ADDRESS", help="Open at r7, r7.s2.d1 (round, seat, decision) or end.")
    ] = None,
    html: Html = None,
    clip: ClipPart = None,
    out: ClipOut = None,
    scheme: Annotated[Scheme, typer.Option("--scheme", help="With --clip: the colors.")] = Scheme.LIGHT,
    as_story: Annotated[bool, typer.Option("--story", help="Print the story as text even on a terminal.")] = False,
    as_json: output.Json = False,
) -> None:
    """Watch a recorded game.

    On a terminal, walk through it with keys; ? lists them. Without a terminal, the story is printed.
    The game is verified first.

    Example: gangland replay match-7.ndjson --game 3 --at r7.s2.d1

    Example: gangland replay game.json --html game.html

    Example: gangland replay game.json --clip r7 --out r7.webp
    """
    if out is not None and clip is None:
        raise InvalidArgument("--out needs --clip")
    entry = choose_entry(file, number, as_json)
    try:
        game = entry.replay
        timeline = timeline_of_entry(entry)
        lines = list(tell(game, names_of(entry)))
    except ReplayError as error:
        if as_json:
            print_verdict(1, 1, [Failure(entry.number, entry.line, str(error))])
        else:
            output.say(failure_line(file, entry, error))
        sys.exit(FINDINGS)
    if as_json:
        story = [StoryLine(line.round, line.seat, line.decision, line.text) for line in lines]
        output.print_json(Story(game=game.game, seats=game.seats, lines=story))
    if clip is not None:
        write_clip(timeline, clip, out, scheme)
    if html is not None:
        write_page(html, timeline, at)
    elif clip is None and not as_json:
        _show(timeline, lines, at, as_story=as_story)
    if entry.position is not None:
        output.say(f"{match_game_at(*entry.position)}; {_reproduce(str(entry.position[0]), file)}")


def _reproduce(number: str, file: Path) -> str:
    return f"play it again: gangland reproduce {number} BOT... --archive {output.one_line(shlex.quote(str(file)))}"


def names_of(entry: Entry) -> list[str] | None:
    """Return the names of the seats in a form that is safe to print."""
    if not entry.names or len(entry.names) != entry.replay.seats:
        return None
    return [output.clean(name) for name in distinct_names(entry.names)]


def timeline_of_entry(entry: Entry, analysis: Analysis | None = None) -> Timeline:
    """Return the game of an entry as a timeline. Raises ReplayError: the replay differs from the recording."""
    logs = {number: output.clean_lines(text) for number, text in entry.logs.items()}
    names = names_of(entry)
    return timeline_of(entry.replay, names, views=entry.views, logs=logs, notes=entry.notes, analysis=analysis)


def _index(timeline: Timeline, at: str | None) -> int:
    try:
        return 0 if at is None else timeline.index_of(at)
    except NoSuchFrame as error:
        raise InvalidArgument(str(error)) from error


def _show(timeline: Timeline, lines: list[Line], at: str | None, *, as_story: bool) -> None:
    from gangland_ladder.cli import terminal

    index = _index(timeline, at)
    if as_story or not terminal.is_interactive():
        if at is None:
            output.print_story(lines)
        else:
            sys.stdout.write(plain_frame(timeline, index, PLAIN_WIDTH))
        return
    cursor = Cursor(index)

    def draw(width: int, height: int) -> list[str]:
        return screen(timeline, cursor, width, height, os.environ)

    def press(key: str) -> bool:
        nonlocal cursor
        cursor = after_key(timeline, cursor, key)
        return not cursor.is_done

    terminal.interact(draw, press)


def write_page(html: Path, timeline: Timeline, at: str | None = None) -> None:
    """Write a game as one page and print the file's name. Raises InvalidArgument: the file cannot be written."""
    write_text(html, replay_page(timeline, timeline.at(_index(timeline, at)) if at is not None else None))


def write_text(file: Path, text: str) -> None:
    """Write text to a file and print the file's name. Raises InvalidArgument: the file cannot be written."""
    with write_errors_as(file, InvalidArgument):
        file.write_text(text, encoding="utf-8")
    output.say(f"written: {file}")


def choose_entry(file: Path, number: int | None, as_json: bool) -> Entry:
    """Return the entry with this number, or for None the only one. Raises InvalidArgument: there is none or several."""
    if number is not None:
        entry, last = None, 0
        for entry in all_entries(file):
            if (last := entry.number) == number:
                return entry
        raise InvalidArgument(f"no replay {number} in {file_name(file)}: it has {counted(last, 'replay')}")
    entries = all_entries(file)
    first_two = list(islice(entries, 2))
    if len(first_two) == 1:
        return first_two[0]
    last = _list_entries(chain(first_two, entries), as_json)
    if first_two[0].position is not None:
        output.say(_reproduce("MATCH", file))
    raise InvalidArgument(f"{file_name(file)} has {last} replays: choose one with --game 1 to --game {last}")


def _list_entries(entries: Iterator[Entry], as_json: bool) -> int:
    rows, last = [], 0
    for entry in entries:
        last = entry.number
        if last > MAX_LISTED:
            continue
        if as_json:
            rows.append(_row(entry))
        else:
            sys.stdout.write(f"{last:>4}  {output.clean(_line(entry))}\n")
    if as_json:
        output.print_json(Replays(rows))
    elif last > MAX_LISTED:
        sys.stdout.write(f"and {last - MAX_LISTED} more\n")
    return last


def _row(entry: Entry) -> ListedReplay:
    match, block, rotation = entry.position or (UNSET, UNSET, UNSET)
    row = ListedReplay(entry.number, entry.line, match, block, rotation, bots=entry.names or UNSET)
    try:
        game = entry.replay.to_dict()
    except ReplayError as error:
        return replace(row, message=str(error))
    return replace(row, **{name: game[name] for name in GAME_MEMBERS})


def _line(entry: Entry) -> str:
    try:
        game = entry.replay
    except ReplayError as error:
        return str(error)
    places = ", ".join(map(str, game.places))
    text = f"{game.game}, {game.seats} seats, {counted(game.rounds, 'round')}, places {places}"
    if entry.names:
        text += f": {' against '.join(entry.names)}"
    return text if entry.position is None else f"{match_game_at(*entry.position)}: {text}"


# Drawing a timeline frame by frame on a terminal.


MIN_WIDTH: Final = 20
_SHORT_FOOT: Final = "← → [ ] 0-4 L D  ? help  q quit"
_FOOT: Final = "← → decision  Shift: round  [ ] marks  0-{seats} views  L log  D debug  ? help  q quit"


class Painter:
    """Formats the lines of a frame for the width of the terminal."""

    def __init__(self, width: int, env: Mapping[str, str], *, styled: bool = True) -> None:
        # In `env`, NO_COLOR disables colors, and TERM determines which colors are available.
        self.width = max(MIN_WIDTH, width)
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
        """Return texts as lines for the screen, wrapped between words."""
        with self.console.capture() as captured:
            for text in texts:
                self.console.print(text, overflow="fold", soft_wrap=False)
        return captured.get().split("\n")[:-1]


def screen(timeline: Timeline, cursor: Cursor, width: int, height: int, env: Mapping[str, str]) -> list[str]:
    """Return the whole screen: at most `height` lines, with its header and footer if they fit."""
    painter = Painter(width, env)
    head = painter.lines(_head(timeline, cursor, painter.width))
    foot = painter.lines(iter([_foot(timeline, cursor, painter.width)]))
    body = painter.lines(_help(timeline) if cursor.shows_help else _body(timeline, cursor))
    room = max(0, height - len(head) - len(foot))
    begin = max(0, min(cursor.scroll, len(body) - room))
    visible = body[begin : begin + room]
    visible += [""] * (room - len(visible))
    return [*head, *visible, *foot][: max(1, height)]


def plain_frame(timeline: Timeline, index: int, width: int) -> str:
    """Return one frame as plain text: the table, the seat's view, its decision and the results."""
    painter = Painter(width, {}, styled=False)
    cursor = Cursor(index)
    texts = [*_head(timeline, cursor, painter.width), *_body(timeline, cursor)]
    if index < timeline.last:
        seat = timeline.frames[index].seat
        texts += [Text(), *_view(timeline, index, seat), Text(), *_log(timeline.frames[index])]
    return "".join(f"{line.rstrip()}\n" for line in painter.lines(iter(texts)))


def _head(timeline: Timeline, cursor: Cursor, width: int) -> Iterator[Text]:
    at = timeline.at(cursor.index)
    label = "the end" if at == END else f"round {timeline.frames[cursor.index].round} of {timeline.rounds}"
    mark = timeline.marks.get(cursor.index)
    yield Text.assemble(
        (timeline.title, "bold"),
        f"  {label}  {at}  {min(cursor.index + 1, timeline.last)}/{timeline.last}",
        ("  " + {"fault": "! fault", "lead": "^ new leader"}[mark] if mark else "", "bold red"),
        no_wrap=True,
        overflow="ellipsis",
    )
    yield _bar(timeline, cursor.index, width)


def _bar(timeline: Timeline, index: int, width: int) -> Text:
    """Return the game's timeline as one line: a tick is a round, `!` is a fault, and `^` is a new leader."""
    last = max(1, timeline.last)
    cells = ["─"] * width
    for number, frame in enumerate(timeline.frames):
        if number == 0 or timeline.frames[number - 1].round != frame.round:
            cells[number * (width - 1) // last] = "┼"
    for number, mark in timeline.marks.items():
        cells[number * (width - 1) // last] = "!" if mark == "fault" else "^"
    column = index * (width - 1) // last
    cells[column] = "●"
    return Text.assemble(("".join(cells[:column]), "bold"), ("●", "bold yellow"), ("".join(cells[column + 1 :]), "dim"))


def _foot(timeline: Timeline, cursor: Cursor, width: int) -> Text:
    if cursor.typed is not None:
        return Text(f"to round: {cursor.typed}_", style="bold", no_wrap=True)
    if cursor.message:
        return Text(cursor.message, style="bold yellow", no_wrap=True, overflow="ellipsis")
    foot = _FOOT.format(seats=len(timeline.names))
    return Text(foot if len(foot) <= width else _SHORT_FOOT, style="dim", no_wrap=True, overflow="crop")


def _help(timeline: Timeline) -> Iterator[Text]:
    yield Text()
    for key in keys_for("terminal", timeline):
        yield Text.assemble((f"  {key.label:>8}  ", "bold"), key.effect)
    yield Text()
    yield Text("  In the line above: ┼ begins a round, ! is a fault, ^ a new leader.")
    yield from (Text(f"  {line}") for line in presentation_of(timeline.game).terminal_help())


def _body(timeline: Timeline, cursor: Cursor) -> Iterator[Text]:
    yield Text()
    is_over = cursor.index == timeline.last
    if cursor.seat is None or is_over:
        yield from _table(timeline, cursor.index)
    else:
        yield from _view(timeline, cursor.index, cursor.seat)
    yield Text()
    if cursor.seat is None and (opened := timeline.sentences_before(cursor.index)):
        yield from (Text(text, style="dim") for _, text in opened)
        yield Text()
    if is_over:
        yield Text(timeline.ending, style="bold")
        return
    seat = cursor.seat
    frame = timeline.frames[cursor.index] if seat is None else timeline.latest_view_frame(cursor.index, seat)
    if frame is None:
        return
    yield from _decision_texts(timeline, frame, whole=cursor.seat is None)
    if cursor.shows_debug:
        yield Text()
        yield from _log(frame)
    if cursor.shows_log:
        yield Text()
        yield from _round_until(timeline, cursor)


def _decision_texts(timeline: Timeline, frame: Frame, *, whole: bool) -> Iterator[Text]:
    yield Text.assemble(
        ("▶ ", "bold yellow"),
        (f"{timeline.names[frame.seat]} {frame.did}", "bold red" if frame.fault else "bold"),
        (f"  (choose_{frame.kind}, decision {frame.number})", "dim"),
    )
    yield from (Text(f"  {line}") for line in frame.sentences if whole)


def _round_until(timeline: Timeline, cursor: Cursor) -> Iterator[Text]:
    yield Text("This round so far:", style="bold")
    for frame in timeline.frames[: cursor.index + 1]:
        if frame.round == timeline.frames[cursor.index].round and cursor.seat in (None, frame.seat):
            yield Text(f"  {timeline.names[frame.seat]} {frame.did}.")
            yield from (Text(f"    {line}", style="dim") for line in frame.sentences if cursor.seat is None)


def _log(frame: Frame) -> Iterator[Text]:
    if not frame.log:
        yield Text("No log of this decision. `gangland play --log --out` records logs.", style="dim")
        return
    yield Text("Log of the bot:", style="bold")
    yield from (Text(f"  | {line}") for line in frame.log.split("\n"))


def _view(timeline: Timeline, index: int, seat: int) -> Iterator[Text]:
    frame, name = timeline.latest_view_frame(index, seat), timeline.names[seat]
    if frame is None:
        yield Text(f"{name} has not decided anything yet.")
        return
    note = "" if index < timeline.last and frame.ply == timeline.frames[index].ply else ", its latest view before this"
    yield Text(f"View of {name} (seat {seat + 1}) at {frame.at}{note}:", style="bold")
    yield from _scene(timeline, frame.observation)


def _table(timeline: Timeline, index: int) -> Iterator[Text]:
    frame = timeline if index == timeline.last else timeline.frames[index]
    yield from _scene(timeline, frame.table)
    yield from presentation_of(timeline.game).terminal_aside(frame.aside, timeline.names)
    for seat, plans in frame.aside.get("plans", {}).items():
        yield Text(f"{timeline.names[int(seat)]} {'; '.join(plans)}, not carried out yet")


def _scene(timeline: Timeline, scene: Scene) -> Iterator[Text]:
    return presentation_of(timeline.game).terminal_lines(scene, timeline.names)


# `--clip`: writing a picture or a clip to a file.


def write_clip(timeline: Timeline, part: str, out: Path | None, scheme: Scheme) -> None:
    """Write part of a game in the format of the file name's extension. Raises InvalidArgument: it cannot be written."""
    if out is None:
        raise InvalidArgument("--clip needs --out FILE, ending in .png, .webp or .gif")
    try:
        require_image_packages()
    except ExtraMissing as error:
        raise InvalidArgument(str(error)) from error
    from gangland_ladder.viewer.clips import FileFormat, render

    ending = out.suffix.lower().removeprefix(".")
    if ending not in set(FileFormat):
        raise InvalidArgument(f"--out {out}: expected .webp or .gif for a clip, .png for a decision")
    try:
        with write_errors_as(out, InvalidArgument):
            out.write_bytes(render(timeline, part, FileFormat(ending), scheme))
    except NoSuchFrame as error:
        raise InvalidArgument(f"--clip {part[:40]}: {error}") from error
    output.say(f"written: {out}")
