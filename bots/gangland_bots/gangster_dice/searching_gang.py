"""Searching: draw the hidden cards, play each answer to the end of the round at random, and choose the best.

Teaches: `view.sample`, and the rules themselves as a model of the future, for every decision of the game.
"""

from math import fsum

from gangland import gangster_dice
from gangland.chance import RandomChance
from gangland.gangster_dice import Token


class SearchingGang(gangster_dice.Bot):
    """End each round in a better position than the others."""

    PLAYOUTS, MOST = 160, 24  # for each decision, divided among at most this number of its answers
    bank = 0  # CPU seconds at the first decision; searching stops when two fifths of them are used

    def act(self, decision):
        view, legal = decision.view, decision.view.legal()
        worth = dict.fromkeys(self.rng.sample(range(len(legal)), min(len(legal), self.MOST)), 0)
        self.bank = max(self.bank, view.clock.cpu_left_s)
        playouts = self.PLAYOUTS if view.clock.cpu_left_s >= self.bank * 0.6 else len(worth)
        for _ in range(playouts // len(worth)):
            position = view.sample(self.rng)
            for place in worth:
                policies = [self.any_answer] * view.seats
                policies[view.seat] = beginning_with(place, self.any_answer)
                end, _ = view.game.rollout(position, policies, RandomChance(self.rng), view.round)
                ends = [worth_of(end, seat) for seat in range(view.seats)]
                worth[place] += ends[view.seat] * view.seats - fsum(ends)
        return legal[max(worth, key=lambda place: worth[place])]

    def any_answer(self, view, count):
        return int(self.rng.random() * count)


def beginning_with(place, policy):
    """Return a policy that gives this answer first, then those of another policy."""
    answers = [place]
    return lambda view, count: answers.pop() if answers else policy(view, count)


def worth_of(end, seat):
    """Return the worth of a position to a seat, with weights fitted to games of house bots."""
    dice, holder, streets = end.stashes[seat], end.control[Token.INVESTIGATOR], end.control[Token.STREETS]
    worth = 0.1 * sum(dice) + 0.1 * sum(end.hands[seat]) if any(dice) else 4
    worth += (0, 1.0 if holder in (None, seat) else 1.6, 0.5, 0)[sum(map(bool, dice))]  # by number of colors left
    return worth + (0.2 + 0.2 * sum(end.dice[Token.STREETS]) if streets == seat else 0)
