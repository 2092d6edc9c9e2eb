"""A seat's view of a game of Gang of Dice (ruling D33)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from gangland.gang_of_dice.counts import dice_of
from gangland.gang_of_dice.state import (
    NO_BEST,
    NOBODY,
    ROLLS,
    ROUNDS,
    Options,
    ResultWire,
    RollsWire,
    TurnWire,
    turns_wire,
)
from gangland.gang_of_dice.warnings import DECKS, WARNINGS, WarningCard
from gangland.view import View as BaseView
from gangland.view import unchangeable

_SEAT, _ROUND, _POOLS, _TURNS, _BEST, _PLAYING, _ROLLS, _AT_FAULT = range(8)
_OPTIONS, _NUMBER, _CARDS, _ORDER, _OUT, _CARRIED, _BONUS, _LAST = range(8)


@unchangeable
@dataclass(frozen=True, slots=True)
class Turn:
    """One seat's turn in a round.

    Attributes:
        stake: dice rolled; they stay on the table for the round's winner.
        rolls: all of the seat's dice after its first roll and after each reroll, each in ascending order.
        total: the sum of the dice now showing; after the turn, of the final dice.
        final: whether the turn is over.
        bust: whether the turn ended by triggering the warning; False before its end.
    """

    seat: int
    stake: int
    rolls: tuple[tuple[int, ...], ...]
    total: int
    final: bool
    bust: bool

    @property
    def dice(self) -> tuple[int, ...]:
        """The faces now showing, in ascending order; 0 is the gangster."""
        return self.rolls[-1]


@unchangeable
@dataclass(frozen=True, slots=True)
class RoundResult:
    """The result of a round.

    Attributes:
        number: the number of the round, from 1.
        turns: every seat's turn, in playing order.
        winner: the seat that took the table, or None if all were bust.
        dice: the number of dice on the table; without a winner they stayed there.
        eliminated: the seats without dice after the round.
    """

    number: int
    card: WarningCard
    turns: tuple[Turn, ...]
    winner: int | None
    dice: int
    eliminated: tuple[int, ...]


def _finished(wire: TurnWire) -> Turn:
    seat, rolls, total, bust = wire
    return Turn(seat, len(rolls[0]), rolls, total, True, bust)


def _result(wire: ResultWire) -> RoundResult:
    number, card, turns, best, dice, eliminated = wire
    winner = None if best == NO_BEST else best[2]
    return RoundResult(number, WARNINGS[card], tuple(map(_finished, turns)), winner, dice, eliminated)


class View(BaseView):
    """All that you know at one decision.

    Dice are tuples of faces in ascending order: 0 for the gangster, and 1 to 5.  Seats are numbered from 0.  In
    `choose_dice`, `dice` is empty; in `choose_reroll` it is your roll.
    """

    __slots__ = ()

    @staticmethod
    def _wire_of(parts: tuple[Any, ...]) -> tuple[Any, ...]:
        """Return the plain values: dice one by one instead of counts, turns and rounds as tuples."""
        seat, current, pools, turns, best, playing, rolls, at_fault = parts
        last = current[_LAST]
        round_values = current if last is None else (*current[:_LAST], last.wire)
        finished = turns_wire(turns) if turns else ()
        return (seat, round_values, pools, finished, best, playing, tuple(map(dice_of, rolls)), at_fault)

    @property
    def _rounds(self) -> dict[int, RoundResult]:
        last = self.last_round
        return {last.number: last} if last else {}

    # The game ------------------------------------------------------------------------------------

    @property
    def seat(self) -> int:
        """Your seat."""
        seat: int = self._parts[_SEAT]
        return seat

    @property
    def seats(self) -> int:
        """The number of players at the start, 2 to 4."""
        return len(self._parts[_POOLS])

    @property
    def options(self) -> Options:
        """The organizer's choices: deck and first player."""
        return Options(*self._parts[_ROUND][_OPTIONS])

    @property
    def round(self) -> int:
        """The number of the round, 1 to 12."""
        number: int = self._parts[_ROUND][_NUMBER]
        return number

    @property
    def rounds(self) -> int:
        """The number of rounds in a game: 12."""
        return ROUNDS

    # The cards -----------------------------------------------------------------------------------

    @property
    def card(self) -> WarningCard:
        """The round's warning: `card.id`, `card.yellow`, `card.words`, `card.triggered_by(dice)`."""
        number: int = self._parts[_ROUND][_CARDS][-1]
        return WARNINGS[number]

    @property
    def cards_gone(self) -> tuple[WarningCard, ...]:
        """The warnings of earlier rounds, first round first."""
        return tuple(WARNINGS[number] for number in self._parts[_ROUND][_CARDS][:-1])

    @property
    def deck(self) -> tuple[WarningCard, ...]:
        """Every card of the deck, including those that will not be played."""
        stacks = DECKS[self._parts[_ROUND][_OPTIONS][0]]
        return tuple(WARNINGS[number] for stack in stacks for number in stack.cards)

    @property
    def cards_to_come(self) -> tuple[WarningCard, ...]:
        """The possible cards of later rounds; there are more than rounds left."""
        past, to_come, rounds = self._parts[_ROUND][_CARDS], [], 0
        for stack in DECKS[self._parts[_ROUND][_OPTIONS][0]]:
            rounds += stack.rounds
            if self.round < rounds:
                to_come += [WARNINGS[number] for number in stack.cards if number not in past]
        return tuple(to_come)

    # The seats -----------------------------------------------------------------------------------

    @property
    def order(self) -> tuple[int, ...]:
        """The seats that play this round, in playing order."""
        order: tuple[int, ...] = self._parts[_ROUND][_ORDER]
        return order

    @property
    def first_seat(self) -> int | None:
        """The seat that began this round; None when the game is over."""
        return self.order[0] if self.order else None

    @property
    def later_seats(self) -> tuple[int, ...]:
        """The seats whose turn comes after yours in this round, in playing order."""
        order = self.order
        return order[order.index(self.seat) + 1 :] if self.seat in order else ()

    @property
    def pools(self) -> tuple[int, ...]:
        """The number of dice of each seat, without those on the table."""
        pools: tuple[int, ...] = self._parts[_POOLS]
        return pools

    @property
    def pool(self) -> int:
        """Your number of dice; before you choose, the maximum that you can roll."""
        dice: int = self._parts[_POOLS][self._parts[_SEAT]]
        return dice

    @property
    def eliminated(self) -> tuple[int, ...]:
        """The eliminated seats, in order."""
        return tuple(seat for seat, out in enumerate(self._parts[_ROUND][_OUT]) if out)

    @property
    def eliminated_in(self) -> tuple[int | None, ...]:
        """By seat, the round of its elimination; None for a seat in play."""
        return tuple(out or None for out in self._parts[_ROUND][_OUT])

    @property
    def defaulting(self) -> tuple[int, ...]:
        """The seats at fault, in order: from then on they stake one die and never reroll (D31)."""
        seats: tuple[int, ...] = self._parts[_AT_FAULT]
        return seats

    # The table -----------------------------------------------------------------------------------

    @property
    def carried(self) -> int:
        """Dice on the table from earlier rounds without a winner."""
        dice: int = self._parts[_ROUND][_CARRIED]
        return dice

    @property
    def bonus(self) -> int:
        """Bonus dice that this round added: 3, 6 and 9 in rounds 10, 11 and 12, else 0."""
        dice: int = self._parts[_ROUND][_BONUS]
        return dice

    @property
    def staked(self) -> int:
        """Dice staked in this round, including yours."""
        return sum(turn.stake for turn in self.turns)

    @property
    def table(self) -> int:
        """All dice on the table, which the round's winner takes: carried, bonus and staked."""
        return self.carried + self.bonus + self.staked

    @property
    def turns(self) -> tuple[Turn, ...]:
        """The turns of this round in playing order: finished ones, then the current one."""
        finished = tuple(map(_finished, self.wire[_TURNS]))
        rolls: RollsWire = self.wire[_ROLLS]
        if not rolls:
            return finished
        playing = Turn(self._parts[_PLAYING], len(rolls[0]), rolls, sum(rolls[-1]), False, False)
        return (*finished, playing)

    def turn_of(self, seat: int) -> Turn | None:
        """Return a seat's turn in this round, or None before its first roll."""
        return next((turn for turn in self.turns if turn.seat == seat), None)

    @property
    def best_total(self) -> int:
        """The best total of this round's valid final rolls, or -1 before the first one (a total of 0 can win)."""
        total: int = self._parts[_BEST][0]
        return total

    @property
    def best_stake(self) -> int:
        """The number of dice of the leading roll, or 0: with equal totals, more dice win (D15)."""
        stake: int = self._parts[_BEST][1]
        return stake

    @property
    def best_seat(self) -> int | None:
        """The seat that leads the round, or None before the first valid final roll."""
        seat: int = self._parts[_BEST][2]
        return None if seat == NOBODY else seat

    def would_lead(self, total: int, stake: int) -> bool:
        """Return whether a valid final roll with this total and number of dice would lead the round now."""
        return (total, stake) > (self.best_total, self.best_stake)

    @property
    def last_round(self) -> RoundResult | None:
        """The result of the last round; None in round 1."""
        wire: ResultWire | None = self.wire[_ROUND][_LAST]
        return None if wire is None else _result(wire)

    # Your turn -----------------------------------------------------------------------------------

    @property
    def question(self) -> Literal["dice", "reroll"] | None:
        """The question to you: "dice" or "reroll"; None if it is not your turn."""
        if self._parts[_PLAYING] != self._parts[_SEAT]:
            return None
        return "reroll" if self._parts[_ROLLS] else "dice"

    @property
    def dice(self) -> tuple[int, ...]:
        """Your dice now showing, in ascending order; empty before you roll in this round."""
        if self._wire is None:  # a policy in a rollout reads this often; the parts have counted dice
            seat, _, _, _, _, playing, rolls, _ = self._parts
            if playing == seat:
                return dice_of(rolls[-1]) if rolls else ()
        rolls = self._rolls
        return rolls[-1] if rolls else ()

    @property
    def stake(self) -> int:
        """The number of dice that you rolled in this round; 0 before you choose."""
        return len(self.dice)

    @property
    def total(self) -> int:
        """The sum of your dice now showing."""
        return sum(self.dice)

    @property
    def triggered(self) -> bool:
        """Whether your dice now showing trigger the warning: if you stop, you are bust."""
        return self.card.triggered_by(self.dice)

    @property
    def rerolls_left(self) -> int:
        """Your rerolls left in this turn: 2 at its start, 0 after it."""
        if self.question is None:
            return 0 if self._rolls or self.seat not in self.order else ROLLS - 1
        return ROLLS - max(1, len(self._rolls))

    @property
    def _rolls(self) -> RollsWire:
        wire = self.wire
        seat = wire[_SEAT]
        if wire[_PLAYING] == seat:
            rolls: RollsWire = wire[_ROLLS]
            return rolls
        return next((turn[1] for turn in wire[_TURNS] if turn[0] == seat), ())
