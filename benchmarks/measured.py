"""Measure the ladder's constants of a game with its house bots: the data of `gangland_ladder.analysis.games`.

    python -m benchmarks.measured draws [BLOCKS A TABLE]    how often two bots of a match tie on mean place
    python -m benchmarks.measured costs [TABLES]            the CPU of a match
    python -m benchmarks.measured luck [BLOCKS A TABLE]     the share of results explained by luck, and the saving
    python -m benchmarks.measured lucks [BLOCKS A TABLE]    the same for two measures: luck, and that of analyses

Each prints a row per game and table size.
"""

import argparse
import os
import resource
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from importlib import import_module
from itertools import combinations
from math import sqrt
from random import Random
from statistics import fmean, stdev
from typing import Any

import numpy as np

from benchmarks.evidence.players import THINKING_BOTS, Player, bot_class, play
from benchmarks.evidence.stats import Z
from benchmarks.harness import Job, Row, Section, Table, count, parser, pieces, publish, run_all, say, seed_of
from benchmarks.matches import house_bots
from gangland.blocks import seating
from gangland.bot import DecisionRequest
from gangland.chance import SeededChance
from gangland.games import GAME_NAMES, game_named
from gangland.luck import luck_from, luck_of
from gangland.match import play as play_recorded
from gangland.view import View
from gangland_ladder.analysis.account import figures_of
from gangland_ladder.analysis.analyzer import analyze
from gangland_ladder.analysis.games import MEASURED_BLOCKS
from gangland_ladder.analysis.luck import SeatLuck, mean_luck, seat_luck
from gangland_ladder.local.matches import LocalRun
from gangland_ladder.local.processes import Tables
from gangland_ladder.matches.judging import judge
from gangland_ladder.matches.match_jobs import MatchJob, Result
from gangland_ladder.matches.referee import play_match
from gangland_ladder.pairing.permitted_tables import Entrant, permitted_tables
from gangland_ladder.pairing.round_robin import round_robin
from gangland_sandbox.jail import Mode
from gangland_sandbox.pool import Pool
from gangland_sandbox.privileges import drop, is_root
from gangland_sandbox.runtime import prepare

MATCH_BLOCKS = 50
TIE_BLOCKS = 12
"""The numbers of blocks of matches whose ties are also counted."""
PARTS = 8
SHORT, LONG = 2, 12
"""The numbers of blocks of a match: two lengths separate the fixed costs of a match from the costs of a game."""
BLOCKS_PER_TABLE = 8
"""The number of consecutive blocks between the same bots."""


def places_of(pool: Pool, job: MatchJob, codes: dict[str, bytes]) -> list[list[int]]:
    """Return twice the sum of places, one list per block, one number per bot of the match; run at a table."""
    totals = [[0] * len(job.seats) for _ in job.blocks]
    for game in judge(job, play_match(job, codes, pool=pool)).games:
        places = game.outcome.mean_places()
        for seat, index in enumerate(game.record.seating):
            totals[game.record.block][index] += int(2 * places[seat])
    return totals


def differences(at_tables: Tables, game: str, seats: int, blocks: int) -> list[list[int]]:
    """Return, for each pair at each table, the differences of places in halves of a place, one number per block."""
    bots = house_bots(game)
    met = permitted_tables([Entrant(bot) for bot in range(len(bots))], seats)
    jobs = [
        LocalRun(game, bots, len(bots), 1000 + repeat, b"").job(table, number=number, blocks=MATCH_BLOCKS)
        for number, table in enumerate(met, 1)
        for repeat in range(-(-blocks // MATCH_BLOCKS))
    ]
    calls: list[tuple[Any, ...]] = [
        (job, {bots[s.entry].sha256: bots[s.entry].source for s in job.seats}) for job in jobs
    ]
    played = list(at_tables.run(places_of, calls))
    a_table = len(played) // len(met)
    pairs = []
    for first in range(0, len(played), a_table):
        totals = [block for match in played[first : first + a_table] for block in match]
        pairs += [[block[one] - block[other] for block in totals] for one, other in combinations(range(seats), 2)]
    return pairs


def chance_of_tie(pairs: Sequence[Sequence[int]], blocks: int) -> float:
    """Return the mean over pairs of the probability that this number of blocks, drawn from the pair's, cancel out.

    The blocks of a match are drawn independently, so this follows by convolution: for every number of blocks at once,
    and far more exactly than by counting the ties of whole matches.
    """
    chances = []
    for pair in pairs:
        reach = max(map(abs, pair), default=0)
        once = np.bincount(np.asarray(pair) + reach, minlength=2 * reach + 1) / len(pair)
        spread = np.ones(1)
        for _ in range(blocks):
            spread = np.convolve(spread, once)
        chances.append(float(spread[len(spread) // 2]))
    return sum(chances) / len(chances)


def standard_error(pairs: Sequence[Sequence[int]], blocks: int) -> float:
    """Return the jackknife estimate, which leaves out each eighth of the blocks in turn."""
    without = [
        chance_of_tie([[d for number, d in enumerate(pair) if number % PARTS != part] for pair in pairs], blocks)
        for part in range(PARTS)
    ]
    mean = sum(without) / PARTS
    return float(((PARTS - 1) / PARTS * sum((chance - mean) ** 2 for chance in without)) ** 0.5)


def tied(pairs: Sequence[Sequence[int]], blocks: int) -> tuple[int, int]:
    """Return the number of tied matches with this number of blocks, and the number of all such matches."""
    sums = [sum(pair[at : at + blocks]) for pair in pairs for at in range(0, len(pair) - blocks + 1, blocks)]
    return sums.count(0), len(sums)


def draws(blocks: int) -> Table:
    """Play long matches between all house bots, and return the share of tied pairs after any number of blocks."""
    rows: list[Row] = []
    with Tables(mode=Mode.TRUSTED) as at_tables:
        for game, seats in _everywhere():
            pairs = differences(at_tables, game, seats, blocks)
            chances = [chance_of_tie(pairs, many) for many in MEASURED_BLOCKS]
            error = standard_error(pairs, TIE_BLOCKS)
            ties, matches = tied(pairs, TIE_BLOCKS)
            data = ", ".join(f"{chance:.3g}" for chance in chances)
            rows.append((game, seats, data, f"{error:.5f}", f"{ties} of {matches}"))
    columns = ("game", "seats", "draws", f"standard error at {TIE_BLOCKS}", f"counted at {TIE_BLOCKS} blocks")
    return Table("draws", "Chances of a draw by blocks", columns, tuple(rows))


def costs(many: int) -> Table:
    """Play short and long matches in the jail, record them, and return their CPU."""
    bots = {game: house_bots(game) for game in GAME_NAMES}
    prepare()
    if is_root():
        import_module("importlib.readers")
        drop()
    rows: list[Row] = []
    for game, seats in _everywhere():
        short, _ = _match_s(game, bots[game], seats, many, SHORT)
        long, played = _match_s(game, bots[game], seats, many, LONG)
        per_game = (long - short) / (seats * (LONG - SHORT))
        began = time.process_time()
        for job, result in played:
            judge(job, result)
        record = (time.process_time() - began) / (many * seats * LONG)
        rows.append((game, seats, f"{short - SHORT * seats * per_game:.3f}", f"{per_game:.4f}", f"{record:.4f}"))
    columns = ("game", "seats", "match_s", "game_s", "record_s")
    return Table("costs", f"CPU seconds of matches of {LONG} blocks", columns, tuple(rows))


def _match_s(
    game: str, bots: Sequence[Any], seats: int, many: int, blocks: int
) -> tuple[float, list[tuple[MatchJob, Result]]]:
    """Return the CPU seconds per match, of referee, jails and bots together, and the matches."""
    entrants = [Entrant(entry) for entry in range(len(bots))]
    played = []
    began = _cpu_s()
    pool = Pool(Mode.JAIL)
    for number, table in enumerate(round_robin(entrants, seats, seed="costs", sample=many), 1):
        job = LocalRun(game, bots, len(bots), 5, b"").job(table, number=number, blocks=blocks)
        played.append((job, play_match(job, {bots[e].sha256: bots[e].source for e in table}, pool=pool)))
    pool.close()
    if void := [result.void for _, result in played if result.void is not None]:
        raise RuntimeError(f"matches could not be played: {void[0]}")
    return (_cpu_s() - began) / many, played


def _cpu_s() -> float:
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


Groups = dict[tuple[Any, ...], list[SeatLuck]]
"""By (table, bot), in order; a table is a set of bots."""


def luck(blocks: int) -> Table:
    """Play mirrored blocks between house bots, and return the share of places that their luck explains."""
    rows = tuple([_luck_row(game, seats, blocks) for game, seats in _everywhere()])
    columns = (
        *("game", "seats", "games", "unit", "mean luck", "spread of net luck", "places_per_unit"),
        *("saved, games", "saved, blocks"),
    )
    return Table("luck", "What luck explains", columns, rows, "Saved: the part of the variance that adjusting removes.")


def _luck_row(name: str, seats: int, blocks: int) -> Row:
    games: Groups = defaultdict(list)
    of_blocks: Groups = defaultdict(list)
    common = []
    for number in range(blocks):
        mine = block_luck(name, seats, number)
        for key, own in mine.items():
            games[key] += own
            of_blocks[key].append(mean_luck(own))
        common.append(fmean(float(each.luck) for own in mine.values() for each in own))
    nets = [each.net for group in games.values() for each in group]
    spread = sqrt(sum((net * net for net in nets), Fraction(0)) / len(nets))
    mean = f"{fmean(common):+.3f} ± {Z * stdev(common) / sqrt(len(common)):.3f}"
    saved = [f"{saving(iter(groups.values())).share or 0.0:.1%}" for groups in (games, of_blocks)]
    unit = game_named(name).luck_unit
    return name, seats, blocks * seats, unit, mean, f"{spread:.2f}", f"{places_per_unit(games):.4f}", *saved


def block_luck(name: str, seats: int, number: int) -> Groups:
    """Play one block in all rotations; return the luck and places of each bot's games."""
    game, seed = game_named(name), seed_of("luck", name, seats, number)
    stems = sorted(Random(f"{name} {seats} {number // BLOCKS_PER_TABLE}").sample(THINKING_BOTS[name], seats))
    mine: Groups = {(*stems, bot): [] for bot in range(seats)}
    for rotation in range(seats):
        at = seating(number, rotation, seats)
        seated = [Player(stems[bot]).sit(game, seed_of(seed.hex(), bot, rotation)) for bot in at]
        played = play(game, seated, {}, SeededChance(seed))
        luck = luck_from(name, seats, played.events)
        for bot, seat in zip(at, seat_luck(name, luck, played.outcome.mean_places()), strict=True):
            mine[*stems, bot].append(seat)
    return mine


@dataclass(frozen=True, slots=True)
class Saving:
    """The reduction of the variance of places by an adjustment.

    Attributes:
        plain: variance of the places within groups, in places squared; None without two values in any group.
        adjusted: the same variance of the adjusted places.
    """

    plain: float | None
    adjusted: float | None

    @property
    def share(self) -> float | None:
        """The saved share of the variance; negative if it grew, None if there is no variance."""
        if self.plain is None or self.adjusted is None or not self.plain:
            return None
        return 1 - self.adjusted / self.plain


def saving(groups: Iterable[Sequence[SeatLuck]]) -> Saving:
    """Return the saving by adjustment, pooled over groups; only the variance within each group counts.

    Args:
        groups: each group has the results of one entry against the same opponents: its blocks in a match (the
            `mean_luck` of each), or all its games at one table.
    """
    plain = adjusted = Fraction(0)
    free = 0
    for group in groups:
        if len(group) > 1:
            plain += _squares([each.place for each in group])
            adjusted += _squares([each.adjusted for each in group])
            free += len(group) - 1
    return Saving(float(plain / free), float(adjusted / free)) if free else Saving(None, None)


def _squares(values: Sequence[Fraction]) -> Fraction:
    """Return the sum of the squared deviations from the mean."""
    total = sum(values, Fraction(0))
    return sum((value * value for value in values), Fraction(0)) - total * total / len(values)


class House:
    """A house bot as a player for the engine."""

    def __init__(self, name: str, stem: str, rng: Random) -> None:
        self.bot = bot_class(name, stem)()
        self.bot.rng = rng

    def decide(self, kind: str, view: View, number: int) -> object:
        """Return the bot's answer."""
        return self.bot.encode(kind, self.bot.act(DecisionRequest(kind, view)))


def lucks(blocks: int) -> Table:
    """Play mirrored blocks between house bots, and return the reduction of the variance by each measure of luck."""
    jobs = [
        Job((game, seats), analyzed_blocks, (game, seats, piece))
        for game, seats in _everywhere()
        for piece in pieces(blocks, BLOCKS_PER_TABLE)
    ]
    rows = [
        _lucks_row(game, seats, parts) for (game, seats), parts in run_all(jobs, len(os.sched_getaffinity(0))).items()
    ]
    columns = (
        *("game", "seats", "games", "saved by luck, games", "by luck of analysis, games", "difference, games"),
        *("saved by luck, blocks", "by luck of analysis, blocks", "difference, blocks"),
    )
    finding = "Saved: the part of the variance that adjusting removes; ± is 1.96 standard errors over sets of bots."
    return Table("lucks", "Two measures of luck", columns, tuple(rows), finding)


Both = dict[tuple[Any, ...], list[list[tuple[SeatLuck, SeatLuck]]]]
"""By (table, bot) and block, the games by both measures."""


def analyzed_blocks(name: str, seats: int, numbers: Sequence[int]) -> Both:
    """Play blocks of one set of bots in all rotations, and return each bot's games by both measures of luck."""
    game, groups = game_named(name), defaultdict(list)
    stems = sorted(Random(f"{name} {seats} {numbers[0] // BLOCKS_PER_TABLE}").sample(THINKING_BOTS[name], seats))
    for number in numbers:
        seed = seed_of("lucks", name, seats, number)
        mine: dict[int, list[tuple[SeatLuck, SeatLuck]]] = defaultdict(list)
        for rotation in range(seats):
            at = seating(number, rotation, seats)
            players = [House(name, stems[bot], Random(seed_of(seed.hex(), bot, rotation))) for bot in at]
            played = play_recorded(game, players, seed)
            places = played.outcome.mean_places()
            accounts = figures_of(analyze(played.replay)).accounts
            measured = seat_luck(name, luck_of(played.replay), places)
            for bot, seat, account, place in zip(at, measured, accounts, places, strict=True):
                net = Fraction(account.luck)
                mine[bot].append((seat, SeatLuck(net, net, place, place + (seats - 1) * net)))
        for bot, games in mine.items():
            groups[(*stems, bot)].append(games)
    return dict(groups)


def _lucks_row(name: str, seats: int, parts: Sequence[Both]) -> Row:
    whole = np.array(_shares(parts))
    without = np.array([_shares([*parts[:left], *parts[left + 1 :]]) for left in range(len(parts))])
    errors = np.sqrt((len(parts) - 1) / len(parts) * ((without - without.mean(axis=0)) ** 2).sum(axis=0))
    games = sum(len(block) for part in parts for blocks in part.values() for block in blocks) // seats
    return name, seats, games, *(f"{one:.1%} ± {Z * off:.1%}" for one, off in zip(whole, errors, strict=True))


def _shares(parts: Sequence[Both]) -> list[float]:
    """Return both measures' savings for games, and the additional saving of the second; then these for blocks."""
    shares = []
    for joined in (False, True):
        one, other = (_share(parts, measure, joined=joined) for measure in (0, 1))
        shares += [one, other, other - one]
    return shares


def _share(parts: Sequence[Both], measure: int, *, joined: bool) -> float:
    groups = []
    for blocks in (blocks for part in parts for blocks in part.values()):
        games = [[both[measure] for both in block] for block in blocks]
        groups.append([mean_luck(block) for block in games] if joined else [each for block in games for each in block])
    return saving(groups).share or 0.0


def places_per_unit(games: Groups) -> float:
    """Return the change in places per unit of net luck, by least squares within groups."""
    product = square = 0.0
    for group in games.values():
        place, net = fmean(each.place for each in group), fmean(each.net for each in group)
        product -= sum(float(each.place - place) * float(each.net - net) for each in group)
        square += sum(float(each.net - net) ** 2 for each in group)
    return product / square if square else 0.0


def _everywhere() -> Iterator[tuple[str, int]]:
    for game in GAME_NAMES:
        for seats in game_named(game).table_sizes:
            say(f"{game}, {seats} seats")
            yield game, seats


WHAT: dict[str, tuple[Callable[[int], Table], int]] = {
    "draws": (draws, 400),
    "costs": (costs, 20),
    "luck": (luck, 1500),
    "lucks": (lucks, 128),
}


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print."""
    line = parser("benchmarks.measured", "What the ladder knows of a game from its house bots.")
    line.formatter_class = argparse.RawDescriptionHelpFormatter
    line.add_argument("what", choices=WHAT, help="draws, costs, luck or lucks")
    line.add_argument(
        "count", type=count, nargs="?", help="blocks a table (draws 400, luck 1500, lucks 128), tables (costs 20)"
    )
    options = line.parse_args(arguments)
    measure, default = WHAT[options.what]
    publish(options, [Section(options.what, (measure(options.count or default),))])


if __name__ == "__main__":
    main()
