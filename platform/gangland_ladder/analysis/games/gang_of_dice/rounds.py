"""Evaluate a round of Gang of Dice: each seat's value before every turn, and the value of every choice."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from itertools import product
from pathlib import Path
from typing import Any, Final, TypeAlias

import numpy as np

from gangland.gang_of_dice.state import FIRST_PLAYERS, ROUNDS, State
from gangland.gang_of_dice.warnings import DECKS, NUMBERS
from gangland_ladder.analysis.games.gang_of_dice.positions import Network, Networks, RoundEnd, Setting
from gangland_ladder.analysis.games.gang_of_dice.turns import MAX_DICE, MAX_STAKED, Floats, Ints, Plans, Turn, level

# The tables, which `benchmarks/training` computes and stores in one file.

VERSION: Final = 2
FILE: Final = Path(__file__).with_name(f"values-{VERSION}.npz")
# All combinations of options except the defaults: a deck, and the rule for the first player of later rounds.
OTHER_OPTIONS: Final = tuple(product(DECKS, FIRST_PLAYERS))[1:]
UNITS: Final = 65535  # Stored probabilities are multiples of 1 / UNITS.


class Tables:
    """All learned and precomputed tables."""

    def __init__(self, ends: Floats, reached: Floats, networks: Networks) -> None:
        self._ends = ends
        self._reached = reached
        self.networks = networks
        self.plans = cache(self._plans)

    def _plans(self, card: int) -> Plans:
        return Plans(card, self._ends[card] / UNITS, self._reached[card])

    def survival_factor(self, card: int) -> float:
        """Return the factor by which the last of `MAX_DICE` dice reduces the probability of avoiding a bust."""
        fewer, largest = self._reached[card, MAX_DICE - 1, 0], self._reached[card, MAX_DICE, 0]
        return float(largest / fewer) if fewer else 0.0


def read(arrays: Mapping[str, Any]) -> Tables:
    """Return the tables in the arrays of a file."""
    networks: dict[tuple[int, int], Network] = {}
    for seats in (2, 3, 4):
        for number in range(1, ROUNDS + 1):
            one, two, three, four, five, six, traits, close = [
                arrays[f"network {seats} {number} {place}"].astype(np.float64) for place in range(8)
            ]
            totals = arrays[f"totals {seats} {number}"]
            options = {key: arrays[changes_name(*key, seats)][number - 1] for key in OTHER_OPTIONS}
            networks[seats, number] = Network((one, two, three), (four, five, six), traits, totals, close, options)
    return Tables(arrays["ends"], arrays["reached"], networks)


def changes_name(deck: str, first_player: str, seats: int) -> str:
    """Return the name of the array in the file that has `Network.options` for each round."""
    return f"changes {deck} {first_player} {seats}"


@cache
def tables() -> Tables:
    """Return the tables in the package's file."""
    with np.load(FILE, allow_pickle=False) as arrays:
        return read(arrays)


# The round, solved backwards, including the answers of later seats.
#
# Each later seat chooses its best stake and follows the best plan (`turns.Plans`), given the leader. So an earlier seat
# knows how likely its total is to keep the lead (D4, D15). In the last round, the later turns are solved exactly if
# that does not take too long. The caller provides the values at the end of the round.

# A function that returns the values at the end of a round, (ends, channels). Its arguments are the stakes, (ends,
# turns), and the turn that won the round, (ends,), which is -1 if no turn won.
Ending: TypeAlias = Callable[[Ints, Ints], Floats]

_MAX_WORK: Final = 500_000  # Maximum number of multisets for solving one turn's positions exactly: about a second.
# With three or more seats to come, the maximum number of dice beyond the useful number. In random positions of rounds 2
# to 11, this limit changes few values, and no value by more than 0.023.
_TIE_DICE: Final = 3
_NO_LEADER: Final = 10**6  # Replaces the leader's stake if there is no leader, so that total 0 leads with any stake.


@dataclass(frozen=True, slots=True)
class Turns:
    """The state of a round before one of its turns."""

    plans: Plans  # the plans of turns under the round's warning
    staked: tuple[int, ...]  # dice staked in the finished turns, in playing order; their number is the next turn
    leader: int  # the leading turn; -1 if there is no leader
    total: int  # the leader's total
    pools: tuple[int, ...]  # dice of the seats that have not played yet, in playing order
    channels: tuple[int, ...]  # by turn, the channel that its seat maximizes
    ending: Ending  # returns the values at the end of the round
    is_last_round: bool = False  # whether the game ends after this round

    def stakes(self, turn: int) -> range:
        """Return the possible stakes of the seat in a turn."""
        # Dice that no longer help to reach a total still win ties. So the next seat and the last seat may stake as many
        # dice as can be solved. With three or more seats to come, only a few extra dice are tried, except in the last
        # round.
        is_last = turn == len(self.channels) - 1
        limit = MAX_DICE if is_last or turn == len(self.staked) else MAX_STAKED
        if len(self.pools) > 2 and not self.is_last_round:
            limit = min(limit, min(self.plans.most_useful, MAX_STAKED) + _TIE_DICE + is_last)
        return range(1, min(self.pools[turn - len(self.staked)], limit) + 1)

    def needed_total(self, stake: int) -> int:
        """Return the lowest leading total with this stake: a tie goes to more dice, then to the earlier turn (D15)."""
        if self.leader < 0:
            return 0
        return self.total if stake > self.staked[self.leader] else self.total + 1

    def final_values(self, stakes: Sequence[int]) -> dict[int, Floats]:
        """Return by stake of the next seat (totals + 1, channels): the value of each final total, then of a bust."""
        lost, leads = _Grid(self, stakes).before(len(self.staked) + 1)
        values_by_stake = {}
        for number, stake in enumerate(stakes):
            totals = np.arange(stake * max(NUMBERS) + 1)
            mine = np.where(totals[:, None] >= self.needed_total(stake), leads[number, : len(totals)], lost[number])
            values_by_stake[stake] = np.concatenate([mine, lost[number]])
        return values_by_stake


class _Grid:
    """All combinations of stakes in the remaining turns.

    The values before a turn are a list of arrays (ways, totals, channels). The flat axis of ways has the combinations
    of the stakes since the start of the grid. The first array is for the present leader, or no leader, with a single
    total. Each of the others is for one of the turns since then as the leader, by its total. After the last turn, each
    array has a single total, because totals no longer matter.
    """

    def __init__(self, turns: Turns, stakes: Sequence[int]) -> None:
        self._turns = turns
        self._now = len(turns.staked)
        self._stakes = [tuple(stakes)]
        self._stakes += [tuple(turns.stakes(turn)) for turn in range(self._now + 1, len(turns.channels))]
        mesh = np.meshgrid(*self._stakes, indexing="ij")
        self._ways = np.stack([stake.ravel() for stake in mesh], axis=1)

    def before(self, turn: int) -> list[Floats]:
        values = self._ends()
        for place in range(len(self._stakes) - 1, turn - self._now - 1, -1):
            values = self._before_turn(place, values)
        return [self._with_totals(array, leader) for leader, array in enumerate(values)]

    def _with_totals(self, values: Floats, leader: int) -> Floats:
        totals = 1 if leader == 0 else self._max_total(leader) + 1
        return values if values.shape[1] == totals else np.repeat(values, totals, axis=1)

    def _max_total(self, leader: int) -> int:
        return self._stakes[leader - 1][-1] * max(NUMBERS)

    def _ends(self) -> list[Floats]:
        ways = len(self._ways)
        staked = np.tile(np.array(self._turns.staked, dtype=np.int64), (ways, 1))
        stakes = np.concatenate([staked, self._ways], axis=1)
        winners = [self._turns.leader, *range(self._now, self._now + len(self._stakes))]
        values = self._turns.ending(np.tile(stakes, (len(winners), 1)), np.repeat(winners, ways))
        return list(values.reshape(len(winners), ways, 1, -1))

    def _before_turn(self, place: int, after: list[Floats]) -> list[Floats]:
        stakes, channel = self._stakes[place], self._turns.channels[self._now + place]
        ways = len(after[0]) // len(stakes)
        after = [array.reshape(ways, len(stakes), *array.shape[1:]) for array in after]
        if self._is_exact(place, ways):
            return [
                self._solve(leader, ways, stakes, channel, after[leader], after[place + 1])
                for leader in range(place + 1)
            ]
        won = [self._winning_values(after[place + 1][:, number], stake) for number, stake in enumerate(stakes)]
        return [self._best_plans(leader, ways, stakes, channel, after[leader], won) for leader in range(place + 1)]

    def _winning_values(self, mine: Floats, stake: int) -> tuple[Floats, Floats]:
        """Return the chance of leading, (needs, plans), and its part of the value, (ways, needs, plans, channels)."""
        plans = self._turns.plans
        if mine.shape[1] == 1:  # for the last seat, the lowest total that leads is as good as any higher one
            chance = plans.reached(stake)[:, None]
            return chance, chance[None, :, :, None] * mine[:, :, None]
        shares = plans.shares(stake)
        needs, kinds, totals = shares.shape
        ways, _, channels = mine.shape
        by_total = mine[:, :totals].transpose(1, 0, 2).reshape(totals, ways * channels)
        added = (shares.reshape(needs * kinds, totals) @ by_total).reshape(needs, kinds, ways, channels)
        return plans.chance(stake), added.transpose(2, 0, 1, 3)

    def _best_plans(
        self,
        leader: int,
        ways: int,
        stakes: Sequence[int],
        channel: int,
        lost: Floats,
        won: Sequence[tuple[Floats, Floats]],
    ) -> Floats:
        """Return the value of a seat's best stake and plan against a leader: (ways, totals, channels)."""
        rows = np.arange(ways)[:, None]
        totals, leader_stake = self._totals_to_beat(leader, ways)
        needs, plans, values = [], [], []
        for number, stake in enumerate(stakes):
            chance, added = won[number]
            need = np.minimum(totals + (stake <= leader_stake), stake * max(NUMBERS) + 1)
            mine = added[..., channel][rows, need] + (1 - chance[need]) * lost[:, number, :, None, channel]
            plan = mine.argmax(axis=2)
            needs.append(need)
            plans.append(plan)
            values.append(np.take_along_axis(mine, plan[..., None], 2)[..., 0])
        best = np.array(values).argmax(axis=0)
        out = np.empty((*best.shape, lost.shape[-1]))
        for number, (chance, added) in enumerate(won):
            way, total = np.nonzero(best == number)
            need, plan = needs[number][way, total], plans[number][way, total]
            missed = lost[way, number, total if lost.shape[2] > 1 else 0]
            out[way, total] = added[way, need, plan] + (1 - chance[need, plan])[:, None] * missed
        return out

    def _is_exact(self, place: int, ways: int) -> bool:
        """Return whether the turns in this place of the order are solved exactly; the last seat only needs to lead."""
        if not self._turns.is_last_round or place == len(self._stakes) - 1:
            return False
        leaders = 1 + sum(self._max_total(leader) + 1 for leader in range(1, place + 1))
        return ways * leaders * sum(len(level(stake).totals) for stake in self._stakes[place]) <= _MAX_WORK

    def _solve(self, leader: int, ways: int, stakes: Sequence[int], channel: int, lost: Floats, won: Floats) -> Floats:
        """Return the values of exactly solved turns, like `_best_plans`; `won` is (ways, stakes, totals, channels)."""
        totals, leader_stake = self._totals_to_beat(leader, ways)
        out = np.empty((ways, totals.shape[1], lost.shape[-1]))
        for way, place in np.ndindex(out.shape[:2]):
            best: Floats = np.full(1, -np.inf)
            for number, stake in enumerate(stakes):
                own = np.arange(stake * max(NUMBERS) + 1)
                need = totals[0, place] + (stake <= leader_stake[way, 0])
                missed = lost[way, number, place if lost.shape[2] > 1 else 0]
                final_values = np.where(own[:, None] >= need, won[way, number, own], missed)
                channels = np.concatenate([final_values, missed[None]])
                start = Turn(self._turns.plans.card, stake, np.column_stack([channels[:, channel], channels])).start
                if start[0] > best[0]:
                    best = start
            out[way, place] = best[1:]
        return out

    def _totals_to_beat(self, leader: int, ways: int) -> tuple[Ints, Ints]:
        """Return the leader's possible totals (1, totals) and stakes (ways, 1)."""
        if leader == 0:
            no_leader = self._turns.leader < 0
            total, stake = (-1, 0) if no_leader else (self._turns.total, self._turns.staked[self._turns.leader])
            return np.array([[total]]), np.full((ways, 1), _NO_LEADER if no_leader else stake)
        stakes = self._ways[:: len(self._ways) // ways, leader - 1 : leader]
        return np.arange(self._max_total(leader) + 1)[None], stakes


# A seat's turn as the reference sees it: the value of each stake and each reroll to every seat.

# The last channels of a turn: the probabilities of winning the round, of leading at the end of the turn, and of a bust.
WIN, LEAD, BUST = -3, -2, -1


@dataclass(frozen=True)
class Choices:
    """A turn before its first roll.

    The channels are the value to the seat in turn, the values to all seats of the table, then `WIN`, `LEAD`, `BUST`.
    """

    tables: Tables
    setting: Setting
    number: int
    order: tuple[int, ...]  # the seats of the round, in the order of their turns
    dice: tuple[int, ...]  # by turn, the number of dice of its seat at the start of the round
    on_table: int  # number of dice on the table at the start of the round
    staked: tuple[int, ...] = ()  # dice staked in the turns before this one
    leader: int = -1  # the leading turn; -1 if there is no leader
    total: int = -1  # the leader's total

    @property
    def seat(self) -> int:
        """The seat whose turn it is."""
        return self.order[len(self.staked)]

    @property
    def pool(self) -> int:
        """The number of dice of the seat whose turn it is."""
        return self.dice[len(self.staked)]

    @property
    def is_last(self) -> bool:
        """Whether this is the last turn of the round."""
        return len(self.staked) + 1 == len(self.order)

    @property
    def card(self) -> int:
        """The warning of the round."""
        return self.setting.drawn[-1]

    @property
    def ends_round(self) -> RoundEnd:
        """The function that returns the values at the end of the round."""
        return RoundEnd(self.setting, self.number, self.order, self.dice, self.on_table, len(self.staked))

    @cached_property
    def _turns(self) -> Turns:
        plans, now, last = self.tables.plans(self.card), len(self.staked), self.number == ROUNDS
        return Turns(plans, self.staked, self.leader, self.total, self.dice[now:], self.order, self.ends_round, last)

    @cached_property
    def _solved(self) -> dict[int, Turn]:
        return {}

    @cached_property
    def _final_values(self) -> dict[int, Floats]:
        return {}

    def final_values(self, stake: int) -> Floats:
        """Return (totals + 1, channels): the value of each final total with this stake; the last row is for a bust."""
        if stake not in self._final_values:
            self._compute_final_values([stake])
        return self._final_values[stake]

    def _compute_final_values(self, stakes: Sequence[int]) -> None:
        for stake, values in self._turns.final_values(stakes).items():
            totals = np.arange(len(values))
            bust = totals == len(values) - 1
            leads = (totals >= self._turns.needed_total(stake)) & ~bust
            own = values[:, self.seat]
            self._final_values[stake] = np.column_stack([own, values, leads, bust])

    def turn(self, stake: int) -> Turn | None:
        """Return the best play with a stake; None if the stake is too large to solve."""
        if stake > MAX_DICE:
            return None
        if stake not in self._solved:
            self._solved[stake] = Turn(self.card, stake, self.final_values(stake))
        return self._solved[stake]

    def start(self, stake: int) -> Floats:
        """Return the value of a stake: (channels,)."""
        turn = self.turn(stake)
        if turn is not None:
            return turn.start
        # Each die beyond those that can be solved is assumed to reduce the probability of leading by the same factor.
        rows = self.final_values(stake)
        solved = Turn(self.card, MAX_DICE, np.concatenate([rows[: MAX_DICE * max(NUMBERS) + 1], rows[-1:]]))
        factor = self.tables.survival_factor(self.card) ** (stake - MAX_DICE)
        values: Floats = factor * solved.start + (1 - factor) * rows[-1]
        return values

    @cached_property
    def own_values(self) -> dict[int, float]:
        """The value of each stake that may be the best, to the seat whose turn it is."""
        if self.is_last:
            return self._last_values()
        stakes = self._turns.stakes(len(self.staked))
        self._compute_final_values(stakes)
        return {stake: float(Turn(self.card, stake, self._final_values[stake][:, :1]).start[0]) for stake in stakes}

    def _last_values(self) -> dict[int, float]:
        stakes = np.arange(1, min(self.pool, MAX_DICE) + 1)
        rows = np.tile((*self.staked, 0), (len(stakes), 1))
        rows[:, -1] = stakes
        turn = len(self.staked)
        won = self.ends_round(rows, np.full(len(stakes), turn))[:, self.seat]
        lost = self.ends_round(rows, np.full(len(stakes), self.leader))[:, self.seat]
        chances = np.array([self._chance_to_lead(stake) for stake in stakes.tolist()])
        values = chances * won + (1 - chances) * lost
        return dict(zip(stakes.tolist(), values.tolist(), strict=True))

    def _chance_to_lead(self, stake: int) -> float:
        reached, need = self.tables.plans(self.card).reached(stake), self._turns.needed_total(stake)
        return float(reached[need]) if need < len(reached) else 0.0

    @cached_property
    def best_stake(self) -> int:
        """The stake that the reference chooses, which is the smallest of equally good stakes."""
        return max(self.own_values, key=lambda stake: (round(self.own_values[stake], 12), -stake))

    def after(self, stake: int, total: int | None) -> Choices | None:
        """Return the next turn after this total, where None is a bust; return None after the round's last turn."""
        if self.is_last:
            return None
        leads = total is not None and total >= self._turns.needed_total(stake)
        leader, best = (len(self.staked), total) if leads and total is not None else (self.leader, self.total)
        return replace(self, staked=(*self.staked, stake), leader=leader, total=best)


def choices_in(tables: Tables, setting: Setting, state: State) -> Choices:
    """Return the current turn of a state."""
    now, pools = state.round, state.pools
    rolling = sum(state.rolls[0]) if state.rolls else 0
    stakes = {seat: stake for seat, stake, _, _, _ in state.turns}
    stakes[state.seat] = rolling
    dice = tuple(pools[seat] + stakes.get(seat, 0) for seat in now.order)
    total, _, leader = state.best
    return Choices(
        tables,
        setting,
        now.number,
        now.order,
        dice,
        now.carried + now.bonus,
        tuple(stake for _, stake, _, _, _ in state.turns),
        now.order.index(leader) if leader >= 0 else -1,
        total,
    )
