"""A game that was played on from a decision: what changed, as text, document and page."""

from __future__ import annotations

import sys
from pathlib import Path

from gangland_ladder.analysis.account import recorded
from gangland_ladder.analysis.analyser import Continuation
from gangland_ladder.cli import report
from gangland_ladder.cli.replay import names_of, written
from gangland_ladder.cli.replay_files import Entry
from gangland_ladder.documents.games import ContinuedGame, Replay
from gangland_ladder.viewer.commentary import what_if_words
from gangland_ladder.viewer.film import Stop, film_of
from gangland_ladder.viewer.page import Recorded, replay_page


def continuation_document(found: Continuation, stop: Stop) -> ContinuedGame:
    """Return a game played on as it is printed with --json."""
    return ContinuedGame(
        at=stop.at,
        seat=found.seat,
        number=found.number,
        recorded=stop.decision,
        decision=recorded(found.decision),
        recorded_scores=list(found.recorded),
        scores=list(found.scores),
        replay=Replay.of(found.replay),
    )


def print_continuation(found: Continuation, stop: Stop, entry: Entry) -> None:
    """Print what changed."""
    names = _names(entry)
    sys.stdout.write(f"{report.one_line(what_if_words(found, stop, names))}\n\n")
    rows = [
        [names[seat], report.percent(before, 0), report.percent(after, 0), report.signed(after - before)]
        for seat, (before, after) in enumerate(zip(found.recorded, found.scores, strict=True))
    ]
    report.print_table(["result", "recorded", "from here", "change"], rows, left=(0,))
    sys.stdout.write(f"\n{found.replay.rounds} rounds, as recorded {entry.replay.rounds}. One game more, no average: ")
    sys.stdout.write("what the decision cost is in the analysis.\n")


def write_continuation(html: Path, entry: Entry, found: Continuation, stop: Stop, page: str) -> None:
    """Write it as a page.

    Args:
        page: of the recorded game, to which it leads back; "" for none.
    """
    names = _names(entry)
    film = film_of(found.replay, names)
    href = f"{page}#{stop.at}" if page else ""
    written(html, replay_page(film, stop.at, recorded=Recorded(href, what_if_words(found, stop, names))))


def _names(entry: Entry) -> list[str]:
    return names_of(entry) or [f"Seat {seat + 1}" for seat in range(entry.replay.seats)]
