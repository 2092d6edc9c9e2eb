"""Random: gives random legal answers.

Teaches: the five questions of Gangster Dice, and the legal answers to each.
"""

from gangland import gangster_dice
from gangland.gangster_dice import Bid, Colour, Exchange


class RandomGang(gangster_dice.Bot):
    """Answer at random."""

    def choose_bids(self, view):
        tokens = self.rng.sample(view.legal_tokens, view.bids_required)
        favors = self.rng.sample(view.hand, view.bids_required)
        return [Bid(token, favor) for token, favor in zip(tokens, favors, strict=True)]

    def choose_exchange(self, view):
        own = [color for color in Colour for _ in range(view.dice[color])]
        offer = [color for color in Colour for _ in range(view.speakeasy.dice[color])]
        count = self.rng.randint(0, min(3, len(own), len(offer)))
        return Exchange.of(self.rng.sample(own, count), self.rng.sample(offer, count))

    def choose_stake(self, view):
        return self.rng.choice([None, *(color for color in Colour if view.spare[color])])

    def choose_dump(self, view):
        return self.rng.choice(tuple(Colour) if view.options.investigator_colour == "any" else view.dump_colours)

    def choose_take(self, view):
        return self.rng.choice([None, *view.take_colours] if view.protected else view.take_colours)
