"""Boss: plays out every possible end of a round, and values it by a net that was taught by the analysis's reference.

Teaches: a learned value in a single file, and bids that hide a hand.  `chances` is a net whose weights are text at the
end of the file.  Its sums are kept by stash, control and dice, each as one long integer, so that a position takes about
a tenth of a millisecond.  A round's result depends only on who wins which token, so `Round` plays each combination out
once.  Regret matching then finds a mixture of bids for each hand that a seat may have, mine among them.

Its weakness: it looks only one round ahead, ignores how its rivals play, and knows only the bonuses of characters.
"""

from base64 import b85decode
from collections import namedtuple
from functools import lru_cache
from itertools import accumulate, combinations, permutations, product
from math import comb, exp, fsum, prod
from operator import ge, itemgetter, mul
from struct import unpack

from gangland import gangster_dice
from gangland.gangster_dice import DECK, EXCHANGE_LIMIT, SPECIAL, SPECIALS, Bid, Colour, Exchange, Token

LAWYER, SPEAKEASY, STREETS, INVESTIGATOR = Token
TOKENS = range(len(Token))
COLORS = range(len(Colour))
NO_DICE = (0, 0, 0)
NOBODY_WINS = (None,) * len(Token)

ROUNDS = 10  # number of iterations of regret matching
HANDS = 6  # number of a seat's possible hands that are considered, the likeliest ones
MIN_CHANCE = 0.004  # a smaller chance of a bid is ignored
PER_DIE = 0.002  # subtracted from the chance of winning for each own die, so that a won game is also finished
UNLIKELY = 0.2  # bids below this share of the likeliest bid's chance are omitted
PARTS = 60  # weights of the first layer are stored times 60, so that a quarter, a sixth and a tenth of them are whole
LARGEST = 2**20  # the largest weight of an output as it is stored
LANE = 64  # number of bits for a number in a packed integer

# Positions between two rounds, and their worth ------------------------------------------------------

Position = namedtuple("Position", "stashes control speakeasy streets investigator hands")
"""The dice by seat; by token its holder or None; the dice on the tokens; by seat the (mean) worth of its favors."""

STASH_TRAITS, TABLE_TRAITS, STREETS_SEEN = 46, 27, 8  # numbers of traits
SEAT = STASH_TRAITS + len(TOKENS)


class Net:
    """The weights for a number of seats.

    A row of weights is packed in one long integer, `LANE` bits for each, because Python adds such integers much faster
    than lists.  Therefore all weights are stored as whole numbers, and their sums are exact.

    Attributes:
        rows: by trait, its weight for each unit, times `PARTS`: the traits of each seat, then those of the table.
        columns: by unit, its weight in each output: strength, weight of favors, units of the second layer.
        scales: by output, the factor that turns its sum into its value.
        shift: the constant part of the weight of favors.
        worth: by value of a favor, its worth; `mean` is that of the deck.
        later: by unit of the second layer, its constant and its weight in the strength.
    """

    def __init__(self, seats, text):
        stored, count = b85decode(text), seats * SEAT + 2 * TABLE_TRAITS + STREETS_SEEN + 6
        self.units, later = stored[:2]
        units, at = self.units, 2 + count * self.units
        rows = [unpack(f"{units}b", stored[row : row + units]) for row in range(2, at, units)]
        self.rows = [PARTS * packed(row) for row in rows]
        numbers = unpack(f"<{2 * units + 6 + later * (units + 2)}f", stored[at:])
        self.shift, *self.worth = numbers[2 * units : 2 * units + 6]
        self.mean = fsum([self.worth[value] for value in DECK]) / len(DECK)
        firsts = range(2 * units + 6, len(numbers), units + 2)
        outputs = [numbers[first : first + units] for first in (0, units, *firsts)]
        self.later = [numbers[first + units : first + units + 2] for first in firsts]
        scales = [max(map(abs, weights)) / LARGEST for weights in outputs]
        self.columns = [
            packed([round(weight / scale) for weight, scale in zip(column, scales, strict=True)])
            for column in zip(*outputs, strict=True)
        ]
        self.scales = [scale / PARTS for scale in scales]

    def total(self, rows, *counted):
        """Return the sum of some rows, and of others times a count that is divided by a factor of `PARTS`."""
        parts = [self.rows[row] * count // part for row, count, part in counted]
        return sum(parts) + sum([self.rows[row] for row in rows])

    def outputs(self, total):
        """Return the strength without favors, and the weight of favors, given the sum of all rows that apply."""
        pairs = zip(unpacked(total, self.units), self.columns, strict=True)
        sums = unpacked(sum([unit * column for unit, column in pairs if unit > 0]), len(self.scales))
        strength, weight, *later = map(mul, sums, self.scales)
        gains = [factor * max(0.0, unit + constant) for unit, (constant, factor) in zip(later, self.later, strict=True)]
        return fsum([strength, *gains]), max(0.0, weight + self.shift)


def packed(numbers):
    """Return one integer that holds these whole numbers, also negative ones."""
    return sum([number << LANE * lane for lane, number in enumerate(numbers)])


def unpacked(total, count):
    """Return the numbers that a sum of packed integers holds."""
    bits = (total + halves(count)) ^ halves(count)  # now each lane is a signed 64-bit number
    return unpack(f"<{count}q", bits.to_bytes(count * LANE // 8, "little"))


@lru_cache(10)
def halves(count):
    """Return half of a lane's range, in each lane."""
    return packed([1 << LANE - 1] * count)


@lru_cache(10_000)
def stash_sum(seats, first, stash):
    """Return the part of one stash, whose traits begin at row `first`."""
    dice, total = [min(count, 9) for count in stash], sum(stash)
    rows = [first + 6 * color + min(count, 5) for color, count in enumerate(dice)]
    rows += [first + 18 + min(total, 12), first + 31 + min(total - max(stash), 6), first + 38 + sum(map(bool, dice))]
    counted = [(first + 42 + color, count, 6) for color, count in enumerate(dice)]
    return net_of(seats).total(rows, *counted, (first + 45, total, 10))


@lru_cache(10_000)
def control_sum(control, seats, seat):
    """Return the part of the control of tokens, and the constant part."""
    last = seats * SEAT + 2 * TABLE_TRAITS + STREETS_SEEN + 1
    rows = [
        last + token if holder is None else (holder - seat) % seats * SEAT + STASH_TRAITS + token
        for token, holder in enumerate(control)
    ]
    return net_of(seats).total([*rows, last + len(TOKENS)])


@lru_cache(10_000)
def table_sum(seats, speakeasy, investigator, streets):
    """Return the part of the dice on the tokens."""
    rows, counted, first = [], [], seats * SEAT
    for dice in (speakeasy, investigator):
        rows += [first + 5 * color + min(count, 4) for color, count in enumerate(dice)]
        rows.append(first + 15 + min(sum(dice), 7))
        counted += [(first + 23 + color, count, 4) for color, count in enumerate(dice)]
        counted.append((first + 26, sum(dice), 6))
        first += TABLE_TRAITS
    rows.append(first + min(streets, STREETS_SEEN - 1))
    return net_of(seats).total(rows, *counted, (first + STREETS_SEEN, streets, 5))


def strengths(position):
    """Return by seat its strength, and the weight of the favors in its hand."""
    seats = len(position.stashes)
    table, both = table_sum(seats, position.speakeasy, position.investigator, position.streets), []
    for seat, hand in enumerate(position.hands):
        stashes = [*position.stashes[seat:], *position.stashes[:seat]]
        sums = [stash_sum(seats, SEAT * distance, stash) for distance, stash in enumerate(stashes)]
        strength, weight = net_of(seats).outputs(table + control_sum(position.control, seats, seat) + sum(sums))
        both.append((strength + weight * hand, weight))
    return both


def chances(position, *, last=False):
    """Return each seat's chance of winning; `last` means that the round limit ends the game now."""
    totals = list(map(sum, position.stashes))
    if last or not all(totals):
        return shares([float(total == min(totals)) for total in totals])
    values = [strength for strength, _ in strengths(position)]
    return shares([exp(value - max(values)) for value in values])


def value_for(position, seat, *, last):
    """Return the value of a position for a seat: its chance of winning, and slightly less for each of its dice."""
    return chances(position, last=last)[seat] - PER_DIE * sum(position.stashes[seat])


def shares(values):
    """Return the values divided by their sum, or equal shares if the sum is 0."""
    total = fsum(values)
    return [value / total for value in values] if total else [1 / len(values)] * len(values)


# A round in which the winners of the tokens are known -----------------------------------------------


def move_dice(dice, fewer, more=NO_DICE):
    """Return dice from which some are removed and to which others are added."""
    return (dice[0] - fewer[0] + more[0], dice[1] - fewer[1] + more[1], dice[2] - fewer[2] + more[2])


def dice_of(color, count=1):
    """Return dice of one color."""
    return tuple([count if other == color else 0 for other in COLORS])


def change_stash(position, seat, fewer, more=NO_DICE, **others):
    """Return the position after dice have left a stash and others have come; `others` has further changes."""
    stashes = position.stashes
    stash = move_dice(stashes[seat], fewer, more)
    return position._replace(stashes=(*stashes[:seat], stash, *stashes[seat + 1 :]), **others)


def after_exchange(position, seat, pair):
    """Return the position after an exchange of dice: those given and those received."""
    return change_stash(position, seat, *pair, speakeasy=move_dice(position.speakeasy, pair[1], pair[0]))


def after_stake(position, seat, color):
    """Return the position after a die is staked, or no die."""
    return position if color is None else change_stash(position, seat, dice_of(color), streets=position.streets + 1)


def after_dump(position, seat, dice):
    """Return the position after dice are put on the Investigator."""
    return change_stash(position, seat, dice, investigator=move_dice(position.investigator, NO_DICE, dice))


def after_take(position, seat, color):
    """Return the position after a die is taken from the Investigator, or no die."""
    return position if color is None else after_dump(position, seat, dice_of(color, -1))


class Round:
    """A round from its beginning.

    An effect's answer is the best one if the round ended with it.  It is looked up from then on, because it hardly
    depends on the other tokens.
    """

    def __init__(self, position, *, last=False):
        self.position = position
        self.last = last
        self.best = {}

    def chances(self, winners, answers=None):
        """Return each seat's chance of winning after the round; `answers` has my own answers by kind."""
        return chances(self.after(winners, answers or {}), last=self.last)

    def after(self, winners, answers):
        """Return the position after the round, before favors are drawn."""
        early, hands = self.position, list(self.position.hands)
        dumper, holder = winners[INVESTIGATOR], early.control[INVESTIGATOR]
        control = [old if winner is None else winner for winner, old in zip(winners, early.control, strict=True)]
        control[INVESTIGATOR] = holder
        if dumper is not None and holder in (None, dumper):
            control[INVESTIGATOR] = (dumper + 1) % len(hands)
        exchanger, staker, lawyer = [
            winners[token] if winners[token] == early.control[token] else None for token in (SPEAKEASY, STREETS, LAWYER)
        ]
        if lawyer is not None:
            hands[lawyer] += net_of(len(hands)).worth[SPECIAL] - net_of(len(hands)).mean
        late, locked = early._replace(control=tuple(control), hands=hands), [NO_DICE] * len(hands)
        if exchanger is not None:
            pairs = exchanges(late.stashes[exchanger], late.speakeasy)
            pair = self._best("exchange", late, exchanger, NO_DICE, pairs, after_exchange, answers)
            late, locked[exchanger] = after_exchange(late, exchanger, pair), pair[1]
        if staker is not None:
            spare = move_dice(late.stashes[staker], locked[staker])
            colors = [None, *held_colors(spare)]
            late = after_stake(late, staker, self._best("stake", late, staker, spare, colors, after_stake, answers))
        if dumper is not None and holder not in (None, dumper):
            spare = move_dice(late.stashes[dumper], locked[dumper])

            def with_dump(position, seat, color):
                return after_dump(position, seat, dice_of(color, spare[color]))

            late = with_dump(late, dumper, self._best("dump", late, dumper, spare, COLORS, with_dump, answers))
        taker = late.control[INVESTIGATOR]
        if taker is None or not any(late.investigator):
            return late
        colors = take_options(late)
        color = self._best(len(colors), late, taker, late.investigator, colors, after_take, {})
        return after_take(late, taker, color)

    def _best(self, kind, late, seat, dice, options, applied, answers):
        """Return the answer that is best for the seat; `applied` returns the position after an answer."""
        if kind in answers:
            return answers[kind]
        key = kind, seat, late.stashes[seat], dice
        if key not in self.best:
            self.best[key] = max(
                options, key=lambda option: value_for(applied(late, seat, option), seat, last=self.last)
            )
        return self.best[key]


def held_colors(dice):
    """Return the colors of dice."""
    return [color for color in COLORS if dice[color]]


def take_options(position):
    """Return the colors that the Investigator's holder may take, and None if it may decline."""
    lawyer, _, _, holder = position.control
    return [*held_colors(position.investigator), *([None] if holder == lawyer else [])]


PICKS = [dice for dice in product(range(EXCHANGE_LIMIT + 1), repeat=len(COLORS)) if sum(dice) <= EXCHANGE_LIMIT]
PAIRS = [(old, new) for old, new in product(PICKS, PICKS) if sum(old) == sum(new) and not any(map(mul, old, new))]


@lru_cache(2_000)
def exchanges(stash, offer):
    """Return every exchange, as dice given and received, that does not give and take the same color."""
    return [(old, new) for old, new in PAIRS if all(map(ge, stash, old)) and all(map(ge, offer, new))]


# Reading a view -------------------------------------------------------------------------------------


def unseen(view):
    """Return by value the number of favors that I do not see, in the deck and in other hands."""
    in_game = [DECK.count(value) for value in range(SPECIAL)]
    in_game.append(SPECIALS - view.specials - sum([player.specials for player in view.opponents]))
    visible = [count + view.hand.count(value) for value, count in enumerate(view.discards)]
    return tuple([max(0, in_game[value] - count) for value, count in enumerate(visible)])


@lru_cache(2_000)
def hands(left, cards, specials):
    """Return every possible hand with a number of cards, sorted in ascending order, with its chance."""
    ways_of_hands = []
    for counts in product(*[range(min(count, cards - specials) + 1) for count in left]):
        if sum(counts) == cards - specials:
            hand = [value for value, count in enumerate(counts) for _ in range(count)]
            ways_of_hands.append(((*hand, *[SPECIAL] * specials), prod(map(comb, left, counts))))
    total = sum([ways for _, ways in ways_of_hands])
    return [(hand, ways / total) for hand, ways in ways_of_hands]


def round_of(view):
    """Return the round, with the current dice and hands."""
    left, worth = unseen(view), net_of(view.seats).worth
    mean = fsum(map(mul, worth, left)) / max(1, sum(left))
    sums = [player.specials * worth[SPECIAL] + (player.hand_size - player.specials) * mean for player in view.players]
    sums[view.seat] = fsum([worth[favor] for favor in view.hand])
    stashes, control = [player.dice for player in view.players], [token.holder_before for token in view.tokens]
    on_tokens = view.speakeasy.dice, sum(view.streets.dice), view.investigator.dice
    return Round(Position(tuple(stashes), tuple(control), *on_tokens, sums), last=view.round == view.round_limit)


# Bids -----------------------------------------------------------------------------------------------


class Side:
    """All bids that a seat can make with its likeliest hands, as the other seats see them.

    Attributes:
        number: the index of each bid, which is a tuple of pairs of a token and a favor.
        scores: by bid, the score by token; 0 without a bid.
        costs: by bid, the worth of its favors, as a chance of winning.
        types: the hands.
    """

    def __init__(self, view, player, price):
        base = [view.strength(token, player.seat) if player.symbols[token] else 0 for token in TOKENS]
        self.tokens = [token for token in TOKENS if base[token]]
        self.count = min(2 if view.seats == 2 else 1, len(self.tokens))
        self.number: dict[tuple[tuple[int, int], ...], int] = {}
        left = unseen(view)
        if player.seat == view.seat:
            held = [view.hand.count(value) - (player.specials if value == SPECIAL else 0) for value in range(len(left))]
            left = tuple([count + own for count, own in zip(left, held, strict=True)])
        possible = hands(left, player.hand_size, player.specials) or [((0,) * player.hand_size, 1.0)]
        likely = sorted(possible, key=itemgetter(1), reverse=True)[:HANDS]
        parts = shares([chance for _, chance in likely])
        self.types = [Type(part, self.indices(hand)) for part, (hand, _) in zip(parts, likely, strict=True)]
        self.own = Type(1.0, self.indices(view.hand)) if player.seat == view.seat else None
        self.scores = [
            [base[token] + spent[token] if token in spent else 0 for token in TOKENS]
            for spent in map(dict, self.number)
        ]
        worth = net_of(view.seats).worth
        self.costs = [price * fsum([worth[favor] for _, favor in bids]) for bids in self.number]

    def indices(self, hand):
        """Return the indices of the bids with a hand."""
        return [
            self.number.setdefault(tuple(zip(tokens, dealt, strict=True)), len(self.number))
            for dealt in sorted(set(permutations(hand, self.count)))
            for tokens in combinations(self.tokens, self.count)
        ]

    def bid_chances(self):
        """Return the chance of each bid over all hands."""
        total = [0.0] * len(self.number)
        for hand in self.types:
            for bid, share in zip(hand.bids, hand.mix, strict=True):
                if share > MIN_CHANCE:
                    total[bid] += hand.chance * share
        return total


class Type:
    """A hand that a seat may have, with its mixture of bids, given by their indices."""

    def __init__(self, chance, bids):
        self.chance = chance
        self.bids = bids
        self.regrets = [0.0] * len(bids)
        self.mix = [1 / len(bids)] * len(bids)
        self.mean = [0.0] * len(bids)

    def learn(self, payoffs):
        """Change the mixture, given each bid's payoff; the last regret counts twice, because it predicts the next."""
        own = [payoffs[bid] for bid in self.bids]
        mean = fsum(map(mul, self.mix, own))
        gains = [payoff - mean for payoff in own]
        self.regrets = add_regrets(self.regrets, gains)
        self.mix = shares(add_regrets(self.regrets, gains))


def add_regrets(regrets, gains):
    """Return the sums of both, at least 0."""
    return [total if (total := regret + gain) > 0.0 else 0.0 for regret, gain in zip(regrets, gains, strict=True)]


def sides_of(view, position):
    """Return all sides; a point of worth in a hand has its price as a chance of winning."""
    pairs = zip(view.players, chances(position), strengths(position), strict=True)
    return [Side(view, player, weight * chance * (1 - chance)) for player, chance, (_, weight) in pairs]


def solve(game, me):
    """Return my bids with their chances: later iterations count more.

    A bid gains weight by its advantage over the current mixture.  The other seats do not know my hand, so they learn
    against the mixtures of all hands that I may have.
    """
    own = game.sides[me].own
    for seat in range(len(game.sides)):
        game.mix(seat)
    for number in range(1, ROUNDS + 1):
        for seat, side in enumerate(game.sides):
            payoffs = game.payoffs(seat)
            if seat == me:
                own.learn(payoffs)
                own.mean = [total + number * number * share for total, share in zip(own.mean, own.mix, strict=True)]
            for hand in side.types:
                hand.learn(payoffs)
            game.mix(seat)
    bids = list(game.sides[me].number)
    return [bids[number] for number in own.bids], own.mean


class HeadsUp:
    """The bids of one round between two seats: by seat, its chance of winning by the other's bids and its own."""

    def __init__(self, view):
        self.round = round_of(view)
        self.sides = sides_of(view, self.round.position)
        self.mixes = [None, None]
        one, two = [side.costs for side in self.sides]
        rows = [
            [payoff - cost + gain for payoff, gain in zip(row, two, strict=True)]
            for row, cost in zip(self._rows(), one, strict=True)
        ]
        self.matrices = [list(zip(*rows, strict=True)), [[-payoff for payoff in row] for row in rows]]

    def _rows(self):
        """Return the first seat's chance of winning by its bids and the other seat's."""
        streets, (one, two) = self.round.position.control[STREETS], [side.scores for side in self.sides]
        terms = []
        for token in TOKENS:
            factor, others = 3**token, [scores[token] for scores in two]
            tie, digits = 0 if streets is None else factor * (1 + streets), {}
            for own in {scores[token] for scores in one}:
                digit = {score: factor if own > score else 2 * factor if own < score else tie for score in set(others)}
                digit[0] = factor if own else 0
                digits[own] = [digit[score] for score in others]
            terms.append(digits)
        rows, worth = [], dict[int, float]()
        for own in one:
            layers = zip(*[digits[score] for digits, score in zip(terms, own, strict=True)], strict=True)
            ways = [first + second + third + fourth for first, second, third, fourth in layers]
            for way in set(ways).difference(worth):
                worth[way] = self.round.chances([(None, 0, 1)[way // 3**token % 3] for token in TOKENS])[0]
            rows.append([worth[way] for way in ways])
        return rows

    def mix(self, seat):
        """Store a seat's current mixture of bids."""
        self.mixes[seat] = self.sides[seat].bid_chances()

    def payoffs(self, seat):
        """Return a seat's mean payoffs by bid; the other's bids without a chance, soon the majority, are skipped."""
        pairs = zip(self.matrices[seat], self.mixes[1 - seat], strict=True)
        likely = [(choice, chance) for choice, chance in pairs if chance]
        weights = [chance for _, chance in likely]
        return [fsum(map(mul, payoffs, weights)) for payoffs in zip(*[choice for choice, _ in likely], strict=True)]


class Crowd:
    """The bids of one round among three or four seats, as if each token's worth did not depend on the others.

    Attributes:
        worth: by token and winner, the change in each seat's chance of winning the game.
        exact, at_most: by seat and token, the chances of scores, and by score the chance of no higher one.
    """

    def __init__(self, view):
        round_ = round_of(view)
        self.streets = round_.position.control[STREETS]
        self.sides = sides_of(view, round_.position)
        self.levels = range(1 + max(score for side in self.sides for scores in side.scores for score in scores))
        self.exact: list[list[dict[int, float]]] = [[] for _ in self.sides]
        self.at_most: list[list[list[float]]] = [[] for _ in self.sides]
        before, self.worth = round_.chances(NOBODY_WINS), [dict[int, list[float]]() for _ in TOKENS]
        for seat, side in enumerate(self.sides):
            for token in side.tokens:
                after = round_.chances([seat if other == token else None for other in TOKENS])
                self.worth[token][seat] = [late - early for late, early in zip(after, before, strict=True)]

    def mix(self, seat):
        """Store a seat's current mixture of bids."""
        exact = [dict[int, float]() for _ in TOKENS]
        side = self.sides[seat]
        for ((token, _),), scores, share in zip(side.number, side.scores, side.bid_chances(), strict=True):
            exact[token][scores[token]] = exact[token].get(scores[token], 0.0) + share
        self.exact[seat] = exact
        self.at_most[seat] = [
            list(accumulate([each.get(score, 0.0) for score in self.levels], initial=1 - fsum(each.values())))[1:]
            for each in exact
        ]

    def payoffs(self, seat):
        """Return by bid the change in a seat's chance of winning the game."""
        side, gains = self.sides[seat], {}
        for token in side.tokens:
            worth = self.worth[token]
            rivals = {other: self.at_most[other][token] for other in worth if other != seat}
            lost = [
                (score, worth[other][seat] * share * self._unbeaten(other, score, rivals))
                for other in rivals
                for score, share in self.exact[other][token].items()
                if share
            ]
            for score in {scores[token] for scores in side.scores if scores[token]}:
                gain = worth[seat][seat] * self._unbeaten(seat, score, rivals)
                gain -= fsum([loss for other, loss in lost if other <= score])
                if self.streets in rivals:  # that rival wins a tie with me
                    tied = self.exact[self.streets][token].get(score, 0.0)
                    gain += worth[self.streets][seat] * tied * self._unbeaten(self.streets, score, rivals)
                gains[token, score] = gain
        return [
            gains[token, scores[token]] - cost
            for (((token, _),), scores, cost) in zip(side.number, side.scores, side.costs, strict=True)
        ]

    def _unbeaten(self, seat, score, rivals):
        """Return the chance that no rival beats a seat's score."""
        reach = score if seat == self.streets else score - 1
        return prod([at_most[reach] for rival, at_most in rivals.items() if rival != seat])


class BossGang(gangster_dice.Bot):
    """Search one round, and judge the resulting positions by a learned net."""

    def choose_bids(self, view):
        bids, chances_of_bids = solve(HeadsUp(view) if view.seats == 2 else Crowd(view), view.seat)
        limit = UNLIKELY * max(chances_of_bids)
        (chosen,) = self.rng.choices(bids, [chance if chance > limit else 0.0 for chance in chances_of_bids])
        return [Bid(*bid) for bid in chosen]

    # Effects: every answer is played out to the end of the round

    def choose_exchange(self, view):
        return Exchange(*self.best(view, "exchange", exchanges(view.spare, view.speakeasy.dice)))

    def choose_stake(self, view):
        return self.best(view, "stake", [None, *held_colors(view.spare)])

    def choose_dump(self, view):
        # A color of which I have no die places none, which can be the best answer.
        return self.best(view, "dump", COLORS if view.options.investigator_colour == "any" else view.dump_colours)

    def choose_take(self, view):
        round_ = round_of(view)
        position = round_.position._replace(control=tuple([token.holder for token in view.tokens]))
        ends = {color: after_take(position, view.seat, color) for color in take_options(position)}
        return max(ends, key=lambda color: value_for(ends[color], view.seat, last=round_.last))

    def best(self, view, kind, options):
        """Return the option that is worth most, given my other answers to this round's effects."""
        round_, winners = round_of(view), [token.winner for token in view.tokens]
        answers = {} if view.exchanged is None else {"exchange": view.exchanged}
        if kind == "dump" and view.streets.winner == view.streets.holder_before == view.seat:
            answers["stake"] = view.staked

        def worth_of(option):
            return value_for(round_.after(winners, {**answers, kind: option}), view.seat, last=round_.last)

        return max(options, key=worth_of)


# The nets -------------------------------------------------------------------------------------------

TEXTS = {
    2: "KmrLJ(El+C>+k&guiz#@+b(DXMCk9(<N>t_&m$)bN<PK)1pN0w{N&dR%C!SW7X=~X5C!Am3C9>UftDaLC?)kJ$>$Rby*dsC_7+U_2`(kPA1MjpPVM|7|Fj?H2?R?l{pHB>FEacI(h2?SMEn@t#0UH%=J^@r7$@8J1u6mM5~ueE#2O?F)J-bw<nOi+495^b_V*AHJJ>y;(7Xe}?Jw;V6BzLe%gIuj6#oL?8Wsln>jXLuJlFaf=GEW^QU&T8R}h-U23+PB?EWnY{2d)M+T1w<{E#l<<o_EL<O1Z`>^8sp-`_{S+y@cQ+b#OG=O73f8wmw5`!Lzw2Rj8A^!mRluoo5grbr#~2`VO0#@H6{^W)v&b}y?>(5B&Lz!d7;GV!R)0tqG|7xgdg|Mlw#=E@8N2oxCMJnF?Q8n__o{Fe6?(eUZ^2gw!-5*9M_rw{nzQz5+TYT-`H@Vwp(Dk!llK42mp#s}#Z6uhrA&gUQ;{{-bL4}lQ~;Wz62`s>Ot1tk^*<QxF$76a-PLj)Ni&(asIFD^8QJvSNy&F24A^zlCP5~vHI9t$Hi7w;z|Jk;DF-rZ=>DFzhJ_%1i<>Jt_;&FlZuFvP|iJkU%X92Fe|ApigSK@mC04-NUk6v-7R3?1JS{5m$(N<Q)W@DRcs>=FgJY5n>S4I&fjAokcJ+%Xjq>#^(z84k1|6DtoM#3teB6fg>;A07<V8{5~h3Kr}b_Xhn25!d4uBH}XQ<0Anp39u{083zOKSQP;#*VgsT*S<myHQGNWCoRz4DE9Cu1nd12{QDHuB?cPZ5iR%T;3e)H#oO)!2j?mIF9H-Z`TWcbMccS#>E;F~8dw$P4h|g}@(v~q=DqUkZT<ZK{OJ8JFV5G+13~!)_UIcC7xmv#`~?Zp8XhL<Y8U`R$nMQ0^uze~Arj*){S7YnU^5*A?<pe}GbQr7&CFLr(AEe;OzzzS+a3N=fv@k@IryyW=CS<jF**tb{lV4b#yKSA;zGDG-3bZ-M*aU&2o}B$$n^6OCl&WOA?)+>Dj5U_Iqd0|0qWrZ;P9bi6WOWI4D$x(IO`J-^&1=hz4rMi;p_7H4e#Xx1p^o}fBD!C{Ls-7|Mct&Tlwh_H3kP1@gBt&f!R6~Diawe1=c@^3l8lB4hI7g!0g2l08kI}J?cgax!m{t?a2N&1pxpL4jCWv<bhDa{0jmr^92{~5*R>P5#Zdj61eJ1^gb`mDi`%G<=yrBI<pq@80#v|`1B9>9{MT)=MWc1@b()M9Tn>6Asjf-5AwnN@e?uK-ZS$61_amq?)vXG|J@E35m6cd3a<(NU=INAB-r*3DH{e1+gvL`02UbF(Ds=3?*2#5;ry)Ke+Lsj4=4`RZtd4I(&5+L+tD<?1?cSu|JV2j@8J#Q`y1l}{OJbe1i%vwAL{u*>j)R5z409P{xw0&*%vVW2l_D*8{qRbHXz0T`Y1I)HT>2kA0y8^$QdB&_yO7lFWmOyQ2ieQFao^`{X--?>b3vY`WG?aMWgHz(G&y^-}?W~_X6zpuiPu#(L4{%@)!v~6=VMv7v>5SDFpmlk2&trIxytY{$e;IAJG)}Ie*c`JXzE5IQG;r{qxQxMm*F7ZuBih<^n979D&XgI}!vN80CNd2Ms3AJnoMS0PQ^y+a1{4?-5ZGA!G5GQT_cROB^Z#H2nAO`#XOfUJLK-LqGKL6aW4XI}<AKGo=#T2oMt-K;Q`L8Mq%C?d>B2(G~3B{XHrBB{Sg$w)fxeLG20*>GKKdJjhPA_QJXe?fN$S`zRSI?D5y!Iq|qL4lD$s3AOeI2?7fx)B+_iD(wsZ02>qm4)F8l;LYqcI{VH40s9>3LIv~ZN*B-N`pyRiO55z#Mb<#%7cR!9`SvR6M>z!9_QfVym+x5x90Xd^Ow}C`@+}bP1oa698|dc(7Y`i&`x4wh{~{m_<mUO?`#{+ADeVL{5ghS2+rS?+3J0$UALAF(8uc5*JvRR*E=C|63l`)a``Rh-#}~``F(N?{1p*n_&`%Zs8ui%>*X1nH>_XZPyB-5U>Kg5v8WI5L{RH0F?C=aG-z3#Jz7zK<Cc63F8#Wj5uoMl`$s79^2JJnj6%Gz2@&+dn8t|<a;OI*a(h=to<TvjQ;PfK?DgzAs?(q~d46)rGy{ptA{zxZT)#xQnqYWSYq*6TvsOQxDAT$$B6Z;tkDC*$KD*QC_z8dQW;M&1b(_Rey3n#h~@FDjv?*Q5Y`sdIV)BD}R>=+UQzYIa`%+5d@IPvV({=qc?HPGxMK(xKku|HT*+!O!^Y2fHm>+b973JN9<9xLA%{JS}4aaINQ5*;B%3GF>E6YoFb@J0Yh2k8vv@n2yZ$pif30Q%U_78p792IKoPAlD@K9UmeA9vK%1D@NNJJqZ-xX}U%x0Odi}{SgwnHufg#DDU(h^&A2(`VsyE^BwN#9U`^j|MLsu{0jf37CIm4_us$&_1+sf$2<BC=o~up`WgRT;`i193ic%R?c7J|@A}`x3>Py-#SAAR5%Esq9IXJU5cla6`~ntX^YkUy0R%AVD@^=Q^9}ML@iC3yIPA*M0`wy$6h##T0Xnu3yc8t_6YI6{M}!3%CFtS>NEPMu-5>!e;nWTW9Oe!V_2yD7Iwm{(=q7vH!1EFo!7B_G9TpGz^c?dQ2@?DlG$%3WTKDqIOM&|QLFWuYweR{j%<2mA4iL)UAs7}02?6RUy*?HT3ApPW4Au-K{w@R%<r@sZ%o*zY9pvu^3f$iW<=h+qI57$i)$cO^+3`X`ZtfQ{(B2jK+#w$R2BrtQ!0Y!1C9x?tkPpuDI0Xm*;>GX@{p$I0%-%lwCYebA&MOQq5Eb15^!g70{Okqc?AxX1FYYGgxE9mdGWq}+7X%9eDzr}m-xmlR4{9UQE(ymr13Ule^x_r@6i->`@+A|s`35CD;0Eci9~noz@fJbg7YN!1?Z5{1`1u0S2GkGz@*eZ_uP^lq%kD7)2F&#bAR!^}xgoI!{KQhHEc7+q%p4>_6d~Zw(fv3+H4X#o6!_T*DfvIw@lN*@A1){v%;gCFIhiEv9or=f;MxlHHS+}PuHzW*4>0)y9*ZbL2|6e*-}DSd<`~PM(Ix!Z0Nx7kK;S1C;p{5W-2T+{)C&On4j<#~#3lH`A|=7dFccgi{NCE#5f0wT2?xvQSjWySMF+b876eOT=<UtIOCTlu?hV4+@#XX<1s&c{D)R-uO3L~N7t8k*@iXG>BlHEx1u0)E<JblN9tJ@R>AWSlB>)c(BuE1_&dJd){1W!nBB}Es>G&L=EBp`FFg6GA_$SEzHbMdp0yZ7n>hCH{JHH4GN&p=ez78`S0V3TL9q#P$AM!Cy78cyzR`T_a?PDje@AdZ0;RgcOAr1i^4iH@K?iUy_pzz=J`uio#Ce|Y40U99&+Sx?`0wX5&^!?lfC+YU**aQa&6z4E)+Ueh^84%<81o`I)A^pn#u=38@)Y2RuIiN5g;^GS*`S<+kCgdvP*BTxI{SWm!&Jg$@3h@H#0v`qYDH0h61_L_)^f5>I>J1$Dv^@aaXVKa)AIt_12OrfS8sY!+`}^|c-PJulxiIJn&Ql`|(c#Y@8TAxxG8z;K$i5#H_{7w>-lzB%5EvuZDUb&Z>FpQS4Hfwa0t(+9xD6%+7wx?p;pH3>>D=%E;MpT0`SQa7DiYgP&?;>S`3Bmn`yL3_;^7?H&&dPPuN>bTCgk(*6z1~v>{+HE74iEa>-j9$z1<-;UIqLo!1OjI>ExsHD+bRO2qM_m_(T4B`ziaW@(BMF1>y<;=OrUM3nvaQyZYMiAE)pG-UAlh84=kH1mrodzvV?5+!Fv9(I&nOD9i>2wfwq7|48{M_GIV11R?y~_Qv@V1`Q1Sqb(8#GT6H5243?P4({{I3KRYS>H-52x+6Iy3l`xbDEsxq7XGmE7zFVY>*56k>8%^vrM3$m9QZAT=|d>EdiNm`4z>(40tg2;`3HgOqn38~_XZ@ZRrT_m&R_Z@!W~RSAsZOUAJLlS%@HWh7**NM1mGJ0+9B#F>lJ7@_3Vfy4*WHs=YcN$6fs4ktU06S8Uj&53ey)fAP4jU@Eq0A=@kc#AWX}-Jihnjl)BNa490=p7#a4_K;ahCI`z;2+6eSX1>qmz;XW)6`UW;8#>Y|}G62Zf91GYd3jE^$EaD&#%M{HrAp#N61sVY03<g{y@URj1)Qm7H)*Lka+r8x`4k^nX<Nx{Q{SFfo6=c%o?G4}Q>-_ZlGzZr8NeAGJ4Dk}){{aZ-6D$EL6EPC~;1wYOcI5og^Wz{1=E@Th#Oo&m!!hF9-}GDq2^Jpb_4T4a*AxcO4-^s)1Nkc(4GP`#B*F`F1m+GL9S#ld6VLYbp*arQ1r;yL5YZJK9y$392L|OnDEQ|J8}<bM$J*7+A074N0{7VhC(!@fKQ$in9tqeZ02kmc>GlEO_15&~Br^%-@F;)oq1N;bEGY98O4TL%2p8t=2<-E^xFr(`?F<$m@%;w`-%j@<)b;BDAot84`}+0QFcR!E<qrGxP4Ofu_5Qfv9!zX3H7+^LWBwEXv+Lf&4<5%e<>lu2694@0yV)V`<v0(FN#+0P?ifbT8UE6j`s*_;_v{ECf9@vjAF(U`^4KBq_YfZ2=1LvmzxU+{!tT@%`|ms&58WtF1`Hl0UrI3-A0-;pCI<pI6dBbu^Bp4k0%R{TP7nE6lkDf$D#6ksDb_tQ==}-M_3j-2)?xPpF+Cm4GS=Q4`P%sZGZXf{*A3|6$r1T(2K3m^F0}O8=?efCJMRhUr~~d$1EbUAKGzol<qQ-^>I2aO7a8Bu{~fhA5$*Kw@BIA>7&jN!4E!4|$?oP94)G*46%o%F^63HV{v`e6)EPM68qlE|ECBfS6cZ8S(+uPV@iX}K2p&%f@EZjCDe2t(-7Gp!9v3U&`sO1q4Ds>t&iD@c`yVG5%^wHtASL?b1b-bYBK92O(%cadEh9<o2p~deD*DYdCl2-L^9m8~)_(>P3jgrPK^E!P4;di*O6Dx|?G6eS$58_Y939^F?Lbr**cu9gYYh|>FZj*+KiS3e^3os6+xi~QDk^Fk;3)^(7A(T|>j?e!5DI7gB_BHj0T$Ni=iK=0Ao}j2>sKTR<;V>iM;RNY10(<W9%4KYObyx+3@8K)<0Uc(*$H9&KeG}I6)NrC{K3x&-eM!~4!Q2^K}Fpk?3LUw{3+${I9TWK-tO)0+5Qsz5E?b_?-CXP&;1YT{TJyJ@b$;Y&IBX->)bXd0v*9P|Fj17{@EAw1*^=@<(CgTSTHH;20ZcG+v?EM0{Za{Cg9=q?c(@U@)0aX<@gr@8v+k98tZ?G-tO&4|I_~z1OnOg7YYv--goHrB?2Pr-zFyK9tSKC<^2T#`SdIYFEAYNA`a~w0VDz6`p?wpPYyxz&<ZX0?l=U=2s=YvI{?)o3FG$P3d0P6>mW46A`SZM#Pj{?0sk7mB^Jp1;OT?v&;BV%FbC38;2G~F#og`hPVis+>GC6M{sIdg1pDms4a@iO2m?;*E#eO7^kXya_0LDPI_dfB>kiG-+e9we7~TocKM=U+3@ZQq-2CI#y!Z1IO7q6`1c3@A%^VXT<IC?3EAs!Q!72>^0&))B9ULAu9UI~s88gh_DFV$a=<Qs$<;x}y1O_w~6AIvp8WU3`C$tOf@)aJY={W7v^b8V4FX*1%3A_gE&&BZ`AT{njHZ=dc<}zi%@*4*=P!H|}t)~4B0UEX`FUbK{lg0NU?jNvUF64-?+1e~00ubmdMGGYHAqOro6W!D%A@|}41RWd8w*oa1{7oVg%I6U%|K%GF<`VVDapfry5;F1c(ckwr`#iPX>DLYh@boJPIMd-7{nG0J6aC-=#8Chc5*+d}-|0jd+$c-G#}Fp)nB@u!2;1WIL<$Gb4gL@o*AJ%a`6nUW<?$cu>_;&5DGT@k?4Bs})*~4e@B$CQ=^6kgL-0oh)V~1d_B2p7Eb$NdIrrQJZsAcI5D*S|2?_iz`}#*4ARhPM*flov4FokO>mB|{)jHSg1p~Xq3Ktek7z8rv3X>H$`tBRo0|o>LFAwtuPx%C_@fI`p`TZ;Q2FM`#Dks_)^BL|W4-EVkGCUGF?j0w%4g${!<k7<k{Ph;=6ax_A3lk#d3-kdj5FH#L82c*On+vY^A^<KC2o$@w2oTW)`6KiWHX#}yG%gPJm<&4UGExm4DG(6Z+wdUP|N7=2>f;&<8XC(Y2?JR7>iqr%{PQ0SISCBF`4<6%PE__2{@bw&?B{CeHO27P?)g3V4;3sb5y}W4@$=mE8Q}&04cit%GVLo21TkL_0sjI6+xzK4=g0bE_8j9h%Vq~O?z7U~2HXQCB=RgN&GRO|5H1m?2r3O>?h^y;{KEG6?QY;t^DgZd{0@H+(ku51Jpd5%59z<e6&nrUWdH~d3=2gJ65}JtMli-12L&cI81g#HAl?v^*Xpbf4%gWH1q}(;Vr%Le=?n)y<1-4!CK52;M;FBM|CrqLGZ`NH_6`0A2n!_wG~fqF?U)e%9w8z1z3B(o-`nd0E5Nbq@(>aBJJvMv2oAja82hir@fQ&&88;Oj1nV>}^jzrk02KZ#y2oPj>GTW|@G$rz{vh-Zt1&hc3erv({^8%!>-^UJ2<GASAqMjEH{kQ+$`A7B0q_C~?xNlv*!>_5NT(n68s0nb(E?53`8Zb~)g2rg7%&*o%py4%S`eoN>-`1@Fue!<;0+V-F610=3G^2o8yff{3o9re9=a?a8Mz4<+5;oxJRTwG?@1L({`Cmy`OY-vJr7MA5r0c7BM}!$N7C&uDGMG1BLCe0wlY)45XaC{@ii?z4^!+73+MF!74ttP*ZLp$$^r-a4e|vyB^cEPHu22={{0m>IRPZi8}S9?-23_dRoW-N7R@ac)&=wa_y{=_6$I#i4GsMf*yuYjHYV&3GT7z&`STss<mJygH17xB3KW_L>hdn9>+%Z$;OiIvUok`s*X|?{+x7gQ^-(NP@8anL-GB44z78)8Km$4OV*%O&BG=^8vI`P5==Iw4>H5n>1J`Rz4(0LZ^yCou@Cxx5xAjHo06y^A{3Ij!3V{qM^U3rA1|1;$T}d0$!Wj7NfieZ>-!}*1{`uVk)bWN52+dA6)$djNyA2&C3tulEC>u`ALJ%e0?eYkpA{Q+W-yj%C($D?S*8tMB_y+MC*YNNE`}r59&?yrDa>T(i_*@6es}2Fn7VQfbNedq-1QEgnUH|i{8<sXk1>gf2?HuVJ3pX$L1R)36^zalC(L@>(`Uc$(y$Lq#GVBrwD+f~MG7tdcAtL@Ty649{{_FoAHGk(I1@Q3+?cvu#2?ORH`~yk~5HK1H5x8hc{MuL@72PP+u?HwA4!6T!x)%&+@7fIjGWh)fKdk5~3M~;B@T=qD^cleA1-&!i7OV-@@De5``77l%RQFBp;ttph`|s#&`SAeiPVMy+-}kHsIU^KA85Rio;{HX``U2WF+WOek4(B2I2>!qD1LP7G1sUND9w^@3A{i$02m~4U*6ITXGW7HM{Gka4;M)Dk+dJ#;=n7Hw7x(gTIrjs#tpo<|14Ak<{{!de1q(R)_4Uj1OFiG7BQ1Z+7cKPB3fB4c1N{H<Rn)sf$_Dn`;vfbQ&)jR(2m4BJ8yD3F0vO#+>i*HD&D`rA0NddP-w+Vp5c2oj8VT~`7wiRr3@Y}9)ZGW}F&((|Dd;BJ=_c>hG6F>h>2LD<)$9ZbF8lb?6%I7d3sm0G{z2*>3liQaE&mJC>s=$_>_P=HFz*5Y*aFuQ=NbtL?I92BMK2cM3?}vl=G;^!&lA1TO$XQ1<s|DU>SWg97ojEy=J_N6nh70DDh&F*9tSS~GV#@|7}nne%@o}CSR*_m^d$A?@gpPb@8^FD-|_k6<`@Ce10C>K>fsQ=4C)5<+5s=)@gXV^2{!X7SpgBUHTUJ?;twqBFyf-x2>J}@EdvrA(C!og88RN~A=)l1^(Ybz_VxqR0aENK(*frbF7sOL8U*9)x9isrC&l~p(FNuaHwf<!4=2O=9n%FS5BlrN&+H53u?OVx`vf;h72m*a^$;oGGr9fk6Y--z52iWt&r!tn;yEJS(-a6A3;`YZNktL-2Tf0AvIs88N4yc%9Qo(BxY!>I)d4!%ATHCPf#@hA4f^~05mnNo0T|j1<`nqq%|H=<9QM}<%iHz-C)(@=`jMndH0}uT&JQ8h+6^Kl=;c!_{35s15%%!^Hzp<E_6|Gmf%W$rF9qcX+Tj}R?PBlv@y!%2A1nat0UYNb4+Q_=?GY^T<@q#3-v22V6xSV!{n6d!5*|$Q2lC<rR>|@40OSGz91!`??$)#u((wQE$21Zg8yWuV2>=ok{Q3C)8qp8U-~kLA)E6@VHvjM?)%)rrEHex&7WW0(4l@k=>#rLC^B*o4G(7en{pu?N1_Qq-0oDdX<p%!>??(0T9Tgh**g5nd8U;-X3?w!C<p9zW85{#H1~oq3(B2T#`>hD&|5d^A93cHMy*Tj+`#bwM_vrb7=?vQk2hSiC`#I?S;1C{r@B$tRoAfr-4jd%&3r-JL_6Ykk!%`XA@a)M#3m6)}+9t*u$p8`(-!0MCDmn^H3F8axL=)KL`~(rIOcVoY3N;lCe;^0{J0|Ppum|tw;v*9=`0n5U=`Zfo`nv!CDq!n66EQZ<8LS{8C<+4T%m#t!C%~)-1U(||E-V`j84C;t<KZ9{^X<zT=C@5+<|)J6v>yQe8rKQgD$x=P{K}-$0S6i0?Cjm}@)_?a`4{^E6zuW_|IFmVCiEuZ{O1At6bZ~JSu@853&iBe;h{SP>ay(Q7aI@2{p<V;6Y$pz#9S#42n^8-9u^D{067Zc$`S!6B;GmJR@2Kc1@Har8}jT(GxtUK_r=D4*aQC0{p|b#2_G*I_q6{H{W$SL_W1V<A&%G<1i%0^DjrP%BM}Tz4+cugAN>CaMdK6ZK@sEnF&4`|_U6(J1);sxMc)ei2FCpqD+eA4FzL_>9}U~W99k6x8n7hd-wgW@A|V|EFC;1@uk_^a6$%CfLjo=f{q801EAb^*`|BVp0b$+)?IQUN<Qpjv1{Mnc;_yA>2m>qe*eeC{4*e((z>*;7-UucJKo$sp?l>{+@%8!N6Za+(SI_P!`lJAs@Z}yf9PbJMzD2JD6c^qMF!Bib2^9gx^7!%Q8wM8z+v8=l`6JII?%)3F=M*jlD(d<&77scLANB<f_{ZSbBsU)S5C910BKNxk<~8&<87(Rd@6GM$;PLkLAP5E#1<x1s%Jxb;Hs%=@91hg|1QY(5${11|&lwN&^4-<h1~dNh><<v)9^(PELDC-E2--OP*4i%?+wTF)DFG@w=Mh5O4EiGk@QdIB=lnF~FXT(e<pcKb1Mo3L|G#nx(*XPi_0af9&ENU*DH_<+-6!1%!|fEp5DpUv0x2~2m^WAjs~16^Ei@Gw8rl0KC=(4n^f9dPyBu9A@gN5L`R^PB%G%#42^R>!6e0dU^*i_T`n~|NBor(40RH{zC@j#}`Rvf%>EQPJ_5bn+6yC?o6!D)L1QE;q^XbkD3CJbq`yv${@I(Z?;RrPE{PO|tBkIT_9WM0H;XLRg-uBkj90;uy4%99z5;pB5k<#$)3K13r(g5?P^Bm*MDK_W)>lWzm@7l#8w*}|#)!?|+F=+7;0sH_X6W!nh`X@om1P%7#%)96&Jo*I-y6zJC2ok>E*6<5A68HJp+cfa-163gUmiXfX<|PdLArZz00t^#2YW(!w?-y$PGxO@@`tj%WHV7Fn`r|GQ1_VFs0T=Qx_Xg`G*c46&yer-q6E*)26eCyV?JL_S%iGZ)8z=t@D;ov11vwoD;?dkLUlj1%`vdLg9}x}`rXt7K*%r&`ED+x-0bx}9pZ4u6{t5I4>IV7|c?J{XBIonq7#AP|59j*J*6iW)?dAEL^dto=9_S1W_Tcvp>h|a;_X_z%u{iVl8xrFY)FK7v8zK-XDbNxyzzN*;3IqK33AZB$@BH-&?HUySs3<oL^Dg<z4GS$J```NgKMno?AN4ZDJ>T#=+W;;R2JG<TM-&_L{LcU$=?KC9{Q@o(wF>SU`Wo5K2GbDu6cQ{O`2wU6^4ss?1`qKhVLml#9Q?Vz@#_W^0m=dcFVOAz{k`!N{RZ;^+WPSrO&#<&(*EfY2nYSc5f&8rmD#u-%*HqLqRt8w9}OD`ALAnX^Df5YKj`!g1TO*!7TwYF?->-;CFUw17ySX|(e&c;OV1r`>mT=gBGTUiDB=jl9pn<?+Y1H(`Q%_7IUpvu+C$6_?eO{)?)}`mDl8e-4*w?c02b&16#ErJ-W%~5&jaPqN9gz<*!~OV7YGR0#{u5$DGL1!EGyvVR`c{13?L#hWBHEv0<7cn?Vu|A4ip9((91pa#D5>V-2pxy<NZh(02ul;?C$XkMlSs2+WqMJ4l)Gx?-l{;Dg6r<`|0^F2?!7*2R!@!@$(!4)bh~yCqA6$?!e$E5(oIxu*@bl(8AUb{?r}hBr6z>;12rw9`76#Dc<7zOY;!jC;{!^QOO3e3;h-f3i;do3L)LRJO`WJ_%53P@NmlODhog+0{s359tY(o^UkHj;^F2V8Yu`P8TkqSJT3v}N*vcT3FkP({#N7Q^&}++7_jaDyq*KrD*gWy8|4!EurdL}@yrSauKNK4&{HMMGT{#I|2_{X0R#sZ;vhU2^)v70w9WqB5WgBd>`Ce)-N`$<uo61_;OYQP=V9Pi!gT^1w*%?wLGTRl4)g855#kW(67CNk?+hsn(=Y=V^+XLj8bL5S^4{SB+Xp=U4fI7F0N4!%5!Vdd<1<qe+AbeJ#0vWkD+lZvaC-O-74|qQ4-D`4Jsk1r>-{Di@8IGP0LL|W=pFsC89>4B^)nIy{`of+(p=O|@9_KV2tgAC?h6JS^w9|OH8mIp{q_bX0OHKx+ynUtBMT<##vwQjZuIs(6*cL9@emIU-unsa?$76B*)9!%4GQ5XRn53P{Sxyu?H?UE=pE*-7Tfmj6Fo`X;NK$V=j!dtc@0P_CiMr12o?av4IJ;&+R`Wz(gm<X0{<y2fw&J9-afoC73=B~(c>uW2>iqn{O#0R%kB&z|KQ>)5%JuJ>LijU;7#lY_FXU%!NnZx`r6a;&;1ny{TUGL_xAt7L;`^j>c|?<J^;tqtqUdPnHZGR*+Ka<>Ie7R1sfT&ngIyB&<*7PANAlL4{Gi8Jl_Bhwi^2_7vb#N2>vAd*d{gS3fk(;3-Cu51-uyb{k`iK{x?JYzW)ac9P8A47UT{a%l8=r2?vY_3B>&e{}2KlH|W*nDB7YH<>A1&$~Npl3%KM3#LNf&9wP?T#se4c<j43NAr!ss+T`l-(-r<CUl88;0>anz7U>ZJC*(BPE+75%Ofk{Y{pQpH7S6o$>JI<*&;}0(BI^VQnfmtc^$YtO>je+w4bGZ@0wmBy7VK2z^d2!D?zS{A3%u3@)8RYj@;_|~#K8yy6Yd)^9x46b5yV?4zbe-p91jlg6#?@V{~I#s<<}UM0baWADGMby`tbEQ?d=}|A-EU*O9&({Rn^=190bGiMlc5710DiO*9q($GW7QP$L<Iq9K%}O84pk@HtOion;H+xHR(F;9$6X(IxQmx3JAGNO5*;}&8=n!4^<@HB;Lv{Jw3bN;UCo;PNVBrr`SBT%*z|-_7E5U9P;M<zZ2Eo3khNjIV>;5*2L@Y`|$AmvoP%klOnS!GA$B58uKDG2<`sg3oZ@#?AqTH!Qph}x62Yn_AJsH5kTz^*$~bK3MKvt0MHQe0@>8+0l@Yi<RRS?*GS#@^(XQaDd|!2=M4?z9RS_~D)Q9oVD{(#Eb$!^F16a~5jG|MH8&0gNB#H84){{P{V@R~<^AyN03$muEgT2{v_S6?F6tvD>K`ZWDFGw)D(d|R+zkgXKl2mu68{_tLikuL039^q{w4}O{16-KLD&l7_F~l5QK0`TP5d~`9XmzFC2&z>z%T#w7A(~QtmnB7s^PsquTw1S0uJ}<{7xg0<o>!aI{WwQ;21@=5(n%3@8AgWLKYeq^_c(jkmVKe4W#P`{~PZ&hVAOfM&3FUx8OX1p&=T){wu}y82$Y#6!hmF3<(hE(rZ0k0?{=P*bYbx^AY_NI@$8$^6U1+G27SQ5&-`1=i|)_>C?awyeP)y%gGo91_{dt=I;+P1oIuzXd&(P9usx>HaZ9$0__zZ5g589Odtgv92KP%RtDBu%?T&>3FYSj4hInV`TaZK1KQdr3fU6e3Ixk{CHx}W3nl#!@3{XH(k$Ni2tWq$$@&#1;s+D+`Ty_lEBPn|@C)l8t<lf*-sAQ74hGix;4SmN1rz)O9@AiN{{;*B)!7#k-U9#h{rLa@4jnQ7_%rwW9b6{;Llh7X+L0U$B^%@XBJ%76Np=mT;@<VkDfLYE8{$9xEHKo&9~%~bG56rz0NCIH@csth^XUD$8SvmPu=!9D=lw+a7n$Z0+X)%%IM)Fy!yowKN%-LdE((7x^4meh2J67Z7jd@P@b3-d21W$x8aOKs{Ne5$0G$LPy3`o8<}ex%{Qou}?c?R-UfuoR_UHi(;N|Hb0_y}qFak5;8UIKzoJZXiBK_P14H7THz$pwk9`DbAcRNE<w*v<h(c~No`O^VK`4A!#2MXx)N474@i{bY^AVe_O3LpLKQbA$E#ayrRH#-_L?aUt-5Fs}E`WJzr5wGG^&^7KH_QNvcBg`HXI_en4(Z~v#-v)P($>7w!246lQm)=~)>?^JHP$qpWMIA8%?rxAEzSJBX=_Ub4BjM^Ub<yL=t18VI0@l|kP2DaI^y%2I;||*NGvN{fFV`*>1;}3i8x!K|mtB}h(;5&2Ex#HM@G1S}0o5KQ{a+vW7(5#M?C+;14k{H0CFS)J23sTO+q%_TIRxt7aIfaVDFiJm_1FU*+x_Jn?+_yYAKWR}_P+%!`$IGm)F&k7ulWoru3{=79dP*IiyhFk7k~XtBj>(gR1zTdCG*J!8TAPh+T|G#^4ACoOzQ6h8U1PY%ggpp6BZgj^9g_0%r6ugDbhm*oh%N#fhp1n9#aNlf86UTL=_kn+8xLje=g?-wVoE4&aVUCdH{hU3F93VH7x@k7xnZ{K<_34fzR#YZV&Gf!r%1#t!44u95KXFAHB)vKk**m1v~NHMPKjy{RI%%ImP1B56|88{zV}icEJ_^8}I>S1psi^_c7n+1OYzG<pK=uw;TJ{+YlyBFY1lE1QZGiA{5{aA}r~^O6nYc<NY7=T{i+d+cECBSo;hG7~;9@tmQNw1?lPr6~NRCJ>4u8ARf!;^~)tA`QYh+wG6s2$mGES068Rq_9N9i0|nmua`qbns;4W=6+$H;CqE!;7cOwk-dGO|6=D5A3<B2zvoP(ZH9Q%A92|icE&`{^4d~>}H-Cfd0l6AZ$;_yxT@CV6{HHI}I`qtB_W%$6KkeoW|Na@C2?^Wy_2~8m_gUZE=s?@&*A))q5BgH*+x_GV1pVR>IPAdNzu*-u-R}_><^>f_BP0z>0W#VR$>GoE$SwNy^YsJN2FnKL+1eIts^bF+Ge;Q=9ThAQ{#wum@(uzTw+sXL+SwBi6XjI{6*e>rABYD4^kw<TM+?If8?a76_%d9#2>H@0yaDuTX%|B96dI!(wev>u#`g(N67&uFF7Fl16xDR^_|VI{`wLPj3o_jK=-%n_{NydnKbqyg#x}_e*!dO^<NQ4&%hvq#UH|aXf&A#)=}@){;pjd0w-xgIz!(Cz4<Zd;toaS(<;T<dCI|=r{P+R-^bq&>_!R^J`TznD{rCX-1pNgC82AG91q2WI01*QX2MPiP69W$M`VRI775)AW{q+R$0r?64{Q6c_S~~tmjk$313OW}W(l@s5F1aXu=s8Yk&bb0a*SWR+=Q%Fts5uc}ia3`_8M;O-hq+3w6FPdt6uHRi4LScK)40+B**R-Mg1O1_ptx+U{kSS33%QC)ez_J5ow~YixjFRc_PMC(g1NX5*f{CzaXFXJ|G6OEXgMw>l)3z1!@0XGs<|i+7rCnx*16YbZ#g=F2RcmXIk{$~leo)UExN#wJUUBuY&j61sJUwaUbY!i&pCl&Ub!&iIXR5$w>cbh$T=%K^SKr-xH-I0K)UWisyVZS#X4*cfw>W!I=Omd*|{-{zPTfm$+$}LFglGTbvYM=!MXAQ3Ob>vCb=Eg&$*y_61k$#EI6I9jku+gS~)prt2a4thd8n{YPUPBZn;pX$G9+|bvR1*F1JAMg*ZZ-i8)+R47L}8tT@Xbt~fA*2Req9jk#iy?>gybPdA^dsJU~*skvRg#<*e)@4Bj5fw@GVE;uE7nzh)4KDUAhhdDMly}2b3nYM`L#5glSI60Pt5xR~H3_6@}i#Ru!g}L;7&bi8<P&$xoH98j~%DAFI$vN>Vv$)PbFuD9F0=ZcJCpsk<nYd5mA2=ZnxVYtPO}Q9=NjYMimbuUO(K<-m+_x5+I=Q>I%Q*99R=GF>gSMp4xH(X+V7aAegE+JNSh$*TZ9m>(3qA78M?EOa?LC*5vp!fX6+Z}-WxC6p@i|sg#yNBH7`iPy3pv^=dpNHa!nqtJIyqxTLN_zQdb!zV*SU|=E;^AS={dw|t+|%VL%Aj1(K#__t2kTythv!qD>|=}13D}$@i|P8gE@0-YC3K0pE}X|ueo!W!#S-Ex;W#1h`1ryqq+AY7&(539=glvIXN!coVNg_v$>!57CL;n7&ap*!?~==K{+Y6-Z{}l20H!BBskBmkh(VE9JwS8Iy$pJ{y9*HsX6Eq{kZAp$GD_V1v)s3fH|M*z&X)czPVT%E4s#_wKzQUlDb8z*SOBOLppPE&$vvT=s0vmW;v~-EV_a0H@eKF)j9atDz{253_biygT6uIGrB2TkU904hqyTFnz;^k>^LULoH?xa7rEc54LS#m2{?yQ9=h=w%sHfDiaCnbgE)ZN0=l{sg*kYm2RVAn?>X<o&A6Cm^*KmxdAS>fMLMnikhw~WA3Ex>OgbkLhq<Z&v$;Q3ayj37^f=2bC^@%(2Rcxpo4L$MU%1ih!#U~QkvZB1FFE@%13EX~`M86hfH{JUFFJi>NjiUFUpjmF-?^{^bUDn>Bspdd;yGN~y*X_K^En*+6uDVZSGh-otT|>iCOSWja60213_1h(in(pfGrJU%DY>23&pE<>u{keWKsr~jur)BQWxDkFo;W}=0Xo4t-Z>5il|70aIlc",  # noqa: E501
    3: "U<3*?8`&s9?*{bIvnrZE_qh4~7Ub;vD;6rjKu{9!NFOW(;{G=k*~9MY-w+D|9^~I1I;!>p5EaM&HUGXAAs6uo3i<}c^|VIo`Y8r6Q`YPo)6KK#<i#WH3pNoX75J`0$JJ2(&(BNesM=-f#QN1BHVNK7z~1Zr0ShB2=F83D<>l_f%pNEjNWW9e7zeh24;<z2?@<@~frZWv5b)p$5$y&q`itu79#{Y<7a{Mz^!5-{O&Ap(>JjkjFbC24>Iw`J%E#;Xw%Yn2=-M3S(&qmo$@EV^0~yi~&G7F6D-IG38rCi#22SeJ^b^63%>=)&;|UiewyOKpDDxr^3M1VQAM6p?(Lbon!1h(k0O|`C2mdSJ1jpjv7#<$x{0;BjAKUl~^TrBeG2AZ#_5pzmu0l2U*D2W$`ZxRH$>9wTArt`)1mRfS<0=Ig;_;KuD9H@!6x#NI<pjX-K>*+H1`EK?2K-jy=M3P+HzE5tIPnZ8_t>k?Bje^i7X-lx7tsVM-sH`P{_6@B<y1iv2p0DC@!<&&?8pM+G{6cq;NSM^`1nH3<S+p&>iOmv4eA-g*!1uq@edjv^V%2ZA`gKU5)su76w}oK<hVh*9SYk7`{63r2iV~U1j959MdJepdGhoV3Fg%l{{INz0Nc{`apDWt?(Gr_)ZN{6#}~uM3jZ<N4+bdt05%&7w8snvBXs~Z5F;24;22&e7TQSyYvCs949x6E==2)Y@Z#9({1hz_)5|9gC%Q=5EHFv!5IN5539um(>j?QZ7u>+#;~6F)-_s@L;q}uy=LHYy4Y=bMB@Y&-6tKJGOC$pU4?pMx>KZrU{1hnNu`1xk%o64!0^BV$@ZjArGz|(f+sg+v5#sTR5Cl*v^a1$%?Yrm|6ISa1JWc!q)~Wt3z60VUFO?bz*W52P&<{Bm75e4(1``vi6u|NM3jz(u=nU!~@&BbR8VtS!*FL!Q;ok_t-$$47{?iU83HCPJGUPMk2JI*Q>dc&}`Xl!Sul6h1K@~j|01*4uw(|-V+N!|>AROKN=xPw~`5qeV<W&?UCREcR&d=-JvgPE<#q7Y|r~r)d<{{8#-17H4x-%8@-01zo+v46I1r}TzB7ykT82}d90tpJ^yzR{1@B8K|3`+yo_azkpB@y)O9IxRQG|l($4!IluJ0;c<*87_!-5>+8=Gq7NGRqqp#}*k4u<h&J{RuMNB+vHz_VX9+>Il5a=OhFb`Xt&w64lD>=k4MG{UI{`*gwVn5-%&o^(Vu!`~W)VH{QJ4G!+^H_Sg$K5j^$^{0_YR!T?0!2+1b>2q*0T4Djc*AqoQcF$YTTf&3k%;cn|b|Kz|M5i8yOC+j5I?<(9Iu{aq7=-Khr@fw|0P&*$L$?WO)2OVq*@G1!IDW~4xLmV={tPxEBEo<Em;Q9B_+v-^t-<<^s1r5p^{0A;JVhB0_66EzMw*OYl>O)c)eG&599O&XlQ@RTW)Dq1s>>TbJ0uKTc4jJbP{4EF$4@!m#;Uh5o{QB=NC9cuL8afe6^4(J9?eZM^Edd1lLKHFq>=DloI$ap=?al2f0NV>Ryb3V{)CB_d4hl~CD7764IUda2*$vSQ)7}x_HB}u98|v=H5G)4E_8mGl1>zF#2o>fBDfai@2vPH4;{pOo?!)l-7Z&dF^wj+?3C(}PC++3l5!grZzU)6a9g_tg_6dK^AMEAmGRq#|9p4H^5BLPdEEM$lDGdY|F8K2J!tdY8_2~&U_319N&BY};0tfg%$Pv=c=mz*K^5oy@`zrD41S%OR01hC~4Ij?)LlylM5AN5{K-Brpz~L_r(c9Y+O#a*-F9)&d^6e$_<PHZ51{f7Q$TbbMf87iB2Nm=f1G)6~@AaVl7{}`;@+TAd%=o?q;;b$O_O$}*ChO$Y>Kq&K?m!eW+8D*|ALN?}>D&d@==16e=E(!?H}L<bO$Mw)G$;}c87?>G%LEkh;2r}8@Z$CS4+SgW`yTN17Y0iW4jR@bS?^KS(<#@w=OP0c@f6$?I>rk8H2eMPH{&Y&^Zw)?(d+3u;N!&5F73<|^{~De%J9tT-t-(B92~9p@!{{T?G@<w4uSLF4euV}@XX{S6!u5^1u8EIBwhvL6Byyo2r|Y3(y=B1@&Mx`Avy2C2mw9z;vohA<AD%uu@$oQ5X>{n=lM4*80OtQ%KpqZ{P)`o3nVoD+}i@{_5~K%?$*FK2eb+y&L9c@)VuKv@e>LI`AGKx2;&qA=F+(c-^=1O1K0(s0u~Y7`N<FEzW(Rf;TtFJ64)ln@dyDNr1N_4SpE=r6yy&5AU5La?y~1a$NM7V!|gi!>&^qtoev7(-%D-pGv({p>=*3x{TS)$%p)Kg1ny_f<xdMx2=(kO%moD*{{%KGl<E&4>f7%^2jKN08Tk6TL;Qb0T_&W$F%v8p+z(UpQ2_|U*j&@y7wHQ0Ld(sRB$iM+ndt$q01fl#4Gb(X{a{h)7P=^8=t>1-BH0}N+M5R=B-QaO@&fSQ2-@~d?&cjB=q%dc3*a{N;ubTWHtSI1OfnST*BUMl75g3rD^}I*@X_n`@Brl6F9q!0HDcxY)Ev&!>oVl&@g_ije}6_LNfuE<)gm{Y02&ni>Npet8nYMTrvxb(7NPh7@AUcwEAG}V*XSh^P7cbpEgHZ3a`X}vE%o;p@Z>}T<qZ_V@g@1c4IjcMFfqwL8Uy(fB;q(G5%uBI&O?9SPrDow3f%z^0lVuZ1J>pDAMHiv!v`iG@aZ5DP#O*~*#l$o=_k(c(-s5*?hp@j(f(WR`2pnx`S|ot0&D2)G2$sH6m1<CR{zNNIsou2=Nb3L2Gs=p7DoK)>k}p_2wWa71sN$P@%|42`uhn9&mIlc8U03NJ`yEC?D!Gy`U>dY@ZB8T_9_4U?epB#{VN&jARH?%64g1v4+v8dDD^56?kgwe2Kd)f04yXf8vL^W8sX>G=oJ1wE$Q^_<3s=-{xuO83j3)$@BIte#RJ~(&?hAc))d$l_R-e+*|8WP-#Q)b)3*L0#0TkR?H2nE4<kti0_6Pc=Rp1QNZu1F_Tt<HmgyJ_+z!ba)zAa7!u7-P2Nh}|<-fjB)fC<YLLSQQI_>2B@hSu5BL*VN6dn+U^bsQCCDjPn&KSM|B|{Yq-wYQa{u>VR^X>~C9rX158|VT49tEuE=KCX73ti_BxgYQy1s&b){rv+czAga`>;MudA35Rb4C(du0Qc_MCFH*o?@rYqr4Z8h0#m~1`UxxqF$*`;+Efq+_~QEY$^QlS3Zm}@=k?w9*UjCs_UGx(D%>8_=^WqSD-Z$G%m(n`-zXlP$u9N`1MBAY;@qd?A~azd68zBk+y@Nh_~Fsk;|B!)9P<A34+tD2E!y7;#W=tMy{#tyAn5(&5AW~b=O_gcIVk`T{+G%8-Cs_cAaoue%|++aFuo7b1m!;<^&a-fBn#sb<>LMZ;M}-6HbLhV`2OX!HUrGj@&;NH{UPr9JL%>k%-H6}?a~YV9QDK27dkx)(m44VMCZ=N3)uMv83*S33COl90r9Ci?FE`bC?lEy+zk^N9^=99A`#x1yW|B6(b5Rs;^aNtB@pb~77!j4#{2j1^u>2B)(6kX4HF97)k+Zzr@$Bf${QI9<fQ)_1%J|85yQ&N>(%sE3%>U%I`;Jy783j87FfpM9Qdmy1~&TX^Zc<3`Y1#)EyxC~9{3{L2`?To8y@ZW*$WIB2`S6!>dDC*`|R@=G6LiM%={7xkI%XWwEo8H<R{tRJva{p0g5T*1SKI49u)rn|J~@w4?9ctFA*jjLGS3u0BsKt_VE=@#}Wu5^-3jW=n2~Y0o?oUUL-o?-Ky>m22C143gIvq4BZIW7vKgV{?*gs=+gQE#|#Y>C)MbzGiD?g<kLmk9}+a=DLD2n_zelk3iBcx`x)&!1>yul6>{q=qAS|j-ed?N>^u1eO&iocAD<{7)CLD5*d5mR-|s*ZXa5|`-X2%+kO=+T`1iryH5s<BB+1YC76B~$<WMLA67vG!G4Di2p&Icv92^EBD;wMS8{`b+SP|n$&(;7d+WiXM4FUv(1=ly_G|%t`=LQ|<Ff3=%=Gzqf0x=ZQ2%`b<?-Pj%0;tdb#RFgm^B@%3vE|hG!U*-w7}y#R>f!M8LmLjF!2(L;1pL6)015lT{Yv!ODg*hqyXw{1#oIE~4#5pU?g{7X0q(!WA^Z;kMi&gs3jzECFTV%d86OG=!S&tbDAc*?0R$HtM>H7#<{%az&^SLN#`@sGALPO2GcWzw78c|Isvq_(!Rtg1;tCb(&jR|e2)^&C!^|?;7wE>l<;&OGAL;zp)9oteVf^$VH%I5=3(g|m1L`;Z;1Ao$&BwLCyb(YB?bIj%F#!x3=f?Hj-_+&-DFN~lI|LiqI{*+X)%E%FO7h>x_3O9TxcDB+)Rgw%C*%J67YV)(8Q(g+<FM!@nGo0M<MRsf{^=3L8{Xo$<mK1#<@qG$-QX7P$PQW&^Xgmc+~@u74l!Ie2=@K^3(>?R(8&Yz73usN|1;1ITpy_{6P@3uOdsnXp%f4Nz6%o?Ao=X+0oncRpzTEc>K5nH0TBKr10UM=Gus5b3<d5c_TdWU4@w)>JuM9b62>n#8awCQ71#9c+Ab409QV`lBrpZyMYPcSCmaME{t65K)hI7CSWLeKM$YZ`I_neH^8ci39_Sw6#6Lbg{OaQd-s%7p1lHDRKG3eF;~`PJH4`QR;OFD{Nh;>=^#Rr^%1aXI6%IE2<(>Wv<mlK!vdA$>JKeb(%iiBBul_^%<q09(=KKaI63_7lB>=$y=@;|wzV^NHDIpd*I{O15>i^gJ$J!Jd*zgGG8!faRCL$gV9#Iew|L@Ms1@t8D>G~8sBIC>(KO-T#@8urzWdygw?=Ru@8_8+;?Ihv=-SsdSMh^@v-&Zo}CoUq@-Q*7L6};{lJMa$-29*i=;s7T5>(BEG<TbQLxq$!*=$JJzt?x4-@}&>R-~LVkFn9R}#O~?f?>ycl8&T=w@ipQ4NFgQK-2A>4`9uNi`YP}Be;M5qvabRr1^Cs^E)Kg45%J#v$nW?Q04&U^Rn5^)!~gp8Lge|~7c@Kl@eJS_x$FJG1orp<1W7GFBys(L%{Us>@&OS&N%!g2w)ZSk5GC0u0>u|B^$Han0ag0S+A7=;?+ot_*ZUkB8~v*p1{)js-xm<Q=iM#rGByly>?IK-KhU@TSQx`F`}WB$C#Kf;88qD!5cu^-`t={D?mXfl<y9;tJ`xuI>mXSVBjx1ry2xE9<QN3h9T1-$<_+cc0zcj9%k#4YJs|P6+X(h7C<y82JU0DKEz|oFxgebw^86CaBi-f@`|}pgzz6u?=@3Q2^0yM@;=lh6w*}+?1RESaB0<{j`3nsg4g9$fJNr}5w_ptKDJ&Kk?#l3L9t!v%-0t=a2I~l}z!?_{@E-vI?(WD6Md0Wb8~GvV{?!orw9hi$@-GGpHaF1H>-+}@0RQ|pF!#~%%nZKS6&>TluIVrBF~Zbc_SXE?+kqDz%c>kBP&={q4A|u{>>LK`74G{R1OEBm2<_HEzXmV74*mZD4+l<|@9*g{_pR*T;JgDP;}FjoI~VH#1}(SRvfQ}jEc@`>zboU?1^yxUs0#(0Ct4N_E&>M*&GI2U-5UYyGbzFy(Hgz=CJ^`q2NDk`yA4GlH}xgg4&|`PCLtLyG~4Cswez1E050j$7|aOB@#O`&;mp_sIZgQACI9fYIW51~@*zzQ5)l^z%^&gufdI`s5Z>Pu9UAlpFQgkv8~y6#I5_~UEZQ3QAnWqz^#&LR2+}7E1+w}$@Y3=W2K3MR5e&{w=E?5)BGywp2IccS0}>K1nmp^M(%i}&3kUB=3)%hL2@cw~!WZTv@dtrp`Qz;5^ef)=-%9~OOxGLt_TL;|)%3>g$KsDG0OS9O`4R=n6a*tN<-#{863ZbP_Pyu8_|*a93f4*GVBCT3#rW>B@)RZP&g%Tn?kwEWRqhN$MEE6-GUX26O$0D4IQjG3@)e`_xAxIhE&*&B!SUoL3g93o12ykU`vfUFk-i`*KG@VJIs-Nmr8f365!>eU1Wvex3m?l7flO*0iVp2THTOb6$s#o9<)-o(f5+k)($ct%9QlDpBqayhA?J<m5k4>q8qvTmFxcLK)eT*~uz}a^;(^-e$pV8nKph|6f(7rKz|EY&ZW=En2lp+*`;i_eGc5#84o4W{^#t+i04N+b{sA{AA<g?H5jrXR0|gi>=IRjx_y6|}1IXUj{15f;ESKX;@-r*{+7};?@+c0$@)`%_%=|R79vAEB-Xkpf072mh78K_-6F?*07wroj`A6(a{^a@D-SY#@LpSqBKpOrN5$7ZK?#}@g2FUmR9@{GFtl{4F2lEZmGUYxS?+()v`uh$82G-^J{lEC@%?c0`00!AJ{|xl^&NBWI^4tg<<@D+m`!YT77~=Ztr|kaw_R6{asOUfK;OiD6;Trt$1i9=5_ueAd^YiWz1j!BQ2NK8%`w|Dx4E_%n^3_NNGDQ*K$<Fxw4JEtryAd_?0@J`R{l*;H3cC{X<lqGn-+>Vm@9aGS2J@Qy0m~K^3n|d^8Y33e2WQR+;{x>w=QPg#9!uU1BKY^={}b%o^dmv~4fhHS-7ZTI{yHVl_}K&sztjBrQ@RK0-yG-z5g7v?*H!pE&J7e<?ExRk-uePf9J>1yB<CdJ`Q6d-{|^7>5gAV1<kl=P4h;$i2N}>n0{G-X%S6#Kz3KcA+Ds((58^-O4iLfKGNRuK2`xbD`Wzx?10)6^;sK@(79vL$yS>&L4;T*|Bq9vJ^aAcd|Ly_xAoJ_r1vdua`v=*=4ofivA>WbKDY-BI8wd>LAOrsa{kkAk@G1u6@)ues7XH2g2}I)KtlK&E;};|W4;Miu+4bG^H3JCF64?YM5a-YG5dPf!1vnAc$MX*N6&DK3^V%rc9zmbl4;)@I3=$3W<G%0z-}p@JC?V|u&FO(a;x)|B!{{CV_#PMU;2XgJ>O$RL3`+FQ;Pn9uTLncT#rW+N0vQ$g?Z+MnP_5!0&=5lJ{^ZQ`A`wgj<K8+z2^I$4Jqic)DN{oZlfD%e9{~6v_$xT=2?zlN?ak-d6Dbc-+0`5f0tV$D3L_j1DdaB{0SETd3;)97v{3aO>=GK!(&;SeDFOr&-QogE6~+Yd#ta?v1l_Fm-Ip%X-!0eP2Ez^=^3@6g(&0M^5!pK3_!XW19_1ko@zEzG;n*<16IBB0D;Fs@EFCETQl;ASv>Fi5E7S(?@Ymb&0Q~kj1P2Qa7&26+-pF0@_0a~%_Q^6H)Xoj%^~e+L6!8<@D*_Gh_i!%jCfhXa{LEnh{@dUh|0W^o{pPe7D;#F)`^EL`1|i<;73omb=1ouu_ay^50XeGb+3@Gr)&T$_$_nA+>meRHAJp*>4el}37w!)!4YC;!70VXq?FH%s5>6Bw@KXTe6cPO7HSY-p*UR$`;L`@f@ge#973d}r$`t<$Ngzo5^tS;ewQKw7?f4(k3GwLyIsO<_Br@&3%KY5yM)?oz6b9EM9R}d&E&EY1?cy5-_y!~n2o4SZ`Ty!I77-fI0307a{KrG>{1;ytf6*N)4+p^Y3)CC?F9rJZJX0Rhvkdg$Ne0nLAx<Un^-dA`@&@H2EMnv4<_!Zh5<>wZcIxCGG&CAD7!NTU?D;7=CDbwiBD^3DA`|=D|IJ158TRV0_Q(4jL$Ny|EAa<K{_Y?k1}XpauqQbg6Z~QOCi|$<Hbm(o?;^t1z;NRRJmniA$nMw?Gz=i;Bp)wLDd+LNyF2*3()|7zB_`4l7zr2d-VzWM3i`s-@bnS_7AzbpN9Dxe*C8PPy!_Py$0srB1|S(EGX4P|$_^EO&)hW)3mYO9540*K#`OXX87BA#Fz)#b4*O*!7b^7e!u{^I@dPplC-@r+B`)p}r|RWDCl(V41uOL%<@%p1%E1KJBlkhEsno5;{44$)0T>n%<{19T(I)k@I_Lu(0z@GSEbc4y1}y~u!5-Kp^z_#g)(+6*K>!CQ0Kwm*+gl|b4b&*m-`EQ0^u;jm<QfMy&NTi7#Y8t22l^Hpo~!E!^92Vn@z^aFp$*MA@!b0Oy$1sV+F0q#>>2(k6}tlo{`tlc8M|TP_`LTU9NroC^~>1-+4Lpm^8p?PANMli@<RzQ0!7aJ4kZ^O2lWNk5a!eWQ}OlA@cSaT%=*SWAT3)Rf&UU3{pAV)2O$~3+%c&$P~QOtA?gP6-Ml5|vfTy-4e|!>`VYzn1nx5yEBzYN`u8IFCj}q43hpx0A}KlB-Q`{A8{Xn#=C9906b%Us+b6`H`$*;>9u2}C7xCRSG~YS&=I`=1`}Njb;{q2r6Bp<81p5vm?;GtU5%;Ry<oq+b2SzslC)ElU<&^e54D!1OQw0<Y4*38YEda{->jW71vG(F8@k`SO@#OCI{O)Gu1u_7`I1W2i8q)402h<Dv??2W2>Ietx{Ji7{{__pz*cKW(%-Rkd-zE+JNfY_`-{<Tm{uulgYYo2|^ywrjBIMTpD+~PA81W+s<@Np%GXDtr(&i8c0Qlno{T3xF-tyz;CBNhdE5PUJ@!u5_0P-L-7{%vb_cZ|~p8Lt~7x?J_%L{Z2BJd;`PJ!m05k4aX*97n^(6<f{4&5jo5b5ap<2?KU*_swi8!^D<7!n2v4cp^T*VtD0%ESog1vt^nAdT)D*a;sHKJZ8z><%cn11CNpvf2do?fc{O+8oj#!wMA=|DyI2@dx7m(DlVE!+#$n4W0_~Fy(4K4HXC}C+fiW;!Cgy>H-`aE9W!TES}uuDFXQrG{Fd-3=tgs%n--;2?#guEbl%89yrx5<zTG`<|4fh(lF&z%|<)~&G`5u9swHz3vTt{75v%$8|U!E3i#-~zx*Bl7u)D4E)OK|4IDP@^guS&Kqi*R8{#7D5ggV1(g*jo6+`>d1@+za7!3R#^(W!!4mSw)@#f+t_yQjwI0f7l-xUJx^!dyYJQ^Vl@g&9D<P+r^It~~GVhrOS6ae4;4(a_FHU%jb;Z6uA|McVP?&1asOCAp+3M||2(FOJj3Ip-jA`QvsE7S!C@!`@K%?QyT0~7WH>QwdDG13(2uxaw;;i2_2L?;!(%~tNv;_62-<Lu+(Bp=u*Gzaf22kHDDRV~sI2QC1{`$^XR4iN9)Io9ds^CSZJ22IrS_1POU_eARH?*8)z#RFC~8W;}<{Yf~@`34Xj3pxnW1KQ}R5hnHo1NZ*+M+5%V^2$3TG6)1F9GU?r`uP~^7ZtVo8Xg|r4eI3F6x+r6J1+Jj5eEhJ+6U9#6xaXs4?-K=H8BfL@z&%(_~O<d5d#R*=|0pD7DV#xG#35~&;_ym6DIEy&M^1t=GHFP?BC!1#_^#5-~%DqD(e*(<ls6E4G8Q2B%K5V^e*}HBu@b$EJEES6B+LQ^&ZeE?@<@?8vo@8-Ui<t*6i;j>+r$z2Qb)c6aMHSEfxt3>IEAy3gb;45Ctdt9h&d93jW#vxAXDjv*#|!59<#97tuTm;`bLZ@7)Fa5W^++3OCLj4KxSt3E|x61qY-e05{YbC>S<I9K;{wA>-q?+86#21J?cq0^hO1Em5fJ1^*`s{rvm?;so8_0O%VH2T?E-&G8NE0@>)v0SO!k`v0O)o%+$}{lXQl6b369Blic(B2)rM2G<_hHWm=;>(C|8@}=G%)!DoZ5Cjy$^d0a`6y*%u`92L8>HiD?C>kvvAqw#xTk5w@5%vH41Sv}0&?<oi1i<$2Tj#?3At4^gzwjb9A{+n}<gpsJBz{skmemp9R?H{l<`WKD<PN?1*nukz9}FLh71I5K3BuR`69(h>_p1sD{nYsjP2Sf+{sJio`9$>-q&;RQ82kVSXe90K{{ZsEEX^_W1Rpok7~uF+BtqD*<+$nCef--I4JG5vD>~cL=o{V?_z=PR8s_n^bOvM&C;s^s=;i=6_74u@%oQ>;_Vq&x7H7)@4)W+24f8Jf?NkW<1Mwvf$MGNQ7$x-gxd0Ol2>TEzNy<I#AQ1H!py3n;PsF7`{8=my{}WCl)B)ZF>_8v=P5$EZ+q=Ix_uSqo7)lJ%I|7vb5~l*-FBb3`EEm!0tOM#K#Qw<>5eN34?hE1X5bPS?(DWh({`WQRD**#C5&r3!3>zdG&o^8*JkHiF{pBJN_!RpO2R;z``{el)$PlCOL0}rb`Y;ed=*a)$A_o^5=ovae5*^XlArKrA{0kHP0sH?UDL}vD1rRpn#`6IC5B>NeKkfYh=^ReYCDuqA8@LHMn&(LYA?Q>@)QKcK*5yACveM+_2_FXf^5!w;>Lex{^MSzSpUW5g5X<)FB18YR_1Mz#CK~9eEXW=J)w9v=-}m`3D&YD2_0$^j4$%StG2g2P`y3h);otiB{;@0|>~`)x77{K3-XR+&57ICB;|#(a0@@NJ5f~a9&I9fX*99jbl*<6{63Qn02msik@5JHJ0_^-E`2H6B72zZDBSP>$9<&t{#u3jO9?kX$QT_+-`|=eX4K@w#1p^xR(%|Fi2n!b6%*q(%G}H3kzSFYY0Q@=BtN0QC*B9mm+YZqG4D=fa#`*&Y-Y((saW5OTDD2V%Cj~A5B@i;o62G1u1YPwbs`u_7=inO1^xXdT+s6jqPA1|~DiJ8N*4?@M9XS5Uz|<4O7x*gK;mr^X$rah{Nd6`k1x4lE5$+uSve(Mz92qG362=VQ6$l6PNB&F79}>$J8_-iB4bvL^H?tk`>meD=-`N@i=Jm7$MGo8O0p!*Q{u3(P2=et4&h6b?3poGW`P1nU7v<3f0@2nRRq_;nBpc`BxaKSqo*?DlM)!Nh;4b^@!`lDrO!@}KD>3rD2Oq=%0rcfA=>#JHYV!7>#~a=&Qta|gGwu*fzQOAb1r*x`+|cNi?fL)!*H=aO;=;`lJjwwR8Ds|_`tU98sR9?t8~_9dP}BS(0~6O2>mT>_b3WiE0sfGx2mB1}3^@<l1<m~}`WVnUxBU1twbl+L;`#jn_9wgG%bx898QdM!-t_JY?bIOkJRv>v9rw^0@dDY>)(jQw5;()y#0%T(JVZ7F^Y{z<t4iSgJmTN)Hs}KW1_{*j;r;~^HR&Ge@*Vya{pJQA^#C{eBmOiAZVCr07wkgi6aeKG*=GW1@9}Q{z476VGxF-$!yOC;9u&m|<njmk*!c?51qT7#=l?|R$OjiF=`9R@1@zs?FA5Xnr{U#k{~iMX5X;r>(B|<6-U9V6!2Q%u2Sx|kLJI)<(Zvi}2kjyA81>=Y<s!@(C@b7P{pb(&A0!eA0S5-y5AFjZ4G%Bx+1@cS|NH*<>=WS+CKoOf4<YF0_a^P*1QzKl9y{X}=HO2L>Lcpe(E<SRPT}fK+U@zs@$Whe{Myy*_gUz~GTE=d2Hg16Dh66e@)SA*`5q(J@#d6Y^A;Auzx4(;qe${I+R&*Y5&_Nv7WykGJq{2jF(1Yb^WPQ{G6L1r-5@u};3hIP4f6OCHwZ!Z*bwsh*Zb4?$+;~6;RF2$3Hj+cBD(1S^U=lwNYfcVIsgp-1PN#+^|k^5G~X-!7W@8G4&?-y%ns-KzX<&0=l2Jm_x|8E8P7j1BHrflKrs3X>Jt@)sNwbQ%A(A=<wyV8>;U2y9`9M27!4HO-r41W=@j$!?oAsy9u5rbILQUlCZft6>F65N1Lo-nBk>O1{@*|S7ZlR$@Gn#G`VgwmFf_9}-y#L=`~m^J`6;mGWWeh={m~i!3jE|6_WBGB4gy)?{1zX#<@6on_9BkguG~!QN&mph7S10h0_VpU7bqDy+WhbF_3P*8`Z`7OOX46UI}!Lb2+ZO44@?IT?H3^N1{@je*bvy=0bdCC1_Q$X;Uhp8=t$`rCHLeZ+W+|F^g+$P3`HOb3hEcfflb^o{oo2B6vYY??AiL~-zDnX>f}xE;OE@%uLKg{P9&oBL>(^}{44a%1JUys_t+Bp`wQYM{vzNR_t5&$UqajL{PhR*JQMN-=LH1|=<>Dv<NXp5&bmef-`v{u@cY6h=uHOz-pdLE`sdmH7Y42%0SxHc_QUHF2RSbRvg-Qt{GIxW3@I5B^#4i=Arj>K<i0fq2K^i97Xt^l69f(NFI&?Ur}F1N(<1ZiAo%#{9Mm?>2@mrR_N=o1AnZ%&0?F_n1_K@GIQa(OPX?9Mg;GuF|1ud$-TCh3C9N3tIT{xIqW|Ri#>nJ<{1}Y1(o-qR-vbsE<^0q3GvWOT(jVZ^JuUX%E!Xyyw%8lU3((`#FU7zq>+1BnwkDtjKLYdQD;zP!59k6;xTYH1HR-b`6rlGX1p*TN@(S-<(%IU(&E`KC_53NoC0r~XB_Po8A>aa7-6CAg1)=D+D!?~p$ll8+6Efva>mTI`3(#^JJyGweBWpW6Bfl9p;aT$U??C4@4Llb2?Cv1v6+{!*<k`sKK^gba3qe0b1Ss1i{x{x5GzjhS-N5oKzwRX--!9lP4BRO)>R%x83@SC+4;K6u?d==V>;T&b*Z>pYKM3DG{6+n)@$M2A;v+TO5JBwy>k8>6J1QyO7!=pb96$FO1`Og@*Wt<Y10e(Y^!Z8T3D&UP3;qi0G3P8}>e&Pa8#CJajTHw3{qObU1OVO|7ysSp8vwy30p$7+NXPx<G$r#46$%FY^x9;@@rDZ48wuSAJsZ*Y1;ga)1pM4#_cg%{*5ENM)&2n<@7VDlAMXqD#upj~95k@~)z<ym@2TTkmdMHq2i~;>%k|-{*KrB=&--yIAK1nY?Pc&pBmpQ9G!E&|DhD7H4($$8^z_6N73$ah0IVO{^dGlLl-Mcg_|otk75l>#6#nSM10VqW1|Zn8zZeQ34B;FkLlybn0Y$p`0Xgu^m=D1(Gawo{Kmf-HC>;u|^ej0V%27ZLDFGPeAqDvq*X7;^_6E=N83jV?0!tO{9wY1;DeTv{9YHG;!x<gi9~|u?|1a?h8Xo@o>k||Z_{%Q}1LpYvAH);e{!}L;2G$eoMAG*H`{&>S6w&V3+X)B#+}uV>^9&sq75V8f;U)b69p(z!3-b&A5E=>s>O~IICIQbUsov)&{ox)fQn1@1KG_2p)fM(L&F0zT(es!9BK6M>*CjV7((p14>nj)o(R9=X`~%?Zv)|M)<z({P>9vX$KspEeDiQzz`xY7<F4s!qAOi~M8sIKG3@iWGTq%wlBqPxd^6J*^7AV#n+ETmw^8DHX+bZSF`Rq9tC-y7z)Yt>a)=>Bd9P#r~9i8s_76k|<KI82UHUAnGDevGZ!uSvELKHhp3b6rA+y62f<TMlM4;}171quK63>*3Y1Yf=8)x!%D5!c=N(B1Z0@8B39aSzrY?`7-&=mjq&4XrL44<y<R@cRNO(jEOQ+zjjm4HehtBII`Z{G<d6<)kqt-|Fo26Xxy#?=>9^?hmB~3D+MQ?&c8>?C;CoDx<8~)A+XS1L8yY>jN<V_%sc*FuxDn2K@>9mJc277t!wD>d4Uy2?GH8IQjH1?)bj@Ngwv}1Ompo<krg5L8klVGBv&H0T1xj^Z_~h*(3_o2KU%j^6K9e*U|qVon8G32)_~q9@-%V0R;lP@d@eKD)aRQ^aU;c4i&x)4I8sr)xaa`C^+~FLlOZF@cG{s)iKK{z2orw(%Q!B^xgb6CA%mIz!w{{@$~T<A1Lv@4mSc78bA=%JopjJ$V)#M@)HaV93t)50~{sL|NQP2>AdAs8%;M1{tx{N>rEvN)$Ik#B@!Ra+Bg>lG5Ey;2Jq<#==|lzL=E%?;N2q&9~2=Tz#_#F4*6070og4k3;y(}(IpN=2??w~5Hu<32G|+5FZ|IH)e)xl_3soOGTa!}6~@pJ`syVz_z^I_wF|#7JPbLC3o!xT4i+Mh1Lxro5%MGg;;>Z^s5b>9`6uq|>*Vwy3+h}4Fxjl~|LRWA8xPg7jpq^S4Cdp<E&UMV@9`K08sYW}DY+mr6TlqZ1}+*w>hHtI4F%ti-yR?3RTw$wDLVw`|K|$}2POO^GxYHD_Z{lW{V~Z<56{9W*ii){<0&5m84@Z45*9wkE|LuLCocvk5fRNK{{##9^5OR{_3IZ52IwRD1}`u)f&cLc1MEHa;T6pj2}|_|`846)FuoY)-vDmvC>}+h!}d137AOM$8br|UNijGG5-S)G{qP|I7Yp%D2POXqJ>CWGMCcf&wUXAI&jm9I`tVZX2O7`u2IVB>>No=~*&4k9Fj@Bk4X@D7|Kaun`uM8?3B=+9s`)ZC6Ad983oF_w009vW6&$wDBLVjMBr_7o`Q#Py85gqN_e=K%Dyj3XvLDSF`O<;+0O{id-}(Lq<_+l_-tz$u3j+21`uOxH93|bp^GOdE0Xz8w8X?f=&Gqg9;@!^b_6y?)-9Y9aRJR#8_CZCy4&L1*4mK6w?%UPm+`IVr=`FY9yz~!A3I-z}Fc?|{E6WfP_#H&T2H~p0=RfJr1iu%|`ws}*75z2r4hYoV_uk|9=icw4`rhd9`s(%n?$`dj6zlF0!y7>R3fnIlCidt4<5@D&`t$nhusr_V_d-`I?G-`^^!E^d<M-km9P7;uAK(EU;u-I!?>5Q}Df%hp&-N9~53CgB`fUB&_vJ48^4<lvqy94m;r0gl4>$hU_bxIT8wBzR_RSV0Hw5hP`T9N_6WIysA4{hN2>krfAYvC3-!w2sA_x-i8Z{9{=-46NI637v=gt1w(<3*@>nkJG|K%PO2LawZ5*W7w935W<RyIE#7c3(k^8@D)CZGQ^;K)566br>LR_V#%=kW)D1<?#Q+xosK6)vDL*tgE=+T|by{KwkHw$tkK^0b-m#QMUz)am8`$j#M9Cdlc59Vi1f0@Wk>J?2=;(f!jTC))`t4bvAd4o5ad<JJ8E-uc@T`N9S=UE0z6=mW<D&qM3g3E)V>1IWqUGu*An9QxGd9cdXT?7YGM^z7aS3K8|t=K$Zz<u&&?-d_Xi&fE7U=mqTS074Y~%i9d{^U3z>r1}{-2^TK};XMKL=lkL_^3(tD5*pU?#`P)<2h9@8>oXb=5gi%w!U3bX!O(E+2M6=xG$8*z_(JjU_&C-j^AXD}4DBpE1o-v@{ogJvBp&5K5(4%5;vmQfHoMr}qzOqV74uLQ{o4=n104bH=HXHQ{|WQ71oQdZ<`oF$);KBi4lg*sDd-vHI|A}B^Ykr0{w68z_%9wd8T=F&*(3xO<`W*c7Wfq4>Gd`4H{}EIGWFyZ_yiU3wVn1IAocU)<L&_;9Paik<KqxD>hw<}{00mp*6<R}5Bmw@;2_5p0QmOANAc_91H0kyKOf|_uHYpS?oS%-L(C>N+Y9>py+|Pd?h51C4A}fJ`TqF)<!dGW`aJ*@039vt4g|aY6d5DM8bdl8DftfvF3B(1`31%06#Eqg0v53T=nMwZ2?_Z;zwkl<+$a$L+#c#LJof?m_70Ce@f#7~;^5l}u-pmW)#~K@+F3~s0x$>r*!|=kC;|Tf0#p4j#tHx&4C&Gj>-Y;A+uisr>FG4(^)N{d0sh+<)CE21<n8bC{SYSL?9brg&GlG4|Lhj}_xuO#`Q$jb0|^S%&;tSz6x}sY`Pv614A595K*<=o2w3y<BJwdCK>;BRx#r>H`_w$}=Hcfk_Ey;o$1=hu|0z1!EJW(_ARGqy&IKm|`0e}N#S`@MDHj>$`P=;nMzh`w2E7X?Anfhv?Iq|aFAV~w4%rj$Ls~xcEXzOq1RntO^4RbFw-XK#1@zbC?h@4mG41;m`V%G^>lil(Mldtb;tSK;<r)|Z8RgvQ?XdCk_WMN$4b%oX?H=RYBKiaj7oO4zQW?qs<r&1-)D1l43k?AD_tz>H;S$J46$RJkD<{_U)9~ivHu1A1(G&Fk6Ws&v?teNL_Pj46K|<RT9m(_&_3RM}9xvBP0UP4fFCqlj`3Lzn60+tJ+4uq(C(;5k2SoHN5Jl)eHR;~_Jv!|b{}}}=%i+cU7|H|`9TzM*6r?NTVBGZo{KP@m_df&?1<Jd=7^c?rL}eK47AzVU3gaR6Fbe5^=@iKh6eb7-+6gb!B2qZVE7$=J9t=a;92O{^2Cok#HToLw_ZZ~i9F@lZ{SflsfhzX%2k_JnBNPJo?eT_`_u4f<-R3JXuh-8u^1aObS|BL;3n1wuDHD*w3f`GL6s|3O9N|G^B=-Q$WfTlTJ`VdK9TrS5@jTq<NA1DF`S;MTLIcYRXyVNf>qR#k9X@FP>=`NxMn3o4%=!-H*9QF{xG^s3?MD~=&p5)i^t~?aNDBor3M=393Np&O8zkKc76}4Q3xDC%O+`HV>(CCT=<U)*^%Up%4ENqRsL8<f@Z9Yj5ZS^J4o&ao>lyw00o4vdwA>5A;P*fDAQWocA@<qcB#IBTATq|?_skyjPU*h}0PXr4$6^Y}#}?`o>gosM`#1*`_1Dw%2ILRd21EMu%vKud^4swV{^AVT1xB|m*cSdiK-=a01<}L%4Jk8!^u`S+CkLk-(D?2V1>q;=MG+VW7#h&*;wvV!0_qdp;|L4}7ef(7`54mm=k)9x%Pv2`py=_++dCi}65rV?Fhc$e*ZcUp9$K?e1-<6`@B|?9MZ?|!!|%lH2<#sQP2Tws8Tvl;AVR$p;~zps1lq<u4F(D=9mw_Y7y1<X{wM(O_t^^g{DBkNpy4Lbao-)%Leus+>gWax7UvEB?G6dp{p|$D%=<$53?L-o@yaO#+q?53@HHvX4+!}&4(#aw-}uD~G5`4g!sPqjlI`>J1n)IG|LWoB$~F|m0_8vb%%w9><J|HC#oPxK+Sx4w5dg{+5a{^`4An@^4JFav93b%15vCLk;06`&wodTf4f4<f4dC?eG6?6020aV!F7gEq8|cyf<O2eO_(t?I12zZY2*wcT-0%t&3Ha6bx$7(J4bC(f{sII7>-r7;?9v$*`&$hS4-^F_5e^7D0r&{!^B57KDgq-LEB*Hys@@_A4ky?U!1xF976}#r!TZ-1#tOAi`{5i68|L+L57!$B4&FD>0RRtG78AqZ^4Box<n;qSe-`N7GYK>I|NYwB^YA7aJ4FT#`~IM<BM$iP`}y!7`r|1J)U*M*+RFmJ@2mX#=#d!_0?;50{rvv{)%-N)p1c`3nB4dg(f#}e`Oo+fDB%(z7ti?j0iN+d;v)bG^9>}!@)-Z}`6}(z4&3C){p<tc;R`hg;tCP?74FOM_&xt9iA&A^8s5OH2tV#BA0YM5CN0Pd0qn@|BPK25DXY}Q9<$5d8TNk@!!<bc6%paC<h>vE`rhqryWauoDKZ)q=KlQf1T{AdMzZ?^5(o(d=k4{t;U_37>JmB!*E$LI3MR}QMGsac8h^zkJl_=>+7Jge-465SCh{jv6$$#iIo-diAQMgzzV9y-Q41Y96$n8Z2^KIr9o68z$PybX_X$(?(bEPA|N9OQ>Bi~{3EuG}N#VuZ4(A8=AFmbUF47MH>8kq4BICOg_z)8ADCqGY2>$5(?fEnd%?9xUCg(3D*S$g$IM84@G*KYo5DX<4`Pi`R3flZn_v+u}4-)1zCAs|Hvho2&%_u1fCH3dK0uGAO^6BH`^Cw6P!uI7OBlGjE8OWCM>=3!#(6Ic^)A+~s4j=RewSL#-*a=f4%jDhYRuJ;>+5|8L(*(%=>%qPM?9}_}{X#E6;rk`l5#9YF@B05A1H3&X7W3`~EafZm6Lav>`wb!f>+AsA1{d}1CHv;sy6d+}JM!}SD)^!O<^U`QrOfQ!@F67H=j*HA+d(DhFFwEb@73My%=!2x?lTA!=j|HVOc(z-^!EKaB@*-IN%!~=0QC_N<0>Ku2E-!KJJRtGE(0kP={6we<Q=r~_z()Q8CDhR4-EzIC^SGF3e3bb{QwvI0W}}@^3LlF95ya3PU`IY<FM5g6aF{lG~D>+ff6M^?A<yi0@VQR4E+-p8uugOt?n);6Wb^ew&>Xu2bMl3>eb!X_~0e^A?)?FvC|9fCI9N-9uWx~$VT=^@%$wS{wejy><s-CHMSrMAMe)cPyg5s@(L2cFdjNK=K1|B;u7V?FU}Wb56vD19Nh1{0R*?;7%Lj{9j7Vi7#brh7hed%@&_vq+w|B5*y{HHIUr2}9~9ju7bB_m-Ns7$1vv2v^XKCw7y{)M<vRfd+(0HW^Ys%Q`dRkNL%+o&@g=$VF7*le|K<wZ1>^WA5BV7M-KR}j0m&38_r~vuIk46I{l@;~{0q(5BM~SK9qQ-@`Rm%+@8Tin%^wLhB=6<&3f3Yx^~nVH2H_10+~P+(2+j(&1u6g+;^-**BAju5$ma>{-2P8S@aW$#6!j6?BHI}s^fLnRvO6ia6QKpNBl8Ohjv4jc{3`L}3inFM^2rD#Eahqu9l%-aGT>G(`tb@7EIR=6`v~vd{2TTG&ksQ~_#G(|@~IF_5;U&^zs4c?kNz793cUlE2l%a0zV0*c=%LOvF7C{>FfRS9@dVxOTJ~<u1(e+I>8}(cFXaO^L>v1p)$K0o+_+KdGW!G^B)L)r<FRXF`Bm}TEG+cj0o?jy5YQ#b4dLGn31%4%)zS(+_7VeS{{1Y00|fI7tnsN7)k703`!XL!4I=LyAo!~*DKHTsR}Kgy-TvvL4*DhU^7>N0EOtBgff)4&B&z-$4d?3p-<JaC>oM6t`{DZL!#dh$6t5g!>&h?$?I{@OA0qVx^cwdGL^&_l3mz(|4F~nT{6ZEU0oM5a^#kdk-0$`6Mdue3C))_eG8{Y=+aW3K2>~<?Egjg-{Vy}v`ZehY?M?(f@Y~7@=G-U&_sjDY><IKB95l%d^7Z8N=K(0|8QJjU=;Pz>`9dNk^%6c67CHYGLki3n>jW+D9q|tDuj48D9pfp=?%Ua6+cD-V*dze=7ViZ@C=&!A84mIhFc2@?^7b?_CJONX_8~eEA{<KV5Ggs_!~Puu3m(|{w%{ns?n`6e?cD6>1=t0F4kjAg88;&<?cntURlWZP58Po8IR!%fDX!tu-nIM`3?t?I=@2yS;5ys?${gYiPU!v_@TmhZ`~V>o<?9Xt99QJ;>LKF=$V(#bLk9Xp7cma)^XTFE4guNa<`5{%BoD~56Wb&M1>h|oA_vAVDdZ2};wl5Q;pfWl|MUd_<MFrtz$X;?00Q(#$oCD<B)jJ9A>9ZF1k^s`;ur2C`Saxq`N#;{911=61^nzo{}k{CCJ;z)2H^4Q<3ioe@d5k${q6NAvGzs?9Om%}#PtXJAIS;D`slLw&L#IE3uF5277!=b_A3Jg&(1m|{kkcz=jGZh{Py1rHwWV0nAkSu81(_?E*bIk{PGdu1>)w?PKOEW$?N05^dJoYL*&f!`=0|R@z4C)EwuaR4)Ep%0|x-(6yy<q>r**JAlU5&P5aa>yf73aIuqvd<_#R<_Qkr(3h34Q1S&UM{~#|Pq4^;cAUg%a9R3IiRtEC%>o^-P0tWCC`Yp2$89u}QH2Vl5%hmt?>rWQV3i)pN5bplh6f{EY<lX2IFdxRx7TqdLE3obMAP?{PAkshu?Y#K)Eh+8o8P8<|2KECc|N87M1^@8@8{H!H@cj82H~Ks{0qF$o3M;9%8UN`e5)i`&+3we<_8jIi_VmyD$mhqx8vAhs?)p*D{JhWm6dgzx3hE!%A@Jt*yYC$T>hS9X5t|kn9sdRbt|}oS_cbEb1m`6C<R>T{2fWEK2<9v!Kngzo6a-v9(%tt68l~0>3>67KCFT<vXZpY)2^j()z=7xy7b}4n|1#$$+(79U2p%NZRqPb^2i7q&2vM_~5cd?}{r4f^R6gwb3jPEY+czmE>mcwM(7E^a8yN-C*)Ht?4G!7X)hWBfBGMJ=7ya(e*5u^%ARH^#L;%=6BLo5u0XpUY>kmKt;|SgV%-Igc)(YI!;6zLk2Fw!R`YSFO`u4S89LVzk3Ewpz3aIid6$a!D0|Ec<(JJpU=p5wY>DUS71VRGWIO-z^&E4kZ2;kH9`uHIKEj$0ut_=pk2D%0>I{(B9EC(+8`UuYy>#*4m6BEZP5DDM}!YL8G2N@6u|J%*bFDBL!@6PKIN&WiluN3#`>qE={-}5xs0UQPrAV>lbF&r`lFx|+d*#%A^<p<H<<`DhV&gaFm0rCF*1Sn4v9O*n&6%`B)vb^3K^Wf+=6*~a*5(Oy~XcqCx#r-4Q2=W2s?FJ6R2@v|~*zN%f`xExtz5LuN>aaE6(m>x74fZ+M_WbQG#Q5R@+}#oW@!LBF`$z0MEXJ@3&+^|7-q=>BA^_vi@45sG()5v387#`<rZWyw??<Z>4HMrY@c!KJ3+E>$3eY+a>+tv{60+ag^9=gu&gtpu3_v0LE7Lv(FA(k`3n&>x4GQN3MEmFM;N(dVHzM4*>>&l~xFsp|J_sE6)Xv=w^z}==3<KNeRQCDfJ1i6G1@IT};_KlC6A=0F6HtK-u|O{hL>x5d<_t3F=`{P_80Ppn$`0|$#O@5BB}f1h5$xCW8u9~1Fcake1o=|)zbm@x5g!EI;XC;p<?6)~LiVgL1<wTO?fVSF(G0WdzRd&~;UD)48r+Ea&>sNw-626X9nMDs?gIY0?$p`166HDS0q))A3g`an0iWX~@8TN^83x3)0!r8XzZcII5Qqla?)U!(wyzG$C<wI+46)z%?Eu^k2KmY8OCl%dz8=By&qKUJE&KTn68g{!I}|Vf9pU2}E#w>W<t^;(C8iVm4e<gjAp#EN0xjzFH685>EBuxl_LLdYyuc47AP>ARMD<|P7Z~%|zTWO7_ALAQ>m@y~=LpIz0s-uw8Bjd?-oo$w`$+W~8Ne3A`1Ifp@euUEt?dgF?IQCo`9T^2_TBOI>L>6OLRkY39RaWK`4$G!L+aW03F9J4?zY_;_yzo`<R1Uy3iA={KiiQ23j7%w*bxvg_2?G-@n!p3{jMX$>hui#{2?LQJo>K)$srdW_#hPu_R#6j>kkgV{2tH_1VQ4o>I=~P!vhua{p+?Q_8ILN^fB}v@WLkWBSsnNC<z||;@mXE%K-cEJr^Jl5AHJayb35K7`y)f{vY%Z|NHnX9_S|KU<u;|CLHT8;WrRD93&De@);xP$0s%C@!rS*%nJZ1Kovy|A{+V;O57Ij{RBqB0TST-0rS?&xz+I`DjEOjyD2x@<l<Hk>j>7wDoW-44-N<h`vnx{^bIK8{DH*S8SobRDit;u*5%6-9u@Hf*f}st6yEmpmNzXc6j}P~G4e<k*boeZ^Xd)Lu?F4^)cVWq`UnI83jO2$0p~pT(FrT)0ZjcBJ7?xt2Tkk+<?#Ic`3DWn4c|XS>iGvB1N`vR_5ePsAkP3L<Q>BP8Vm-J>G1LTIRa+v2>0$O&k_9P_}sMn2Ppqv3GVGGci-s^8XY3~1Pa-r_Wus}{Q~*9^*u505j`;dG~qE70SFb&BQ+K21qR&O?;X_p*%9z2`vMC39{?C7$yU-03=Q=W#U%<40znPU6c!Zp=Lyvg;`#-q$3GuOF!<{9FdFFP<@zDd<{<#%Fxe;q_$z_S`vL~aEBiF}vM0&+LFoHQ@D%U;2L2q}`>!zm|Ly=82^0!e{W{YJ@*>&oF!l5@@7@yx{ut&f>mAx3(gqUz{|(&+G#~#oH~I1W?hfDyMB4YY8T~BhEEFgrzdXJH>NOSX4Gez_3KA6>o%|QQ{&)`cK^7Pc=2P6{`CL2L4<s#G_Spd$@BR<`A|?uy9M;DvI@~G(>LDTm`{KVEGcZgXBqSF5{wDS@$|nof+WiId`bQ7%95l%a15fzq1^;Qz(AL+v>hT2QD*gTl_D2-#^0XEL`WqqkSrPT+HNzg!?-lGE1?bEnBg+4#FX>70-a7r<E4>)~1OFQYLNeIj5DV`<A=LEKy%6*H2L=)?5+Umc0`Jxi`=;eV>k+``#Y)NO;;(lS>|^dL_xcGZI1%Ch7C;)^;3WPnLb~h_*&p=$?bZZLJW9^8FhKa!j}$cVKl|(XNC^A%9TW^b&PML&IP?Jy3%uAV5)u~V3-}xL^w`tK@<aI`)Huby_owONH5p0`^bq&-xcCev6vFlQ&ea^pQZ*6#>ofQu9q#n**xX?4<L3<T2J}t)`tJAj^zrNI|NRyrF7MHxE!zLZ`0`W`6$I+|+Oq;IKP(dB_7>t68#1{+-SqnS`tB4#6Yx0~4zpGaw*Bz>70lBY>Rq`RA7AeY^m?i%;r#yW1=|ne&>rsS6%6|v9_`_<>Bk}b-23kJ!pa8sEJ`>T0}s9f>Hsq3oZ0az^BEP?APFP@3mzc{@Y^W@E+kzA0^1E5#0Kve>FDXYAIte4{Rr|3E93|Uz%b1B8ru`S{`E=ECK9(UCk*Nn`ZX1U^YVe-<Ngt4<O}{wC+N!DBNX%RCe!c4{?P<Py#3t}8x-9E-67gU`=TTb8W>Xz%i;h!8u;c9=PwfiD;2!nDE>VSCK~k8?&<$5^7SJlK*WY$0BQg>1l6@J?I78DF0~sdF$o3rDD&YL?j5%_@*Va1@(g9{BLpWm?G?t+EE*gg0{Y}h^&;Y49u_L&?e*X|=f2|0==JRw6B!Te4+ik-1?|50<uDQ(11vZV)Eb-ED60)B2xOtaLlg=<+f6RR<tgFqAujcl!YSz^?8HaT69O^@Tk`sjI2#Z&-0UFT^Tebv_9w~*7v1^oN%{~s)CcUw5W)ii=OM!@3JfAa_UiNn(-s8lCg}6(0TpT(2NvG$F$P`*1oa2;^C$G#)CL0o9U=nT$^<628i)Pd?fV(jwC4x`9LhquF8Jo>(!{nN@h<Yg;TanJ%=Q{Q<?a8r=~Lw6{PVZ~Dh${o@!bU%*(|~$^OF$>q|mbg0U!Ut0WBv1BJ-W{;{wq@-4Q}CyXOs7C=W2dAHG0E<M|D`9vAxf=kxn7N%|`T0oB!9-vSOR0rd_Q5i8mV>FzwQ0UpQl`w2cUOaGn&LInl&-}dav7wPO5HSiw)FCWj^DJTG49sS?$(b*PP`~c(?3m*vx{t5KpF`Ldi2KSlxAQJ&19^J<_HRlxt48*+1)aT$&8b<;2(kTOI<S5YI$mR{@^!djE&my|L@hB+a>p>F99u^Yi{pHa=L_Prk6Fou!4Co3tL`xyX@%9P#ip$9W6Home_&fbU{4DXRD{I(l`~N3cy7Yhf$+5gR4;#<*21yD1Agpnp<QPA|zyAZ$SRNN4MH53($I}kLIuh6dFM$i|(i0E&!-aw3*9`12)9|*UempwluN$X9=GqC^zzmT2ulw)5D*Fg1^$Gul>J13$3c0e{-yJLO_u>x1%mo_RJ>Xax0Ut217dSQk@#^SQCuGa|B+3=+6ZXu*@vJe?^B7GP`u{XU96BrS@gM0&5DFg!xB?j(5GN?|I7KM=3Lgvu<;Bkr```1-CIivs@dXG0Pvaoy+v)K9tP#2n%)PD?Y4<!7<J2TG0`1e@3l*kD!VdE6AIsko5J3MW3&|b=+yfoyD!8%bIOISX5h?}c84dIv*)|jAFWB1)&^+HY2Q@D$6z}Ky;uy;Y1lI=PAt5z905clkA}Im!`Q6<EI0fqK2_^6e4rx#s8Y<cv!q@@zK_~qW{SP-4@9HlM2`JbM0?pv-8@ejj)ff2y#sc{n*wzIR`PJV4^U3%P;1*~A#qJgX=~@}ZAN$w-Df=D+FF76B70cKrAWhIQ1R}fZ$T>PoH||3MAu9GQ2)YsmP&G#+6A9TLGFcGg_^ad2`cDM%tVI;SumIT*Kk?Nf5hElB{}}G;`yL(N3o*$h?okZN>*@*aBiGg#t=t<2>I6UlGe*@OA_AxTHwhpBE8XT}-W|CQ<whS_?C%)u)h+3r{1#Z>;_UVWGVK`p-W=Z@_b$WU_yy1=VA04V^k_#d7Qg2dNGCw2{ow{7`yuZy?jray7trGID&7vM4IUKV*AWEi-L@!IJ<2{P<p}v1{rnLF?jr91O%)FI4!yrB0~xXJ8n5242r?JFA>ADXZ~rB@=*9N{>Gb;ZCEOvp`l?uyF$GEt-3CGe<mdh6<om|(C>sC^?-~i>`%LeF2OCQ#8U@GW_74B+4Il>nBK-N-(f{@b1<n`TDd!hF>9GAF^$I550{i&jC`s@5Bj?~03H|}#6zBrfOxXwk0aOnW1=p(v))v6!8m0Rz593LPVKe9x3GFZK`T+d+)*l@e{}&Ae@W27#80)y@`ux^k@cQu>2}&6A*S0eh7ZV8d*Ty=>4GHYkDemj{LeC=t^D_Gf1lkqz06Og5u*&qM?CAgw6!uHY_Y&qDDkbyFA_xs1GvOj0_6Y484)od+(iR!z+3y%0&=V5A2oxFR4jmN4C+!gk@DtSi?+fnE5;OLj60Hsf8y3drU=;HxNfGDa<mZDU>kcN@&;_>G+y<o?1~2*w2OQ!A2LA%|Br6*Y_Uso01m*1008%z6AmxG4=L6sb^d1K2J~Y@J@bMr41mYLh?ce{v5!gH5W){}u&N3cLAy^3!umZ$dy&nAAGUNpIH0(G-NfZ9+{q*`3BdZ<#@&vp2&+6V103Y@sAT#vt{=gdm^u@)j<>FW)=k`Iy5#8xM9r#x{eG7Hn_~HQNP<|iP#o!k8vK;;!5D3={FeUvqi5%=#zwkyJ0};x9-`pJW=*Q=HJlN|#&GF$BA_)x^=0&&p<Vq_m>-YVy%PZK@B`r}L&Kkzd*B=`CAi?$CBnsyL9tY$-5grph1h4cbYR}%}3Fn434cE;WMBv)nHQyUQ*0btps2N@9;1S9=TM#*#%Nh2(XG`G=zDmB}1>+Vr-M32g{5QK&<q<pp9QGZ^9Pk4MxIhWf#{e1sI}QB>Bh{1%?CV7g2Phmx20%j;?f)7A2vZ*q?fmus7fsX$?ZXHJe;hkQ>)h_&3LFB{G#44`y3$q#_IT|S1@i2fEiwQs<mw&~(9grkXCl-rPYmhj;SIzEGU(SL_JJO(@h>Ou5<WNbMiw~&%m^_Z?(GWsC_n<@1McSo@!lz?^2YV%ycZh{-|tZt&eq}DD)%e66&~=>|J*)L#s4Db;0E^y3A*xV`y=ff_UKbV4f3w;1+osQ688Gb^dYnaGzXUj<1Oqz*!D0K?-ptf(Ww5)<rUBg>JLFYA~hd8o*N}6@adKt-{#W{`9f0Q*%R6+9@X9k(Bc5mA>_ovFz@0H)zU8n01ZO-CiB_xj{g}r9R~h9>lxv%2Mr7(@H8e~=OWkuEg2pvApKo79y|^05fx4bIL*{4G5QY;K=Ie}!TQ7=0n~p$FU~qa2H4@$X8c7T5d0mz;n5)E>HRti^7#$^=o-=}2{s8F>LT&{{P+UD!+{g<0XsAjR^h_q2qP{qPsR{h%*8F^6Nmis=-UR?yxiv^Q2q)!K;jj_9subj3+o3D9=19&?)uTo<2(isHux<u-wxj_H|8Gj2fHvfx~Q4>RU1I$_!cuNz~AH3+dsMEMD+O(T=Ms!e}BS*NgwFhLG{k~*Cs2l*6RsW{0EZc`|IlLIdBo6CETt6=FlSXfyLG*`|qQn&b|A8NpdR}9H`FQM8BwkrU@bu@7V^Z6Dtx`047W$1JJI{*%|@u?;RKZIoR$17zPUZQ|c&0+_s??8`3r0#PbgM4&K_#1oPSp^8*67Joh*y&Vex7JP_UE7)cHF_qNv`P7wVM0pj=(+YT1s>9)(hD)s~7r|}vX_bR|5q2fF42^$vQ<^tE~>NoHV*zpoB9#Qb{Fec|Z@9MwC4*&z@CFTL_%`OJ`4OZwbxCq7)EaUy^GAQ0*4l)`J`uNcL^5ne}59wCl0~IDp3Ia>6F2_&#<Hg!Mz1`Fg4<QCHK-SsWtt>R?v=cK!ydw}G-O2Dz;}-Tx-P-3wQ`!Cz=jT-4Itv3M_SzIKz6%8CJNex-GY0$i$jlV%FaGeP<kIc)HzO7<0#HFve=_N{HB~kz`Roe^tSHnBOzzW3BOVn>%^UR$f$AMK(cc0J#tP`D{qb5we>3Uc8ze!z2;V{iAj)1N0MPUs00J8+SOLbeOjSVTz8Mh*R0%=px%D9ZVk1Y<0y8x@@&CTjCg>;^!@kncI3rg;99|L~0rxTR><`>+ptSEKz6BT$2^0+z-6#t(@GQ-@8#CdO2KDU4Pwf~wD+&`W=?3^h{z;qd3Ah-+vh!vBEZHI!0^iuxW8#0G5=HhO=)>6^1xy$D$K~+Q5-;7>7TrWXDh(_5?E2r`+7rXiP6Z-76EK|A@%!f_w+cZDULo39_Q)RENd7zm8nN*o)Z{SxBlP|I=_j!CFz+le+Au1>4$2PkEgwHo{w4_#awt0@>=7|1*gFmy(E;D|6g<!~_8-46;rT5X*8C+53k~)|z47rN@-__q3Hb!_*EYdI9QXe4_WB|k(x~J#{Q-`|DoD-i?(0bI6$3KnDGwD5`~>pEB<Vq%S2`{Z4Fl4@HD+!Hr@ss{B2Vxr73d)!-cS%J+4I;+rtmE`mM`@xw#w-Xoh%tDEkWAv74qLdG`05WF(f|v7^Led(*F@9H$=35)590vEiD%RKl4((>FnslZuMI3BOF3ADg6uj?g3I0_1^rd+1K6x89v$Z0tfRL8Q1{s|E}yiDIF>A+W+DG4f^@R@dG~{91$`n5ZN&g87KH8*V;eo-VzD*@E!o~yT}j>fyC4-+y9*lJlxtF-U;jZ-T?N|-QpDC{t?0n!uTF9|N3JI9Rmvc=Qj2y3n%#j_~+aR(KGe>{I3Zd6x$UGHU`l3{QUM?_$7h&-4GxB1Qg@%H}c>L-vTPxF9Rdn2f_x{7~u~1AI2xwzEH;L8}Bsjvgsj0A>KX=5a!;l)cwaM-Q@=+&<OAi)U*>CCfD5X154N9v=G-N?;Hv&!!+OvI}*v#HQX!KRQ3DG9^U`&;P~~`{xJ>+9S`*M#NqR&%<Lik^6mfG5yD~1`}-Cg^|{aoy6zep5A4L@xwIn`(H9O5zVR{H_%a;$!#EKN+0nYC`U%|->Hq5e9{Y}{fhW<t)cxhD$t1Pd&RYfO57HYZAm6$=$1&^f(<QL?_T|L!KFZHa8{<0Q9uW=l`2hC<`2PI){`&?4_XY$H{rLd^`vCm^_y7a^0}ucO0si~)`uYS4{{aU71ONE`3J?MF4*vD~1ONp6{RI2>0sQ#|5&j1M3jPKA1or?0_XGX+5%>HC4EGHF3;6*3{{K&!)VM@nE4c(a<vJMCi@BW=V!7zJ{y9&z0yzz{)wzwewz<<fk-4;-k~t4UvpE>O%DD01fVoJu$GODlr@6V<s<~nt5;@bcX}PPsW4TuB;kY6u8@a#b{JG^mow>?1*|-Zi8M(vELAeWayE$?qu{jAOMY+l2nz@GM5jm`fV>;SIgt>6t2)PBxO1XOip1FTPOgRw22f60ck~zO{?6|!Dlep|ckhyL{+_+y{$T(AI&Nz2{54nUio4Hrn@;P_P2)cbJCpuyYL%CGZnmJ<;$~aUXeYu6#t+_y8{kfjXdpX@Yt2d79mN?Ngpt*Va@j0}=W4WwRt2#bs3^`_aAUWU}gg8+M;5m=7j5#T*L%91YySdh8p*f9_ggLwQPBx?5)i|qr6**Q0AUBs8fI0r90Xl{Jpt)y%9679u6gZ6ira2k{4!XCYkhqY%%(+=%hPloxPr0)64!M6&syPG%9J#gpK{~8|qqzpzHM*1e4>ypIi@CtD9yzhmggKl{{5k%eq&Q=DfjGtyKDk+mKsr6<);V{({WvSevNj{voj3Ns__#Rgo4MTt3^<sx>bFPM1~?TSl{mOulQ&b36*tt8qqv|IuQ>cVP`SVmmbe8~qBte1A-7TB@wft4;W=wCuQ>VTjyM$x&o@Oo{Wt6=^0y`5#yRk|CAlAN&^Q4cDLKsj=s0eClef9z3As-vAGvDnWVtMkYPt1E2Dy2K@VG5y!8pQSUbz{TQaBq6MK~^ET{x3m5;-N@i8yDuL^)C6QMiC9!#UYej5x59HMkvOXt;#L%s6Av5IF$$-#PV`JUGvQUO9DXg13Za!aA#Qv$l4aU^t=Sin;14mbnj5m^se?d%2*W<~V!?wz!Wq=eK(i1UdBaQaRz1khtjng1EkqJ2|9L)VO{Ap1A%hs<?me1v(DYx;F^=syK-P=D6iL8@L-<Sh<r&3pghpi@91C^0?Mlthsv{J~=z`dAPtU;<-<(ZMYbv|F_@8c|TR~m_5!lsyzhn_&qO<r#`k67C(5U2Dwh?-#8b)Ejgc4**MKhu(@q1VLC9T@3?5VXSiQxptn*=3pvNxinzioBsyxA6}kFKTDfax)VV;$x423b=DFH<&^ce1eYux9VYs^>@i|j^jya<ChB<Tto;kq|JUU~AqB)pw$+?yi<~Vs1ueopa7`e~Qrnpv)k~zHO+&K~YY&rB5ce#+Cj=1Ur3%cb!EV<fI={N*R+PN4313GE4-8x@zy1B@@db#!`T{!{mAvcnzb-8RL6}f-$DLTd;yEtXsn>R-BRk?z)e!101GCH&*uDRF3O}V_LzdCr>0lGme7PllU0J%Q#9=YP(V7RCIz&R<72sb{wYq=s1BsrdHkvXEq47&9d_c=>J+c`YNh&gf6Z92X)&^XsQG`VJv-MA4&BRNMQdO5Lj{yE#-jyb(0WVyEZ;W<yinYwurF*%}4F}dmeRJs0dE;-&UNxC#37B)51bh)(TZ#rFcpt)kq96H{!J-Gj1jXC(SBf20<&p97Rr8@ven!VPCnYlAfh`Pvy;<~X+7`F>>qB&AyNII_dW;vuU|2a|+nz;++q_$i31Ui((w>i(Wjk?Q;0JnD(<~IiJusQbKytpCrnK?LGjX4PFpEgGo1v*x-O}KC1IXYk}D7l0!$GK|_xwjOnIJ%KXLOIqIsySHJl{y^VM>&e2xVaP?a=IlYz&Z>sp*g5z-MRia6}p%1{Wv6i=s5_%1-e1lytR^6J318Ai#cRET{-!oGr4S3Z#vx)mO08AEjd!2!8n_E3%Y2$j5+?5N4Z7_FS^|31368}6FFh#p17phbvYeJkF@C}7dr3Nn7Cd@a5^)odOFpl#ksDv+q!F&*f|X*8M>i!A3BsWIXW7w@wg(56FE+>q&Yb78ahBpt~s~7lDP<{gSpvYb+}L<kvVIt9=e)Y1-eDLmN}Vt%s6}|Kf3MmMY@8nNV<H`J-HbM0=j*k4LUNKGP-}^pgCbO+&RF?*}3Q<oj6R#wmFnl4?E|MHac0MS2_MlVLNTQg}&R%g1L?dmN;^zoVqFJhPhx!`nbCC9XQ?5pSkRhQn_O|3pw&H61q(x$G8iu=s8K&<hZJ~ia7<ov$=18&^h07o4GOPqB(bb47$wzC%H{paykr2MLMxiwK@VW(K%mRTe+YG9J+u=N;;I69Xg+XqBwh9jJFu!89IDZ61sdP&^h2xdpeSRzBzOgD!N?36S^+X&bh}*N4V8@xHi>aCODp|lR0ELO*y;UsyP}F+&F+bz&N&E$vL%kO1U%t>$eiNQ@Y!O<~R|3!nrts!a3sE1G@OCyEt+yfV$Gcq&YK?2RXo;Ho3k3p*e9$**R!x);Vwq1-g{q;JPL8f;fXT;5b(z4mtRiGde5Pfw<ODK{-@RUAZj9;yE7sqqt377&$$S3A%7gw>So_06IJ!7P`++U^-9#t-1Rq{x`UusX4d?4!A6|#<^dRJ~`mgpEtmFJi1-vi@7xmJ2^i`q&WDn;W^399l4h&K{&>fayna^96I>=zBwBOAw3C2fxTR(B)VaU4mWvn+`9B&bvV31(>ZQ+OggiZr@6Aq)Hz~ptGNVhuenm$1Uj?xi#cjj8oKe&3%c$w^ttavwz;8T$GM?Y4>|&E@HpU4_qkJ;0y;t-s5q+))H+yu(Ya0-KRGR-kvKuN54w}3sW~P%Z#hcH;5puRGC49S<vAb-pSr&w4mwSnVmSF}tGQaSw7Jb?d^q?FOFEFDq&aWH4mzMa%C|Nzgt=XGgE?#PqqhvzDmi)<bvbV&%eff?U%KY&9J-reQ#z(rl(-vngg8DKjk=WimpPp&BD#1uzd7-+T{#yL54y^XiaIRk=Q$Ng_qlvuD!Cr_L%VydoH@nZ@wrSa+BuhMuQ|P2s5uN}cR6zHc{jsRPdclfPC6J(VYm-bFS_>zy15X5+c~2-$T{m#lDXQ6f;m)Dk2b4|O*o#a!#R@uow|t|5jIdg-MKyQNIHBr>$!HhhB`91ggM>C9J$`GQM!p82)R38<~lRU8#-ylw>hbCl|4?o621",  # noqa: E501
    4: "U<CI51t19QMb_u-;v*I?;7a5t*Z4UP?lsV=0JjP6)l~IT3NQiL!b3XiITQ~NGR*tfFrYcD{P`3s_4x(+8x;>4=IW&mH~hd5=N-f$_6!l#67uN+{qX}N9R&xr@i9^KFx(ab^9>2!K?f%8_!A7*B@D|pD-z-g1U&@p1^or{0OSh-;O|HF`Lgk>@-!UUCp^?c5(Xf=+Z52*neZ|M`ui2^$X^&S|I-cv2jE&Ri!9yY8^7N0Zy5W>`4Y1LO&Ai}uk}dP53$b!$36|$JO}$a5X2=R6d}vz70o0E02BP^*$)Tg6zcx}!S^653gqw5_Ru|?O9jgcyNKe@L<s%>#HZ%7yC(S8O5Lm$*TVM<8ul`!{1)J}F$Bux`yd7%63qqi6}$5j(*1w<`z8nBIQ;?^zB=~&yvzY#5Z3VJ1q1{g;sp5v$nh5Y2r35Z*3dlkFRUgL(&Qf19{2V3G!|GE<K80+7tQMf=0xx~1;87{=nU=oD9|s(+%E;_EgZKQ`1S|dE7kcU1S22L2J!LaJAn$n?fv?;5ZMUTM+4jr(>4IE>Z=RUE~@(^1~>vc`1%|9-2f)!DFA^ISoQ<>!Sn$$?i1w+@7xFx^8DHwy#xCBM*ck2_45v%|L+%JvN_Yl$Hd_z1|}-h0q+<84(sjU9pB_F@-6c8HuB{S{C~#55F0K4`}+H~TMNBMJn#b`Gce>0TlDJm5V{!270MJ6t7v50vM>qpBt+#(?ko>N8SKxg7u+BQ6Y>QpDh3%jG9#}KU>49d@)0U4zbf<i@E(*h9|<hjPAyQZEc*xC=iLtD3j;tM^zS7bBi-TrWdzSD{2LPJ?<Up>Asgom3IibE^v?Xc2IbQ_Lqhh#@Fkc#83XA*=MvZC-PG*|r`{_Z{x9hE9@X>I`PS_MAN>U=`ON_)xivv1^g{y63Fq%f^Dh<QRtXUBIX~qQ5-%DK4>dCmH!d&0;cRR8AMfBM>KxrnCl58ZIOh4=1O);{E}bDWzv?U8*6AJq3hxRQ_y67A1KaOCGzPo!7N8#O2q7*89^|_!%n$PV_UZxy1>^wj2+TI^{0j);#p(3E4CTJ$fAJgo?^9U>nZ|+EumdO&3&abr)W+ZjIlNr=(d-59ofp&)|L$?`=h77$5e_^k55(O0G#MFb*M<%i2-zGN2v{!sEB5?KxcCqK8N&4h5+Nk>4%0jCu;DDwH1p~WK|u}IDeN7p#R|^!Kn({B4Al(b;wAt6CD8!V=A;1=3f>;>tRp8IzzNR|+4x7=2^-8R5X&+pC^D|Q1?c777bz13@6^5{NSY7)4iU%m90mUzH3URZzX(?#LH_w9z<=!_${H8|3oIzx$S?62HQ@|P23Qd33j*jB=`SSke&`D3suk?o)&2g`79RV`<oyin{W$@`5enT%TJkgf*$FVaH|Pf=3;*Y=#rO7jEYFs09`EW;Ee$g#AN9rnCl%7$<`SOW|41<c{?6|T<2K?$+s-o`0dN2c_1y^w3+69dHF??b^C03V1p^N@$UX`#3sBYj^5VlL2E<hOw*vhU?<@n@C;S!b_6_v{8m#UrIR88CH3sjRH6Hu=3@6$5547I;`BNVI5nSKw5-uVm3gQOM^d73_?Dh=#(>2rd4_NabQ9Vfm@B7x!?;Rb;8@jI<>*O^Ss`xY$Kr7@K%E$QZ4oc0(3aro`HZ1VT_Wis2=@SX=4DRg+IvyP@2kitfSQb$Pw-qM_zU}$(`ReubAUbIE+WGj?#V7?6`4%cJ+9dJ{H0ARO8KdLqyu~BvDAg0q|KvCi67Drs^$YIm2I)PySo6jY;S?GO*X|7uzvKti4k+}~!0_(Y<bM<O6$4Ef1-2Ix8teD7#tP2`5zs*~;Pv<w`P=}^@$^6!zxe$h8xI#l|J@ua(9|CZ$mwn8@eKlTOZUb3%J~5``X@x(ApYSzOHuv2`|1}I;1Svv0^>Tt3@sS54=m;yA@do+(9;_60UsT~*3jY!G2B?i$LF>Wni}i#)A`~U^)?_E6X5d2;^$8L{MQBD5Ba_m`d<$xHW%OwD>ncWv-=kF4jJ9%GUXZ95wzbS`5+J=)c*zsn<4!F*zq7t9u+I}Aj=5&2J;*<9}wyCGa5PTLp>e>W*z<~95SxaWjNCp5$OmJ5ys~y<puN!6ZFPIuL@wX>mupWN)7em=iCg$y&v%9;t{YU68tRdz3?j|{otu78V@X_Ce9NbH7Z8{=h8IW0w(S<4;uZVBK;iy${7OK*AyrL_Y(yv*xu|u7XL8I^#<Nl1lIWt11j15B{mur0_<Y%uh13uLmLpp?<?~-El4Q;^avC<`Uev9yVd{i<L@Wp@Gkz>PV_JcH5ma45Hk+lEfx|L&hx_r5IGgct1^$#Ht$P+@ia993*)#QHW}Rt7W4oMvjis|r}n@Q_q|&q(-9@w{vB)yK0^XHt(|{?fkUCQ{_@DY=Q0zuXX<9N`x{uQKC#XdBpc4;f5ix+TN2#BJn66CNE93=?(yyMB=q_qK3XLk4%^_m9QDfdqOHv8#w#NL+#&n{wEICf7Y#`0;N&jABGC@U+vFzT>KfR*?l=Y4;@-yD?eR+uUJvBoYRlf>>oDyS?Bo0g)&~DED$)NC;XDrt!0P-1H4g(sC<gi>0p8645XcAdxYZU4AKvwE8ws=u$2L#}<P+V*^vMM5?ff1J`{nt{0}HO)B{BHNKIIv0=>=2i954kP>>!gy;~@*=7C1j0E*JbDA^Ptc4i6|&_T3c(*fO{$p8WeG9r@Gz+BOs81ivBn(Df+U={*JUGYSCT6!s1A;2RnXCI;>G1)T%{2>$2ZBG4(#Mkbd*{X{e$>=+$2&l<`H+59Ze_x>3S3laS8B=<fD?e8Vi5aRV9y!jpZk`ou{0uM6F9z6ux2`Jb3);ayw@A60T*(UeQ^AHB&5zHCLz0%a;>+<as{2o>w#Odj4;rBrF+ZOo*@#FnG@+}b`8shl;xF%3R8MpDF7UU%K{N?S?3)trD3<U_!9rN?w$_3`)A%PqD9k(YbH9g%Gq#!c)4b;fc1mE=%59jYH)#kVJGZiM;-|-V79QFn(GWFW*xAH9g2Ph9e9~DIu)*<-{`zRSO&h_=?_afNmu>!I;0yRB1sPq2wB+1_y^6BQb?F=FK<UJo52Og?D$>7iS4M5b!;spRA4*KHU^$PFy3EbNa((?uIR`kamV*KGG((4D(&D{H578y4f^bhRx`~~L^_3Z`h=G05YBlESnChva&kZ!{8$rSj~G9?Sh+BhEctoScP_5S$m1{4U@UKg0Y4A;*W_5Co@5z_Z0?(pRb<L3$UJ@FY0JnX91AOboXz3ZGN3=vr66vYNK()Sh-_ypk4w<8MlD*)Wy9|Jin)DsxW=Lg0IDCn-|+65;C{Pp(O;p_C({sGhl{`0sB2^;Cl)aW(uw)4I&|1tIa0N*E1hU#e;@kNW)<_-HA*~IZT+4B@9%kd1|-toy8>BZ2rw6x<A=MUur)(RcC_SxI^-wMb3LG=LT9Wn15?!&a^FyP+n#pv|=`m)Ea<Gm2<?(PpD6XOR3H^cEA3bh~-X3`+~C?F{q9uWTTt=jlY2kaOI@GR6Q!VkOM=MC)O;?+F(ozL130~HSO8_A^L2He@~upt|~6dT3p6D0y0#nIUo+~_m*%Ja|>H@gK}(A4z50rj!^#K$Q6Gdb}g@ci%d{P#J~;RXo!*EL4T)fpj03}F}R&koNL<_Y6A>gK>u&jkg(J`n#D>)8R~%^k(xAKUo<B+={p<R2I0{tG%b&cP!2{@NS<`RK#wWd#@{x$x`n+sOyS%@O1S;Pn>R8S~T!?g1_u?gcOW`|u3u82BL#CI;^ouJ7SS3i|NP`40CMHxdvg9B=2+7!&UU0DsEl86f-;=e_O(3PS`$>iZqvB>nE{_n90YGy@h4|Mx->3z6k3t|2b!YA>`UOSi)&-}ey_1RJn2r}*8N&GHGw@FX=X$kj0Z&`<^x^~@^W+U5D`_EW<AES1pe$_@(f&I!;8`XDYr<H70O{wpK|wn72|2>9FuMjU}a`XjsU^atSR><!oLPo?h4-`WlS2{Y~~9V<`i9Tp2Bf#CeYA<qE<6X`<?_aGt(6F<t_7WNq_ff)iy^Uyd2-S6tp-a6#m_0H1IOq&&<2LBc&=N#<!?L_g$J11P|EdaWt<R>=o`^6~@_~{fZ2?f^d5*bzU1_1;h5D)<GDFFo<1@8^{1^WF8_%Rm;CDGXk9Qg<Qnz;`4Nc0c1>IV(-9^>rKA^1}FJO}lh`cKs=3@^|+!}|Uw)Y0_qB|p8r=-puZ*covi0J{m68~#!<IRxYz3?efv#_RBz#^D|D{{JJ%3(Umv_1FOq`TE)Io9Q?E%>wi5DikQ|_th!h2M+!G>hlN0Fy;}n1P2u*Es7cn3N_jU?;hnA_8_su!{r+TwBQIOtJfVKP8Bs2?!Q_c-$eEH`?<d;i!lua0we{Ws;|5U(6b&2B^lcf#|q~pG``65@$4fL^!U6J9_8)X)EwCtJVENi-ps1w0|l$*H0{_rx8@QD0NSw))gl@C{w5Ci`Kv12&>IsOB-|Ul#yKF(^Uowns}kJ_BPARAYT~m51A(K@LLIQ+z7X=%=js*(T=e1N|KjApF30z={Qu(P82$AU()0G)BiPLt4n`?4z8FCdS2(`jpZ+S<0x#qQ>I4WM0YdiN3j<a8Rtq~8yVizNB<}q){QJ!S=S%2#$G7Ap3<mD%{P@2j`_>%&Ul$xP?biLp_zUs^=WreF#|Q)q3V#j;0?Y#q^#}6r7zXaJ3djsA-XrA6MEK479V#opzcSdt_dn4d1r_Vu+63APBLo2a_0i=kMn&l2LL=w@>;FMIEg7f~G9EHQ{>I$%2Kf`>{TC=<-sbJI5*Ya@%`<=9HtZ1P><{^#>Ka!B_WdwQ{Mp$j+XW)29{&0Z_NwRZ8Y}EAF*K;_SP%@i2`D-i{6`pO`sEew@hJKP{{hs2+Uw;IAO0%eC*xP#4chasJNo4H0vs0!P_rf0`X%fN@ILJCAocA4=mzE+Bo&OMA_H5?`~UY9rQFm`?g~xp8PsbI=-n73nas;NE++lv=kVLs8`t*a{L0(W2L;O~#qBw~@Zi)WM-D97KHMhuFb(JMBs?tjCGbGn;vDNfNF55zf!y)^@hB$y1k~9q98y875+m6j6uLJJ*Z<|}*`^#6A`lAh+RDo<_Z<&xC@TqpyW*+}3&kAYBCzKV2_@<i&gb&O6j~tz@!$pOAQkW;?;P?C@D9=w{w*~C=J2xt`aj>t8Quuu3rXx78urZYP5uc-6Y%Z#1N86z&KBLg`xqtz^aB#8zx*x`GCc_6$MewB8tz2x@-!tI_}c&!$M>NA{M_i|^ZWMw74p+#4D9gWGP&W^E-m(^_4D5`_bui5>=O#;4fN1I1Jvrz3<g5^@D5oITbhCh7Og1mFueN*<p9s5<gXg(HvIJupAqjW(n0PTD=rfG`07UDIZPo2*zFMqIQlTy%@7(f<Q)S2x6AQB1@<G)=@`ui`(*6(!RP(**y79>00j6i83tWqLn1s4?g9E?@J7b^0|@jg#p?Uv*6j=E9R0#T+$Z<+7!!X$0ru@3CcYmJz1^s-0vE-@?iR_*`VaHr_Y@cQ*cZh+{mCguA2GElGZE?$*~#DP7y}!^1^BpRGPo-fCIlf`I|}Ucoh%C!-mUsq-yI6Z-Qo$?7W)Va)7%Et3=cls*dY2&{3ahAvri?|80``Y0QxU0-uD6+Jj^4}{ng0;02lAcR0sDKFx2Wrp#?GAA2ICU4;=6<0P_<O78VQ)FzX-dp$Z_j$_XA083_>QF$C2#I^?tR^r{C0)&n{C@Z0<J1PVCz6)a@Z@&?Hi;^Y@F267Vj5W39J={gFGE|Mz};qV;{(-a9Z`LqP_>jlpw<TULL<@5L^t_aaO`~(8-!}**P+XaF8<Lxo-2G|B7@B|s^7zpRr<n1E%yy9E89Iv7JqaQvP#N^%{`xVjW{paEk2jBWb=ZozhrqNuq(B+?F2f@M=Bpc>jJ3xBf2n0GNsP_4;9TvRLZ{6T1qb~zF-R#%>v>XZ}48`UL$rOYPg4$U4#7j->DWZWofetgHo|^|jEL=YcMYaJ9p>}@{1rIgUN=mZ7-vOq7&*<1rtNi)tsoN>f9SVWz1@Qxu;eQ8z&4on&$f#}hc9A+B|HtsvA%TI?57h_bLxE$H_!fav=7`<-9nIkNBKh?9Hjx_-2o5$a`P&rr5AhD{3ELb&Gy)4D0qYwvG4{Ik`Saf?UH2O1_+|12=h_a=8~60;3}V;wKgvKR&l(pV`TO$`KNtDa=?NAZCIKJ~7=aAw%PRBY2*<qf?gRe-{tw9X>_74Q9nRMV>g(tV>h1>)DCHd11{@~d3ryV>B`5<T*dFJC@%J0>@~<Q?)%C{#=DF?mB^MeO;R-_`=lLMp3j)Xe3e)QC67k>sA{hze$_y|5Js$WB0TkysEVUKiV9p!(LJBqV@h$}=-0$%*-7FP8<J}?vEB?_92n7n)0SO(&?4|Gq5APFK?(YR4+aGdGSPaJdDB<ky?lvGGrsmn@-p2<iFxl4eMdl6Jtr;HhFbowBG$|D;@+a@t(l7@wDCp}5<qp%>8m@^u49@u^J^C6I^wJCv00j}<8sY##<jmOz4UzNR&E6+3(>3rU;}Rb91riNJy5`#F5$Vhd0|Xm3HyH6C9>MqN>*4wG`wZ6(03yXA*zgV8f9U10KGOad{R=(<6z>o&?YQ*C=`0Kt_TdQC<vZmA560N$<nsYL_xs8IILr6y0lF6eKN%g;vLF5v?f&FBJ_J780Qv10<M`ngF!lf!$L~Gp`3w9j91{BL5f{}4$LjCb?%eLy=Fuw<5DE1z#tIep3kdFH>gXN&z6J;C_P^N$@J|*f^Sl7;EgbFIvI`^kvhnHX5Ag>uHskRH^CbBC+z}V*3K!W4+!+G}>@5#77SItZ1_0FbCbazY#zqea-1j4_2k|uE`4kKRvQZ)#Hp~10{MXdxJNo+|1RU|k7C8FY2qw-S?I{ZE<-6Ab-v<rm2M<~77yBd>=0yJbAXfFV5cc&3DB2kMBp5&u3p@TF((5x9KEvY?3$+%cAO{v3^vMS6Fq8@;0O=RbDp$=M1RL}j;O`#B=I}!_{}Sie5GvFQAMGg7;t0$5L?Jx5I3X7oGtC3x+W@UD`q2XHnf(DW87KV+P8<Fi7}f*A3)dz)^S<W$HUl2t9p};;2Jrz5B)%5P$nNC@$8@d-Odcfo+C}u&6#~)^{p#=n-6a|R2IuJz<`)1e<Neg-4B!3}Hr7TU`xp}R-6$Qo$_~@+A}0Ou=`$TLF#`O}^zAh<2Jg!k`yvq)E%vnJ0r~d}7!oSy@i`*c9{$u8<^Tu{+aLm{7#INV;NB2E;@luCBJ><B86+#&-U~bLK^*rA9}_0-7z4Nhv-kJf86>F-G`|4z;NTAB?8g8`Svf>FP6uw#0{jRAuJJD%1IjNJB0CESHah_91@H6(+UM~02RQi*4uA3Y`~MOO^Ue|><LDYA*#EvWG&9fn!uc2y+(+2)!SVGK6VC7f3+2}gWz+-)1=Fz<0}`ZC`SSZ2ec2u^2>w!2Boz(zyctB*5W4{vI`Jp+J`(IU!1?W_==Ty#I1E7;>f;0l#4Z2r1k&5n_$S^N2nNkN02}$u02l`G!R;UGDfI#10xKdJ1s(|88bSKa0Vn|N4)h<>?FAS><0H!aB{@De-x2lF{jUlP=n(ko4(R72HY)WD6YT;A{YC2`0u2ri-V_w#^%5Ed69s`Y-Uo3H%QzJQ^%OJ_KKu12^W6$A{TxRU>kS0{10pu=E3^CD6guAb>sc2e5(hs&HwF06{KoM>(MPr2=L`_}`TGF|?ZWa?{2UJN{SNQr(K$2L%peWg3C<A#Hxe-o_D|Xt{sKPy4*eEC+}tGz=pGRJ1o~O{<J|cT6AT-@^~(bZ$r|zz00IL6;{n?A@*C+d)%y_Z6uI)_PvaNcOAYhXMIZPy93~Au_Z<@Q*$Do|+y@mC_wVTv02wPQFANnQ$wtI32p97V;0~=y@7x6G63#yd7ZCU)=?(YuG34jy|MUyx^i&uX(hBJ%4k`h#zWEOz!??T8huQZM1sMAoCk*}X`12F|EzkiUuFLNCf$>WtE6x1sD%|Zj_x<Xk@gOSBAjl#wuMGbf*5Ljd<rTdbvz7iN_1PQ$&>tkW(I4W<)-$;ZSv(3L5&O^;_v8r45CJH`<`xSZ0@>f`AwK2y71`(`DseIOBku?|w<rt9CjA~C69pW@9t6D$nG&z}f$b;B_znEu6-VPZx&h!HKpp-x_xkVq{w(t`8X>&t#3V@}1<L6fH1iHKL<r{2`$A*n{|yPu_u&*S85<AgzU1k|{!J3B4Fl)$J?ske3fBSC0q-YJ6y5dQ;8hDy=qEa_fA{}Z3pwuw{0jykKkx_u1Hr}W`}6$j;REv_1nnE}z3&I!J1!Q(Cm{Jb5z4P7==0er0>}^G7cpH0mQw)z6ZG>x{tX`Y=oa%i8ww-20uZpa9x2Zj;uqjJ^$z$HBnaOi>ihg1_SzE#9RJ-Q7!(&K2p{qW_4yJT9wsHr9q;5L{pLFzHZ=(Q>bd0t1|n7zB?}@EHTeBU1`gc%!N3zC)U5<D&&s4i-RlM-)*$oiLPFp;C)_$I=<Oa*(D&Ba2NM|m`xEi#EBO5L)#M`2?fB0l_`U}L1C!zmy$-=7D&grt;}R<H>*v%x%;e1L5A);z^$|K0I!O!w!~GHt;Mer@Am%043iACCyz>|J@BkF`5cU1*EEgjo^bPCUvEJku<1Nn$<opEQ78vpOBf0Ay=K2rw<U8U<!V(%G;_>1o`V`{l_6Hup4jKa<2O`lZPxZeqG#By&B{I+%+#3fD{WjG9^$H9k2kq(&8@cQJ;xr-z@7U@MGbku@!|v_YB-aos8x{ZYG7$Uq?DGi`Jl^0O%}Ms*D>DV`#P0Ow=O{iF73~WP^atPkzBKsk1{JmK|MvSl=CiETDjpTw@d^j?8u#<)76mR5+By3)L-_Ft3m*t5^$GM7`G5cLKolzK=MoR`0W06)G3o>vDDDU-Tqd3YSOv+x4Gk6^(-bG%77gSY6YK^>7zs4>{J7Ky{0#fr9S$kx4dn*iFAnh(;t~DjWT^8a_7^XLA45|jM=uZ)IT6|n$pQWP_z2JLG0*=X?-TfvAr06F_v!ck2@n+n+6LqE9`46n#}yw(4&~X<))W^w)%oZbCe`#IvD*zVNX_&F|1%5A-uLMK-TMLXB`fUf>-i@s@DU3V4kZv61Nh+v<MIH#01`MD1=I~5@=P}A@BZ`p_Xgs$LB1gCDG}ViMH0u~@eADm_0b?E59kas7u+28wE^1n+6nU@JJ$RLwdDB@6#D}6;_L>gBL^M&CGlW9SFi94^#uFy))WH~y3PR*{S*)Z+pY^J5h)iR4-*Ol5*eey6!EJ13*#Xi4)oA}3XuBzO+^S8C+*SBEdS064GI?EH`V<714sPn0-^pw+ou;W`3_I?|Eb4m*8|cG5Ao$o63X!79_AMa06r+|{O}CV#u)+t-`Cbq@+0ujIQg;*|0p~W#{W9;z}>G+_CfBz+}qtD&C<`ZG5!73&|x?C-M9t()hZC3JrmE^Fx%6{P4xp6;|mKO7uqr%4Ew&q8zWK%^w{(9urDR-?fe_nCHCnq0_`39|I7^b+58p-*z&pAX$>Is)BVXk69o4792=nu68!P1AK&c}@;>ta(C7XO;NCLj9_R;81`96SHR~4z2B0t-&)Wny>Y4Jn`AiGPXT;41+A|&w<K`yc?@iOywD~L$^y>{G6AUloC-Yb$O(`?&K-~8C{0Rm6<7@>3NLl@$-^w~F*6iHS0LVATI2l2{@-6zs*bTiGLe%2?XZY{>^!ohU^%3m>8zUe6C<`Z-O5@xnR_7Akm@5C;|MDX^9|P&)_Z8kF7ya=iO#7nh3HRa;swO1T_s3Q6`$}M~^On{W;28=25f$abKnnxlJ@UO~2DjVO@-#lL`T`~c?IhGL4;$`W(IU#`gZC7}&OH1~JND}CGX3M@DAe%C6WHk%-VOaE$~qw-<tGpr66fzO@#W^y2mlHE8MP0v{S_o3&#f->4>sY;Rs7HXFbD!778UU|`yC?J=;fT(AsqiIAU7AoQ>^hb3-s+6z2gM+_Xr;U`xhQ1Gvp2R^aayXtR)Ob2hJ7=XZG191r+5s`xM&-GwdsqE9y4i45l>h2kQ*;+4l|T8w1Pm68iuKIsq310o@iY3?44{1PUiF>L4HBE;H-t4gAwC`uhRXTHyczI0X(i7z|8V^%Ug&^4Aab81oP}!~y>S-RSPt5#ts0_o4>U&g(V^z6eDp3=awG0re&p)9MM^0Lu*d04~-ZGWo&i>gN{-<RA~~;qMBu3>gLPmk=q(49pSk+8i?`3Gw?C5F9c84#K}9)deyS0L|qs``+;L00<5q6BZ_*D<2Z>DJ2W=^9ujw3J%^2^W6j-{SqM%79=4eCkHny0|Dmv8T<yz{Z2OyD~IY_9jRL*3=1UjG2a9*rt>%T;qUGY)hXyO1`83^3Ea&Q5&r!UCmsRh3<B&c)Elwv^7Hft3)Q(cIU^lpT?ZC_?++0zAO$ES<m~%FK(^r`58DAIU*Yul=>`Ni6yp>V$+Z$DcKg5b(Zux)x#RU4H3Inf*%Kiu;qVgo5%}N@@W|q?^+^2>+T+g(+{XC#EcgoP`|S@J)F&Jx$L*W~?>YV0G4~MZ{TJ~E0@^eO=FF1&DxnhO{Ill8KN|ZJ9v=x6^Z||K1S0Y0=KcgH{pbb;!}Rt3G06YA8K*KZ;{LwL{^AYV0qZt20io&rKg9nO-6tgQG7aAU0jJ*@BKOt-56mg18AQn=8^SFLEF}WF`M<*bH4gI&$_5&`4+(q-J>a*M4yrgm%<SInHUkCG!?J<f^-a0<=C<<M5j-*j+35N2!YKO)77Z8{;oL(!80)z5@-P()-sb7%UO4;U&k^6;IQc95%{c-o0uBrQ2CV|X`0?-%{q8;c8Q&=j>=_Z!9rqCZ2F57*z)c(~1^Uhc<nRCr3J>}2*XKa>;`GT9$qgj}*48*DJ{<%69VO=BHLB*-JuWI2A=Sz?2oU)N0t+Dzmk9_mye;tQ?=tMm8Ryh57WW0k$~E;TE7ctV3kdK76!k4D=sEY;N%RlP1=0O1%KQG&3=WRn7v2Hu$O9Au4DRRa9~uxH-SrB{&spH~3>)`UEYAizDF-0ww=v`{6|-0(3LZG%^~BBg3j4j#5HlGz<=Q(d{@(i92jcJ<0RXf*`s^4z{N+LYEF${*=?)|f*dY_bE+p~m74GmKO$ycSAI>S_DDdzBFwDpT-LC5P8Qt$B7StaAF$C}0{Np_A3o-`)8~FPU9v<Zi@i-x@9_kDXQvB4=E*$703L4q+Bm^MJ!|AZ`xXlpC=^Ovv4BVy%2onM)^8pmnEc*fN9q6(O!aw+=1P1yd&<hG0>NF0Z9rw`;8~gM0{ud1f@#!ZmDF6r?Jo+;1**m)m;0GV!8vEE$>`5j>)8G>#H1Gx@^X-iJ``Q5e5ext#NIc={5biTiiSow^CI2+4`}f{WBMlBP=@QEm<?ArxS_=pd@M87(vAO#w`~d1C0PXfH{Mj-G>J=#uEeqo8GxrYq>&Wv1ARYno?h`r_@z@Ff{Nv{K)+ga2=>YNaJ2WNY`}Z{d80qn;6u$&F@FnK%LjFMW0Ne9(^4#|493dMBvjbJL(>VPI73T~UKO-{=q(0~V$pTH$(A*DA!SeYHAo}_QA2Ac_;Nl$a)a3)y`7;0OJmCSU0~#yz{Y_;nGz#I?%I5~#-u&qf6-d<-3DH8!1_vPa(Df?!yb&D{BTyRc4mZORxA*`T_2Az4%i{&rUEAr<BONUS5;p(oC-mynP}TME&fgf*;qmnc_x$7Q4IKg)9scd-%GMbk4i@lVQx56&7WfeX0^t<y8adz*<QoSJY2XIZ-LCx=5dsVB2n7cO7VQ%cAtDPF(Bcjp-|Pt(*ah<e#qajv68@p?KL`~r_!kHQD98-@5c}^Q5Halo4+#ng>=))9693~40Uit`5A)`}4KWl>67%x}vq70Z-`M#z*(3HF$nW6{2({P!<tH=o#P9hn`2+#g_V)_*>j>!YIUDU5@&gDs>iYo`7AFl8Ckg`e4eDC*75BI37Y_dqbG}P(&IKhDzSY<N>(Ue;8lD6)q&F$xDh0S2&JkZi{~R*)r6DZe>jsMz(BUuj0R=8E#ewbm<nS%-K)>npIRp{oIrO$NRqYV=p#cmROdY=q0M%<2FabPAJ?*wN6cp;M@8QVr*&hVB-?_#?G9uE?EHUdnEV4*MG7+NTEw%{L2*%48?DY%ABTG-&{L0hcE#m1vPttE9>fsMMC*?j=?@~I+5D_d8^)B;W<L5097)QhnKJL>t`wbfUDH{vdJ^1SWuQ2~q{`5cJ?C8}l!P@0Pz8=*G_UIw*7zXeA6&erV?iK#>SI7J|5+MBj?+`N8AooJ;S-}44_gXvu6zBc-8WZZ;0p!O6;71nhDjy6H5GmBh5j7ekAp;Q#^6>R21qdPo=F%$L{59Rh0S4zk67xObmJZ??-4GZVI{^9><@ftJ_~k?kCJNi+&jt+!<igJ;BmLFIP5sE*_2Uc|`P=*{<sH}#I{OOm&mCv{p9CiY|M4XV8V3UjTGLD-0@usz3dqb4+qeY52Ik+V)hGk?9T*bV@*elr3orZ=3lH)zCF(vgz6dTRGC~>8BJs@W6e+_pC+i3fnBMIT_|fgh!cFu7`QiTsvGv{=1lj!F`11Ai0pH&o*AL3T=itu|C)(x*FC!Hg_SxpW0wmwm@Zr+})dT6r5dRkT*xlN+<I*40^b!L8`6%WU8T9lG&MNum1lt7>-}Tw{`9&1aFDwNN$*mF~#Qe7bD!C#a7ZV874emO@=N3cn@crh=8UXDTEY!UF7!CLO9Q4xy+cxwDDAW=82RzLQCHmDj3Gw?m?+*4M1Wczd(#|-%>fig`$RFw35$6UC5f%vq^65Sr2;2JF=>Heh6XEmqH1#mr&iJk$7X|2O^X?QxA3N&^+#%cl{>{@CQ5g*~GuHIv?hzHy4m!$J(G}FaHs=Q=@(bg_SQX>S%<x8_!VVbAN$Df*E(Z)CQP}0s=oKIZ1}^#z8w~me{+jq1Q6u(B=KRk4AORT-`3$;E4h-D<{r>3u;o$o2&hN|>8w?Zm>JR$u^&<`t-~08o^#}3C&I%0z;Lh`~>+nGBF7q4491Y9l6&?}t8~z>cH2j|l1`rD!4CMg{C+{5+R#f22=?OFE+aWv_>JQx|5--%R_d5MB=I$Ql{76syO$_%c4*Kv3%?bz?3hxl;BOvwwR`3fgAKStj9XMY3FBZs6BN_(&%LfKCJTCn(DG~SI^!p0iK>^eO4YvizObt`w`N9V2<Oc=v`Wp2d58xLR?%K-j7|}r4=qB>g;u7uj=I#N>{4MF?2{`1!9<T}W>gDnn4(#eM`0fDz$S(Rl050u40pug6DZ~iq;tS&m0__Is*cIOH{p}Mt+Vu4zLh2wqD)bY<<OH+yBrN1ZBJ#%OxhwSxB4_d*3LL!F!U_%W@)G7J2O<L-Q|AZb05U8h6E^QG?JNBb`1l#o=F<EB;~eq?5<CASwFwdq6yp>6E!@f{Oc%@z@&pYG`N9V3PxQ3^+4e8Z?;s`__Uzcc;qM~n2tDW^1_~Vz`RwZ>=)KSqA0OB9BQQS<1|z&P?E@eb;ejEK9wxK!FbK*OH0=5-2gVll;q>77#Q+Z{^Cx4i1MM5}G3ox~<N-Mj7Yp3*80bJF^0~Bu2l}o20P@N%@5K8S`4ufc^$7L{1Wge6`T#Ncxce_1<|!ul0QoZJ&<*n~0;yWdKG`J`$<*TKAr2BXH4iZ7Cg>Uj1Mu>|Ed>zSBoQOx$HEgs9_`W_=KbvHHRSdR7SsMO)Gh7!<W2zz{Td?x4^#*)2)gz??cMeCI8WOt_Y?U%57^AS>*+pQHytPeNIy5x1iU0kO4Rf6`Vs3V?f?5Q^DHMS+7Io+_#WE<E<zplAKVTZ01fN72SGw08cX^T-R$uM2N);^_v9GqC<7khEyVg5?EotO``F3u&lVFT71r0(kQFYx^!+N~)A9Bz?crY*1QadS(DC&N8R`1s22d2|^Y!i!^B5B254QmfBk<q=+TtSU<q6;|3<{R(%n%LnDKj?-M`fKa^y>KNA2H<>53B{}4Cn<C?CR_gW8fYr2kzW43`5*$v<~+#6!Z`49_kzQ)#vB`BHjHBx+VxB3K0q$+5ii<4G7iL&-292>-^Z|4K(5O{QuDUK=Z;65D)>r7z`2H6$u;y1<m&gE%Niz0P+y30|GlY))@lqCKVf`>n%hLE9v{YB?><gEF>D~E-WqOw&3~<+w1cQ+9CAm)DjW#6-DIr4-EkW0PpSR>?7s%?bhJ>_xb8V_$@E-_X(!4=pO^dE%ng#*3;bj)CbxVL;V^j97FI50RfaJ5!>ie{pIYrvi7#j3bp+X<JT7=&+`5u<nA8|_w4i`-|+Ar|Jx7k7z_y{Df<Nl>l;J>`90hQ+XKVTC&mI*{00Rh@%;hM7&O@qH0AsArsVuj8w=Vq78}|K#a%Pq9mCTO(j4~TI}t-BKEf#?82{n%%Jvrc^tl!3_s7r!)65$NBITh40XowxB^4Ao?db*$1}n}18q}dv_7w^pGS%7NCEE|<^4B>D7hNp@Biuc$LhSe998SUD;tBgG`Z(ya?f(-O?*wB2O!6W02pjtk=;;@#`~oWt^!Eb9LEk6!7(BW3u=pnF#6B_h{_hzn4f@gw9!>8NKKl07M9VDGI^5|HC*jKRAN~Ll{U`+PJ_#2k#pt&p3_{%|6cO0d3EmJF7z$?-`|Atx49@{I?z<5@<pkOJ$K?D&+bH!5&o1P`4j9+=#sUl01oz!2@KWRJ{u}Y$AJ*XY7X}J32}2qI8`tLL?Yi(18}0o79^(Nh<Fn?`I|UOP7vu~5*zNEHxb;>5G0y($;UVD{2Q=!+2M-?c1RnN84<HBm$k`PRpeW?wTkk*=?Gz6U^+NnBF(?fA0o}$24gl}+6${h*>KWIj=S%7hBG~l~{^2npDCx8IHSg-&{viiTyEp~`D+>(X5bgIF3<uT@1M2}U9rqZ__Y36%(;>+C;k+jTMhNEYzACxs2b}CRz-8zf>iXU)2@xC*8Y|Y>Co~51_9)`wCj2nq97ZBU+wKz_IvD#9^5Hih7Z4FnwMiHe;~3#Mulo0}_VEP%O5X<65D)t9<^LGwI1%;U?BeYe5$FIn-6$*N@H`X#>^oNWE#><w1u7%%>+|j}9MtgG^#nKw^*|Of;xzTt`xFY<9S02wP#F^m4lYl(>^cuy77WEK{HrJf*%=iV-{A%72L93OT;U$u*Z1@Q+RPoj;}SRM{rB4(7Qgra8Rz^P_xK-56id)N%;o4-6#NVj`Tzz=^WYddI1cj>!v^vO5BnzkH0tdQ`~vhVJPrH^3?B{%9q=Cm7%TA-9t;8=_!j8j_VoJ!*E|H&yY?jH^V_)Y0R!>l6%-@!?gtMw59-71==>2615ZWt1y&Ny98z8z#?=SQB-APg90@n^5e?NX0QMdA^c%tPDNYax#uF;;BQgCY?bSgC8~y=AKmQ%?GcFV%@Dj1s?=IW>IW+41+XpjVA?DrH_Z<{Se;W4a;};pl4j=^iz8M4w1sf&;D^BwVIsEwU<qQh?FfG>W?H7g8tme?KCjB1$`XxBz@d^-N1QQqV3*Y!C{pa)!AO;877w{VF1oE8vw+#3Y*Z<sy0NPdH89J}kOBx8|2HOhvN)FW_HW>#3_dyK@MfU&D=eY0L=Mfjf_Z`gk161Kc2_W+knDY$rs0Ih#`5!?D4*>`T>G|@-=jawH?Dp>|<MAZF9Kk8HG6z5PC*=eY`^3&7560`N<`WsU{rvDVJjnN3HU9)a>*(CO9+~0F_O}oC<Au^7{{$K3#49=A^*{N>TPOc0Fd^1nCISxD;@Qps_zLwP3AsGJCm-YN4o5M}Rmu+!2nZv|1qcqJ<w$D~<}?~Q(;MT+Ei@I=HNdC}4Lb1|2<%DvC%gw7B-z0X>k;V;3k%cvKO+<q+1K)t{ubKt74{@v6GQMIK^*WC7~Jzd5X}97{}TT62OJmkRTw+~_zerL)HT=$MA#!R@&Xhd81^j13eyS;7SSa2$Vm6o)bGtgUFhQNSl2lQ2n!ALfy>sCx+FFR<d`!W*76kqN)^;B{Js(v|H}i_C+^zofx0{G2<Rd15EBF9(Lx{?An5Gc>JSO=BQ^i)I!GqnTJsP(=JYu?8}0)ayAj+jL-YNqEcYVO=T`ATSThRn`W^E3;OgA~%@71I`WC?WKn2+p$=viRDhUky>ZbekAoT%C=-e0j`wJw&4Z!pO_5=Isi|!Pk!oUs%$HTtP_aQSuyHO|TwD<Y^^Dxi;Md{Z!xy9G=3gR(OzxCb$SSQ;9_vsWQ^E4wY8z}PkGau|YIu`o{{p&^u9oqxn@z(Am2Gb7}4&nt0Lm(!_ArtW+E(P06%)kof4AcM>@c}gH<?!h6!$x58@BR|(3Go~D5z*w^ExQ}j(elL&1r7+}?*=!e8eHn^7X=FR-UJ%-AqDUXB^4qC?$Yl8=-u)q1NP*@<`D)DG}mnZ<QnVV2@mg70|G7p=vL?IED<O9+x8CdDD&nNJ**x{*8$}C2G0@oCA!&I4B-AQyAmL`BpAo<@6HSR78gMkLDM7DH^e33$N@n%9Ypr+$LR;?)x#7N@XT7*3<Ci29`D8R9|zJ%{uufC=A!ll<^A)+^4`-XIyCqUIrt$D;PU7m59|5I7|spz6!z{D)ixCo_W;-B>7C=`D+f6u-4gWV3j71(t0wj)Eez=2`|@=0F32Jg83!-qMEfo>y3yU*9~u4N04fIj8K46fBlp^k2>tl>>l&oT=G7xA3y=uv5-B$L8J-R(0XPCL>gYP8lIYl>F3tc{*aqSW_}F9aKg$vp>Eaj!L+|hSw7=;A`3@TTzUBo09rg?;8^-;$*$mt%z3d$3-o_`=Ho>;332O}M>obA)2^X_*;|v*}7EtRA3hwst)bKI&*w*_IMh6sC;XLB+VeQ!b%iSFs3nwfb8t%L1)6@U*D)a{R1rG?|^V3Ee69dE%oG|eX72gv71oIiZ9sAY>@$)C{`i$?@^6U;0|1sqq93BJ-`UnB=0c6lF7}Vw(6)zv;BOwVJ9ylU0`sV&jIO1R70|ybSA^q1x6*lhl{0RX9LD~wUDgO)-%n=A09TfL0)A!*p&FuTW+|1n1+z}5H)FUkE1|=ODDDM8|8vO74M-vA#Ar{}zPZA*L+XpXj6b0?{{qo`{0W=E6)dD3K{4o1DTpA2IDhcl$0Q&XjD!%RO1t04kB4*hl^ZFhC?c6(-Hx=6L+}G#x+~pAT7yJ$k4A>PHE$9MEzwlxs`K|-#)86L$3j!G*?(pJ7eEv7#2CLdU<1_0UCHEEhB+~5w!w{?%H1qTN))B`fF1hn3%Gm7`1=8UjNwQMo8Rf$g<MihB=cxGeO!Bwm3?{!U4rdGW(BSp|_746%3-a9gCG8*_`^Yi|5h%?r*-{?s_t&k#-w*-@K<?P$XchDM=<E;M>*4+lvFqeR5zp-B*YWet=IIa?8urn%F$pU-3;p@a_$UZb^&a~{1~?c9ukrl|Mds!N2{!>72)`c+9Y7=>(eoka2?0X)I~Xs?^$Q5-DGK)8+4T+THU#z!4f*CD6dn`TDB=*+&F1Uk2}s=tGsGAoUK1?&9`4wM9p%8Q;`uq)_QVtN5BugRp}`nPEMETG7f>V#=JNx%`rQG@{viHF>_qw&-SsEc4CcsF7CrIv;}Sd-2oM+>xY5ku8|(x!3j$lk48|oX)F1p8=(+vT<QFyU2m!Dq<<Sn!^fMXu6%Y&J0wDLz4>bVm6BGL6>M7|MGIroH$+Y<p1_<Q{1=~%}<P%rp^JM(#1IzBj@DMW&XWRw#^wZf95Fhmexx?h$e>U&o2pRAiA`0;dE;0@M;^qSV06f%b?ZD;0=L9we<N*Kx5*7_F;qwIXCMVMh=q==^HpTrI>iqE82>c2c95X-uJ@MD^8O{j&5aB{R6zCLx65Rjn;ojH3;q=?(2qFcb?fVzy13}XN4m0x}`TOJp_uB61&H)zO2pID=^C%F|EcWs?2^9L(Awc=|AHDnE@f-Tf11%9HzUC+B>;NJ66AuOq<qX@t6#)3~M<fI%{qGX^F7yuG3Hag9Wzha2KMEKc2@)Ve{~#0ZJtQ#;5$PS}>Rks00{%_|^AFe|7yS?k@geUO7&Gny?&$0xAwek|8~^MG`W`9^8T>5lB)t;p#S`)s1Qt*b_!A5J4haqM`{e=LFZ0a&2m`1vwm#9)IQHd1>P95`>xdTn{K5?K4D$gD=TQ9DDE#JaQ28~lIn*r-sLk~U3M8EtAPM670xmW$xf)Co4hLocNTU7d8P@@<YV7Yx$1wsD0}?voEF#PoE3?r1H-R`1`rg<78a)2jC+Iit>tgl=4#egP2mKiE*(eka)58B2{qflV1myPoBJ%6jGbc95Q3Vp*^tU$M9uFS&_DlWy^7#KGDNP00=qd~S84K_O@FE&j=?^E=#!R~h1_txM=QG;Py)U{F(+mj=`4|t@@AeY}+&1Xu{2~e_2=6Tbo+aba{Z;$6!Tt0n^E~e<R2cLABp>Dy@h>?1{^JB59ti;hFc?O%2MZIz-vSFPG$RKrGU*W<C=wXoF2Nb>1NYcBJO!r(D9I!R!4DDm6zTH-@HVD07W5qn2{QxlM8)eS68$bB^vM|>_4)|iJN6Cb-r&9A74G){Ap>1MJoEJwH5}a!=mQrB-SqMy>J7^46Xx^F_uvuV^s5y87xE*~%lQn^3l`kc3FQ49=)3pTIPT)0j12AE0s#EI+R*aw>Z2vH_%+xTxa0TX0>}y;<>c2S4A2SC1`2J-4hMnK3F066*$)aW902em`5F@*-Pq;h^27Y{PO1{~ND>8s^*2V+lFR-GzUK?9M<?VB=(51h0Z#lcA>ASY9VWf57E1vkA`J=h8}8%#6Bi1^;R47Y?7-3LAO0l=)fM9cRu%aK)&n{+=fm6>4-z5_5z6Q!y4c1MKjj+m84SNC6>sVW+s6<*)a>07`4j-?3Jx0sCHE@B4Ll?vIPXp&<tz0BL-;5CEkxkbsQV284iL-=*E$Nxtt9d?q5?1^?)Cun1tGXz`7IaP9uz7SCg=$D`xxK>!5k%9#~`^P`L-|L07w-O%>U~v0bNKO@nQt{?DYEpF5B`W8UE+-7BJf99r*$K1KjmE0?G3m-V+GJ{}?Q-!w~&X3iCVT2UqvgIN`P-P$%r=D>}-`&M5of3I7rrD_#5{>jNFm_AT-D=ZPo#DG2-T^8gd+`sOq(;2*>tBQWb5)I7@a&Q0h3-1+~);~MGgrw{ZK+4UgWH_QRX606bw8}AGtFD2>zNdgfAHu)Pu6bvU7?$8(CI{LB};5!EnGYa29;}ldvAiNX)83)rC5b`QX?Gf?lGaDW#BCGB|`pVwk$x7zV^4Php`6vYiC3Y6|A`>Pf@!?A~>GnVI9`PW;=?c#vJNwfdJ~96R<NWys*4GZe6WavW{u~V;{QnZO+$sPK9~ZnPMf(6w<qG%q46`ow90wS={`JEC2nNd>)7<^|+7R9y6AtC>$Lt_m1ls8#GOq04BnsjC_%7tA1=$?_>f}4|{;&%?>iNd;Bkbh;?)5DA*|g|cBoQvSx#2V_=nxb5Kl=9SKH?3>86yHM6DU2!*VPQj;Q;*k?Xedv1+CQN3*qR*;|T=i6%H;A5e%{$Cf^4X^1B}r0Kv%F_WUai=*<ZN?E(JsAqMR4_to?t5h3C7<MjpT5BpFh`yvbjJu4e92H_6%@FNWp{nF~r6)RTz(H8gPB{KlzLl6w{?=aNx+#>TG1}*;|79$<<sQnD|&jCv;2u%0<Fz_p}8|pAcI6Cjq0nYB>0}e(<9n}H!5H*ttAqyklF#t3sM=UK7A14(9()Hl+2kRB{DFfpHyBQeRyW%R^&&H$j{plROyChG+85a+YI1%d^FbenqO!p8g66DIeFYyHL4I(WD+u#)8?(Xds8}Tj5_51kfD*Yl1DiI419|Ax*sq!8e*Z$VyJKzL1*X;lN?6fc)-4gHrN9gnF56;lp?Df~=4%8kcRT}2w*CZYb^~x^F*;@_c@A~xxH`X2>U?wpBMg}PP_zng67YRKJCc7W-;x#J?`XIjlEg2!xEdSc}3_0@<^FNs<>su-x9P<PKx<vZ?=PTmh-Q^G(<)#Dd4lC{g_6#8n{WjSr=KLcz;S?7B4DdPa>f$xW?ZxK)`tkJO_uuUKBoajw3K;$63g-Ls49VU364lTp;PdV(4<ybV^1BS+A|C)1-}?X21|I?X+7%l6%>z~u`yb}#Dj6QX1P@3j;s8QH2Kn(D=ots7_z~{^;`0RR0=FQmmLCcc=ppUm(fk7x4Xx?eMELdc73#4F;Tkd<^%OBA8tW4hH6jf4#xxA<3-<~V>DBw;{`v%oFZKSv<K^`VIzJW^S0oM^7wPc5Hw8lp8r=8u6Y>TE2kH*q^tv|-{}0B=0sjZr>eTKLwI>JG;r|i^1-AGI3p57{6!iBj3FjCc2LB(#P)GEvAsYYL_8LC7)lAGG<^mkZ0^AGh!xRGx)D$cpJ`Uu#5&{Iq9`6G6!vhTW!_*-O1N{jV9osA5&K3Fyy8A67#61qr`0*9`2s{_?SqDlE<@U=!A|^NPxTOI1$<5OF_Zlt|?&u=v6&eHvf%_K<-rxfH_B#CGyCDnS*4E?q)yn-3GxRLg<UYvx2oKrs68{)G9vT?~{n+Gx0x!cW2sFz8FyHSN4%Y<|(DE55{O8FV;tb)(1N|{C3MZ!c2E`fy+yn>@?d|pc%JBR4_w(HW!y4!R*{uBf^54X~>i_oVD9>vF6bT$76!|p8CKVwg)cpGHRsH4t`qVu99|PmjG8HN*$LuQI8??FA?*<0m1hg13D)PV<tLq8aUrN#!<qn)c9^CDLv$VJj`^q5<Ck^fFYAQuzx*sSWCsfrR{_g4r^`req=KlQo+AAgR&M@8{sK6S-?=DdYBo+Tm3Crab@G6uZ?+pCn725jk`SI_{*Y24QD-Pfl1=`*W?&HD?5k~eA!x}Ex0ZQ`&MGzd&Eb9mv^8Yp6JsY?L+bRzVtOMuQBnSAI03FsAyGrg23DN$_{|74A>ihQA8T1<C>Pf!+G0_IcCjbO7`!xCs3MClS5!B@<DsI;!y$LAF4-D2GFyPMb(dh-b-BR!i1q~bE6D!?OGXoXc2=VyKEDsCy`}r6ED8=;v-wNRD!VMVTBLfZh<`n4{=<ntC(keOh=K2oE{^J%F3=PyX{1@)G*A5H_@f;CVvm`L*w-5LP`2HCP?(r5B&_~`64;2n04e{6d&?ONF&{q5~0^a0C(-j6OOwtPv_ZsO3`qvZzJQBq<`r!HiRWjn=_dNF9QWNCk1?L>W3<M|*0vQb+;06E_{y+Hm+4nQPEyW6K%H;kI!PyY>2m>h!x%&9*%mw=c1^7Hp1|$s?HySI<#w-!}C$9$|8uZ>L3+4v%4h`oA<q{lF+t1hv64K5PQtu4+{}kRm_6+4~;6W@0;2%Ka{t4+a^z%9!DdGC-$^$4(<QMt`1?2k%*9q?c5GfTO%n`PXG(fEoJs|$$(**MfH6aJr3jOc+<>C4J*B<`k_{;6_>lFRr?MeCz2p|jv5)tL!BGd5dFa-+N9PtXu+yS&COn?6A;Vb_XB`FvX;l>o^02a%u<`m=Z1J%SD^!_BdB>wuj!4^L02O1s;d=wM}DhUh|`{DNF_4z0x4f@3c*(c1;;u9%S9nSaKI{_Ci_vjJ;9-s9o-v0h33*!Ob4e=ZO^aLaZ%kC5K+t(Z_^AqD46A<DB*2T##<_p|aHUAjZ1>fex1`#<cCi(CRBMChA%op9c947q~q6Oc~#0tqW-wx`qsvY4VD=gbDJ01!LCf)VZ+ZE6JBgpl^(8B(_$-Du~84RES%J<D5`YU4fFy{*S0`0=$s>sis8QmHiO~?Ww9RkS*{rLmq=iN!!2=n6K-NXnhCK2o&?#KJ_8LJ)v)EoZyCie3#5&7sM{Ljej2W%<B7YUUhD*pl45FGT}AI<O_GMwM3(Dp~-@yi1-D$Ne~ObkWS4VcI~{@3p=<OH<901OJ=;l=s=1poK})zY>S=l9woD%U9ZD8>FKD&?o`&gJ<S?culE5Ge`(;_cq{`76x?8~^1H755Yc{ZJ3~Ne1){3+^-fD=!TW=Fz<j66LWQ(dg|b{Q^Ox;Q&;>tpNt^0SE}5TEX%z`{XJT)+zMV&l(o#6!!I=!6*p(@$E0~_q1dt|N0Zn2;l<-_SF9XED!bJ3@5?6Aq>{&CK&k~S;r`#HBJk~+5z+ACL#X%-JdVguKLCc4Ex32bo&3?GTa#E<Qwk<V+aKNMG6QYPx{gS><}U4Jthg%<@kR@;_3V(?>HUsyE7Li+#2^F*KhUg3PR~r$j~O=&J72<4<Fnq2L%r;A}|B~<vm9a4;u&)0$}tKFY3@v_#_kfO%E32y~hSY1<)}c1M2Y2_Y@Wz`7zf!85|`D^7-l)3AyVI4Ef~W3-%22B^dxF;wt1DsL>9f%o`|gBO?tD-yi7g<t7Os5a1I2rsNpZ{rB}H{vzih)AUR26Yc}i5((+|2qO6O-&alU<^%WlCfge1_Ce7F80IhRM*0)$Gvfd10wxU_!37it*be~rC=^Tx+^ir#5H}I!G#~ir8WHpE)cXGy^)CwV(&SPRD>+>H+~vm3>I)&n_b(M4_Y(#I5i<zo3If3Z<oNOm6YDbJM8?Aexh=crQY#S0`18{79NM}6+u*A*AN4LM(f3E+6#F3;-vJ5ZBKiE{EfO0D0T>t<``ZiwSh`mlE8`~M@DeunMF{0AJ?Zwmwd|z^+|~X4{3cG`v;^tt3Y;Gy->(bU)4J>Q3+MeP?&JXQC%e2oG{XkC^3w|^7#hXYx)uJ(0s0OZ-PGkkBERqb+#~TLE(9_8^eG~k&LI278QJYa=sOov5a$RK{3GK2CJqAMGWqrj7|+$-$Kcd02p0~~+57bO>GTQI-MRwx8UKOX65Gb*IMfCI-VXxm+Y{{|BQF{w?D@PM1LPJN`vw3i;nmOJAI0>v=p>QH`4PwS$us38JtqM)8WoQ37X=2=4E*Tv-LU}!^T{yT8Sd`au<W{5_|-tj*~UKA56iqP=|cAl{|`Uv+bxqK`$H+&7y!`M<PQVrHPi;r$hr(R{SWB^BP_`6GT0!~8wlYy@)pLN6&VXKy6*bo57X1};KJo({PXq>0^{@YG_s=FDmo+yTLSFM5aj~bClUS;Eb-h1=IRjlI2985GZzrU{KEzI3egh!1R)Is2Ju?)?BA)r3gSs3CHW1un-lB>!W|~s4j=O9@XizOARGYJ=q(`};nXt%^UEJB>>O4h;_M$T%jYyP-RnCx7%2zw0t5R#4=Dl|+#T%6+2{Gs2muKT<uUpm0)O_)-2C0sIquY0|LgG)>gy3H<<tZx2=A=?@#*~;J`yqi_`K}e81M<@@AL}V0`#oq{@4-z%-aDVAPCV8z7g^5^a<SoFXH<UD%}kb)A$=0?L7=C6ge0W;2h}6LB|Zz4C@pP9@+)>DI?PX#UT~g!u$#MLNz_o)8GLixbrsx8OQwD4BRXIIQ;(M`O5n71=lX<@?!1*@%a5F2NC6@1NOi&tS8uD`X4Ce)?7{D0oU{L^a397(GJeJ3g`Fp>Jk(D^$zdVSP<RU`qcmb2Dn2g8x`*W3-t{HzUsOGFd-TX=jjLn8Sx$P7b67K?zS)mMnMoa+T{lL6*9sf4=)Q2{H-DI3n|?(+6pi61^^jBAsrCm1E~fF>KygoI}s7#3OStn`TQKo@<kQ!&0zb+59}HU&Z+<e{1W60=j#60!QrAMw*UIs*fve+9;ImpGyD*_@$$Sx*E1BV7`)*q{6XpW<usz+1tA*t?g<0dC@Rjd)EznV0YVWS5E#Qt=F8URzxE062j$-h>pS@J-Sf}q5EcRp^(!at?ehWoPy7BM>Fx2`@fzd>F%S##`b#4ABl^4G8Sebd(}nQu{|*4*05d&6(7hZIGa~K_)*$pC<OJU7oBQ_W;2;t$4*T&4_!Ky%F!sjsDFWCE`0E%emn#GK-WK=P9|jG;2)+j%D5>xC%tE`eJ?c#L*CQPj|M<zl5B}Q{8bkm}<jBwd+z9n`5CQq}>@)BP??n9;tfSX4>(w0f2KxaO77iBn^W9L(9R~uhSoQ@L76s7b?DYEa?h+vx`v>^OBm4pE9RCEz?i(T*?;BFz{RRZw000d_3lkzO3Ep4x-}5Uz%nIJ{=gI#A-3Iel2`n_=4*d%dCAj#m4fHwXCk^pNRN?&_><(l1?6B_vD+v|%1_~4$=-lc34&)K~1_ur7VDJ6~9tjQ`?(pAP3IXE}@&pyQ673n`6b<{;+$H+`{@(UL4jR$`0SN>t`u)lGEGzx-FD(GU>k238BRoLrkO4fY&gW^?xEd=Hz46O9>^A@5;se9~`RoPu67(L?_42Yh5Hl#2?cWdJBnwXH{Maq`6Fuwx=qv5%D1SG+{^KASQ|2uX(XlWG3#TIb@CK|86ga_~94;m|wwLPK%HwbWJdHlf5FPmFNAMc~0J`!j?-+l|L?N*^4vaeZ(g64#)cpZ4AlXqM-ZcpMGx*%GDg&P*@dNNU39%aa{Rj76SuNGD{tfX2t0}<P#y?{I{R3Lx7}D7E_Eo%p4LmJRU+Wq#BP0WXxVt?X$S?-nz847Mf9ne=MeJ86Dbx14$M?4a_XYPZv?%BM|NrwI5#Z($6B`3m=kPr5G5_lj2eZ%j_!{=l6w0I4xAXBK3@0K!@ay-`5EmCTTnNeY+5Z33%@iXF5C|#wEamOl_z4CF=j+<~EB^2y>Cf>L6ZYQM9Tzv%`yUp&6A8yFH81pH=h77I=GcGM4>9Ka&Gzi{v;qL|_xsxG-n{@BU7`fF_UO*=8Qv%4@dw)s?H$ze7e(`ME*20l?=Bn3?%wkN>D1-I0~q)9KMn%*APX)hCyfFf0S_$w_xk$`JOeh~_2D^x+zHlyBfJSA(d`NiB=7(G@!{(ZFu?ma-yuBp(dH33x$NfA)Y8cb_B!+)BmFTSzZY}Y>=qr>TM-@n$C2IzIkw2~$O6>@w6MYc#Qg>*Cq2`D2^S#{0Rk-c8x$1t4;MKt^WW1BdK(B6A`$H`#G$DTP1_O5Ir<3O3<cZ;`rq{o0XGQ}0{87DLjeLb;2riS>ihdU6dl3*EZgurBH{Yn8~H%ZAMG#r<>(sS?^e_GAot<72<7nh7Z5NX-|$jj+rszZ)duVJB;Dvv=rK0!?dI(H?Eob#>J8)(9@;kL7RcCA?eWBc1_2}A3;QDDSP=IN5EBac@ZTU03;5~9%>?V=A^P$H)YdQl?KHv7ED|R1{X6mL;XE%LP7mYp4G#eH-R~D4%qaVq7scujI@k7r98nGa5(4!E?EloiAsbBo<^t^lybJt34CKZ9L@Npa0SFKe3<w-iAqoN~#1j4r+z<OY_~+yl)&ma=8}SOUCDR4l5CqH@{QD%|2nGo$?Cm=c2x}M_B**sj7zPCo2;uNJr}7K&{sYS={uANq6deN10R1IeN&eg3^a={^0}u5#MfMoD9KYHAx7p7@4-^5oME2DD6bTs)HXZTl7suonJlaU1FEA|=_5ly>@)PFyB1P=61o-YEISAwo`UmPW3-l)f!RHnK?eYH+Gg=$NFxtxYAomU>#PReXKKVBf6ww&u$`Kdq48h_s$maXD5TgnM4nrUA7+fOd_t_udB`ekF;Jh^xM*0sj=Q$o7?EVq%E;RqcA`=}rL(}ZHxfJCX%Fhrh8^Q4WO5^glN$b!NIp`GL_Xq|e*g`?}*X9Ns^!O4YAm;BY?f(}h4ZqOgJ@DVM68!xO0|(@@Eh+jQ=g`C}2kROk<^R_g3l8`K-|@~5-Uadw^r-du1LhG7-{B3>Gvxyo3=s$pF69~A;s@$2^yC2q>)S020~6#VR1Wt6=MU>S<n#aq3jrqgEgCcZ83zC*-{Rm1^Az|Y1PKcd8|($*`6LR}3G@@y`Wz3@2<;W;yZIUm2nG@q0y6dH_4WI;+aDt#G57rl+Wg@3?$z}S(hCA1>&pPt>fZCrsK@0G0SV{a_Z8Fq?;;NHF#rPMN%!6H``8oU0NW4q2K?f;Gc_9>G7bj^zdr3&+U+dB;@CMZ=jQSx=jN)x1JmNUJgx~d)+!?`?(X;=<NzKJF8xyo0onWO_Ac(%3f(6p>>>Fa<?_J=*!$rUy5j&^A>|74_b?9D?>{N-I~FUS3E<`e9s2VL2FC=&0}BcS5)u42A{iMH<N>ME=<e1n!N%Ir@B9E6oE=}z{1Wx|`NpW{K>^~(GVBQ=_SpF>|2IMaKom?AK@m^491QXb_%{vy!^6HH)B8Xr9_ZQA^v10ED&`N|JsK(7DLn?=_wfxYqqNK<>#WleChWowAQxc)A?4@%G7%UD=fVT#<ony{^zHHD_y^`G?>-*%8S(B13HL1?>>=n0Wd#uO``Yg6@J99fJ|0#&<E;nSIn*)=6a)OZ>g)Y5_216r{onI8>G}yj`t$|-Hu2my1m)cf%=9calob3K()0@W9q#_m=FcL*`2he1C*Sz$1~vWx0Ye%C`7atl@C^{$=H&_j2<>C>1s+xK5*}MWFZMI%0vHSP0B-sC!yNz>?(z6%3q}{)OdIap6A$Cf=+YPquK5Na>+<CMI{n}Q+3gGC?IG~Y5APe>GbHvN_{s;YGP49WHAVFFA@m2k|1tUF7E0+S1{*OQ>I}^C7z#q<_7NYm_4Voqyz=n%DA)A*7Uc0Z8}1b(DE0^P?;{Xz9sx_@FwyY?$j0~j5+308K@9Wj^x^#9Fed{O1_|pS`U?9BIp-h?ulNAN;r96J8U_K=`7Yx07x>T6CjQ&RVaE&G@Ehv;6R!ccD>@wo8T`-s?(*I;2VvAy`1q&_t?ub28r>Wr|0ntd0OJWEDI^>Y7%CBQ?+i2!=<?+&+w2cP@Gb-m3jqk?3L?y|4Yv8lmLLSM0sScv7zn-w)j9kS><szzN;?nw|B>-F^Z^3*H3<(AFX`Io2EGb5unhGn)D2G^0M#<w?<)nl-wXWX=`F<l1|JpX^cL)^@4bQW5(n}P3+fal1Q0<4=DHZ^3M$qy11<RL>+k*F@j(i|5koH@9}xf>*gD%2`S9r~Fz+MQ$0rf%^4B*F+axmBH|GoI_#x|H3G@8^;~Wwk^WD(Q`~(OBJrEPzG$>x<I`IGi^wk`+X7JC!0l(7i^xsMb$JYAc6Phvr%oGOa69W_l7s(ay9s~;V0ty!q02A3JNI3)G{sP4h*y8R9!somOBsmA{1I-fo89ezk`rHT%>_5>PwCNJf;f@5{3;pu>y8gl4;6O4Z{Nd8iA{y5(Ez!vjGzbUb>i`Y=(h3Cy3_k46`Z5aNvgH0H*6P0F=mSFR;S}xjwq^kl=@|R@0^uMK3MA;;BxVQ$7!<w~_Tc#Ty!IU81_ivqCgBJFA_K<W$`AhA4+tCoE9<}v2JY(p;oJin*%JcK^&20(GWZh}3>e(e=m_ie_%9XmGU)wE%iZcJsTZyc75Y!wBhmXsEdSr`@5&7j?*=ap{Wa3i9@-c|20_g2vE~TcBLK?U*z*qj@!$N~3>81|1{2sH;Pw^m*hUJ^^C}_!6d)1<>IWAR^7gz42Gi>7&*?LoydY&fQ5O08;{_~#@YNjZ`R35m^vlrWyd*&bz8~!K3=AR?-Vaaz0t^fd%lgUb_^TBi`2REa80I1+1}*4dGwc>GCl~k785i#i`28H<CG+<O=L}{$6x{P9=mRC}BI7p01l`6%1oi$5$kh}7+3FrD47~snCi)c*1=79P`Q8^52Jzm{6dO1R`Q<jyEBp%iDGU)KJs(Td^9wBL+U`ER7bE56pd9$n0^}+F0tqAwD=oe21;g$^76mKV4!s517zP*yEB*rQA@Vga0wdlq>h1b10VVwB0?zT;2nIbb`6%|%BP1#RyxQbI_Y4>SAl(`4-ykyU((dax+Q<~=Hy#4J&^Z72=_UUP(d7UG86!mo<Q5t)LLYbY;S>rATl^>+(*g_w<;MyD`r0Ww{TcQq`Q{h%9i9`>`0e}N!Sngt919Qn&FK8{3i#&V1@Y|X7~c5w0SxCa==A9`TMQ5w6e<wn;s*=%+ao_62nFZw`W9PB*%$WmNzMN05f3l|&l?H=)&~+2=JhG!IlTc2yAm1wH`D|O{`*Sj3C|$b_<;*5A_o=!`R&;`{SVa@12Pr>?->(L0Gll5{{{Uu^xzxF^d|@P{Pxr`@b=dJ8zcHr{1zQG^!2|L1uf!F$MhZ^8Y=}R=>60B<sSg+1jkPpEi2<B*#*To?*_dVArJqa${Q%w9uV@)2|G9+@H8vfD9|hB8{s|i2m1fV5+Nql@8Sd)xiawM-1kH45C7FAI!pj4`4v7Y>p|lmH~j(>3=0lJ;O71#6(8~k3hmGH5#itb>Fo;&(GJs28W0ETGv?e@_44u5>(<up-w0Xx#_Uoj8%YKK`6ekc{Zwi22-Vg4=i>~zxdS`)B{%{$AVOYKz53MyJOD&T0^sfs+R_^x%{Id*2n*%_7Z^j(H6;l!`YIO)3-|;s)5+o?=;ZSS*VZZJBlR2?IwRK~^EL7nIUyk|1P1}q2Mz2&^oHdu?I-*T3OG3V?fVfS4fxzWH4x+M+3x@O`4L4O2`v8W(IzAS#MSd0@Z7}&G(hM$HrVFn_t7RC68|IrEC2infBCxp6ATjmAqmpW0|OQnDJB9f0wEKy1Kh<b917wJErJ3W0~;^S0I&+xz)}L}qU!3*<VF_$_VZF20`v;#;SJjJ^-cKk{}i?r$RzgrH5U@W7Tz!pKRG534Hcy2>I>Nt<jV{E0LCNq7xgkWFaO%A3+)jL0oWMp==JR6CGrs+3ezvNB<uPt^%eaV;>-N6$Rq*>;tuTz#vKd80MHBp!Wj0$7UA>{9_AkMBJvw1-1s3z;N=(bzSq3%0q#B3EY|A%0s}tuC??MEGS0RE*!&>r2?`|y0{!6I;1U`?6zC4q_7LhVG#UHp(_`G@3={7C5Ai?zMGw~UGxziW;4Jj<=*8FE2Jrpl1QRRB@-5BjKGydN0tNXI1{uGdHX#T$Jq7;|{qqDX;~LTMALHos`XVXm{Wv%L*w*sf85Qj~3=<9b?-Llx()QKF_Z1KQKI%3GG9NA}EEc`<vG(ys1qQ_6>DUe->F(_1^%5)yKOYUvAsD{zzAE^#^Yz@<Hbd78-{L$PH9Fms3K`0xJRUPEP}lD+<^SZ}2N!$t(I?O$`WxlsC#nJLM<PX32J|N41J_8#0ZaB%`V$8?{r=?qR!1rV)a?i<#Oov;`SuG73+DU$3G5&y3iKBP*6<?h`vVR9*fIpR0q_AD*uD@iyw36qA_nsf6(03J1Jd-|5-sV${m%6HOab&i+!-{_(w-X`?f&-m@Y(wC`0N=r_Otc>%=qdA4&(&|+Xw6XybJ5T$=w(d6`s`<*!er#4$k2^(eNAS@5S;Z+x-P5^y~ui4(r|`4&NdGCja*y@c#t&4b0#506QNUxcS&2+awJe`v*e>)eiyJ)dV5q+`imE0TLVzFZ%!e?HexD#p>+(<_8u0<T|6yy7|W6@jvkwMd?=nHvI6}^!Cmq2QmWg((Ah{-x>h_`R6Y4L;m^{2L>?Z^*1>kunFcA;}iE3=oiw|?o0f$^42yQHMI8r0@wiM=coDN7B}?Z``h{n324^;#PsC5^7I|X8+O|K$-xNA3DxXfo&k5XrUx^r9XKJz@lXF3v(^DJG72QVHwzI00u~6+|L>va;?w5B`SSe|!`=M-4A};-P0-z6Di#wW2L$P+txGP<@+l4z103`ofg2eQ^&<2W`S$w=wy4}o-PRkk4;uIwBPta5KM4WR7BnOts{3>eyaWS(eU%^Vt=7mKXh1Ij;O7hQED#DNC+zSh>sTBiLIn!d>kI<x+4d9U))gSYCJ+4i=OYK<Eg<|E?$G7v7Y7>8&GY3HEC=JkAl^&u1LoKR3G~`O?EMf32+aY_E;V4CY9<BX<s%in_yiIt*X`&O0p{fi&L$Gt72zXIQ}gY}_&4<T{RZ{Y^E&d<DCgqA9S5@r<^2WU6EHp=-BAJd6<PZ}{4?u@6*|r)2KxIR`ZfIt;Nsr${OmyE776svCLBcc3MLxx(G%V?(j)69+wv>s4-*B-^a)QPxA@){{tqSo{q0KI;<?<gFYp*Z*Ua7y07a+*xeXu2^A7;)z$*Ro)E)c=zeg47?SB~~3_uj{4iqo^IPL@s+65)Z7Yx|==;cZSCJ+T0={y7~{2~|zsMif9?gIDW`S=F-{1X`x@%QfYoiGd60}<2<3jqEa>d*Qw2pQoTBMj~a3E=ep3T5H%>Qh`8C;$5n9K_(~G3g%)*eJ(8LHyR?>cl7a@D(~G73T)%-UkQ<^6>l=+fxU_DeNvU@Z16+!~Xn5*5A$i{4fIR%^wsfw)X`D+5RHp`^vZM=RW`8;^oBzz4`m%{w(t>`55o|*~=CV`w;y22L;XL{UPT<<lOr94G0E*C;^Dy3#j-XAaw2Y{uKJ#*%JuTAqOC3E6eE+9RV#L;}$wQ*8WBA^<o|0<5>ju4j1Cu+|)4&9@Oazt>P>r@kzy2)ZOIU?+EY+_(KW-E6Mpa06ShU9;z12LGI5!4-r!xIOqh$GTr@c=J@;}^BFY_wlw$>GWXj%*evA8&*UEUG&sjY2IuG#@k%E00TTZj{vtj8kOATk*fsYH%`vnH9qaNV0U+`D;o&X{<t+KhCf+vsIFlaa91LFoHau2cw(%YxP825;=k@d7^Z6V0FZk+Xb-RWEs|&m9N7?kp?AJPF0PFPM^(q-3CO_@t3g|c-bnf;1B{#PM^Bx%5Jtr;t65|IP-2)T!0x`+>)%*D61l#fI1_vSIb2K~fHM|_a98>C3%+nV|1Vk_{KK0`D?dAam@%#Tx+5Qv+3KJ#(_|*Fg4!{XR;QtcW`_}{_1|#kE|F;w#-ZBL2`RfWg+V<WJEa*ch+xi+0NbCth1pY$|`tJ1z^7o!i@(&ma4g9I(^)LeMC-%(b?(hon@An_r`n&xgA6Dq=6!Op5>*_`P^tR{m2^IC+93K!UI~n&B8W`3j?d`?^Irjq~0}t!&>DyH4^W5XLHuU_k5a}GRA@M5kBo{yX^4l>5Av}`|^zP8|E^oc|F(VH!*XS7x?glQ_Eio9}Hq83g^!?%j`t%mXDFXfR-wFRM{Nfkm2hHXc;v?V*;<?PyCH3DL?ei^j6yh%*e--`Y$S4W)P2#xw{{ahA_Qeej^+fh4?Az=YFzO6B4=v)_<SW(w5`iM_LLp$!sPW|K1p(ai!s6}U=IaPB3+)N=Nyh)I{Xy#v1r`788}7sUCkhWY+s`^0AqQy{*&_Z(;Z)f?`r$6yPx{y+`2R8E4>cqU@4PYrB<v3k{_m={9E<n)lg{*=*rnyl<Gu&j3)arnH6;Wp0?WkwIpygMVHKIj5HNxCtTf_*f5xxcRq78KOYeVU%iT=tIp2cLqq)6{#@7)ljpeW?Q`mnd`VN;4y!w<Iwy%Bd`uWi5*}UQj;M)l43MvTx(d-PFz}o`(5&#Y%IUw;6%VQ$)Hni>98ZsOtsN5d6F5}DuX!r&>0P#;u<kk2P^$R--%g{8~{VO&O4f*vk9hOWZ{XX3x;_DGK48JA}%TFgs`z+ugO9E9JE$7M04*Lw9JOU`Q^O@=g^yu-$?EyOa?WGd~-XAL8|HB6`7VX*WzUB4C#_<#K+ZMy!1L1Gq7__t=5>@agIrb6C;~+CJ^70-t{u3qDCH(2wQ{xg7^=RKDO>M&wLks2(#w5}H73VMEI`j|H4L80G-sMNe?*|?^0{RTdF#ZNS>+(1wzSk@!*ZRfN9Tv0781@jF88Gn+K}ZwrC+`d5$aA18&E@0!Ef5nV85IHa+}!xoDn|6;3;;so{q^-^D&!mU^w}r?@B#(u(@VHD{Q4*%j~gv3|G_K>{00X}$DTVI3E(2iCnBTQGBU#Y1uz;|0$;t%9SX-EE9N*-81$<W{0AfURP-$gF(C^V;0!7jN<i`!#`P~_5D*3|{RSA!Cgm0?13VG;CME0$=iL=T$PyM3BIoEGAMWhQ!~qZn2eZoA9_)$5_~iJ>Q6t_e1o9xwIWXh!N&DmlEF026TFP<#C@vELLpk*kVd6p?97NGN@H{##>k;x8>-YZM6E6?TH$=e){rVmUfg1)Q{Yx<B1t<LFMiTZJ@zfz3+iVkL2s`(}3Qfn^`veTd>kAJW)7b7`Ptc?>_98SP5$!+*82S$*7!k?dmHi3k8#@9l{^-CH(er-Yq4h4oBM}1h@*w~9^`<`a7x*GJ3HKTU2L{*GBBBSW3Jl{B4%zV%@9YlI;UX@-NBQ9^8b(n%5+mF(y#wGk)8X_EH6{%jR1W?9?CZkr4DVwn&wtzS4Y%+yyK6)i`8G@^^(N&+AodUo_6YVI-quSZf!|aw`YRpmDWNeP2#7X1&QTi7^$)R|^YGjx92x5JLlglv>o>&yHURIl20hbL|I_uqNY@$*0P)%=%vTN)%j`Dg=QR7-<01U~fz%A(^7rM@-Rd#bEV>u)z7pp67_|f4=otK|>jE1GI=wpN`u6<}+waR5Hr?ab=oJ3A%Hj$f_1`AB`TPUe{09m}`Mmto7|8ZjNc$oO9V+~qIsDyIJGUU$4gS~N=NkMP6zcfy<SQQ$CfKnJBB%Vw1Mss2=PU<01Ru*o6%7~W1<M@rspR7T1s)vi-~8z*&;k7~{1){R3Hz}Y8Y%S%v#SBp6A$#()I8Q5_8`U5>e0^<)e8L-#|OR}3H>V<`?w$W%k}axLgo+#8|UmH|4ArnG8HiL)+PD}5eF3k2s%<a$K>$l(()t$2p$Rx?h))N7Gm}!6zB2*>frd|!pa=gJ_-K8G{-{o39~2X6a?}nDnBh2zTP(@4a^t@1`Rm`H76ns#^)>Gzwg4w(!jG77v4z>KlJwd5Ap2&8m%Cz6B`E)K}-Q11`8BF9tWGQ?fMh@)Z_-^>D2Qs8mQn665jJf(clFA2l)W@0Pg<#1N{X5{S6EH{Py|y2KfN`{`vg$`v3|2015OG`~Cs@0t@{2{ssN;^7;Jz2KWgL{sIRV3Gf2~6bBXd2?PY`{|EjM0RamF{rm?9`u+q7{`vj;1p3AXA32{51385zt+;y>AG-Bu4>|$op15v4d^sq(47vgtA~{SdgE>+`y1A6RIyvdyC%OE6m${J1F}VS)wYlasak*qK9yt5zY&bKl`Z;9ULAg|Y54q@jB)Q!bNV(JiC%HThjyYz)o;gF9Y`N}45V-(qTe<OWqBd!{tGOq*Ubzh<fH`LW{yEKU*SIL8sW}>7yt)3g?>J_fR5|?onYmaeKsk_&WjUlGGPzsG-MO&x+O{xczd82eOu2iwGPx@O(l`i=MY$<I0yzl?NIE!x?zz4~2|2WU8M!$JBRT!d201z8b~&mchq<F3x;H3LWjfDTfjFT2h&iyYf;nwv1~<1&)j6UENV!QBfVrinP&r|Ofw`2OGC5F{2f5_gBRQ5Me7OjVNx8zD<~HPBpg8+aaJeiD$T@M)i#SY+`MAFpJh{?;Z8;_{#<+h&MYzFC)47T$RJU7hoVlUTAGo3#wYllp$vNC?v^wMUG&wk`<+-9UXgOf*g1E-R(YUg>i8y!_i8%A~3%QYZfH-`if;qmI%{Kr+KR7mVA31Fn6**&(emMM9LN|2eSvL)9Y&Z{}?Kt_d3AtF~uDE_ul(@s+R5?7FNx1SjEI4Bqj<=4V8@O%7@453ELAm6pKe@z-4!E)AZ8!rSD>=R3insy5GC5Njwz%3~204e#5xDw)n>aJPskcBo6}c>;Ww_9L_P1lx#W*?&Nw|x55V*RA&N#Vtc)8iqF}IxmU%3|C_&7{xdbn&f2sydE0XGt_1-Z)Kg}AJQnzrMIN;vvO0=X%U#JMiaeL2_Gg}3exE4dTOlsSs=1-TSRDLEHeA32Uu#keah1UdC>*0|>SI=PfD^*FZ+A2}>KtT^H&=C*E%vADWDAvgsVQ#meJ-8ORrmAScN54A@!I5>5Lx;c&N>o<C41G$}w7C9jDT{wTo^f}%6^0;PCRk;OLm^p2;2{{6OC_1i)201J_6S><5#5t#97rDxmeYhf~DLF6Yd_QVVnmwxFr#(e0>OJ?Gm_B7k2tN@tzc}l1Ou3ALN4Y4Pb+{eWTRH?ma=6VaL^;&pc{mvv@;J`8Avgg*J-P^llsTG?_c+gCPPyaXk~a-8WIAI8-nkwBNjXw@B{>Bt5IW$;6}exIusPG@Mmg+s!MTHOX1Ywla5qF20y^<C)Ht5es<=l#VL3OU;JA8NOS-3~<v9hy0y-oVbvVO&FS!VowmDS_8M(+U13I2X%ei?k*tzIBWH?Pfa5<kt1UiStD7vmEIyzZ~B{_dUQ#yPHWxAkM$T@kst~mxpOu4{N**ZBd1G+p4T{)kvJ-UmI8oJiM#kcKpCb}H18oJh+CA#T`GdX>lGP%i?&Nv)3PPrNU4LM-8V!5xyy*VHCt2n6A+c`O^8oGmp#W<US2e-1Vvbi9zt~mY-<+%%;AG%;{dOEX*2f9?^8#+j9d^pGv20F>bHn^~t_PNP51UaJMX1M85(Kvv+X*gQq>o`2zDLMdd-no3?x;IezNIO^1uQ`N0);RMrVLIPfqr8c7`8_g-a=Bzt1-KK{|GA)R@Hu7c)w$}VwmIby209a(7rK!0<v3;*p*c;Sz`D?kB01987`X*yy*b1f&^bc-mbur<P`VX761ie2+PRwxk~xzvvA9Ytg}QjMR=L9oBf8`jS-KScw7EBdD!7KMSvsxtJh~U)-8r}eCAh2!u{m%V`MHD=*SF9*e7NX|yE!voh&W(9B)CgpF*<YET{sh&)42{jHM)|7Bsu|)!?}1)*t)$&Ejk?Wb-9UEGB`w~i8vg`$T_<gn7X=mj5)qoGCG<hB)X4GK)Fw-xw-6>hq~&0136TFF*zkaFuCowO*srhgt^NQ0Xp2>j=4!Z={I>kn7J$ED>-`#OSzwkJvpnOB|72N<+u3_NIC}|Bf0d+3OdXw@;N^JJvzPi7CKhgskxAKuQ<EH#yP&MWjP4SSGkkLthvpXP&%4kgt<m41iA+VbGl0{J316J(YT=aD>?yyAG$S2uQzEF$T}$6L^%gc3OT}9?l_2BG`%VANIvMu!MJDs4LXC;p1D-{(77fnG`Bx^C^wD=lR4}Vm%2fVEjfU9XF5uhEV?ZHEjiuuj<}K3u({Ruoj8qm?779KS-L979=S_^jX5@q2D#H-z_|cVa=26VusQB&t+`~kb~&8XDz_q`3p#{*Q@G+&3OMN`ow*@o^SNCrySm0_4>{T*AUWlVjyjalV>v_HZ#rD`3%U=EKRMh$i#d1+U%EUWy*W3e3p%Brq__qysJVdI@43U@#5j2R7dq-fK)Qp3dbrZMw7FPAS2-*nPdP*;4mszQpSNmD%ea_@lR0{D={N_+I=Gd3#JLY+?m6P=p*q1t3b}4bSvl__^f+-@%DEV|KRQk|JUOd&ez{KfmN;~&A-aF8a5?=SQ@N!YBsqcxvAN6|F1a|QdN>y<!8a+`0lLr(sJY(3ayNGB&pDxQ<F~tHPdPedd^(jtk2#4CFuH0ReK~$q`MFejFuJ`b7rJ{3!MS*&6uWx688;LoAiCz0rn!yoB|Bf@T)ye$<hi(m4LYb@F1h`k<2kxs2|G9=T)B61jyd)Vn7Jqoy17J_i8q}8D!MLeb~&p9dO3JYfjP>Wvbl6;H@R>T7rNKoTsnB>nmIzqzdD)$AG*>?E;^W($vFm6^|?S(Te>BSwK*jdExDr1lDZFdZn}fDq`9Mf3A%uYEV^S(pST#v0XiLeBDy^`eYr19H#(t%cDk4u$+zCY0l8;uaJdi`dpRCyt2Zsq?zt5ysW~`aAUfK8UpmVDMLD6&4Z4++dpZj3QM#UC3p(9rKRd-DSUJ0#Fu9WZ0lGL+KRS`Ur#Z(}%ewXSTDcQigSxne=DOc7BRUpre>!IXx4CP}tvGmN967smXgKG@xVax-g*yF(-MQen5IQhs?zuDtI68{R%s4B1**T|qgSYyPA-d;gzPX+xTRCSP4LU`=7`l{OG`b@xPr6BHs=9)84LMS}4>*f<#keH&5V~6Yn7H7?7rN{|7`c8NTRVJXdOAj}yE*H1ojTR#&Ad8T(LM",  # noqa: E501
}
"""By number of seats, the weights as `python -m benchmarks.training.boss` writes them."""


@lru_cache
def net_of(seats):
    """Return the net for a number of seats."""
    return Net(seats, TEXTS[seats])
