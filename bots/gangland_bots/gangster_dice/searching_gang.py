"""Searching: plays every answer to the end of the round, and rates the resulting positions by a few weights.

Teaches: `view.sample` and `view.game.resolve`; and regret matching, for bids that all seats choose at once: a bid
gains weight if it would have been better than the current mix of bids.
"""

from itertools import combinations, permutations
from math import exp, fsum

from gangland import gangster_dice
from gangland.chance import SeededChance
from gangland.gangster_dice import Token

# Weights by number of dice outside the main color: FREE if another seat has the Investigator, otherwise BOUND.
FREE, BOUND = (1.4, 0.4, -0.1, -0.4, -0.8, -0.9), (0.8, 0.3, 0, -0.2, -0.5, -0.5)
DICE = (0, -1.3, -1.2, -0.5, -0.1, 0.25, 0.5, 0.8, 1, 1.2)  # by number of dice; more than nine count as nine
FAVOR = 0.015  # the cost of a favor point, as a chance of winning


class SearchingGang(gangster_dice.Bot):
    """Mix bids so that a rival who knows them gains nothing, and choose the best answer to all other questions."""

    POSITIONS, STEPS = 4, 40  # numbers of positions to draw for bids, and of steps of regret matching
    bank = 0  # most CPU seconds seen on the clock; once two fifths are used, it draws only one position

    def act(self, decision):
        view = decision.view
        if decision.kind == "bids":
            return self.choose_bids(view)
        positions, chance = self.draw_positions(view, self.POSITIONS // 2)  # effects hardly depend on hidden favors
        best = dict[object, object]()
        values = [
            fsum([after(view, position, {view.seat: answer}, chance, best)[view.seat] for position in positions])
            for answer in view.legal()
        ]
        return view.legal()[values.index(max(values))]

    def draw_positions(self, view, number):
        """Return positions that fit the view, and the random source to resolve them."""
        chance = SeededChance(self.rng.randbytes(32))
        self.bank = max(self.bank, view.clock.cpu_left_s)
        count = number if view.clock.cpu_left_s >= self.bank * 0.6 else 1
        return [view.sample(self.rng) for _ in range(count)], chance

    def choose_bids(self, view):
        positions, chance = self.draw_positions(view, self.POSITIONS)
        options = [ranks_of(view, player) for player in view.players]
        bases = [[view.strength(token, seat) for seat in range(view.seats)] for token in Token]
        streets, known, best = view.streets.holder, {}, dict[object, object]()
        regrets, mixture = [[0.01] * len(bids) for bids in options], [0.0] * len(options[view.seat])
        for step in range(self.STEPS if len(positions) > 1 else 2):
            position = positions[step % len(positions)]
            bids = [
                [tuple([(token, hand[rank]) for token, rank in pairs]) for pairs in seat]
                for seat, hand in zip(options, position.hands, strict=True)
            ]
            picks = [self.rng.choices(seat, weights)[0] for seat, weights in zip(bids, regrets, strict=True)]
            mixture = [total + step * weight for total, weight in zip(mixture, shares(regrets[view.seat]), strict=True)]
            for seat, own in enumerate(bids):
                payoffs = []
                for bid in own:
                    table = [*picks[:seat], bid, *picks[seat + 1 :]]
                    won = winners(bases, streets, table)
                    if won not in known:  # the rest of the round depends on little else
                        asked = {question.seat: table[question.seat] for question in view.game.pending(position)}
                        known[won] = after(view, position, asked, chance, best)
                    payoffs.append(known[won][seat] - FAVOR * sum([favor for _, favor in bid]))
                pairs = list(zip(regrets[seat], payoffs, strict=True))
                mean = fsum([share * payoff for share, (_, payoff) in zip(shares(regrets[seat]), pairs, strict=True)])
                regrets[seat] = [max(1e-9, regret + payoff - mean) for regret, payoff in pairs]
        likely = [share if share > 0.2 * max(mixture) else 0.0 for share in mixture]
        return [(token, view.hand[rank]) for token, rank in self.rng.choices(options[view.seat], likely)[0]]


def ranks_of(view, player):
    """Return a seat's possible bids, as tokens with the ranks of cards in its hand."""
    tokens = [token for token in Token if player.symbols[token]]
    count = 2 if view.seats == 2 and len(tokens) > 1 else 1
    ranks = list(permutations(range(player.hand_size), count))
    return [tuple(zip(chosen, cards, strict=True)) for chosen in combinations(tokens, count) for cards in ranks]


def winners(bases, streets, bids):
    """Return the winner of each token, or None; the holder of the Streets wins ties."""
    best = [0] * len(bases)
    seats: list[int | None] = [None] * len(bases)
    for seat, pairs in enumerate(bids):
        for token, favor in pairs:
            score = bases[token][seat] + favor
            if score > best[token]:
                best[token], seats[token] = score, seat
            elif score == best[token]:
                seats[token] = streets if streets in (seat, seats[token]) else None
    return tuple(seats)


def after(view, position, answers, chance, best):
    """Return each seat's chance of winning after these answers, if all later answers in the round are optimal.

    `best` keeps the later answers, because they depend on little but the seat and its choices.
    """
    game = view.game
    while (questions := game.pending(position)) and game.round(position) == view.round:
        decisions = {question.seat: game.default(position, question.seat) for question in questions} | answers
        for seat in decisions.keys() - answers.keys():
            choices = tuple(game.choices(position, seat))
            if (seat, choices) not in best:
                ends = [game.resolve(position, decisions | {seat: choice}, chance)[0] for choice in choices]
                values = [chances(end)[seat] for end in ends]
                best[seat, choices] = choices[values.index(max(values))]
            decisions[seat] = best[seat, choices]
        position, answers = game.resolve(position, decisions, chance)[0], {}
    return chances(position)


def chances(position):
    """Return each seat's chance of winning, from weights that were fitted to values from analyses."""
    out = [float(not any(stash)) for stash in position.stashes]
    return shares(out if any(out) else [exp(strength(position, seat)) for seat in range(len(out))])


def strength(position, seat):
    """Return the strength of a seat; its chance of winning is proportional to the exponential of the strength."""
    stash, (lawyer, speakeasy, streets, holder) = position.stashes[seat], position.control
    seats, rest = len(position.stashes), min(sum(stash) - max(stash), 5)
    worth = DICE[min(sum(stash), 9)] + (BOUND if holder in (None, seat) else FREE)[rest]
    worth += 0.13 * (lawyer == seat) + 0.15 * position.hands[seat].count(4) + 0.06 * rest * (speakeasy == seat)
    worth += (0.2 + 0.25 * sum(position.dice[Token.STREETS])) * (streets == seat)
    worth += 0 if holder is None else 0.2 * ((seat - holder) % seats)
    return 1.2 * worth if seats == 2 else worth


def shares(weights):
    """Return the weights divided by their sum."""
    total = fsum(weights)
    return [weight / total for weight in weights]
