"""Play games in this process and analyze them: the costs of house bots, checks of accounts, and the time."""

import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any, Final, NamedTuple

import numpy as np

from benchmarks.analysis.bounded import Sum, in_time
from benchmarks.evidence.players import ANY, bot_class
from benchmarks.harness import Row, seed_of
from benchmarks.house.strength import stems
from benchmarks.matches import bot_of
from gangland.bot import DecisionRequest
from gangland.faults import BotFault, FaultKind
from gangland.game import Game, Outcome
from gangland.games import game_named
from gangland.match import FinishedGame, play
from gangland.view import View
from gangland_ladder.analysis.account import GameFigures, figures_of
from gangland_ladder.analysis.analyzer import analyze
from gangland_ladder.analysis.summary import GamePlace, Summary
from gangland_ladder.rating.trueskill import Rating, rate

TIMID: Final = "first answers"
"""A player that gives random legal answers, the first ones more often, so that games are long."""
BOSS: Final = "boss"
FAILS: Final = 0.01
"""The probability that a seat fails at a decision, in one game of four."""
RATED: Final = 10
"""The number of games to rate for each analyzed game."""


class InPlace:
    """A player for the match loop in this process that sometimes fails.

    Args:
        bot: a house bot's stem, `ANY`, `TIMID`, or the source of another bot.
    """

    def __init__(self, game: Game[Any], bot: str | bytes, rng: Random, fails: float = 0.0) -> None:
        self.game, self.rng, self.fails, self.is_timid = game, rng, fails, bot == TIMID
        self.bot: Any = None
        if bot not in (ANY, TIMID):
            self.bot = bot_of(bot) if isinstance(bot, bytes) else bot_class(game.name, bot)()
            self.bot.rng = rng

    def decide(self, kind: str, view: View, number: int) -> object:
        """Return the bot's answer as plain values."""
        if self.fails and self.rng.random() < self.fails:
            raise BotFault(FaultKind.CRASHED, "it broke")
        if self.bot is not None:
            return self.bot.encode(kind, self.bot.act(DecisionRequest(kind, view)))
        choices = self.game.choices_of(view)
        at = int(self.rng.expovariate(0.4)) if self.is_timid else self.rng.randrange(len(choices))
        return choices[min(at, len(choices) - 1)]


class Accounted(NamedTuple):
    """A game and its account.

    Attributes:
        bots: by seat.
        broken: the first wrong sum; "" if all sums are right.
        play_s, analyze_s: CPU seconds.
    """

    number: int
    bots: tuple[str, ...]
    figures: GameFigures
    broken: str
    play_s: float
    analyze_s: float

    def cost(self, seat: int) -> float:
        """Return the cost of a seat's decisions."""
        return sum(each.cost for each in self.figures.decisions if each.seat == seat)


def played(
    game: str, bots: Sequence[str | bytes], number: int, options: Mapping[str, object], fails: float = 0.0
) -> FinishedGame:
    """Play one game; the same arguments give the same game."""
    rules, words = game_named(game), ("analysis", game, *map(_name, bots), number)
    players = [InPlace(rules, bot, Random(seed_of(*words, seat)), fails) for seat, bot in enumerate(bots)]
    return play(rules, players, seed_of(*words), options=options)


def accounted(
    game: str, bots: Sequence[str | bytes], number: int, options: Mapping[str, object] | None = None, fails: float = 0.0
) -> Accounted:
    """Play a game and analyze it."""
    began = time.process_time()
    replay = played(game, bots, number, options or {}, fails).replay
    ended = time.process_time()
    analysis = analyze(replay, seed=number)
    analyzed = time.process_time()
    broken = ""
    try:
        analysis.check()
    except ArithmeticError as error:
        broken = str(error)
    names = tuple(map(_name, bots))
    return Accounted(number, names, figures_of(analysis), broken, ended - began, analyzed - ended)


def _name(bot: str | bytes) -> str:
    return bot if isinstance(bot, str) else type(bot_of(bot)).__name__


# House bots -----------------------------------------------------------------------------------------


def seated(game: str, seats: int, number: int) -> list[str]:
    """Return different random house bots for the game of this number."""
    return Random(f"seated {game} {seats} {number}").sample(stems(game), seats)


def of_house(game: str, seats: int, numbers: Sequence[int], until: float) -> list[Accounted]:
    """Play games of house bots and analyze them."""
    return [accounted(game, seated(game, seats, number), number) for number in in_time(numbers, until)]


def results(game: str, seats: int, numbers: Sequence[int], until: float) -> list[tuple[list[str], Outcome]]:
    """Play games of house bots for their ratings."""
    tables = [(number, seated(game, seats, number)) for number in in_time(numbers, until)]
    return [(bots, played(game, bots, number, {}).outcome) for number, bots in tables]


def house_rows(games: Sequence[Accounted], rated: Sequence[tuple[list[str], Outcome]]) -> tuple[list[Row], str]:
    """Return a row for each bot of one table size, the highest rating first, and a sentence about the rows."""
    game, seats = games[0].figures.game, games[0].figures.seats
    costs, ratings = defaultdict[str, list[float]](list), defaultdict[str, Rating](Rating)
    for account in games:
        for seat, bot in enumerate(account.bots):
            costs[bot].append(account.cost(seat))
    for bots, outcome in rated:
        order = sorted(range(seats), key=lambda seat: bots[seat])
        places = outcome.mean_places()
        after = rate(game, [ratings[bots[seat]] for seat in order], [places[seat] for seat in order], blocks=1)
        ratings.update(zip([bots[seat] for seat in order], after, strict=True))
    names = sorted(costs, key=lambda bot: -ratings[bot].mu)
    cost = {bot: Sum.of(costs[bot]) for bot in names}
    rows = [(game, seats, bot, len(costs[bot]), f"{ratings[bot].mu:.1f}", cost[bot].points[1:]) for bot in names]
    cheapest = min(names, key=lambda bot: cost[bot].value)
    rho = rank_correlation([ratings[bot].mu for bot in names], [-cost[bot].value for bot in names])
    return list(rows), f"{game}, {seats} seats: rank correlation {rho:.2f}, least cost: {cheapest}."


def rank_correlation(one: Sequence[float], other: Sequence[float]) -> float:
    """Return Spearman's rank correlation of numbers without ties."""
    ranks = [np.argsort(np.argsort(each)) for each in (one, other)]
    return float(np.corrcoef(ranks)[0, 1]) if len(one) > 1 else 1.0


# The account ----------------------------------------------------------------------------------------


def at_random(game: str, seats: int, numbers: Sequence[int], until: float) -> list[Accounted]:
    """Analyze games of all kinds: bots from random to boss, all options, faults, and long games."""
    problems = []
    for number in in_time(numbers, until):
        rng = Random(f"any game {game} {seats} {number}")
        bots = [rng.choice([ANY, TIMID, *stems(game)]) for _ in range(seats)]
        if rng.random() < 0.1:
            bots = [TIMID] * seats
        variants = [{}, {}, *(each.options for each in game_named(game).variants if each.seats == seats)]
        problems.append(accounted(game, bots, number, rng.choice(variants), FAILS if rng.random() < 0.25 else 0.0))
    return problems


def account_rows(games: Sequence[Accounted]) -> Iterator[Row]:
    """Return a row for each cause that has a mean of zero, and the reference's own error, of one table size."""
    game, seats = games[0].figures.game, games[0].figures.seats
    broken = sum(bool(each.broken) for each in games)
    longest = max(each.figures.rounds for each in games)
    for seat in range(seats):
        accounts = [each.figures.accounts[seat] for each in games]
        luck, hidden, error = [
            Sum.of([getattr(each, field) for each in accounts]) for field in ("luck", "hidden", "error")
        ]
        size = Sum.of([abs(each.error) for each in accounts])
        means = [f"{each.points} (z {each.z:+.1f})" for each in (luck, hidden, error)]
        yield (game, seats, len(games), broken, longest, seat + 1, *means, size.points[1:])


class Missed(NamedTuple):
    """The reference's own error in one game, with the name of its options.

    Attributes:
        size: the mean over the seats of the absolute error.
        analyze_s: CPU seconds.
    """

    options: str
    size: float
    analyze_s: float


def variants(game: str) -> dict[str, dict[str, object]]:
    """Return the options to measure by name: the defaults, and each other value by itself."""
    variants: dict[str, dict[str, object]] = {"default": {}}
    for choice in game_named(game).choices_of_options:
        for value in choice.values:
            if value not in (choice.default, "chosen"):
                variants[f"{choice.name} {value}"] = {choice.name: value}
    return variants


def of_unlike(game: str, seats: int, numbers: Sequence[int], until: float) -> list[Missed]:
    """Analyze games of different house bots, with each of the options."""
    rows = []
    for number in in_time(numbers, until):
        for name, options in variants(game).items():
            account = accounted(game, seated(game, seats, number), number, options)
            size = float(np.mean([abs(each.error) for each in account.figures.accounts]))
            rows.append(Missed(name, size, account.analyze_s))
    return rows


def error_rows(games: Sequence[Missed], game: str, seats: int) -> Iterator[Row]:
    """Return a row for each of the options at one table size."""
    for name in variants(game):
        rows = [each for each in games if each.options == name]
        size = Sum.of([each.size for each in rows])
        yield (game, seats, name, len(rows), size.points[1:], 1000 * float(np.mean([each.analyze_s for each in rows])))


# Time -----------------------------------------------------------------------------------------------


def of_boss(game: str, seats: int, numbers: Sequence[int], until: float) -> list[Accounted]:
    """Analyze games with only bosses."""
    return [accounted(game, [BOSS] * seats, number) for number in in_time(numbers, until)]


def time_row(games: Sequence[Accounted]) -> Row:
    """Return the time of play and analysis at one table size, in milliseconds of CPU; the first game warms up."""
    games = games[1:] or games
    play_ms, analyze_ms = [
        1000 * np.array([getattr(each, field) for each in games]) for field in ("play_s", "analyze_s")
    ]
    cells = [float(each) for each in (np.median(play_ms), np.median(analyze_ms), analyze_ms.max())]
    ratio = float(analyze_ms.sum() / play_ms.sum())
    return (games[0].figures.game, games[0].figures.seats, len(games), *cells, ratio)


# Planted weaknesses ---------------------------------------------------------------------------------


DOUBLING: Final = b"""
from gangland_bots.gang_of_dice.boss_gang import BossGang

class Doubling(BossGang):
    def choose_dice(self, view):
        want = super().choose_dice(view)
        return min(view.pool, 2 * want) if view.card.yellow else want
"""
LAVISH: Final = b"""
from gangland_bots.gangster_dice.boss_gang import BossGang

class Lavish(BossGang):
    def choose_bids(self, view):
        bids = sorted(super().choose_bids(view), key=lambda bid: bid[1])
        return [(token, favor) for (token, _), favor in zip(bids, sorted(view.hand)[-len(bids):])]
"""
PLANTED: Final = {
    "gang-of-dice": (DOUBLING, "staking too many dice on yellow cards"),
    "gangster-dice": (LAVISH, "playing a higher favor than was needed"),
}
"""By game, a boss with one weakness, and the theme that describes the weakness."""


def of_planted(game: str, seats: int, numbers: Sequence[int], until: float) -> list[Accounted]:
    """Analyze games of the weak bot in the first seat against bosses."""
    return [accounted(game, [PLANTED[game][0], *[BOSS] * (seats - 1)], number) for number in in_time(numbers, until)]


def planted_row(accounts: Sequence[Accounted]) -> Row:
    """Return the first themes of the weak bot's summary."""
    summary = Summary()
    for game in accounts:
        summary.add(game.figures, GamePlace(file="", game=game.number + 1), game.bots)
    weak = next(each for each in summary.players() if each.bot == accounts[0].bots[0])
    expected, themes = PLANTED[weak.game][1], [f"{each.theme} ({100 * each.cost:.1f})" for each in weak.themes[:3]]
    first = bool(weak.themes) and weak.themes[0].theme == expected
    return (weak.game, accounts[0].figures.seats, weak.games, expected, first, "; ".join(themes))
