"""`gangland replay` and `gangland verify`: recorded games."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer

from gangland.replay import Replay, ReplayError, from_dict
from gangland.replay import verify as verify_replay
from gangland.story import tell
from gangland_ladder.cli import report
from gangland_ladder.local_bots import NoSuchBot

MAX_FILE_BYTES = 4 * 1024 * 1024

File = Annotated[Path, typer.Argument(metavar="FILE", help="A replay, or what `gangland play --out` wrote.")]


def replay(file: File, as_json: report.Json = False) -> None:
    """Tell the story of a recorded game, if it comes out as recorded; exit 1 if not.

    Example: gangland replay game.json
    """
    recorded, names = _read(file)
    try:
        verify_replay(recorded)
        lines = list(tell(recorded, names))
    except ReplayError as error:
        _refuse(file, error)
    if as_json:
        told = [
            {"round": line.round, "seat": line.seat, "decision": line.decision, "text": line.text} for line in lines
        ]
        report.print_json({"schema": "gangland/story/1", "game": recorded.game, "seats": recorded.seats, "lines": told})
        return
    shown_round = 0
    for line in lines:
        if line.round != shown_round:
            shown_round = line.round
            sys.stdout.write(f"\nRound {shown_round}\n")
        sys.stdout.write(f"  {report.cleaned(line.text)}\n")


def verify(file: File, as_json: report.Json = False) -> None:
    """Play a recorded game again and say whether it comes out as recorded; exit 1 if not.

    Example: gangland verify game.json
    """
    recorded, _ = _read(file)
    try:
        outcome = verify_replay(recorded)
    except ReplayError as error:
        if as_json:
            report.print_json({"schema": "gangland/verify/1", "verified": False, "message": str(error)})
        _refuse(file, error)
    places = list(outcome.places)
    if as_json:
        report.print_json({"schema": "gangland/verify/1", "verified": True, "places": places})
    else:
        sys.stdout.write(f"{file}: verified, {len(recorded.decisions)} decisions, places {places}\n")


def _read(file: Path) -> tuple[Replay, list[str] | None]:
    """Return the replay of a file, and the bots' names if the file has them."""
    try:
        with file.open("rb") as opened:
            text = opened.read(MAX_FILE_BYTES + 1)
    except OSError as error:
        raise NoSuchBot(f"cannot read {file}: {error.strerror}") from error
    if len(text) > MAX_FILE_BYTES:
        raise NoSuchBot(f"{file} is larger than any replay: more than {MAX_FILE_BYTES} bytes")
    try:
        data: Any = json.loads(text)
        names = None
        if isinstance(data, dict) and data.get("schema") == "gangland/game/1":
            names = [str(seat["bot"])[:80] for seat in data["seats"]]
            data = data["replay"]
        recorded = from_dict(data)
    except ReplayError as error:
        _refuse(file, error)
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        _refuse(file, ReplayError(f"not a replay: {error}"))
    return recorded, names if names is None or len(names) == recorded.seats else None


def _refuse(file: Path, error: ReplayError) -> NoReturn:
    report.say(f"gangland: {file}: {report.cleaned(str(error))}")
    sys.exit(report.FINDINGS)
