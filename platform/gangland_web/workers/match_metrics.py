"""What the record worker counts of matches."""

from __future__ import annotations

from collections.abc import Iterable

from gangland_ladder.matches.orders import Result
from gangland_ladder.matches.thinking import limit_s
from gangland_web.metrics import DECISIONS, FAULTS, JAILS, LEASES, MATCH_TIME, MATCHES, RESULTS, VERDICTS, Counts
from gangland_web.models.matches import Match
from gangland_web.services.matches import end_of
from gangland_web.services.results import Recorded


def count_recorded(counts: Counts, recorded: Recorded) -> None:
    """Count a result, the match if it ended it, and what it told if it was true."""
    counts.add(RESULTS, verdict=VERDICTS[recorded.verdict])
    if recorded.match is not None:
        _count_end(counts, recorded.match)
    if recorded.match is not None and recorded.result is not None:
        _count_result(counts, recorded.match, recorded.result)


def count_silent(counts: Counts, ended: Iterable[Match]) -> None:
    """Count leases of which nothing was heard any more, and the matches that are void for it."""
    for match in ended:
        counts.add(LEASES)
        _count_end(counts, match)


def _count_end(counts: Counts, match: Match) -> None:
    end = end_of(match)
    if end is not None:
        counts.add(MATCHES, purpose=match.purpose, end=end.value)


def _count_result(counts: Counts, match: Match, result: Result) -> None:
    """Count what was judged, the faults, and what is the worker's word alone: times, as the row has them, and jails."""
    counts.observe(MATCH_TIME, match.seconds or 0.0, purpose=match.purpose)
    counts.add(JAILS, result.jails)
    for game in result.games:
        for fault in game.faults:
            counts.add(FAULTS, kind=fault.kind)
    for times in result.think:
        for octave, decisions in times.items():
            counts.observe(DECISIONS, limit_s(octave), decisions)
