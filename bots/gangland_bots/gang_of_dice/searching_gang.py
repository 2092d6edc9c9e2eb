"""Searching: draw the hidden cards, play each answer to the end of the round, and choose the best.

Teaches: `view.sample`, and the rules themselves as a model of the future, with quick policies in all seats.
"""

from math import prod

from gangland import gang_of_dice
from gangland.chance import RandomChance


class SearchingGang(gang_of_dice.Bot):
    """End each round with more dice than the others."""

    PLAYOUTS = 320  # for each decision, divided among its answers
    bank = 0  # CPU seconds at the first decision; searching stops when two fifths of them are used

    def act(self, decision):
        view, legal = decision.view, decision.view.legal()
        places = sorted({below(view, face) for face in range(7)}) if view.dice else range(min(len(legal), 8))
        worth = dict.fromkeys(places, 0)
        self.bank = max(self.bank, view.clock.cpu_left_s)
        playouts = self.PLAYOUTS if view.clock.cpu_left_s >= self.bank * 0.6 else len(worth)
        for _ in range(playouts // len(worth)):
            position = view.sample(self.rng)
            for place in worth:
                policies = [quick] * view.seats
                policies[view.seat] = beginning_with(place, quick)
                end, _ = view.game.rollout(position, policies, RandomChance(self.rng), view.round)
                worth[place] += end.pools[view.seat] * view.seats - sum(end.pools)
        return legal[max(worth, key=lambda place: worth[place])]

    def choose_dice(self, view):
        raise NotImplementedError("act answers every question")


def beginning_with(place, policy):
    """Return a policy that gives this answer first, then those of another policy."""
    answers = [place]
    return lambda view, count: answers.pop() if answers else policy(view, count)


def quick(view, count):
    """Roll three dice, or a number that suits a warning of a total; reroll faces below 3 unless the roll leads."""
    if not view.dice:
        rule = view.card.condition
        return min(1 + rule.number // 5 if rule.kind == "total" else 3, count) - 1
    return 0 if not view.triggered and view.would_lead(view.total, view.stake) else below(view, 3)


def below(view, face):
    """Return the index, among the legal rerolls, of the reroll of all dice below a face."""
    return prod([view.dice.count(lower) + 1 for lower in range(face)]) - 1
