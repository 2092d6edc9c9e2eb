"""Read result files for `gangland rate`: NDJSON with one match of a ladder per line (docs/ratings.md)."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from gangland_ladder.rating.trueskill import Rating
from gangland_ladder.rating.updater import EntryId, FinishedMatch, Place, RatingUpdater

LINE_BYTES = 64 * 1024
_Whole = Annotated[int, Meta(ge=1, le=2**53)]


class ResultsRefused(ValueError):
    """The results file is invalid; the message has the line and explains what was expected."""


class _SeatResult(Struct):
    entry: Annotated[int, Meta(ge=-(2**53), le=2**53)] | Annotated[str, Meta(min_length=1, max_length=200)]
    mean_place: Annotated[str, Meta(pattern=r"\A[0-9]{1,12}(/[1-9][0-9]{0,11})?\Z")]


class Seat(_SeatResult):
    """An entry in an exported match, with its name and its rating before the match if they are known."""

    before: tuple[float, float] | None = None
    bot: str | None = None


class Line(Struct):
    """A match; other fields of a line are ignored."""

    number: _Whole
    # The match's position in the ladder's order of first dispatch. If one match has it, every match that counts must
    # have it; the others were never played and change nothing.
    rating_order: _Whole | None = None
    game: str | None = None
    blocks: _Whole | None = None
    seats: Sequence[_SeatResult] = ()
    void: bool = False


_DECODER = msgspec.json.Decoder(Line)


def line_of(at: int, text: bytes) -> Line:
    """Return the match on a line. Raises ResultsRefused: it is invalid."""
    if len(text) > LINE_BYTES:
        raise ResultsRefused(f"line {at} is longer than {LINE_BYTES} bytes")
    try:
        return _DECODER.decode(text)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise ResultsRefused(f"line {at} is not a match: {error}") from error


@dataclass(frozen=True, slots=True)
class RatedEntry:
    """An entry's rating and number of matches; entries with the same shown rating share a rank."""

    rank: int
    entry: EntryId
    rating: Rating
    matches: int


@dataclass(frozen=True, slots=True)
class FileRatings:
    """The ratings computed from a file."""

    game: str
    seats: int
    blocks: int
    rated_matches: int  # `void` is the number of matches that do not count
    void: int
    waiting: int
    cursor: int  # the first missing position in the order; `waiting` is the number of matches after it
    rows: tuple[RatedEntry, ...]
    bots: Mapping[EntryId, str] = field(default_factory=dict)


class Results:
    """Matches of one ladder, read line by line."""

    def __init__(self) -> None:
        self._numbers: set[int] = set()
        self._results: dict[int, FinishedMatch] = {}  # by position in the rating order
        self._unordered: dict[int, FinishedMatch] = {}  # matches without a rating order, by number
        self._ladder: tuple[str, int, int] | None = None
        self._kind: type | None = None
        # By position in the order: the entries' mu and sigma before a match, if the file has them for all its entries.
        self._before: dict[int, dict[EntryId, tuple[float, float]]] = {}
        self.bots: dict[EntryId, str] = {}  # the entries' names, if the file has them
        self._updater: RatingUpdater | None = None

    @property
    def has_matches(self) -> bool:
        """Whether a match that counts has been read."""
        return self._ladder is not None

    def read(self, at: int, text: bytes) -> None:
        """Read a line, unless it is blank. Raises ResultsRefused: it is not a match, or does not fit the others."""
        if text.strip():
            self.add(at, line_of(at, text))

    def add(self, at: int, line: Line) -> None:
        """Add a match. Raises ResultsRefused: the match does not fit the others."""
        if line.number in self._numbers:
            raise ResultsRefused(f"line {at}: match {line.number} appears twice")
        if line.rating_order in self._results:
            raise ResultsRefused(f"line {at}: another match has the rating_order {line.rating_order}")
        place = line.number if line.rating_order is None else line.rating_order
        target = self._unordered if line.rating_order is None else self._results
        self._numbers.add(line.number)
        target[place] = FinishedMatch(place, (), ()) if line.void else self._result(at, place, line)

    def _result(self, at: int, place: int, line: Line) -> FinishedMatch:
        if line.game is None or line.blocks is None or not line.seats:
            raise ResultsRefused(f"line {at}: a match that is not void must have a game, blocks and seats")
        ladder = (line.game, len(line.seats), line.blocks)
        if self._ladder is None:
            try:
                self._updater, self._ladder = RatingUpdater(*ladder), ladder
            except ValueError as error:
                raise ResultsRefused(f"line {at}: {error}") from error
        if ladder != self._ladder:
            both = (self._ladder, ladder)
            expected, actual = (f"{name} with {seats} seats and {blocks} blocks" for name, seats, blocks in both)
            raise ResultsRefused(f"line {at}: all matches must be of one ladder: expected {expected}, not {actual}")
        kinds = {type(seat.entry) for seat in line.seats} | ({self._kind} if self._kind else set())
        if len(kinds) > 1:
            raise ResultsRefused(f"line {at}: the entries must all be whole numbers or all be strings")
        [self._kind] = kinds
        entry_places = sorted((seat.entry, _place(seat.mean_place)) for seat in line.seats)
        entries = tuple(entry for entry, _ in entry_places)
        if len(set(entries)) < len(entries):
            raise ResultsRefused(f"line {at}: an entry is listed twice in match {line.number}: {list(entries)!r}")
        known = [seat for seat in line.seats if isinstance(seat, Seat)]
        self.bots.update({seat.entry: seat.bot for seat in known if seat.bot is not None})
        if known and all(seat.before is not None for seat in known):
            self._before[place] = {seat.entry: seat.before for seat in known if seat.before is not None}
        return FinishedMatch(place, entries, tuple(place for _, place in entry_places))

    def ratings(self, progress: Callable[[int], None] | None = None) -> FileRatings:
        """Return the ratings from all matches. Raises ResultsRefused: they cannot be rated."""
        if self._ladder is None or self._updater is None:
            raise ResultsRefused("the file has no match that counts; expected one JSON object per line")
        match_counts: Counter[EntryId] = Counter()
        rated_matches = 0
        results = self._in_order()
        for result in self._rate_in_order(self._updater, results):
            rated_matches += 1
            match_counts.update(result.entries)
            if progress is not None:
                progress(rated_matches)
        game, seats, blocks = self._ladder
        cursor = self._updater.cursor
        over = sum(place < cursor for place in results)
        return FileRatings(
            game=game,
            seats=seats,
            blocks=blocks,
            rated_matches=rated_matches,
            void=over - rated_matches + len(self._numbers) - len(results),
            waiting=len(results) - over,
            cursor=cursor,
            rows=_rows(self._updater, match_counts),
            bots=self.bots,
        )

    def _rate_in_order(self, updater: RatingUpdater, results: dict[int, FinishedMatch]) -> Iterator[FinishedMatch]:
        # Rating ends at a gap in the order, except in a file with part of a ladder, such as one day, that has the
        # ratings before each match: the effect of missing matches on an entry is then taken from the file.
        latest: dict[EntryId, int] = {}
        missing = 0
        for place, result in sorted(results.items()):
            before = self._before.get(place)
            if place > updater.cursor and result.places:
                if before is None:
                    return
                missing, updater.cursor = place - 1, place
            for entry in result.entries:
                if before is not None and missing and latest.get(entry, 0) <= missing:
                    try:
                        updater.set_rating(entry, Rating(*before[entry]))
                    except ValueError as error:
                        raise ResultsRefused(f"the rating of entry {entry} before match {place}: {error}") from error
            latest.update(dict.fromkeys(result.entries, place))
            yield from (match for match, moves in updater.apply([result]) if moves)

    def _in_order(self) -> dict[int, FinishedMatch]:
        if not self._results:
            return self._unordered
        if unplaced := sorted(number for number, result in self._unordered.items() if result.places):
            raise ResultsRefused(f"match {unplaced[0]} has no rating_order, but other matches have one")
        return self._results


def _place(text: str) -> Place:
    numerator, _, denominator = text.partition("/")
    return int(numerator), int(denominator or 1)


def _rows(updater: RatingUpdater, match_counts: Counter[EntryId]) -> tuple[RatedEntry, ...]:
    ratings = sorted(updater.ratings().items(), key=lambda item: item[0])
    ratings.sort(key=lambda item: -item[1].shown)
    rows: list[RatedEntry] = []
    for entry, rating in ratings:
        tied = bool(rows) and rows[-1].rating.shown == rating.shown
        rows.append(RatedEntry(rows[-1].rank if tied else len(rows) + 1, entry, rating, match_counts[entry]))
    return tuple(rows)
