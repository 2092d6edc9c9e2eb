"""Searching: try some answers, play each to the end of the round several times, and choose the best one.

Teaches: `view.sample`, and using the rules to look ahead.  All answers are played with the same cards and dice, so a
few games are enough to show which one is better.  After every 10 games, the worse half of the answers is dropped.
"""

from math import prod

from gangland import gang_of_dice
from gangland.chance import SeededChance


class SearchingGang(gang_of_dice.Bot):
    """Choose the answer that ends the round with the most dice relative to the other players."""

    GAMES = 10  # number of games for each answer before the worse half is dropped
    bank = 0  # most CPU seconds seen on the clock; once two fifths are used, it plays only one game per answer

    def choose_dice(self, view):
        legal = view.legal()
        places = sorted({below_index(view.dice, face) for face in range(7)}) if view.dice else range(min(len(legal), 8))
        worth = dict.fromkeys(places, 0)
        self.bank = max(self.bank, view.clock.cpu_left_s)
        games = self.GAMES if view.clock.cpu_left_s >= self.bank * 0.6 else 1
        while len(worth) > 1:
            for _ in range(games):
                position, chance = view.sample(self.rng), SeededChance(self.rng.randbytes(32))
                for place in worth:
                    policies = [quick_policy] * view.seats
                    policies[view.seat] = first_answer_policy(place, quick_policy)
                    end, _ = view.game.rollout(position, policies, chance, view.round)
                    worth[place] += end.pools[view.seat] * view.seats - sum(end.pools)
            best = sorted(worth, key=lambda place: -worth[place])[: len(worth) // 2 if games > 1 else 1]
            worth = {place: worth[place] for place in best}
        return legal[next(iter(worth))]

    choose_reroll = choose_dice


def first_answer_policy(place, policy):
    """Return a policy that gives this answer once, then follows another policy."""
    answers = [place]
    return lambda view, count: answers.pop() if answers else policy(view, count)


def quick_policy(view, count):
    """Stake three dice, or a number that fits a warning about the total; reroll faces below 3 unless the roll leads."""
    dice = view.dice
    if not dice:
        rule = view.card.condition
        return min(1 + rule.number // 5 if rule.kind == "total" else 3, count) - 1
    leads = view.would_lead(sum(dice), len(dice)) and not view.card.triggered_by(dice)
    return 0 if leads else below_index(dice, 3)


def below_index(dice, face):
    """Return the index, among the legal rerolls, of rerolling all dice below a face."""
    return prod([dice.count(lower) + 1 for lower in range(face)]) - 1
