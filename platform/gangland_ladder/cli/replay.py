"""`gangland replay`: the story of a recorded game."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Iterator
from itertools import chain, islice
from pathlib import Path
from typing import Annotated

import typer
from msgspec import UNSET
from msgspec.structs import replace

from gangland.replay import ReplayError
from gangland.story import Line, tell
from gangland_ladder.analysis.account import Analysis
from gangland_ladder.cli import report
from gangland_ladder.cli.replay_files import Entry, called, recorded
from gangland_ladder.cli.replay_pictures import write_clip
from gangland_ladder.cli.verify import LISTED, failing, failure, print_verdict
from gangland_ladder.common.texts import distinct, match_game_at
from gangland_ladder.documents.games import OF_A_GAME, ListedReplay, Replays, Story, StoryLine
from gangland_ladder.local.bots import NoSuchBot
from gangland_ladder.viewer.drawing.canvas import Scheme
from gangland_ladder.viewer.film import Film, NoSuchStop, film_of
from gangland_ladder.viewer.navigation import Cursor, pressed
from gangland_ladder.viewer.page import replay_page

PLAIN_WIDTH = 100
"""Columns of a stop that is printed where no terminal says how wide it is."""

File = Annotated[
    Path,
    typer.Argument(
        metavar="FILE",
        help="A replay, what `gangland play --out` wrote, many of them, one a line, or an archive; - is stdin.",
    ),
]
Number = Annotated[
    int | None, typer.Option("--game", min=1, metavar="N", help="Which replay of a file of many, from 1.")
]


At = Annotated[
    str | None,
    typer.Option(
        "--at", metavar="ADDRESS", help="Open it there: r7.s2.d1 is round 7, seat 2, its decision 1; or r7, or end."
    ),
]
Html = Annotated[
    Path | None, typer.Option("--html", metavar="OUT", help="Write the game as one page that works without a server.")
]
ClipPart = Annotated[
    str | None,
    typer.Option("--clip", metavar="PART", help="Write a clip of a round, r7, or game; or a picture of a decision."),
]
ClipOut = Annotated[
    Path | None,
    typer.Option("--out", metavar="FILE", help="With --clip: the file: .webp, .gif, or .png of a picture."),
]
ClipScheme = Annotated[Scheme, typer.Option("--scheme", help="With --clip: its colours.")]
AsStory = Annotated[bool, typer.Option("--story", help="Tell the story as text on a terminal too.")]


def replay(
    file: File,
    number: Number = None,
    at: At = None,
    html: Html = None,
    clip: ClipPart = None,
    out: ClipOut = None,
    scheme: ClipScheme = Scheme.LIGHT,
    as_story: AsStory = False,
    as_json: report.Json = False,
) -> None:
    """Watch a recorded game, if it comes out as recorded; exit 1 if not.

    On a terminal it can be walked through with keys (? lists them); piped, its story is told. With --json, a game that
    does not come out is answered as `gangland verify --json` answers it.

    Example: gangland replay match-7.ndjson --game 3 --at r7.s2.d1

    Example: gangland replay game.json --html game.html

    Example: gangland replay game.json --clip r7 --out r7.webp
    """
    if out is not None and clip is None:
        raise NoSuchBot("--out goes with --clip")
    entry = chosen(file, number, as_json)
    try:
        game = entry.replay
        film = film_of_entry(entry)
        lines = list(tell(game, names_of(entry)))
    except ReplayError as error:
        if as_json:
            print_verdict(1, 1, [failing(entry, error)])
        else:
            report.say(failure(file, entry, error))
        sys.exit(report.FINDINGS)
    if as_json:
        story = [StoryLine(line.round, line.seat, line.decision, line.text) for line in lines]
        report.print_json(Story(game=game.game, seats=game.seats, lines=story))
    if clip is not None:
        write_clip(film, clip, out, scheme)
    if html is not None:
        write_page(html, film, at)
    elif clip is None and not as_json:
        _show(film, lines, at, as_story=as_story)
    if entry.at is not None:
        report.say(f"{match_game_at(*entry.at)}; {_reproduce(str(entry.at[0]), file)}")


def _reproduce(number: str, file: Path) -> str:
    return f"to play it again: gangland reproduce {number} BOT... --archive {report.one_line(shlex.quote(str(file)))}"


def names_of(entry: Entry) -> list[str] | None:
    """Return what to call the seats, safe to print."""
    if not entry.names or len(entry.names) != entry.replay.seats:
        return None
    return [report.cleaned(name) for name in distinct(entry.names)]


def film_of_entry(entry: Entry, analysis: Analysis | None = None) -> Film:
    """Return the game of an entry as a film, with what its file knows of it; ReplayError if it does not come out."""
    logs = {number: report.cleaned_lines(text) for number, text in entry.logs.items()}
    names = names_of(entry)
    return film_of(entry.replay, names, views=entry.views, logs=logs, notes=entry.notes, analysis=analysis)


def _index(film: Film, at: str | None) -> int:
    try:
        return 0 if at is None else film.index_of(at)
    except NoSuchStop as mistake:
        raise NoSuchBot(str(mistake)) from mistake


def _show(film: Film, lines: list[Line], at: str | None, *, as_story: bool) -> None:
    """Let the game be walked through on a terminal; elsewhere print its story, or one stop of it."""
    from gangland_ladder.cli import frames, terminal

    index = _index(film, at)
    if as_story or not terminal.is_interactive():
        if at is None:
            _print_story(lines)
        else:
            sys.stdout.write(frames.in_plain(film, index, PLAIN_WIDTH))
        return
    cursor = Cursor(index)

    def draw(width: int, height: int) -> list[str]:
        return frames.screen(film, cursor, width, height, os.environ)

    def press(key: str) -> bool:
        nonlocal cursor
        cursor = pressed(film, cursor, key)
        return not cursor.done

    terminal.interact(draw, press)


def write_page(html: Path, film: Film, at: str | None = None) -> None:
    """Write a game as one page and say so; NoSuchBot if that is not possible."""
    written(html, replay_page(film, film.at(_index(film, at)) if at is not None else None))


def written(file: Path, text: str) -> None:
    """Write a text and say so; NoSuchBot if that is not possible."""
    try:
        file.write_text(text, encoding="utf-8")
    except OSError as error:
        raise NoSuchBot(f"cannot write {file}: {error.strerror}") from error
    report.say(f"written: {file}")


def chosen(file: Path, number: int | None, as_json: bool) -> Entry:
    """Return the entry of this number, the only one if None; list them if there are several."""
    if number is not None:
        entry, last = None, 0
        for entry in recorded(file):
            if (last := entry.number) == number:
                return entry
        raise NoSuchBot(f"there is no replay {number} in {called(file)}: the last is {last}")
    found = recorded(file)
    some = list(islice(found, 2))
    if len(some) == 1:
        return some[0]
    last = _list(chain(some, found), as_json)
    if some[0].at is not None:
        report.say(_reproduce("MATCH", file))
    raise NoSuchBot(f"{called(file)} has {last} replays: choose one by its number, --game 1 to --game {last}")


def _list(found: Iterator[Entry], as_json: bool) -> int:
    """Print the first replays, a line or a JSON object for each, and return how many there are."""
    rows, last = [], 0
    for entry in found:
        last = entry.number
        if last > LISTED:
            continue
        if as_json:
            rows.append(_row(entry))
        else:
            sys.stdout.write(f"{last:>4}  {report.cleaned(_line(entry))}\n")
    if as_json:
        report.print_json(Replays(rows))
    elif last > LISTED:
        sys.stdout.write(f"and {last - LISTED} more\n")
    return last


def _row(entry: Entry) -> ListedReplay:
    match, block, rotation = entry.at or (UNSET, UNSET, UNSET)
    row = ListedReplay(entry.number, entry.line, match, block, rotation, bots=entry.names or UNSET)
    try:
        game = entry.replay.to_dict()
    except ReplayError as error:
        return replace(row, message=str(error))
    return replace(row, **{name: game[name] for name in OF_A_GAME})


def _line(entry: Entry) -> str:
    try:
        game = entry.replay
    except ReplayError as error:
        return str(error)
    places = ", ".join(map(str, game.places))
    text = f"{game.game}, {game.seats} seats, {report.counted(game.rounds, 'round')}, places {places}"
    if entry.names:
        text += f": {' against '.join(entry.names)}"
    return text if entry.at is None else f"{match_game_at(*entry.at)}: {text}"


def _print_story(lines: list[Line]) -> None:
    shown_round = 0
    for line in lines:
        if line.round != shown_round:
            shown_round = line.round
            sys.stdout.write(f"\nRound {shown_round}\n")
        sys.stdout.write(f"  {report.cleaned(line.text)}\n")
