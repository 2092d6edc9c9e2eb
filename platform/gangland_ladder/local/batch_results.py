"""What games, matches and round robins that were played from Python came to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from gangland.faults import Fault, FaultKind
from gangland.replay import Replay, load
from gangland_ladder.local.ladder_results import LadderResults, Meeting
from gangland_ladder.local.matches import MatchCame, quantile_ms
from gangland_ladder.matches.judging import EntryScore
from gangland_ladder.matches.match_orders import Order
from gangland_ladder.proof.archives import Game
from gangland_ladder.rating.duel_scores import Measured

_MEDIAN, _P99 = 0.5, 0.99


@dataclass(frozen=True, slots=True)
class GameResult:
    """One game.

    Attributes:
        block, rotation: which game of the match it is, from 0.
        bots: names, in seat order, as all that follows.
        places: 1 is best; equal ones share the better place.
        luck: what dice brought beyond expectation, in the game's unit (docs/luck.md).
        faults: failures, at most one a seat.
    """

    block: int
    rotation: int
    bots: tuple[str, ...]
    places: tuple[int, ...]
    luck: tuple[float, ...]
    faults: tuple[Fault, ...]
    replay: Replay


@dataclass(frozen=True, slots=True)
class BotScore:
    """What a match came to for one bot.

    Attributes:
        mean_place: over all games, ties as the mean of the places covered; lower is better.
        block_places: the mean place over each block's games.
        wins: games won, shared ones included; win_share: of all games, shared wins by parts.
        faults: how many of each kind.
        luck: mean a game in the game's unit; adjusted_place: the mean place with net luck taken off; None for both
            when games are not kept.
        median_ms, p99_ms: within how many milliseconds of CPU half, and 99%, of the decisions were given; None when
            nothing was decided.
    """

    bot: str
    games: int
    mean_place: float
    block_places: tuple[float, ...]
    wins: int
    win_share: float
    faults: Mapping[str, int]
    luck: float | None
    adjusted_place: float | None
    median_ms: float | None
    p99_ms: float | None


@dataclass(frozen=True, slots=True)
class MatchResult:
    """A match: some blocks at one table.

    Attributes:
        number: within its round robin, from 1.
        scores: one a bot, in the order of the table.
        games: by block and rotation; empty when they are not kept.
    """

    number: int
    scores: tuple[BotScore, ...]
    games: tuple[GameResult, ...]


@dataclass(frozen=True, slots=True)
class Standing:
    """One bot's line in the standings of a round robin.

    Attributes:
        rank: by mean place; it, mean_place and win_share are None for a bot without a game.
        rank_low, rank_high: the ranks that it may have in truth, all bots at once with 95% (docs/standings.md).
        score, score_low, score_high: the share of the table that it is to be ahead of, 0 to 1, with a 95% range;
            None for a bot that played nothing that counts.
        mu, sigma: its rating.
    """

    rank: int | None
    rank_low: int
    rank_high: int
    bot: str
    games: int
    mean_place: float | None
    wins: int
    win_share: float | None
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
    """A match that could not be played, through no bot's doing, and does not count."""

    number: int
    bots: tuple[str, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class RoundRobin:
    """What every table of some bots came to.

    Attributes:
        seed, salt: give all dice; the same again give the same games.
        standings: best first.
        head_to_head: the games of each two bots that met, from the first's side.
        matches: those that count, in their order; voids: those that do not.
        games: how many count.
        seconds: how long it took.
    """

    game: str
    seats: int
    blocks: int
    options: Mapping[str, object]
    seed: int
    salt: str
    standings: tuple[Standing, ...]
    head_to_head: Mapping[tuple[str, str], Meeting]
    matches: tuple[MatchResult, ...]
    voids: tuple[VoidMatch, ...]
    games: int
    seconds: float


@dataclass(frozen=True, slots=True)
class DuelResult:
    """What a duel came to (docs/duel.md).

    Attributes:
        verdict: "accepted" if the new bot is better by the test's bounds, "rejected", or "undecided".
        ratio: the log likelihood ratio, which ended the duel below `lower` or above `upper`.
        measured: score, Elo and mean places with intervals; None if nothing was played.
        new_faults, old_faults: how many of each kind.
    """

    new: str
    old: str
    game: str
    seats: int
    options: Mapping[str, object]
    seed: int
    salt: str
    verdict: str
    ratio: float
    lower: float
    upper: float
    blocks: int
    games: int
    measured: Measured | None
    new_faults: Mapping[str, int]
    old_faults: Mapping[str, int]
    seconds: float


def standings_of(results: LadderResults) -> tuple[Standing, ...]:
    """Return the lines of a round robin, best first."""
    ranges = {row.entry: row for row in results.ranges().rows}
    found = []
    for (rank, row), entry in zip(results.table.ranked(), results.order(), strict=True):
        share = ranges[entry].against_all
        found.append(
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
                median_ms=quantile_ms(results.times[entry], _MEDIAN),
                p99_ms=quantile_ms(results.times[entry], _P99),
            )
        )
    return tuple(found)


def match_result(order: Order, came: MatchCame) -> MatchResult:
    """Return what a match came to."""
    scores = tuple(_score(order, came, index, score) for index, score in enumerate(came.scores(order)))
    games = () if came.played is None else tuple(game_result(game, order) for game in came.played.games)
    return MatchResult(order.id, scores, games)


def _score(order: Order, came: MatchCame, index: int, score: EntryScore) -> BotScore:
    times = Counter(came.entries[index].times)
    kept = None if came.played is None else came.played.match.scores[index]
    return BotScore(
        bot=order.seats[index].name,
        games=score.games,
        mean_place=float(score.mean_place),
        block_places=tuple(map(float, score.block_places)),
        wins=score.wins,
        win_share=float(score.win_share),
        faults=score.faults,
        luck=None if kept is None else kept.luck,
        adjusted_place=None if kept is None else kept.adjusted,
        median_ms=quantile_ms(times, _MEDIAN),
        p99_ms=quantile_ms(times, _P99),
    )


def game_result(game: Game, order: Order) -> GameResult:
    """Return a game out of an archive's."""
    return GameResult(
        block=game.block,
        rotation=game.rotation,
        bots=tuple(order.seats[index].name for index in game.seating),
        places=tuple(game.places),
        luck=tuple(game.luck),
        faults=tuple(
            Fault(fault.seat, FaultKind(fault.kind), fault.message, fault.round, fault.decision)
            for fault in game.faults
        ),
        replay=load(bytes(game.replay)),
    )
