"""Verify the days and seasons of a ladder; a season's standings follow from the archives of its days."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Annotated, Final, Literal, NamedTuple

import msgspec
from msgspec import UNSET, Meta, Struct

from gangland_ladder.common.texts import strip_bom
from gangland_ladder.proof.archive_files import Archive
from gangland_ladder.proof.archives import ArchiveError, Match, Ratio, Skill
from gangland_ladder.proof.findings import Proof
from gangland_ladder.rating.trueskill import Rating
from gangland_ladder.rating.updater import FinishedMatch, RatingChange, RatingUpdater

# A day: its matches in the order in which they were rated, which differs from the order of their numbers.
#
# Between two matches of a day, the ladder may have rated matches of another day, which are not in the day's archive.
# Their effect on an entry is taken from the archive: from the entry's rating before its next match.


SEATED = "seated"  # The dice of a ladder's day in its archive, where matches have a position in the rating order.


class OrderedMatch(NamedTuple):
    """A finished match: its position in the rating order, number, entries, mean places and recorded ratings."""

    position: int
    number: int
    entries: tuple[int, ...]
    places: tuple[Ratio, ...]
    recorded: tuple[tuple[Skill | None, Skill | None], ...]


def ordered_match(match: Match, places: Sequence[Ratio]) -> OrderedMatch | None:
    """Return a match in the form that `apply_in_order` takes; None if it was never rated."""
    if match.rating_order is UNSET and match.state != "done":
        return None
    position = match.number if match.rating_order is UNSET else match.rating_order
    recorded = tuple((score.before, score.after) for score in match.scores)
    return OrderedMatch(position, match.number, tuple(match.entries), tuple(places), recorded)


def apply_in_order(updater: RatingUpdater, matches: Iterable[OrderedMatch]) -> Iterator[tuple[str, str]]:
    """Rate matches in rating order; yield the location and message of each problem, such as a different rating."""
    last_positions: dict[int, int] = {}
    next_position, missing = 0, 0
    for match in sorted(matches):
        where = f"match {match.number}"
        if match.position < next_position:
            yield where, f"its position in the rating order is {match.position}, but another match has that position"
            continue
        if match.position > next_position:
            missing = match.position - 1
        next_position = match.position + 1
        try:
            for entry, (before, _) in zip(match.entries, match.recorded, strict=False):
                if before is not None and 0 < last_positions.get(entry, 0) < missing:
                    updater.set_rating(entry, Rating(*before))
            updater.cursor = match.position
            [(_, changes)] = updater.apply([FinishedMatch(match.position, match.entries, match.places)])
        except ValueError as error:
            yield where, str(error)
            continue
        last_positions.update(dict.fromkeys(match.entries, match.position))
        yield from _different_ratings(match, changes)


def _different_ratings(match: OrderedMatch, changes: Sequence[RatingChange]) -> Iterator[tuple[str, str]]:
    for entry, (before, after), change in zip(match.entries, match.recorded, changes, strict=False):
        if (before, after) != (change[:2], change[2:]):
            changes_text = f"{before!r} to {after!r}, but the matches give {change[:2]!r} to {change[2:]!r}"
            yield f"match {match.number}, entry {entry}", f"recorded rating change {changes_text}"


# A season. Each day's archive is proven separately. The entries of a season do not play in other matches of the ladder,
# so their ratings follow only from the season's matches, from the start and in rating order.


FILE_BYTES: Final = 64 << 20  # Maximum size of a season's file; a season with 10,000 bots is 3 MB.
STANDINGS: Final = "standings"


class Day(Struct, frozen=True):
    """A day of a season."""

    day: str
    commitment: str
    matches: Annotated[int, Meta(ge=0)]


class SeasonLine(Struct, frozen=True):
    """A line of a season's standings."""

    rank: int
    entry: int
    bot: str
    mu: float
    sigma: float
    rating: float
    games: int
    wins: int
    faults: int


class Season(Struct, frozen=True):
    """A season, in the form of the file that its page offers for download."""

    schema: Literal["gangland/ladder-season/1"]
    number: int
    state: str
    ladder: str
    game: str
    seats: Annotated[int, Meta(ge=2, le=4)]
    blocks: Annotated[int, Meta(ge=1)]
    days: list[Day]
    rows: list[SeasonLine]


def read_season(path: Path) -> Season:
    """Return a downloaded season. Raises ArchiveError: the file is invalid; OSError: it cannot be read."""
    with path.open("rb") as stream:
        content = stream.read(FILE_BYTES + 1)
    if len(content) > FILE_BYTES:
        raise ArchiveError(path.name, f"a season has at most {FILE_BYTES:,} bytes")
    try:
        return msgspec.json.decode(strip_bom(content), type=Season)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise ArchiveError(path.name, f"it is not a season of a ladder: {error}") from error


class SeasonExaminer:
    """Rates a season's days, added in any order, and compares standings. Raises ArchiveError: no such game or table."""

    def __init__(self, season: Season, proof: Proof) -> None:
        self.season = season
        self.proof = proof
        self._days = {day.day: day for day in season.days}
        self._days_added: set[str] = set()
        self._ordered: list[OrderedMatch] = []
        self._counts: dict[int, Counter[str]] = {}
        try:
            self._updater = RatingUpdater(season.game, season.seats, season.blocks)
        except ValueError as error:
            raise ArchiveError("season", str(error)) from error

    def add_day(self, name: str, archive: Archive) -> None:
        """Add the matches of a day from its archive, which must have been proven."""
        tournament = archive.tournament
        date = tournament.about.get("day", "")
        day = self._days.get(date)
        actual = (tournament.name, tournament.game, tournament.seats, tournament.blocks, tournament.dice)
        if actual != (self.season.ladder, self.season.game, self.season.seats, self.season.blocks, SEATED):
            self.proof.add(name, f"it is an archive of {tournament.name}, not of a day of {self.season.ladder}")
        elif day is None or date in self._days_added:
            problem = f"{date or 'its day'} is not a day of the season" if day is None else f"{date} appears twice"
            self.proof.add(name, problem)
        elif (tournament.commitment, tournament.matches) != (day.commitment, day.matches):
            expected = f"{day.matches} matches and the commitment {day.commitment}"
            recorded = f"{tournament.matches} matches and the commitment {tournament.commitment}"
            self.proof.add(name, f"{date} has {recorded}, but the season says {expected}")
        else:
            self._days_added.add(date)
            for played in archive.matches():
                self._count(played.match)

    def _count(self, match: Match) -> None:
        if (ordered := ordered_match(match, [score.mean_place for score in match.scores])) is not None:
            self._ordered.append(ordered)
        for entry, score in zip(match.entries, match.scores, strict=False):
            counts = self._counts.setdefault(entry, Counter())
            counts.update(games=self.season.blocks * self.season.seats, wins=score.wins, faults=score.faults)

    def finish(self) -> None:
        """Compare the standings with the matches, after all archives have been added."""
        for day in self.season.days:
            if day.matches and day.day not in self._days_added:
                self.proof.add(day.day, "the archive of this day is missing or invalid")
        if self.season.state != "fixed":
            self.proof.add(STANDINGS, f"they are not final: the season is {self.season.state}")
        if self.proof.count:
            return
        placed = (match._replace(position=number) for number, match in enumerate(sorted(self._ordered), 1))
        for where, message in apply_in_order(self._updater, placed):
            self.proof.add(where, message)
        self._compare()
        self.proof.unproven = [
            "that these are all days of the season, with all their matches",
            "which bots were on the ladder at the end: only these are in the standings",
            "names and owners, and that each commitment was announced: compare the days with what you noted",
            "what `gangland verify` reports as unproven for each archive",
        ]

    def _compare(self) -> None:
        ratings = sorted((row.rating for row in self.season.rows), reverse=True)
        for number, row in enumerate(self.season.rows):
            where = f"{STANDINGS}, entry {row.entry}"
            rating = self._updater.rating(row.entry)
            pairs = {
                "rating": ((row.mu, row.sigma, row.rating), (rating.mu, rating.sigma, rating.shown)),
                "rank": (row.rank, 1 + ratings.index(row.rating)),
                **{
                    name: (getattr(row, name), self._counts.get(row.entry, Counter())[name])
                    for name in ("games", "wins", "faults")
                },
            }
            for figure, (stated, computed) in pairs.items():
                if stated != computed:
                    self.proof.add(where, f"{figure}: {stated!r}, but the matches give {computed!r}")
            if rating == Rating():
                self.proof.add(where, "it has no rated match in the season")
            if row.rating != ratings[number]:
                self.proof.add(where, "the standings are not in order of the rating")
        if len({row.entry for row in self.season.rows}) != len(self.season.rows):
            self.proof.add(STANDINGS, "an entry is listed twice")
