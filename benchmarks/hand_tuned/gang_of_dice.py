"""Gang of Dice as one loop: the rulings D1 to D33 by their default options.

The function is long on purpose.  Dice are alike (D7), so a roll is six counts: gangsters, ones, ... fives.
"""

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from benchmarks.hand_tuned import Player, Result

ROUNDS = 12
POOLS = {2: 48, 3: 48, 4: 36}
BONUS = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3, 6, 9)
"""The bonus dice by round."""
CHUNK = 1024
"""Random bytes drawn at a time; a multiple of 4, so that the stream does not depend on it."""
FAIR = bytes([value % 6 for value in range(256)])
UNFAIR = bytes(range(252, 256))
OPTIONS = ("w24", "next")
NOBODY = (-1, 0, -1)

Counts = tuple[int, int, int, int, int, int]
"""Gangsters, ones, twos, threes, fours, fives; the raw faces of chance are 5 and 0 to 4 (D32)."""


def _runs(length: int) -> Callable[[Counts], bool]:
    starts = range(1, 7 - length)
    return lambda dice: any(all(dice[start : start + length]) for start in starts)


def _total(limit: int) -> Callable[[Counts], bool]:
    return lambda dice: dice[1] + 2 * dice[2] + 3 * dice[3] + 4 * dice[4] + 5 * dice[5] >= limit


def _different(limit: int) -> Callable[[Counts], bool]:
    return lambda dice: 5 - dice[1:].count(0) >= limit


TRIGGERED: tuple[Callable[[Counts], bool], ...] = (
    _total(7),
    _total(10),
    _total(11),
    _total(13),
    _total(16),
    lambda dice: max(dice[1:]) >= 2,
    _different(2),
    _different(3),
    lambda dice: dice[1] + dice[3] + dice[5] > 0,
    lambda dice: dice[3] + dice[4] + dice[5] > 0,
    lambda dice: max(dice[1:]) >= 3,
    lambda dice: sum([count > 1 for count in dice[1:]]) >= 2,
    _total(13),
    _runs(2),
    _runs(3),
    lambda dice: dice[1] + dice[3] + dice[5] >= 2,
    lambda dice: dice[1] + dice[3] + dice[5] >= 3,
    lambda dice: dice[5] >= 2,
    lambda dice: dice[1] > 0,
    lambda dice: dice[4] + dice[5] > 0,
    lambda dice: max(dice[1:]) >= 3,
    _different(4),
    lambda dice: dice[2] + dice[4] >= 2,
    lambda dice: dice[0] >= 2,
)
"""By card number, B1 to B12, then Y1 to Y12: returns whether a roll triggers the warning."""
FIRST_YELLOW = 12


def play(seats: int, players: Sequence[Player], dice: Random, cards: Random) -> Result:
    """Play one game; every decision gets a new observation of the seat's information (D33)."""
    shuffled = cards.random
    first = int(shuffled() * seats)
    deck = sorted(range(24), key=lambda _: shuffled())[:ROUNDS]
    pools = [POOLS[seats]] * seats
    out = [0] * seats
    carried = decisions = 0
    last: tuple[Any, ...] | None = None
    fresh, at = b"", 0
    for number in range(1, ROUNDS + 1):
        bonus, card = BONUS[number], deck[number - 1]
        yellow, triggered = card >= FIRST_YELLOW, TRIGGERED[card]
        while out[first]:
            first = (first + 1) % seats
        order = [seat % seats for seat in range(first, first + seats) if not out[seat % seats]]
        public = (OPTIONS, number, tuple(deck[:number]), tuple(order), tuple(out), carried, bonus, last)
        turns: list[tuple[Any, ...]] = []
        best, on_table = NOBODY, carried + bonus
        for seat in order:
            player = players[seat]

            # A stake (D6); the last die must be staked, so the seat is not asked (D20, G41).
            stake = pool = pools[seat]
            if pool > 1:
                stake = 1 + player((seat, public, tuple(pools), tuple(turns), best, ()), pool)
                decisions += 1
            pools[seat] = pool - stake
            on_table += stake

            # A roll and up to two rerolls (D7 to D12).
            rolls: tuple[Counts, ...] = ()
            gangsters = ones = twos = threes = fours = fives = 0
            again, bust = stake, False
            while True:
                while at + again > len(fresh):
                    fresh, at = fresh[at:] + dice.randbytes(CHUNK).translate(FAIR, UNFAIR), 0
                count = fresh[at : at + again].count
                at += again
                gangsters += count(5)
                ones += count(0)
                twos += count(1)
                threes += count(2)
                fours += count(3)
                fives += count(4)
                roll = (gangsters, ones, twos, threes, fours, fives)
                rolls = (*rolls, roll)
                if yellow and triggered(roll):
                    bust = True
                    break
                if len(rolls) == 3:
                    break
                choices = (gangsters + 1) * (ones + 1) * (twos + 1) * (threes + 1) * (fours + 1) * (fives + 1)
                rest = player((seat, public, tuple(pools), tuple(turns), best, rolls), choices)
                decisions += 1
                if not rest:
                    break
                again = 0
                if gangsters:
                    rest, some = divmod(rest, gangsters + 1)
                    gangsters -= some
                    again = some
                if ones:
                    rest, some = divmod(rest, ones + 1)
                    ones -= some
                    again += some
                if twos:
                    rest, some = divmod(rest, twos + 1)
                    twos -= some
                    again += some
                if threes:
                    rest, some = divmod(rest, threes + 1)
                    threes -= some
                    again += some
                if fours:
                    rest, some = divmod(rest, fours + 1)
                    fours -= some
                    again += some
                fives -= rest
                again += rest
            if not yellow:
                bust = triggered(roll)

            # A valid roll may lead: by its total, then its dice, then the earlier turn (D13 to D15).
            total = ones + 2 * twos + 3 * threes + 4 * fours + 5 * fives
            if not bust and (total > best[0] or (total == best[0] and stake > best[1])):
                best = (total, stake, seat)
            turns.append((seat, rolls, total, bust))

        # The winner takes the table, or all dice stay there (D16, D18); a seat without dice is out (D19).
        winner = best[2]
        carried = on_table
        if winner >= 0:
            pools[winner] += on_table
            carried = 0
        gone = tuple([seat for seat in range(seats) if not pools[seat] and not out[seat]])
        for seat in gone:
            out[seat] = number
        last = (number, card, tuple(turns), best, on_table, gone)
        if out.count(0) <= 1:
            break
        first = (order[0] + 1) % seats
    standings = [(ended or ROUNDS + 1, 0 if ended else pool) for ended, pool in zip(out, pools, strict=True)]
    return Result(tuple([1 + sum(other > own for other in standings) for own in standings]), number, decisions)
