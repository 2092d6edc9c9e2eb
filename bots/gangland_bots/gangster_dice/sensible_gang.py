"""Sensible: rates each bid by its token's value times the chance of winning it, minus the price of the favor.

Teaches: expected values with hidden favors.  The others' favors are unknown, but the deck and every +4 are
known, and their rolls show where they are likely to bid.
"""

from itertools import permutations

from gangland import gangster_dice
from gangland.gangster_dice import Bid, Colour, Exchange, Token

FAVOR_PRICE = (0.0, 0.1, 0.25, 0.45, 0.7)  # the worth of keeping a favor, by its value
FAVOR_CHANCE = {0: 6 / 36, 1: 12 / 36, 2: 12 / 36, 3: 6 / 36}
SPECIAL_CHANCE = 0.4  # the chance that a seat with a +4 plays it
WIN = 12.0


class SensibleGang(gangster_dice.Bot):
    """Rate every set of bids and choose the best."""

    def choose_bids(self, view):
        value = {token: self.value(view, token) for token in view.legal_tokens}
        worth = {
            (token, favor): value[token] * self.chance(view, token, favor) - FAVOR_PRICE[favor]
            for token in view.legal_tokens
            for favor in set(view.hand)
        }
        if view.bids_required == 1:
            return [Bid(*max(worth, key=lambda bid: worth[bid]))]
        pairs = (
            ((one, favors[0]), (other, favors[1]))
            for one, other in permutations(view.legal_tokens, 2)
            if one < other
            for favors in set(permutations(view.hand, 2))
        )
        return [Bid(*bid) for bid in max(pairs, key=lambda pair: (worth[pair[0]] + worth[pair[1]], pair))]

    # The value of winning a token, in dice

    def value(self, view, token):
        if token == Token.INVESTIGATOR:
            return self.investigator_value(view) + self.denial(view)
        if token == Token.STREETS:
            return self.streets_value(view)
        if token == Token.SPEAKEASY:
            return self.speakeasy_value(view)
        return self.lawyer_value(view)

    def investigator_value(self, view):
        holder = view.investigator.holder
        loaded = any(view.investigator.dice)
        if holder is None:
            return 0.8
        if holder == view.seat:
            protected = view.lawyer.holder == view.seat
            return (0.4 if protected else 1.6) if loaded else 0.6
        dumped = max(view.dice)
        return WIN if dumped == sum(view.dice) else 1.2 * dumped

    def denial(self, view):
        """Return the value of stopping rivals who could dump all their dice at once."""
        return 1.5 * sum(
            1
            for rival in view.opponents
            if max(rival.dice) == sum(rival.dice) and rival.seat != view.investigator.holder
        )

    def streets_value(self, view):
        if view.streets.holder == view.seat:
            return WIN if sum(view.dice) == 1 else 1.5
        return 0.8 + 0.4 * sum(view.streets.dice)

    def speakeasy_value(self, view):
        if view.speakeasy.holder != view.seat:
            return 0.7
        return 0.2 + 0.6 * sum(self.best_exchange(view).given)

    def lawyer_value(self, view):
        chased = view.investigator.holder == view.seat and any(view.investigator.dice)
        return (0.9 if view.lawyer.holder == view.seat else 0.6) + (0.7 if chased else 0)

    # The chance of winning a token

    def chance(self, view, token, favor):
        score = view.strength(token) + favor
        chance = 1.0
        for rival in view.opponents:
            if rival.symbols[token]:
                chance *= 1 - self.bids_on(view, rival, token) * self.beats(view, rival, token, score)
        return chance

    def bids_on(self, view, rival, token):
        """Guess the chance that a rival bids on a token, from the square of its symbols."""
        bids = 2 if view.seats == 2 else 1
        weights = [count * count for count in rival.symbols]
        return min(1.0, bids * weights[token] / sum(weights))

    def beats(self, view, rival, token, score):
        """Return the chance that a rival's bid on the token beats a bid with this score."""
        base = rival.symbols[token]
        if view.streets.holder == rival.seat:
            base += sum(view.streets.dice)
        limit = score if view.streets.holder == view.seat else score - 1  # the Streets' holder wins ties
        beaten = 0.0  # not with sum(), which rounds floats differently since Python 3.12
        for value, chance in FAVOR_CHANCE.items():
            if base + value > limit:
                beaten += chance
        if not rival.specials:
            return beaten
        special = 1.0 if base + 4 > limit else 0.0
        return SPECIAL_CHANCE * special + (1 - SPECIAL_CHANCE) * beaten

    # Effects: collect one color; the base class has the answers for stake, dump and take

    def best_exchange(self, view):
        stash, offer = view.dice, view.speakeasy.dice
        return max(
            (exchange_for(color, stash, offer) for color in Colour), key=lambda exchange: max(after(stash, exchange))
        )

    def choose_exchange(self, view):
        return self.best_exchange(view)


def exchange_for(color, stash, offer):
    """Return the exchange that takes the most dice of a color; it gives dice of the rarest colors first."""
    others = sorted((other for other in Colour if other != color), key=lambda other: stash[other])
    give = [other for other in others for _ in range(stash[other])]
    count = min(3, len(give), offer[color])
    return Exchange.of(give[:count], [color] * count)


def after(stash, exchange):
    """Return the stash after an exchange."""
    return [stash[color] - exchange.given[color] + exchange.taken[color] for color in Colour]
