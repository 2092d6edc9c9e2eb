"""A ladder's day proven in the order in which ratings took its matches in, which is not that of their numbers.

Between two matches of a day the ladder may have rated matches of another day, which are not in the day's archive.  What
those did to an entry is taken from the archive: from the rating that it says the entry had before its next match.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from msgspec import UNSET

from gangland_ladder.proof.archives.archive import Match, Ratio, Skill
from gangland_ladder.rating.folding import Folding, Result
from gangland_ladder.rating.trueskill import Rating

SEATED = "seated"
"""What the dice of a ladder's day hang on: of those archives, matches say their place in the rating order."""


class Taken(NamedTuple):
    """A match that is over: its place, its number, its entries, what it came to, and what is said of their ratings."""

    place: int
    number: int
    entries: tuple[int, ...]
    places: tuple[Ratio, ...]
    recorded: tuple[tuple[Skill | None, Skill | None], ...]


def taken(match: Match, places: Sequence[Ratio]) -> Taken | None:
    """Return a match for `fold_in_order`; None for one that ratings never took in."""
    if match.rating_order is UNSET and match.state != "done":
        return None
    place = match.number if match.rating_order is UNSET else match.rating_order
    recorded = tuple((score.before, score.after) for score in match.scores)
    return Taken(place, match.number, tuple(match.entries), tuple(places), recorded)


def fold_in_order(folding: Folding, matches: Iterable[Taken]) -> Iterator[tuple[str, str]]:
    """Take matches in by their places; yield where something else is said of ratings than comes out, and what."""
    latest: dict[int, int] = {}
    next_place, missing = 0, 0
    for one in sorted(matches):
        where = f"match {one.number}"
        if one.place < next_place:
            yield where, f"its place in the rating order is {one.place}, which another match has"
            continue
        if one.place > next_place:
            missing = one.place - 1
        next_place = one.place + 1
        try:
            for entry, (before, _) in zip(one.entries, one.recorded, strict=False):
                if before is not None and 0 < latest.get(entry, 0) < missing:
                    folding.put(entry, Rating(*before))
            folding.cursor = one.place
            [(_, moves)] = folding.take([Result(one.place, one.entries, one.places)])
        except ValueError as error:
            yield where, str(error)
            continue
        latest.update(dict.fromkeys(one.entries, one.place))
        for entry, (before, after), move in zip(one.entries, one.recorded, moves, strict=False):
            if (before, after) != (move[:2], move[2:]):
                came = f"it goes from {move[:2]!r} to {move[2:]!r}"
                yield f"{where}, entry {entry}", f"its rating went from {before!r} to {after!r}, but {came}"
