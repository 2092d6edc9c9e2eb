"""One seat's turn as the reference sees it: what each stake and each reroll is worth to every seat."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from gangland.gang_of_dice.state import ROUNDS, State
from gangland.gang_of_dice.warnings import NUMBERS
from gangland_ladder.analysis.games.gang_of_dice.endings import RoundEnd, Setting
from gangland_ladder.analysis.games.gang_of_dice.multisets import MOST_DICE, Floats
from gangland_ladder.analysis.games.gang_of_dice.rounds import Turns
from gangland_ladder.analysis.games.gang_of_dice.tables import Tables
from gangland_ladder.analysis.games.gang_of_dice.turns import Turn

WIN, LEAD, BUST = -3, -2, -1
"""The last channels of a turn: the chances to win the round, to lead at the end of the turn, and to go bust."""


@dataclass(frozen=True)
class Choices:
    """A turn before its first roll.

    Channels are the value of the seat whose turn it is, those of all seats of the table, then `WIN`, `LEAD`, `BUST`.

    Attributes:
        order: the seats of the round, in the order of their turns.
        dice: by turn, what its seat had when the round began.
        on_table: dice on the table then.
        staked: dice staked in the turns before this one.
        leader: the turn that leads, -1 for none; total: with what.
    """

    tables: Tables
    setting: Setting
    number: int
    order: tuple[int, ...]
    dice: tuple[int, ...]
    on_table: int
    staked: tuple[int, ...] = ()
    leader: int = -1
    total: int = -1

    @property
    def seat(self) -> int:
        """Whose turn it is."""
        return self.order[len(self.staked)]

    @property
    def pool(self) -> int:
        """The dice of that seat."""
        return self.dice[len(self.staked)]

    @property
    def is_last(self) -> bool:
        """Whether nobody comes later in this round."""
        return len(self.staked) + 1 == len(self.order)

    @property
    def card(self) -> int:
        """The warning of the round."""
        return self.setting.drawn[-1]

    @property
    def ends_round(self) -> RoundEnd:
        """What ends of the round are worth."""
        return RoundEnd(self.setting, self.number, self.order, self.dice, self.on_table, len(self.staked))

    @cached_property
    def _turns(self) -> Turns:
        plans, now, last = self.tables.plans(self.card), len(self.staked), self.number == ROUNDS
        return Turns(plans, self.staked, self.leader, self.total, self.dice[now:], self.order, self.ends_round, last)

    @cached_property
    def _solved(self) -> dict[int, Turn]:
        return {}

    @cached_property
    def _worths(self) -> dict[int, Floats]:
        return {}

    def worths(self, stake: int) -> Floats:
        """Return (totals + 1, channels): what each final total of a stake leads to, a bust in the last row."""
        if stake not in self._worths:
            self._work_out([stake])
        return self._worths[stake]

    def _work_out(self, stakes: Sequence[int]) -> None:
        for stake, values in self._turns.worths(stakes).items():
            totals = np.arange(len(values))
            bust = totals == len(values) - 1
            leads = (totals >= self._turns.needed(stake)) & ~bust
            own = values[:, self.seat]
            self._worths[stake] = np.column_stack([own, values, leads, bust])

    def turn(self, stake: int) -> Turn | None:
        """Return the best play of a stake; None for one that is too large to be solved."""
        if stake > MOST_DICE:
            return None
        if stake not in self._solved:
            self._solved[stake] = Turn(self.card, stake, self.worths(stake))
        return self._solved[stake]

    def start(self, stake: int) -> Floats:
        """Return (channels,): what it is worth to stake so many dice.

        Of more dice than can be solved it is thought that each makes the chance to lead smaller in the same proportion.
        """
        turn = self.turn(stake)
        if turn is not None:
            return turn.start
        worths = self.worths(stake)
        solved = Turn(self.card, MOST_DICE, np.concatenate([worths[: MOST_DICE * max(NUMBERS) + 1], worths[-1:]]))
        less = self.tables.holds_up(self.card) ** (stake - MOST_DICE)
        found: Floats = less * solved.start + (1 - less) * worths[-1]
        return found

    @cached_property
    def own_values(self) -> dict[int, float]:
        """By stake, what it is worth to the seat: of the stakes that may be best."""
        if self.is_last:
            return self._last_values()
        stakes = self._turns.stakes(len(self.staked))
        self._work_out(stakes)
        return {stake: float(Turn(self.card, stake, self._worths[stake][:, :1]).start[0]) for stake in stakes}

    def _last_values(self) -> dict[int, float]:
        """Return the values of the last turn's stakes: nothing counts but the chance to lead."""
        stakes = np.arange(1, min(self.pool, MOST_DICE) + 1)
        rows = np.tile((*self.staked, 0), (len(stakes), 1))
        rows[:, -1] = stakes
        turn = len(self.staked)
        won = self.ends_round(rows, np.full(len(stakes), turn))[:, self.seat]
        lost = self.ends_round(rows, np.full(len(stakes), self.leader))[:, self.seat]
        chances = np.array([self._chance_to_lead(stake) for stake in stakes.tolist()])
        values = chances * won + (1 - chances) * lost
        return dict(zip(stakes.tolist(), values.tolist(), strict=True))

    def _chance_to_lead(self, stake: int) -> float:
        reached, need = self.tables.plans(self.card).reached(stake), self._turns.needed(stake)
        return float(reached[need]) if need < len(reached) else 0.0

    @cached_property
    def best_stake(self) -> int:
        """The stake that the reference prefers, the smallest of equal ones."""
        return max(self.own_values, key=lambda stake: (round(self.own_values[stake], 12), -stake))

    def after(self, stake: int, total: int | None) -> Choices | None:
        """Return the next turn after this one came to a total, None for a bust; None if it was the round's last."""
        if self.is_last:
            return None
        leads = total is not None and total >= self._turns.needed(stake)
        leader, best = (len(self.staked), total) if leads and total is not None else (self.leader, self.total)
        return replace(self, staked=(*self.staked, stake), leader=leader, total=best)


def choices_in(tables: Tables, setting: Setting, state: State) -> Choices:
    """Return the turn that is played in a state."""
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
