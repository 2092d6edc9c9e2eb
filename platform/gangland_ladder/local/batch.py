"""Play games, matches, round robins and duels between local bots from Python; docs/research.md has examples."""

from __future__ import annotations

import os
import secrets
import time
import warnings
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path

from gangland.faults import Fault, FaultKind
from gangland.replay import Replay, load
from gangland_ladder.local import matches
from gangland_ladder.local.bots import LocalBot, find_bots, game_of, read_bot, sort_by_name
from gangland_ladder.local.duel import DUEL_BLOCKS, LocalDuel
from gangland_ladder.local.ladder import P99, LadderResults, Meeting, archive_content
from gangland_ladder.local.salt import SALT_BYTES, NoSalt, machine_salt, parsed_salt
from gangland_ladder.local.single_games import play_single_game
from gangland_ladder.matches.judging import EntryScore, judge
from gangland_ladder.matches.match_jobs import MAX_BLOCKS, MatchJob
from gangland_ladder.proof import archive_files, archives
from gangland_ladder.rating.duel_scores import DuelScore, duel_score
from gangland_ladder.rating.duels import Hypotheses
from gangland_sandbox.errors import SandboxError
from gangland_sandbox.jail import Mode
from gangland_sandbox.limits import Profile

# Playing.


BotSource = LocalBot | str | PathLike[str]  # A bot that has been read, or the path of its file or zip.
Progress = Callable[[int, int], None]  # Called after each match with the number of finished games and of all games.


def play_game(
    bots: Sequence[BotSource],
    *,
    game: str | None = None,
    seed: int | None = None,
    salt: str | None = None,
    options: Mapping[str, object] | None = None,
    trusted: bool = False,
    profile: Profile = Profile.PLAIN,
) -> GameResult:
    """Play one game with the bots in seat order: the same game as `gangland play` with this seed.

    Args:
        bots: 2 to 4; the same bot may take several seats.
        game: None for the game that the bots import.
        seed: random if None.
        salt: hexadecimal digits that all dice depend on; this machine's own salt if None.
        options: options of the game, such as {"deck": "box18"}.
        trusted: run the bots in plain subprocesses instead of the jail; only for your own bots.

    Raises ValueError: an invalid argument, or a path without a bot; SandboxError: the jail failed.
    """
    run = _run(bots, game, len(bots), seed, salt, options, trusted, profile)
    job = run.job(range(len(run.bots)))
    with run.tables(1) as tables:
        (result,) = tables.run(play_single_game, [(job, run.sources)])
    if result.void is not None:
        raise SandboxError(result.void)
    (judged,) = judge(job, result, rotations=1).games
    return game_result(archives.archived_game(job.id, judged), job)


def play_blocks(
    bots: Sequence[BotSource],
    *,
    blocks: int = 1,
    game: str | None = None,
    seed: int | None = None,
    salt: str | None = None,
    options: Mapping[str, object] | None = None,
    trusted: bool = False,
    profile: Profile = Profile.PLAIN,
    keep_games: bool = True,
) -> MatchResult:
    """Play a match of 1 to 1,000 blocks at one table; the other arguments and the errors are those of `play_game`.

    Without `keep_games`, the result has no games, luck or adjusted places, which saves time and memory.
    """
    run = _run(bots, game, len(bots), seed, salt, options, trusted, profile)
    if not 1 <= blocks <= MAX_BLOCKS:
        raise ValueError(f"expected 1 to {MAX_BLOCKS} blocks, not {blocks!r}")
    jobs = [run.job(range(len(run.bots)), blocks=blocks)]
    with run.tables(1) as tables:
        ((job, summary),) = matches.play_all(jobs, run.sources, None, tables, keep=keep_games)
    if isinstance(summary, matches.Void):
        raise SandboxError(f"the match was void every time: {summary.reason}")
    return match_result(job, summary)


def round_robin(
    bots: Sequence[BotSource],
    *,
    seats: int = 2,
    blocks: int = 24,
    game: str | None = None,
    seed: int | None = None,
    salt: str | None = None,
    options: Mapping[str, object] | None = None,
    trusted: bool = False,
    profile: Profile = Profile.PLAIN,
    workers: int | None = None,
    progress: Progress | None = None,
    keep_games: bool = True,
    archive: str | PathLike[str] | None = None,
) -> RoundRobin:
    """Play a match at every possible table of these bots: the same matches as `gangland ladder` with this seed.

    The other arguments and the errors are those of `play_game` and `play_blocks`.

    Args:
        bots: files, folders of files, or bots that have been read; their names must differ.
        blocks: number of blocks per table.
        workers: number of processes; one per core if None.
        archive: path of an archive to write, as with `gangland ladder --archive`; games are then always kept.
    """
    start_s = time.monotonic()
    run = _run(_bots_of(bots), game, seats, seed, salt, options, trusted, profile)
    if len(run.bots) < seats:
        raise ValueError(f"a table of {seats} needs at least {seats} bots, but there are {len(run.bots)}")
    if blocks < 1:
        raise ValueError(f"expected at least one block per table, not {blocks!r}")
    jobs = run.round_robin(blocks)
    if archive is not None and len({len(job.blocks) for job in jobs}) > 1:
        raise ValueError(
            "all matches in an archive must have the same length: "
            f"expected up to {matches.MATCH_BLOCKS} blocks or a multiple of it, not {blocks}"
        )
    keep = keep_games or archive is not None
    played = _RoundRobinGames(run, jobs, progress)
    with run.tables(workers) as tables:
        for job, summary in matches.play_all(jobs, run.sources, None, tables, keep=keep):
            played.add(job, summary)
    if archive is not None:
        played.write(Path(archive))
    return played.result(blocks, time.monotonic() - start_s)


def play_duel(
    new: BotSource,
    old: BotSource,
    *,
    seats: int = 2,
    game: str | None = None,
    seed: int | None = None,
    salt: str | None = None,
    options: Mapping[str, object] | None = None,
    hypotheses: Hypotheses | None = None,
    max_blocks: int = DUEL_BLOCKS,
    trusted: bool = False,
    profile: Profile = Profile.PLAIN,
    workers: int | None = None,
    progress: Callable[[int, float], None] | None = None,
) -> DuelResult:
    """Play a new bot against an old one until it is clear which is better: as `gangland duel` does with this seed.

    The other arguments and the errors are those of `play_game`. Above two seats, copies of the bots fill the table.

    Args:
        hypotheses: bounds in Elo, and error rates; the defaults of the command if None.
        max_blocks: number of blocks after which the duel ends undecided.
        progress: called repeatedly with the number of blocks so far and the log-likelihood ratio.
    """
    start_s = time.monotonic()
    if max_blocks < 1:
        raise ValueError(f"expected at least one block, not {max_blocks!r}")
    run = _run([new, old], game, seats, seed, salt, options, trusted, profile)
    played = LocalDuel(run, hypotheses or Hypotheses(), max_blocks)

    def report() -> None:
        if progress is not None:
            progress(played.test.blocks, played.test.ratio)

    played.play(lambda: None, report, workers)
    bounds, (new_faults, old_faults) = played.test.hypotheses, played.faults
    return DuelResult(
        new=run.bots[0].name,
        old=run.bots[1].name,
        game=run.game,
        seats=seats,
        options=run.options,
        seed=run.seed,
        salt=run.salt.hex(),
        verdict=played.verdict.value,
        ratio=played.test.ratio,
        lower=bounds.lower,
        upper=bounds.upper,
        blocks=played.test.blocks,
        games=played.games,
        measured=duel_score(played.blocks),
        new_faults=dict(sorted(new_faults.items())),
        old_faults=dict(sorted(old_faults.items())),
        seconds=time.monotonic() - start_s,
    )


def _run(
    sources: Sequence[BotSource],
    game: str | None,
    seats: int,
    seed: int | None,
    salt: str | None,
    options: Mapping[str, object] | None,
    trusted: bool,
    profile: Profile,
) -> matches.LocalRun:
    bots = tuple(bot if isinstance(bot, LocalBot) else read_bot(Path(bot)) for bot in sources)
    if not 2 <= seats <= 4:
        raise ValueError(f"expected 2 to 4 seats, not {seats!r}")
    if seed is not None and seed < 0:
        raise ValueError(f"the seed must be 0 or higher, not {seed!r}")
    game = game_of(bots, game)
    return matches.LocalRun(
        game,
        bots,
        seats,
        seed=secrets.randbelow(matches.SEED_LIMIT) if seed is None else seed,
        salt=_salt(salt),
        options=matches.options_of(game, seats, options or {}),
        mode=Mode.TRUSTED if trusted else Mode.JAIL,
        profile=profile,
    )


class _RoundRobinGames:
    def __init__(self, run: matches.LocalRun, jobs: Sequence[MatchJob], progress: Progress | None) -> None:
        self.run = run
        self.jobs = jobs
        self.progress = progress
        self.games_planned = sum(len(job.blocks) * run.seats for job in jobs)
        self.results = LadderResults(run.game, [bot.name for bot in run.bots], run.seats)
        self.matches: list[MatchResult] = []
        self.archived: dict[int, archives.PlayedMatch] = {}
        self.voids: list[VoidMatch] = []

    def add(self, job: MatchJob, summary: matches.MatchSummary | matches.Void) -> None:
        if isinstance(summary, matches.Void):
            self.voids.append(VoidMatch(job.id, tuple(seat.name for seat in job.seats), summary.reason))
        else:
            self.results.add(job, summary)
            self.matches.append(match_result(job, summary))
            if summary.played is not None:
                self.archived[job.id] = summary.played
        if self.progress is not None:
            self.progress(self.results.games, self.games_planned)

    def write(self, archive: Path) -> None:
        voids = {void.number: void.reason for void in self.voids}
        content = archive_content(self.run.bots, self.jobs, self.archived, voids, self.run.seed, self.run.salt)
        with archive.open("wb") as stream:
            archive_files.write_archive(stream, content)

    def result(self, blocks: int, seconds: float) -> RoundRobin:
        run, results = self.run, self.results
        return RoundRobin(
            game=run.game,
            seats=run.seats,
            blocks=blocks,
            options=run.options,
            seed=run.seed,
            salt=run.salt.hex(),
            standings=standings_of(results),
            head_to_head=results.meetings(),
            matches=tuple(self.matches),
            voids=tuple(self.voids),
            games=results.games,
            seconds=seconds,
        )


def _salt(digits: str | None) -> bytes:
    """Return the salt with these digits; for None, this machine's, or a temporary one if that is not available."""
    if digits is not None:
        return parsed_salt(digits)
    try:
        return machine_salt(os.environ)
    except NoSalt as error:
        salt = secrets.token_bytes(SALT_BYTES)
        warnings.warn(f"{error}; this call uses its own salt, {salt.hex()}", stacklevel=4)
        return salt


def _bots_of(bots: Sequence[BotSource]) -> list[LocalBot]:
    local_bots = [bot for bot in bots if isinstance(bot, LocalBot)]
    return sort_by_name([*local_bots, *find_bots([Path(bot) for bot in bots if not isinstance(bot, LocalBot)])])


# Results.


_MEDIAN = 0.5


@dataclass(frozen=True, slots=True)
class GameResult:
    """The result of one game; fields with several values are in seat order."""

    # block, rotation: position in the match, from 0
    block: int
    rotation: int
    bots: tuple[str, ...]
    places: tuple[int, ...]  # 1 is best; tied bots share the better place
    luck: tuple[float, ...]  # the gain from dice compared with its expectation, in the game's unit (docs/ratings.md)
    faults: tuple[Fault, ...]  # at most one per seat
    replay: Replay


@dataclass(frozen=True, slots=True)
class BotScore:
    """The result of a match for one bot."""

    bot: str
    games: int
    mean_place: float  # over all games; lower is better, and tied bots get the mean of the places they share
    block_places: tuple[float, ...]  # the mean place over the games of each block
    wins: int  # games won, including shared wins
    win_share: float  # the share of games won; a shared win counts as a fraction
    faults: Mapping[str, int]  # number of faults of each kind
    luck: float | None  # mean per game, in the game's unit; None without games
    adjusted_place: float | None  # the mean place without net luck; None without games
    # median_ms, p99_ms: the CPU time that 50% or 99% of the decisions did not exceed; None without a decision
    median_ms: float | None
    p99_ms: float | None


@dataclass(frozen=True, slots=True)
class MatchResult:
    """The result of a match: one or more blocks at one table."""

    number: int  # position in its round robin, from 1
    scores: tuple[BotScore, ...]  # one per bot, in the order of the table
    games: tuple[GameResult, ...]  # by block and rotation; empty if games were not kept


@dataclass(frozen=True, slots=True)
class Standing:
    """One bot's line in the standings of a round robin."""

    rank: int | None  # by mean place; rank, mean_place and win_share are None for a bot without a game
    # rank_low, rank_high: the range of the true rank, at 95% confidence (docs/standings.md)
    rank_low: int
    rank_high: int
    bot: str
    games: int
    mean_place: float | None
    wins: int
    win_share: float | None
    # score: the expected share of opponents that the bot beats, 0 to 1, with a 95% range; None without a counted match
    score: float | None
    score_low: float | None
    score_high: float | None
    mu: float
    sigma: float
    faults: Mapping[str, int]
    median_ms: float | None
    p99_ms: float | None


@dataclass(frozen=True, slots=True)
class VoidMatch:
    """A match that could not be played, through no bot's fault; it does not count."""

    number: int
    bots: tuple[str, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class RoundRobin:
    """The results of a round robin."""

    game: str
    seats: int
    blocks: int
    options: Mapping[str, object]
    # seed, salt: the same values give the same games
    seed: int
    salt: str
    standings: tuple[Standing, ...]  # best first
    head_to_head: Mapping[tuple[str, str], Meeting]  # for each pair of bots that met, from the first bot's side
    matches: tuple[MatchResult, ...]  # matches that count, in order
    voids: tuple[VoidMatch, ...]
    games: int  # number of games that count
    seconds: float


@dataclass(frozen=True, slots=True)
class DuelResult:
    """The result of a duel (docs/local-play.md)."""

    new: str
    old: str
    game: str
    seats: int
    options: Mapping[str, object]
    seed: int
    salt: str
    verdict: str  # "accepted" if the test finds the new bot better, else "rejected" or "undecided"
    ratio: float  # the log-likelihood ratio; the duel ends when it reaches `lower` or `upper`
    lower: float
    upper: float
    blocks: int
    games: int
    measured: DuelScore | None  # score, Elo and mean places with intervals; None without a block
    new_faults: Mapping[str, int]
    old_faults: Mapping[str, int]
    seconds: float


def standings_of(results: LadderResults) -> tuple[Standing, ...]:
    """Return the standings of a round robin, best first."""
    ranges = {row.entry: row for row in results.ranges().rows}
    lines = []
    for (rank, row), entry in zip(results.table.ranked(), results.order(), strict=True):
        share = ranges[entry].against_all
        lines.append(
            Standing(
                rank=rank,
                rank_low=ranges[entry].rank_low,
                rank_high=ranges[entry].rank_high,
                bot=row.bot,
                games=row.games,
                mean_place=None if row.mean_place is None else float(row.mean_place),
                wins=row.wins,
                win_share=None if row.win_share is None else float(row.win_share),
                score=None if share is None else share.value,
                score_low=None if share is None else share.low,
                score_high=None if share is None else share.high,
                mu=row.rating.mu,
                sigma=row.rating.sigma,
                faults=dict(sorted(row.faults.items())),
                median_ms=matches.quantile_ms(results.times[entry], _MEDIAN),
                p99_ms=results.p99_ms(entry),
            )
        )
    return tuple(lines)


def match_result(job: MatchJob, summary: matches.MatchSummary) -> MatchResult:
    """Return the result of a match."""
    scores = tuple(_score(job, summary, index, score) for index, score in enumerate(summary.scores(job)))
    games = () if summary.played is None else tuple(game_result(game, job) for game in summary.played.games)
    return MatchResult(job.id, scores, games)


def _score(job: MatchJob, summary: matches.MatchSummary, index: int, score: EntryScore) -> BotScore:
    times = Counter(summary.entries[index].times)
    archived = None if summary.played is None else summary.played.match.scores[index]
    return BotScore(
        bot=job.seats[index].name,
        games=score.games,
        mean_place=float(score.mean_place),
        block_places=tuple(map(float, score.block_places)),
        wins=score.wins,
        win_share=float(score.win_share),
        faults=score.faults,
        luck=None if archived is None else archived.luck,
        adjusted_place=None if archived is None else archived.adjusted,
        median_ms=matches.quantile_ms(times, _MEDIAN),
        p99_ms=matches.quantile_ms(times, P99),
    )


def game_result(game: archives.Game, job: MatchJob) -> GameResult:
    """Return the result of a game, given in the form that archives use."""
    return GameResult(
        block=game.block,
        rotation=game.rotation,
        bots=tuple(job.seats[index].name for index in game.seating),
        places=tuple(game.places),
        luck=tuple(game.luck),
        faults=tuple(
            Fault(fault.seat, FaultKind(fault.kind), fault.message, fault.round, fault.decision)
            for fault in game.faults
        ),
        replay=load(bytes(game.replay)),
    )
