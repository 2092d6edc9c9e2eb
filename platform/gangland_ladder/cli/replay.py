"""`gangland replay`: the story of a recorded game."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import chain, islice
from pathlib import Path
from typing import Annotated

import typer

from gangland.replay import ReplayError
from gangland.replay import verify as verify_replay
from gangland.story import Line, tell
from gangland_ladder.cli import report
from gangland_ladder.cli.play import told_apart
from gangland_ladder.cli.replay_files import Entry, called, recorded
from gangland_ladder.cli.verify import LISTED, failing, failure, print_verdict
from gangland_ladder.local_bots import NoSuchBot

File = Annotated[
    Path,
    typer.Argument(
        metavar="FILE", help="A replay, what `gangland play --out` wrote, or many of them, one a line; - is stdin."
    ),
]
Number = Annotated[
    int | None, typer.Option("--game", min=1, metavar="N", help="Which replay of a file of many, from 1.")
]


def replay(file: File, number: Number = None, as_json: report.Json = False) -> None:
    """Tell the story of a recorded game, if it comes out as recorded; exit 1 if not.

    With --json, a game that does not is answered as `gangland verify --json` answers it.

    Example: gangland replay match-7.ndjson --game 3
    """
    entry = _chosen(file, number, as_json)
    try:
        game = entry.replay
        verify_replay(game)
        lines = list(tell(game, told_apart(entry.names) if entry.names else None))
    except ReplayError as error:
        if as_json:
            print_verdict(1, 1, [failing(entry, error)])
        else:
            report.say(failure(file, entry, error))
        sys.exit(report.FINDINGS)
    if as_json:
        told = [
            {"round": line.round, "seat": line.seat, "decision": line.decision, "text": line.text} for line in lines
        ]
        report.print_json({"schema": "gangland/story/1", "game": game.game, "seats": game.seats, "lines": told})
    else:
        _print_story(lines)


def _chosen(file: Path, number: int | None, as_json: bool) -> Entry:
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
        report.print_json({"schema": "gangland/replays/1", "replays": rows})
    elif last > LISTED:
        sys.stdout.write(f"and {last - LISTED} more\n")
    return last


def _row(entry: Entry) -> dict[str, object]:
    where = {"number": entry.number, "line": entry.line}
    try:
        game = entry.replay.to_dict()
    except ReplayError as error:
        return where | {"message": str(error)}
    return where | {name: game[name] for name in ("game", "seats", "options", "rounds", "places", "reason")}


def _line(entry: Entry) -> str:
    try:
        game = entry.replay
    except ReplayError as error:
        return str(error)
    places = ", ".join(map(str, game.places))
    rounds = "1 round" if game.rounds == 1 else f"{game.rounds} rounds"
    return f"{game.game}, {game.seats} seats, {rounds}, places {places}"


def _print_story(lines: list[Line]) -> None:
    shown_round = 0
    for line in lines:
        if line.round != shown_round:
            shown_round = line.round
            sys.stdout.write(f"\nRound {shown_round}\n")
        sys.stdout.write(f"  {report.cleaned(line.text)}\n")
