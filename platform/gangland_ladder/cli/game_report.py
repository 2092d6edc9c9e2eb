"""What `gangland play` prints and writes of a game, with a person in it or without."""

from __future__ import annotations

import sys
from operator import attrgetter
from pathlib import Path

from gangland.faults import FaultKind
from gangland_ladder.cli import report
from gangland_ladder.common.documents import json_text
from gangland_ladder.documents.games import Game
from gangland_ladder.errors import fault_title, rejection
from gangland_ladder.local.bots import LocalBot, NoSuchBot
from gangland_sandbox.caps import CAPS
from gangland_sandbox.errors import UploadRejected
from gangland_sandbox.intake import unpack
from gangland_sandbox.limits import Profile

LOADING = (FaultKind.IMPORT_ERROR, FaultKind.IMPORT_TIME)


def look_at(bot: LocalBot, profile: Profile) -> None:
    """Refuse what intake refuses, before a game is played with it.

    Raises:
        NoSuchBot: the file can be no bot.
    """
    try:
        unpack(bot.source, bot.filename, CAPS[profile])
    except UploadRejected as refused:
        code = rejection(refused).code
        raise NoSuchBot(f"{bot.filename}: {code}: {refused.message} (gangland explain {code})") from refused


def print_result(document: Game) -> None:
    """Print the places of a game, and how bots failed."""
    report.print_table(
        ["place", "bot"],
        [[str(seat.place), seat.bot] for seat in sorted(document.seats, key=attrgetter("place"))],
        left=(1,),
    )
    for seat in document.seats:
        if fault := seat.fault:
            name = report.cleaned(seat.bot)
            title = fault_title(fault.kind, fault.message)
            when = f"round {fault.round}" if fault.round else "before the first round"
            when = "while loading" if fault.kind in LOADING else when
            more = f"; gangland explain {fault.code}" if fault.code else ""
            sys.stdout.write(f"\n{name} was at fault ({title}, {when}{more}):\n")
            sys.stdout.write(f"{report.indented(fault.message)}\n")


def write(path: Path, document: Game) -> None:
    """Write a game's document to a file.

    Raises:
        NoSuchBot: that is not possible.
    """
    try:
        path.write_text(json_text(document) + "\n")
    except OSError as error:
        raise NoSuchBot(f"cannot write {path}: {error.strerror}") from error
