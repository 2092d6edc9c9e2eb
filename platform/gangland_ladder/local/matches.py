"""Play matches between local bots: their jobs, their results, and reuse of an earlier run's stored results."""

from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations, product
from math import ceil, log2

import msgspec
from msgspec import Struct

from gangland.chance import SEED_BYTES, SeededChance
from gangland.games import game_named
from gangland_ladder.local.bots import LocalBot
from gangland_ladder.local.processes import Tables, count_games
from gangland_ladder.local.store import RunStore, key_of
from gangland_ladder.matches.judging import EntryScore, RefereedGame, judge
from gangland_ladder.matches.match_jobs import MatchJob, Seat
from gangland_ladder.matches.referee import LocalMatch, play_locally
from gangland_ladder.matches.seeds import block_seed, local_secret, rng_key
from gangland_ladder.pairing.permitted_tables import Entrant, permitted_tables
from gangland_ladder.proof.archives import PlayedMatch, judged_match
from gangland_sandbox.errors import SandboxError
from gangland_sandbox.jail import Mode
from gangland_sandbox.limits import Limits, Profile
from gangland_sandbox.pool import Pool

# Playing matches.


ATTEMPTS = 3  # Number of attempts to play a match before it counts as void.
PER_OCTAVE = 16  # Classes of decision times per factor of two; a class is within 5% of the measured time.


class EntrySummary(Struct, frozen=True):
    """The result of a match for one entry."""

    games: int
    wins: int
    win_share: tuple[int, int]  # share of games won, as numerator and denominator; a shared win counts as a fraction
    block_places: list[int]  # per block, twice the sum of the places in its games; tied bots get their mean place
    faults: dict[str, int]
    times: dict[int, int]  # number of decisions by class; see `time_class`


class MatchSummary(Struct, frozen=True):
    """The result of a match."""

    entries: list[EntrySummary]  # in the order of the job's seats
    # for each pair of entries, (0, 1), (0, 2) and so on: numbers of games that the first finished ahead, tied or behind
    pairs: list[tuple[int, int, int]]
    played: PlayedMatch | None = None  # the match for an archive, if requested

    def scores(self, job: MatchJob) -> tuple[EntryScore, ...]:
        """Return the scores in the form that a judge returns, in the order of the job's seats."""
        return tuple(_score(seat.entry, summary) for seat, summary in zip(job.seats, self.entries, strict=True))

    def block_places(self) -> list[tuple[Fraction, ...]]:
        """Return the exact mean places of each block, in the order of the job's seats."""
        seats = len(self.entries)
        blocks = zip(*(summary.block_places for summary in self.entries), strict=True)
        return [tuple(Fraction(units, 2 * seats) for units in block) for block in blocks]


@dataclass(frozen=True, slots=True)
class Void:
    """A match that could not be played, and the reason."""

    reason: str


def time_class(seconds: float) -> int:
    """Return the class of a decision of this duration."""
    return ceil(PER_OCTAVE * log2(max(seconds, 1e-9) * 1e6))


def quantile_ms(times: Mapping[int, int], share: float) -> float | None:
    """Return the milliseconds that this share of the decisions did not exceed; None without a decision."""
    remaining = share * sum(times.values())
    for time in sorted(times):
        remaining -= times[time]
        if remaining <= 0:
            return float(2 ** (time / PER_OCTAVE) / 1000)
    return None


def play_all(
    jobs: Iterable[MatchJob],
    sources: Mapping[str, bytes],
    store: RunStore | None,
    tables: Tables,
    *,
    keep: bool = False,
    on_poll: Callable[[], None] | None = None,
) -> Iterator[tuple[MatchJob, MatchSummary | Void]]:
    """Play matches and yield their results in order; matches with results in the store are not played.

    Raises TableFailure: a process of the platform died or hit a bug; StoreError: a result cannot be stored.
    """
    waiting: deque[tuple[MatchJob, MatchSummary | None]] = deque()
    keys: dict[int, str] = {}

    def calls() -> Iterator[tuple[MatchJob, dict[str, bytes], bool]]:
        for job in jobs:
            key = key_of(job, keep=keep)
            waiting.append((job, _stored_result(store, key)))
            if waiting[-1][1] is None:
                keys[len(keys)] = key
                yield job, {seat.code: sources[seat.code] for seat in job.seats}, keep

    def store_result(number: int, summary: MatchSummary | Void) -> None:
        if store is not None and isinstance(summary, MatchSummary):
            store.put(keys[number], summary)

    def stored() -> Iterator[tuple[MatchJob, MatchSummary]]:
        while waiting and (stored_summary := waiting[0][1]) is not None:
            yield waiting.popleft()[0], stored_summary

    for summary in tables.run(play_job, calls(), store_result, on_poll):
        yield from stored()
        yield waiting.popleft()[0], summary
    yield from stored()


def first_results(jobs: Sequence[MatchJob], store: RunStore | None, *, keep: bool = False) -> list[MatchSummary]:
    """Return the stored results of the first matches, up to the first match without one."""
    summaries: list[MatchSummary] = []
    for _, summary in stored_results(jobs, store, keep=keep):
        if summary is None:
            break
        summaries.append(summary)
    return summaries


def stored_results(
    jobs: Iterable[MatchJob], store: RunStore | None, *, keep: bool = False
) -> Iterator[tuple[MatchJob, MatchSummary | None]]:
    """Yield matches with their stored results; a missing result is None."""
    return ((job, _stored_result(store, key_of(job, keep=keep))) for job in jobs)


def _stored_result(store: RunStore | None, key: str) -> MatchSummary | None:
    if store is None or key not in store.results:
        return None
    try:
        return msgspec.json.decode(store.results[key], type=MatchSummary)
    except msgspec.MsgspecError:
        return None  # it was stored by another version of this program, so the match is replayed


def play_job(pool: Pool, job: MatchJob, codes: dict[str, bytes], keep: bool) -> MatchSummary | Void:
    """Play a match, with retries if it is void, and return its result; this runs in a process of `Tables`."""
    reason = ""
    games = 0

    def on_game_over() -> None:
        nonlocal games
        games += 1
        count_games(1)

    for _ in range(ATTEMPTS):
        try:
            return summary_of(job, play_locally(job, codes, pool, on_game_over, keep=keep), keep=keep)
        except SandboxError as error:
            reason = str(error)
            count_games(-games)
            games = 0
    return Void(reason)


def summary_of(job: MatchJob, match: LocalMatch, *, keep: bool = False) -> MatchSummary:
    """Return the result of a match in its stored form."""
    seats = len(job.seats)
    entries = [
        EntrySummary(
            games=score.games,
            wins=score.wins,
            win_share=(score.win_share * score.games).as_integer_ratio(),
            block_places=[int(place * 2 * seats) for place in score.block_places],
            faults=dict(sorted(score.faults.items())),
            times=dict(sorted(Counter(map(time_class, times)).items())),
        )
        for score, times in zip(match.scores, match.decision_s, strict=True)
    ]
    played = judged_match(job.id, job, judge(job, match.result)) if keep else None
    return MatchSummary(entries, _pairs(match.games, seats), played)


def _pairs(games: Sequence[RefereedGame], seats: int) -> list[tuple[int, int, int]]:
    counts_by_pair = {pair: [0, 0, 0] for pair in combinations(range(seats), 2)}
    for game in games:
        place = dict(zip(game.record.seating, game.outcome.places, strict=True))
        for (one, other), counts in counts_by_pair.items():
            counts[(place[one] > place[other]) - (place[one] < place[other]) + 1] += 1
    return [(ahead, level, behind) for ahead, level, behind in counts_by_pair.values()]


def _score(entry: int, summary: EntrySummary) -> EntryScore:
    blocks = len(summary.block_places)
    seats = summary.games // blocks
    places = [Fraction(units, 2 * seats) for units in summary.block_places]
    return EntryScore(
        entry=entry,
        mean_place=sum(places, Fraction(0)) / blocks,
        wins=summary.wins,
        win_share=Fraction(*summary.win_share) / summary.games,
        games=summary.games,
        faults=dict(summary.faults),
        block_places=places,
    )


# Jobs.


SEED_LIMIT = 1 << 32  # Drawn seeds are below this number.
MATCH_BLOCKS = 100  # Maximum number of blocks per match; the number of cores does not affect how blocks are split.


def options_of(game: str, seats: int, values: Mapping[str, object]) -> dict[str, object]:
    """Return the options that differ from their defaults, as replays store them. Raises ValueError: invalid option."""
    rules = game_named(game)
    options = rules.options(values)
    rules.start(seats, options, SeededChance(bytes(SEED_BYTES)))
    return rules.options_dict(options)


@dataclass
class LocalRun:
    """The settings of a run, and the jobs of its matches."""

    game: str
    bots: Sequence[LocalBot]
    seats: int
    seed: int
    salt: bytes
    options: dict[str, object] = field(default_factory=dict)
    mode: Mode = Mode.JAIL
    profile: Profile = Profile.PLAIN
    store: RunStore | None = None

    @property
    def sources(self) -> dict[str, bytes]:
        """The source of every bot, by SHA-256."""
        return {bot.sha256: bot.source for bot in self.bots}

    def tables(self, workers: int | None = None) -> Tables:
        """Return processes that play matches; None starts one per core."""
        return Tables(mode=self.mode, workers=workers, profile=self.profile)

    def job(self, entries: Sequence[int], *, number: int = 1, blocks: int = 1) -> MatchJob:
        """Return the job of a match between some of the bots."""
        # The dice depend only on the seed, the salt, the match number and the block, so a new version of a bot gets the
        # same dice as the old one.
        secret = local_secret(self.seed, self.salt)
        return MatchJob(
            id=number,
            game=self.game,
            options=dict(self.options),
            blocks=[block_seed(secret, b"local", number, block).hex() for block in range(blocks)],
            rng_key=rng_key(secret, number).hex(),
            seats=[Seat(entry=entry, name=self.bots[entry].name, code=self.bots[entry].sha256) for entry in entries],
            limits=Limits.of(self.profile, blocks).to_dict(),
        )

    def round_robin(self, blocks: int) -> list[MatchJob]:
        """Return the matches of a round robin, in canonical order; a table's blocks are split into matches."""
        parts = [min(MATCH_BLOCKS, blocks - first) for first in range(0, blocks, MATCH_BLOCKS)]
        parts_and_tables = product(parts, permitted_tables([Entrant(bot) for bot in range(len(self.bots))], self.seats))
        return [
            self.job(entries, number=number, blocks=part) for number, (part, entries) in enumerate(parts_and_tables, 1)
        ]
