"""Draw full positions that a view allows; only the cards to come are hidden (D1)."""

from __future__ import annotations

from random import Random

from gangland.gang_of_dice.counts import counts_of
from gangland.gang_of_dice.state import FinishedRound, Options, Round, State, Turns, TurnsWire, state_of
from gangland.gang_of_dice.views import View
from gangland.gang_of_dice.warnings import DECKS


class Positions:
    """Draws positions consistent with a view: all orders of the warnings to come are equally likely."""

    def __init__(self, view: View) -> None:
        _, current, pools, turns, best, playing, rolls, _ = view.wire
        self._current = current
        self._last = None if current[-1] is None else _finished(*current[-1])
        self._rest = (pools, _turns(turns), best, playing, tuple([counts_of(dice) for dice in rolls]))

    def draw(self, rng: Random) -> State:
        """Return a random position."""
        rules, number, cards, order, out, carried, bonus, _ = self._current
        deck: tuple[int, ...] = cards
        rounds = 0
        for stack in DECKS[rules[0]]:
            rounds += stack.rounds
            unplayed = [card for card in stack.cards if card not in cards]
            deck += tuple(rng.sample(unplayed, max(0, rounds - len(deck))))
        current = Round(Options(*rules), deck, number, order, out, carried, bonus, self._last)
        pools, turns, best, playing, rolls = self._rest
        return state_of((current, pools, turns, best, playing, rolls))


def _finished(
    number: int, card: int, turns: TurnsWire, best: tuple[int, int, int], dice: int, eliminated: tuple[int, ...]
) -> FinishedRound:
    return FinishedRound(number, card, _turns(turns), best, dice, eliminated)


def _turns(wire: TurnsWire) -> Turns:
    return tuple(
        [
            (seat, len(rolls[0]), tuple([counts_of(dice) for dice in rolls]), total, bust)
            for seat, rolls, total, bust in wire
        ]
    )
