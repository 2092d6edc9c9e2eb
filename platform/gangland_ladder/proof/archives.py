"""Models of an archive's contents: the documents and lines in its files (docs/exports.md)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

import msgspec
from msgspec import UNSET, Meta, Raw, Struct, UnsetType

from gangland_ladder.common.release import this_python
from gangland_ladder.matches import match_jobs
from gangland_ladder.matches.judging import JudgedGame, JudgedMatch, match_digest
from gangland_ladder.proof.randomness import PlayedRandomness
from gangland_ladder.tournaments.final_table import FinalTerms
from gangland_ladder.tournaments.settling_rounds import Terms

if TYPE_CHECKING:
    from gangland_ladder.rating.updater import RatingChange  # imports trueskill

# The contents. `archive_files.write_archive` writes them, `read_archive` reads them, and `proving` checks whether they
# are true.


SCHEMA: Final = "gangland/archive/1"
MANIFEST, TOURNAMENT, ENTRIES = "manifest.json", "tournament.json", "entries.ndjson"
MATCHES, GAMES, STANDINGS = "matches.ndjson", "games.ndjson", "standings.json"
FILES = (TOURNAMENT, ENTRIES, MATCHES, GAMES, STANDINGS)

Number = Annotated[int, Meta(ge=1, le=match_jobs.HIGHEST_ID)]
# An exact fraction in lowest terms, as numerator and denominator.
Ratio = tuple[Annotated[int, Meta(ge=0, le=10**12)], Annotated[int, Meta(ge=1, le=10**9)]]
Skill = tuple[float, float]
# The name of a bot's file; it cannot be a path.
Stem = Annotated[str, Meta(min_length=1, max_length=80, pattern=r"\A[^/\\\x00-\x1f\x7f]*\Z")]
Python = Annotated[str, Meta(pattern=r"\A3\.[0-9]{1,3}\Z")]  # A minor version of Python, such as 3.11.
ShortText = Annotated[str, Meta(max_length=400, pattern=match_jobs.NO_NUL)]


MESSAGE_CHARS: Final = 1000


def shorten(message: str) -> str:
    """Return a message cut to `MESSAGE_CHARS`, because it may quote a long part of an archive."""
    return message if len(message) <= MESSAGE_CHARS else f"{message[: MESSAGE_CHARS - 3]}..."


class ArchiveError(ValueError):
    """The archive is invalid or damaged; `where` is the place in it, such as a file and a line."""

    def __init__(self, where: str, message: str) -> None:
        message = shorten(message)
        super().__init__(f"{where}: {message}")
        self.where = where
        self.message = message


class Schedule(Struct, frozen=True, forbid_unknown_fields=True):
    """The arguments with which a round robin was paired (`pairing.round_robin`)."""

    seed: ShortText
    sample: Annotated[int, Meta(ge=1)] | None = None  # number of sampled tables; None if all tables were played


class Tournament(Struct, frozen=True, forbid_unknown_fields=True):
    """The tournament, or another event, that an archive is about."""

    name: match_jobs.Name
    # one word; `about` may have more notes from a site
    kind: Annotated[str, Meta(min_length=1, max_length=32, pattern=match_jobs.NO_NUL)]
    game: Annotated[str, Meta(max_length=32, pattern=match_jobs.NO_NUL)]
    options: dict[str, Any]  # options that differ from the game's defaults
    seats: Annotated[int, Meta(ge=2, le=4)]
    blocks: Annotated[int, Meta(ge=1, le=match_jobs.MAX_BLOCKS)]
    limits: dict[str, Any]  # as in a match job
    # the input of block seeds besides the secret: with "frozen", the codes of all entries; with "seated", the codes at
    # the table; with "seed", no further input, because the dice come from a local `--seed`
    dice: Literal["frozen", "seated", "seed"]
    schedule: Schedule | None  # for a round robin; None if the matches were chosen in another way
    first: Number  # the number of its first match
    matches: Annotated[int, Meta(ge=0, le=match_jobs.HIGHEST_ID)]  # number of matches, counted from `first`
    commitment: match_jobs.Digest
    secret: match_jobs.Digest | None  # 64 hexadecimal digits; None until it is revealed
    about: Annotated[
        dict[Annotated[str, Meta(max_length=40, pattern=match_jobs.NO_NUL)], ShortText], Meta(max_length=20)
    ] = {}
    # the public value that the dice depend on, with its announcement; left out without such a value
    randomness: PlayedRandomness | UnsetType = UNSET
    # the terms for settling the first places, or None; settling matches come after the schedule
    settling: Terms | None = None
    final_table: FinalTerms | UnsetType = UNSET  # as announced; its match is the last one. Left out if there is none
    # False if house bots, the entries without an owner, play outside the ranking; otherwise left out
    house_ranked: bool | UnsetType = UNSET

    @property
    def public_value(self) -> str | None:
        """The public value that the dice depend on; None without such a value, and before it is entered."""
        return None if self.randomness is UNSET else self.randomness.value

    @property
    def committed_values(self) -> dict[str, object]:
        """The values that the commitment covers besides the secret; see `seeds.promise`."""
        announced = {
            "randomness": None if self.randomness is UNSET else self.randomness.announced,
            "settling": self.settling,
            "final_table": self.final_table or None,
        }
        return {name: value for name, value in announced.items() if value is not None}

    def size_of(self, match: Match) -> tuple[int, int]:
        """Return the number of blocks and of seats of a match."""
        size = self.final_table if match.is_final and self.final_table else self
        return size.blocks, size.seats


class Entry(Struct, frozen=True, forbid_unknown_fields=True):
    """A frozen bot version in the tournament."""

    id: Annotated[int, Meta(ge=0, le=match_jobs.HIGHEST_ID)]
    name: match_jobs.Name
    # empty for a house bot, which counts as its own owner
    owner: Annotated[str, Meta(max_length=80, pattern=match_jobs.NO_NUL)]
    version: Number
    file: Stem  # the name of its file at the table, without the extension
    code: match_jobs.Digest  # SHA-256 of its code
    start: Skill  # its rating before the first match
    # the reason, or empty. Matches of a disqualified entry do not count, and the entry has no rank.
    disqualified: Annotated[str, Meta(max_length=500, pattern=match_jobs.NO_NUL)] = ""
    # True for an entry that left during the tournament and keeps its results; otherwise left out
    withdrawn: bool | UnsetType = UNSET


class SeatScore(Struct, frozen=True, forbid_unknown_fields=True):
    """The result of a match for one entry; see `judging.EntryScore`."""

    mean_place: Ratio
    block_places: Annotated[list[Ratio], Meta(min_length=1, max_length=match_jobs.MAX_BLOCKS)]
    wins: Annotated[int, Meta(ge=0)]
    faults: Annotated[int, Meta(ge=0)]
    luck: float  # mean per game, in the game's unit
    adjusted: float  # the mean place without net luck (docs/ratings.md)
    # before, after: the entry's ratings; None while an earlier match is unfinished, because this match is not rated yet
    before: Skill | None
    after: Skill | None


class Match(Struct, frozen=True, forbid_unknown_fields=True):
    """A match."""

    number: Number
    # entry numbers in ascending order; these are the match's seats
    entries: Annotated[list[Annotated[int, Meta(ge=0)]], Meta(min_length=2, max_length=4)]
    state: Literal["scheduled", "done", "void"]
    void_reason: match_jobs.Message | None = None  # only for a void match
    digest: match_jobs.Digest | None = None  # the digest of its result; see `judging.match_digest`
    rng_key: match_jobs.Digest | None = None  # the key of the bots' own generators
    scores: Annotated[list[SeatScore], Meta(max_length=4)] = []  # one per entry; empty if unfinished
    # the minor version of the bots' Python, which may affect decisions; left out if it was not recorded
    python: Python | UnsetType = UNSET
    # for a ladder's match (dice "seated"), its position in the rating order of the whole ladder. Left out for a match
    # that was never dispatched, and for all other matches, which are rated in the order of their numbers
    rating_order: Number | UnsetType = UNSET
    final: bool | UnsetType = UNSET  # True for the final table, which is not rated; otherwise left out

    @property
    def is_final(self) -> bool:
        """Whether the match is the final table."""
        return self.final is True


class Game(Struct, frozen=True, forbid_unknown_fields=True):
    """A game of a finished match; see `match_jobs.GameRecord`."""

    match: Number
    block: Annotated[int, Meta(ge=0, lt=match_jobs.MAX_BLOCKS)]
    rotation: match_jobs.SeatIndex
    seating: Annotated[list[match_jobs.SeatIndex], Meta(min_length=2, max_length=4)]
    places: Annotated[list[Annotated[int, Meta(ge=1, le=4)]], Meta(min_length=2, max_length=4)]
    luck: Annotated[list[float], Meta(min_length=2, max_length=4)]  # by seat, in the game's unit
    replay: Raw  # the unchanged JSON of the replay
    views: match_jobs.Digest
    faults: Annotated[list[match_jobs.FaultRecord], Meta(max_length=16)] = []


class FileDigest(Struct, frozen=True, forbid_unknown_fields=True):
    """A file of the archive: its name, its length in bytes and its SHA-256."""

    name: str
    bytes: Annotated[int, Meta(ge=0)]
    sha256: match_jobs.Digest


class Manifest(Struct, frozen=True, forbid_unknown_fields=True):
    """The first file of an archive: it lists all other files, in order."""

    schema: Literal["gangland/archive/1"]
    files: list[FileDigest]


@dataclass(frozen=True, slots=True)
class PlayedMatch:
    """A match and its games by block and rotation; an unfinished match has no games."""

    match: Match
    games: tuple[Game, ...] = ()


@dataclass(frozen=True, slots=True)
class Content:
    """The contents of an archive."""

    tournament: Tournament
    entries: tuple[Entry, ...]
    matches: Iterable[PlayedMatch]
    standings: dict[str, Any] | None = None


def ratio(value: Fraction) -> Ratio:
    """Return a fraction in the form that archives use."""
    return value.numerator, value.denominator


# Creating the matches of an archive, for a record worker or a local ladder.


def judged_match(
    number: int, job: match_jobs.MatchJob, judged: JudgedMatch, rating_changes: Sequence[RatingChange] = ()
) -> PlayedMatch:
    """Return a match that was played here, from its judged result; `rating_changes` has one per entry."""
    return done_match(
        number,
        [seat.entry for seat in job.seats],
        [archived_game(number, game) for game in judged.games],
        digest=match_digest(job, judged),
        rng_key=job.rng_key,
        python=this_python(),
        wins=[score.wins for score in judged.scores],
        luck_pairs=[(score.mean_luck, score.adjusted) for score in judged.scores],
        faults=[sum(score.faults.values()) for score in judged.scores],
        rating_changes=rating_changes,
    )


def done_match(
    number: int,
    entries: Sequence[int],
    games: Sequence[Game],
    *,
    digest: str,
    rng_key: str,
    python: str | None,
    wins: Sequence[int],
    luck_pairs: Sequence[tuple[float, float]],
    faults: Sequence[int],
    rating_changes: Sequence[RatingChange] = (),
) -> PlayedMatch:
    """Return a finished match from its stored games; `rating_changes` has one per entry."""
    skills: list[tuple[Skill | None, Skill | None]] = [(change[:2], change[2:]) for change in rating_changes]
    scores = [
        SeatScore(
            mean_place=ratio(sum(places, Fraction(0)) / len(places)),
            block_places=[ratio(place) for place in places],
            wins=wins[index],
            faults=faults[index],
            luck=luck_pairs[index][0],
            adjusted=luck_pairs[index][1],
            before=before,
            after=after,
        )
        for index, (places, (before, after)) in enumerate(
            zip(_block_places(games), skills or [(None, None)] * len(entries), strict=True)
        )
    ]
    match = Match(number, list(entries), "done", digest=digest, rng_key=rng_key, scores=scores, python=python or UNSET)
    return PlayedMatch(match, tuple(games))


def _block_places(games: Sequence[Game]) -> list[list[Fraction]]:
    """Return, for each entry in the order of the match, its mean place over the games of each block."""
    seats = len(games[0].seating)
    sums = [[Fraction(0)] * (len(games) // seats) for _ in range(seats)]
    for game in games:
        for seat, index in enumerate(game.seating):
            place = game.places[seat]
            sums[index][game.block] += place + Fraction(game.places.count(place) - 1, 2)
    return [[place / seats for place in places] for places in sums]


def void_match(number: int, entries: Sequence[int], reason: str) -> PlayedMatch:
    """Return a void match."""
    return PlayedMatch(Match(number=number, entries=list(entries), state="void", void_reason=reason))


def scheduled_match(number: int, entries: Sequence[int]) -> PlayedMatch:
    """Return a match that has not been played yet."""
    return PlayedMatch(Match(number=number, entries=list(entries), state="scheduled"))


def archived_game(number: int, game: JudgedGame) -> Game:
    """Return a game in the form that archives use; `number` is the number of its match."""
    record = game.record
    return Game(
        match=number,
        block=record.block,
        rotation=record.rotation,
        seating=record.seating,
        places=list(game.outcome.places),
        luck=list(game.luck),
        replay=msgspec.Raw(record.replay.encode()),
        views=record.views,
        faults=record.faults,
    )
