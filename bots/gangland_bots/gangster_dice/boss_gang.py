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
    2: "FaZAb5d-w_{`3F`wI2)-?I9K?7ZM#C#Q6W^$^jtPO-2X=;`<II`{*+8?E(h>()|+d7A+VG^TQSZ*#PtO?}Zc~1r@6Y;`$OYvJc_w1P;#F@EFtn5&<*n2j%M=`V0R96$|<D1q9mK^up`+BmO591n=g}9W~bgRO|ok`SKtE9_;H9_y+AO2;c|zC-daj3i=5U3>^Uo0P+O+``Qid;@;`}>N3s;81WnV(-!QnDDpG`Bf#Ji`Uw~M74f?@>+{tN!JiTA2>u1>66VtKLn;2@9zH1gBNF-*ECd9sL<b)M9?<Fv=r|k-H09FL+WYemCnGlY8Cw(#$r0n-<ptZf)HVz3_YnMP7{&1u#oQ$cJg)jD2pA;n2qYN#9S$TH#@*E3F7N{@)%FGo``!O93k}d15jh0&5<e_H)9C^mH7(*U#0&Tn_Tw4KCmYxW4fM|T4d3(&;vVB6)$Q#oE-wHO^VC++3K=I64GhHRO8yw`B@6B$u<H}}9RASl0l?1S>h9Gp-}vhhAKe|iD#q^N7aQC4@%Q@d+1S_gsu&o~`PuUS=iA%k$^Z=A4i5_?1sdQ4AP?}|3gYha*eNIsrtJPS*#rF#_4D2e@vJTN66+=ADHR+s1`N{F7yemC4(IRXBn{ulGAg*>pArol{_z|M7lAj->P-m`C%G9v2<ubs|60aGx(@?K;0J$C2R$_h`0`)N(og;Z=qxVW#q;1D<LMqX=Pkf1L5)KL2}4%`HD>nh^VakK-Xje+5$+=nBNXS_10DDhI`0Pf6ByO&GAa-J2MZ<Y{{0gV*4Eqp-W4kQAnE582pin=;_>hS?DsJJ_zn0Z=Fs!qJO}<2>jwT6-xU<<*zV=d3i}5l=kg678uIVr5%%!<_4fS;=J65v5Goqa7$plA0}Jl+>ht*bRq_Y&_Zad9)PV#K9|#sN3hOi<?XN81B|Z`M5W~dqzY`59Ao~mcxcKA)?-e4-%>*Is0Sht&Gw|=^{R!_LzcoYS4CpN(G5QP}_wwQ49pW&zs@x3x-zBmG(F6|lQS$}{BE>x~2}cJA<?G$#-}Uzn{0Ap07Y`wp7u`4@-U9it+zt+$0|EM3=H<(@fi*A*SHu<*=t~p=O(qfp2_yLl3IiI`^bidR2MNm+4ej>;70U7A7X%a+_XpoB|1$469VhTK@bw_?`T$q;Kk4ez%o5oA^Sui*$OFvw(hc@10L{&43fC3oSsNHm02JH&$xP9+-8qvr{RBqE>;Eh!f$-`F489got4sb14gmff{lnxBF8knt9M=m^@e3UFomj*18kMCXy~`H%761G>3<%l<=BgJG@*Cz7IRp|ZN!0o@EePDX(i0mk5)9b@e=8Ed4Gt*<i}E510|^5S^xNbz|M?f)56J%o8WiF^?H=|cK>_X$0skNe0vsR*QswIz4<8c%&JWw_`8Egq0MZZ>@h}zc0<#u6As{2M_xl+2=jAUN<oN&W9U{62CF>kH>;CBV?Fg0+7Y6^{1Of^6{2~7&Ck7MU-`4K-9SZ8m5Dyj@?-TjJ1R(zl;QbRM0>~EWARO)O9L)M18!I9dFdNDG0))D{(-|zl+ZGS^;06X)2-O<v+2kGsn%evZ3Ir+NJ@eK6z}(^q_x3u<0v0B~5IC>K1QW!8_7DIA>KDdZ4A>OMA^ZRAKkOH~7y%C988cyF^VP%N4g?`w;3CJ&n>p{GwA0=O>KpyG7cN6d>&4Rr57k-bLEKGHE$m{nN--?|?D`DoDJ3r(EieAQ`sC&(|NQj<${^tj9q0Wc<@@``1_9*nCHfT(TTdtb7(xyF1P=%$=>ZZ66&(TK1_BNw72yNuCK?G07Y6qc`3@T40t6iJ4L2J90_^tb{QVOc?)fJZ@fZaP>?QL6{|*BP2p$>y?b!w48|&c9`5Pnc8s`}t_6O(b_8vO@1{w|w3hn6J>ICom0S`D59Ss5-0tr3&&h8U7ApHZ|7dsO82rAzmPwDOx`8x{oR6pe(_*eA>?H4K&;w%Bv3-Pz@GA!%c<q01P2>28Y5$@_5`4!0X6#pa}E9>hIzv(aY5BvS<=qv~U1?t2O>AANs=@8Tf^zs591j4}?pavN39reKi_#YG*CgK4cxaj=xBkmOa4hRbj7ZdmV%?TS7&HeTfF)s$W1pLM#?)Cc91pW%~ye`}B0O}d>-5~NJ=GE@KEZzy>-xvD-55w-`>iZC=ED#&v7WxlG_}34{_{bUT3fKqT1?c(u9t!pc&J6(`AL$qB78(jU-w+ED)wi7v^c2+v2H>zG;GhHUJ>=c}{T%;2Ci55B5+3;d4et!f03S*f3fdRy%Ki880@yb#D%}y?;^hP)2?Y`^_4VlTDI*Lg@b4=S3j+EH_Qntx5b_-t=?4M~`0+39`VZ;o92Fnz`sWJl{37%k&m8Lx00jl$_5k1t-0AES>kIZC;qv+D0p=<3?$`nz8Z03I4*)^}&J!Nt6Y%vv*Vh~yGPVB!12+TwL@pB-5-ctx`6C4t9tPpO0nFz=`t}ev2OH`b6a@wS&>`~m!1ng)@IMbGEzju_y87SzBkBkmA<#hW{tN!|{MQNe*w6LN@a6NkA^g_|=_M2WE$o}^_U;k+{1-9xD?8N*3GUnu?=kQKA_WHJ4$A)N=K0ms()%Is2kQnZ&-xUq2+17@!{aRtBn$=uKKctP>=ot;{U04E3kv=50|?mT^Y<h9^!V@p+Xo2W|LFD?2@~?>2iFVT8KzCx0~*&N&>9r=8Ibel7v=`{3gZ3&_5~E-4fPE4$P^p>0{sWu`Ty_d^x+2l888O+3J>!o(bWe7_wDus0wVai73k`=2j}vH9m*N%*aYV8zxe0D`Qp{;^wj$CDCIHY5HJS`3i1cg-WeVb_BQ_R?-Bp#;tL4*+WglL4!O_(FzNjT3hFTf_$%xH;~oX@C=uf@`s?-f5ZD3u`2XS}C=w3~69^h34;2Cn<L=!O!5tj*=?C!%;@~6a-q=M5^dkNZ7y|oLB|&LCfruv5-s{uJG9N&@GA0nX3^2*#^49mL^Fywzit|`L&ocj@!Tk~b7!mt{3e@%G9NU3a_5U&$>bVo&yzyBIGy?=0UjZK)Jj)0o5cEUrG7%2>+13RD0Uh`8?F9nd90=$k5BT&T_67Gh2PpmZ58(v==@8&00t+w@>JIbu2Ui0881d~q><Z-jC<O8$0S*%4F2d~b67>=a+UE)s3-$o}*AC?TV<sH~3I;7N4%0Lc>KO|671-Jh4gCiC@X_=4#Sjkp6b%$13Lpv~5EvEu4e>7CDjECk7vm@D1@tHa0Uq-T3-bU83gFZt<Fp6O)+x|878(}a<|4%i9R>5-FVpt<w-1~M%^m#p@1@oH74Zt>2Hx-HDALR6G#&{c2N(to>i7yfILbNljx)P2Hy8udpB3o@yi$$+5ar<n`K&gY1~)Y&7vjUoC@&9S2UYMU57^r!{`pfd4mI876(s*>{RcuC?IO0iA~ewjQ^*q*Ch8>wAtos^?FsZ04@&+M!8_gH=NLc;1_cN9J0A=Xz9>Qj6#gFYcL5#fD;MZW^4b7E7BVt1F$&|h;V#hP_24Z0;@}AK!tcZ@;OF!aR}J;(72iA*sTFbkEcyPy|NrwB@*fEI<nj;s3hpiPGaLlH90wK=;PMy|4Ab-eEZw)^0?Aej0P+P7_#XlD==KQ_<ns{O>fHzz^eV&^{rv_i%;3xBHU8Pj&_U$K^A*n;5CE_G8zYqm<I7D65CaJG!mzmD`)mw<BB@RJG64ilCC;%C8v$1N>H;1D+wCk0>m}6m6C#feB<C9fe=a@R(E+>}8uuL}3l|&lBLL|zf6+Mg-bVAt^?ZLny!SU8{x*|6EAiF@&n^`U6ZjSy2ge5l3K;zhC-DvW7X{8;-sTzc0Sn?Q2;C|d@$CBdYW>~}9PiNs4eZ_x-u)33>>EY}=k*Wo|JWxd1Ly$>;v>`r4B+8A0rLR(?-wKV%KaM`CI==T@$Ui<`_u;+{=f<s(&Gg4`uptKI4T$d>gOBr1ODAG%MJMbCFOzc;qX4)2lzY<<qjnSDI*Bc>K_&(0T~I-%lz%tCMELV2qW_qz5n4976mI7%On;8<P6>G+UVv1%Qor?4BiJTB;(^B*ETBx`o-=ru`<Z)@#FFLC=>St|0y5~uNF`c2p-=2?8(*s-sJq!BI)8M+5-FU9?unF3O~pv3l6<TQ_n6aEIbAJ2n|9k7u@P65B0(5A}j3t0kQ4?|J4Ws^5`V&^+fXn)8(!D0qhJ88v6Pi`upeN9{}?;{T((43H~7S`V%GK`VXoZ((L}?m`Y+S30eHb*#ai?)uhV3fg1Ys`2VV1+pgUeKRfXGUE5kv&(<>S9uewQ`5E`E84w&4C`9iO4LCm%te+RO5Jm6!1=Xwc8Nm|IPXpov7J)ucG*B$~93uYq^!)JuBEdHY2eSPM@4g!g(SZd1{y``FE$kB=Ht75{7xoJVL*L;!ISVTf^g{0D=LG-~@F)Eb=?n+z9p4c6?hp4U!3_HXF6`tD2<HAq2MYE40u}KO0|?vn<rD_p1pM;|BOxLI?D6^M==Hev6DA!e_z(mCBJdgpFXAX8*#jQq+#2Ek{_OPo^!w|$>GkjRB>~m}2LBEh3KZ`F4<_>wG4jVH;uRP2&@2h|*Y@4lG(yX@5b(?R&Da6$D)s{R%D=%02HfKV-!wS*0~_!N5aJ*45hWSx;0`1L(D)4p%M*|cH~!`f#Q_q_CK*iS>)w~O9R&68>?ei*tQq)1D}gxL?kv+n88_}6`^y~*D-*p2A}zxICFUo`Bjqm|!1e}#A`RLpy->X>G4<mY{qiP1E;@lVG&T5&_@>$;0x6^iFtO?KLf;hgIY<lg6W$={_$Kv07!_zb4Hf%1ZVnF)AsR>-Fbz)%1=k=XG1Cq9GT{USW*G1U4*d`9>lF+M3;_c+1?lYb8UFq26eADP1_12c3Iq)6@cZ`v3;^i%1N$HQ=M~)c`O*9V74Yl-<_Z%M5BL{A4ixki{mc>TBn!|4{P_dy(F_$37786D8ZYeu|KbJj7y%dr4d_WP7c28G1L6?n`l#d>=LtLz7UB8yG3)av{T%!oAnDvKBoF}kQW5kP8cE#%3E~*)AtBcS68ACm``i0O<lEo$?Dg>W#~1DnHT)G04I2|N1s}u>`~VOk2K5j61que+%=QG=-}wXw0vP!04hRMi<^~k#<`@wr5c2u}4Hyv_$Kxyi>=D-W9~K=O`sDl`4!HN@6)6$n67SFp^&s@q`|SSt@c;JV;UV%10Vo3Y4;>N<5Bv?@5$poQ4fg>3;l>FI+9l5H84wC61;@bz@CWzv2Jj^J==Z6s{2d{?2GsuZ+YB80DH1B)_Al}2o;C#g%?<$)CJf8<JAI(=FWe3f+UV=@8tz)@)D$}q@xcJ@2lg8d`rrrgCFlL_?eOgcI^ZPl9uNf_S<e3D5Dcf^@7FOI7%Nv7L;nOT_Urlt_!HRa^yvWc?Fseo;~WJ96zCA<1=;TXApi^VAtn6w(HI^F3=|>k><J$8?i}^-$@(4Q1~L`v{`fc@8y49!{Nhsc=hF!I1P5UI3Ha;V75oD;4k<7Y3jhfvEDh)VGV}8g=PU{6<mL4H=kX5!AocG5^4R^+4<POV`|T7LvJ?l|@&(f57}ib~?Bw(P7zq;b@&5ef3F773{kRJd=L7Zm3Fr|$5!U<;<SPXS2=XP@1L_9>1pFT29@Y%+6Z!Sk5b`Aa6YRSC-|Z6?@$mUF79s5JD%~XN2q4?a_RcLO{0kESAuI3A5!mtn67mel6Bz{S4$#@v`|l_X1orVT1{(}C3E0&(9S!*Wwm1?-CEnKm*-OF^1oF1*<Nxx%6%pm>@aNbI3MA|7(fY^l3m)DJ6eR-pH6Zf*79#=j=<M+kp&7#10?QQr$lDC`6eJ28`|b7W@%{@U3LfG%^(^faNckxR@c|I)2^tv#`Ske>;~=>FA^Fq>@$&*F2wwau0}TfO*yIfQ2n^#8?fLuyGDry3#~UZX{xb$03K8cC-7p>gA>t(c*abAW6&w5X2`>=>7xftT*&y=^+v4}{G1A=R5%L)h5bg%#Atk~F*!Juf_S^jQ^2Gt)+#~j#@!Y`PIyku+C$`=?+`6+<#I^uo)w@Xy-x~2f1*qUaGeW$z6tDF*8u1YT01E*`6%a2>5il~}=gWZx2M-a=96W*Y`t}jvr85@rAr`f;{ul%z<TSnv^Y;e<@8=H&87tia;3xJj>jTp7=l2vl5C0wbAOaBj+#3!u5GVx?66W{;^$Yp?{rL>+5$y64@E!W?4E5#g3+oC!`5yu1)%5Nc$ol#WDi{w4D*MC}>meEg8tdf?7aI@l2`bwR>+LHl5$FHy<NV|B+x!zY+cX~K+4}VjDI)AA-vajR5e(<c6ZX>w2-q1S>HPLZ@)z<4AL#`~@Y@w44;#<+Q4<92(gZ&p2TdL;Iw39p1M;uwE*01a5-CD|76SF)uf9j^^&$yU)?(Gt56Te!;{Meo622l*e~t~(2=eM8*!X|*;2t#>3h(vt^8gJ0=uZO|820iL=K})#_5$Y;{P6D@(IfBC;qLJnJqy+j;PE%{An^tC+2jcl6WGW7_1g^w1sDF`6~Y846Y3$d3>(_t{rT(!>lYpvBm(>+2IB|l`33VBX*K;a{2>Mc<0bME`t{$&*b@CpzwGSM2?qP+;_emLG0^hfl_b2~><KOTBl!ON$vh`3`Wip*Lh94V`|}Jl;ae36@V62q_Wu462sR!eG95D`800E63N{PRAuuo!c_#D+CIJiB0_aRJ-S#I76(&mS{vsE95!o?1GxHwj-ufLpAuvo7JLdWO`9a(ox*YEu>Kh#u7cku1?&J?IC_wrz+7IF#3ON@GA|n(Y_(uXj9t+CyF7)09{MZ))3kLB4_z&$E2ig4x1@-?S`0^hB0{}h06gS)K?eQY%{pT+8{^(Kw@B;rRF(WDaDjESBE8@=$=RLg+0{i+v5z-7mDEj&SRU;MV`0@Z56$1$eBm@f#;pOKN`O*Fb<IWQ=AqDyF{QL>-^7#qnA}rqQ0~H4}!vzT8;TY2S)K2dd0TZDO0WAO86yPTc*!J4u^W@0@BpgQ;^E~E8^Y$(X<^MnxlD*qRC<tfb13ukT2KO_~Bm4s7{rL73F8cWe5f$wL0rnN^<n{st5bWpV`xgM$-TVjc2hY<Q3KjVkCl~Su+SUg48SwA<-17Sa66XQ&_zDCV665OT1Pdey-~1Em@Bk4W_7Ugs6#NH0=OGvU8UE$y)%Mr(`04A$3h)3P{umPQ5bpH~`6dGJ0uT8VIs_g57zqC&?hy*<7V-ZD`2Oed8txAh=;G|+2Oban&=3skzybLTAl@GFD--!5^AEum%-jhQ!#MO5(+c+e<@5#>Fag*R+a)VuJHzn-7Ryl%9JC54#s%@(%?JLb8uSz_{pSPY+w#<WlH)DZHtzW83kmocAN=?b^g9wM4J!&NIWpMaoCPcN={4EjR}=8T1wITtbl)#k3An2nnpPFC+G`F7K@bZq?L7Gr2Ng5HH~`=#s8|ad?e!l6>`ex@7j%aI2^41Y4fO2{1;`%zfAt66X@4>mI{pCd622VV5A66UD+@N)_Ub7O&+ZB|;RzQh-q8c$6&2eJRIt+E4i?w~(f=j=5-Io=?k)iF`WEZ=4dCz=0uR~z1{U%1=MC`k6Y}>n4F;t69pcgl8u1PTB;M>q5di|+BH`Zj<?i_6)*TcjulozpI6M&r@g4};4-FCj;PN05_y_#q8V)%6EF>}^_znpP`V$847!?KsCOP&F=;90o_5=V9%=QrV5Y!X?Ao|4i`u7zT`s(%(6bTCx5B}u;^!*6d9{l{-2JG?+0sIj(8A<yH;1BEq);S>i3JK&F(=!eEAR+?{4iXRd=Kl}>4$;{ZBHaA*2G<k#@$eq@3Nh>X5&H@g7TeS6`2{WQB_Ia<A?_6Z$`ASK_4&3M@9P!3?brhN4+#Oo^BWAl5Ju_h*e?>nDmMxG>+1;U-{|@V@BtSXCk;aoGd;Zj&E@qA^9tw({OJG{3mf)A{RSQa^z-N*6e|5S;3@Rz0s=bLA_?*C_!}Q07(*rq-J0;u_Z#9MAW8=1fePtfOdmG!OexP9AKDoALG3~ZUDz4+HNX$j^d18!5>4sY6R7OZ=?)CprUWt=^X>gT6vY%*B=qMQ1}+!l2G0ufE7k-4+c+ERt;+-A-4xvF9S#N-2D$hP<NE~e=JGil5F^I`2=weG78M8r0Tm7t`s(}62K=!B^Z*M>6Yui~+!)>FHqi4F1Ft{)6$>*F1_crh0O|M(1i%g{1M}bL7d7WR`Whr1lj+;^5IO`m-{HOc68H{F91ZyO^ZM5f&H4L22p%5n7xNlFCo}xz@&x_;EXgGI4)ree5;F|z{yg&|Cgu?A3n%an{t6Hm<t+*E6Al2>N8<A!68Z(ZFc|3r?NJ#F<~twS^AsKZ@CppL>>vFNFUTt#_bB8EO6=v=oDbv7I|4({{Q}(#69f_d`}GC)00Z~)>>=*x==l{A^33lY_sj|j4f`wf1PKP@3H1sFwhQY679z<a%r5TrATHDe_wW__Ama(^$qOg%Al>^9^86_b&gtaV=QKeQ5Zl|r@ATFI-5C!K<=YKB_rmup@i8Ub<M-O~EcpQs@-p<Y6fP_m@c;K{3W_Bw4ivTnHvlp=FyJiy^Z4ub0{#R!FBv5pEIR`wA2j*g5cd>0;STEu93<<|cOcCR6+}7v?9Ep2=C~3q2`?n5C$fJCV%QrgD(X1^0}fFU;QIK~_0Agm^|{b5{Nl<5I_Uo}8sQo|*92DG@&W1i91bxXIoR0@-}~gz8wdXv2IKD??nnnT{wD7l$Li(j>lx|;^t{pc*xUUB`X>g|G%W-k3-uc1>LTI*+5PkSHO&L@=D+R{{PPm}3=0hQ`3oc+C@9nsDGu!z81mo(2ip)DG58$<1s&cF^*8V5yCn7%AF%Hu4jwP*Di8K8?iJre@7yhF4J9G+Ck^2=^4HZ06Cu$JDG2fU2Os?D=O6Cz_CML}*9fTO@kbN~`T@QvEZPX{a5wew^7Y&0RnratC*K_kFi7S=2Z7Au3F{5~&j%~^{QvImY1k+8*dy2*KMgqR3%~gFVDQMwPVpl4y2dXKCN1Rk8R-`j^b6)P?C}af`zXrf8qCrp{Sn?zF$ewrFbD_FECsRn^Y=Xy1?L(w;|UJ*3L@{y(D)w=2^Ad+&i3xE;}Hn$4*U4$4ao7^5d<FW^#ua=>i`?~%kmB>1oZ*-`#SI)5j70z7WEDa{u}!P&jHa7+5#gXFewhv0T(tD6d5z|D>X*=?fW4V14n@-(CzE$%>MWn8vi8e(+L#;Jo!-&?)uyl@bDTC>esv!8R<A3`U=$Q?F1AS9s?Xa{2RUW9uoTK6R+p)BlHhF(*x=a3IGTP1k6k?8!hPCG#D}x3f~?T&E^%{JpU3V^d%nb9VP_~<@xz!#_yu(Kn@ugKKH>X`s+pMBjXJ4?f&A(F05e#0|FuKASDSb*dzPy=p7LP-tQU)_XyD2C=w<j+4<NV9sfEwE8zV8?epm=82l3DKicQ^M+GM5@7bKl2U-8@4m$JQtr@Gm705M^)LO1f3)wk=@qyXT8vD$*A^i%v723Gv7BBGt6Xs#@1S#<ABp$^3>mCXQ4*dqR-vbRR(EKXP0PBzF&d12lEAjX70s!?0zzz5v6btV*9oOnW4G0AX@+<NC9SGMtGUphk91R^D{0A@^&Fb_Q)50<*?&J$F-vH<tm?;)F>7D)k8446r6V+7>gx1PG5vdQjtPa0VL=PkfB?o#T|1tqj+A&1w<>b8Z)G+64;lKe4_Z%x(@6=|-qvyqHDS;}^{=%ylFbz7}b5vM=1vEi_(KUZM>45?1%<b72lRWo3zD6#8(e;1x6DuMxTc;c5DlfnN2LaLs4q7J|?Ir|0feJ4KNW=;F^rfV***??zfiz!q;=}t(0OT-#eg+QtUk&~^-l!Gl6!|l`1m)`!FDen^23_+uB?wIP-Vz!H$$uaeCMy~aNF@x!`x5KuI597^Eb%eS!rTm>|FGNGSR)_?$P&)v@fG`G?STs!<GlNQ5!_rApAO`Af0P#GH!S5&{U=WxEG|<c<?k{{$n@Yl6wC`L3G(~{^!ok~9tHB$!t+iP0y(C+0qyna4)PP%8TjJ);v^%>Kfvwu(;w0l{`3kV;xObK6b0<>?93o4^g<8~<}09-3@8)=xE%e`8{|aK-PI-N1lAAG8^!_c^6U0g^R6D6ALO#!AlwJnzZ@1GBh|G1>cY}XAR=e;288A8JkHbY8}t9;$@|zK?&}f`@M;Y12UsI6=nE#a#P}N>Doe%F^6C};2|Y8T57+*Ixxql{A+GldDDn*i0}K5F`Um|20Q>z3{Q3S9_y7I?1rPrP`2qd~`veCB4FB-|{QL$06ZZoG1p<xE!@10S5<2~V=D8raz`5@Z`nq>(3A#~5r#Zple>vHOiaG9>)H!UVkGfpLiaK8uBRlKF$GIRbA-YtiFuGl#47#-#*tr?P96A6JtvP#R-#H<AnYn81Kf2P3x;c3ovbq!r@VQL##<@Dq9J*`0j=6(eQ933&pSs!e=ehD(HoDSkg1L6kt~r7j6FNYG@w#dS&bmiP{<&QjN4d;=5<1>zOFAr=u{kr{iaKi}FgkR>R=Pn98#$I~UOJOA+&3;A8#)*)WxC)%{5e-zm$(iVUphdPeLD9Sh_~N{(>aflTDc1+emW96$U5_zAUo3DDY)VWE;=ORBRHb1w7ITYl{w)LE;=HsWjffBfVoXpMmd~Of;o>Xp19EN5jw(txw)R?Qn;ItT{^or+quA)fH}w=<2V$8Teyb^(mC{^J-V!ZNV#Hwo;j?g+PH^xSUTvCr@5Gu5V{xBv$^d+CAxy#89Bj)#kus{kvZtKCb}jh^*Q<fE;r0whCTown7jbM#W?^Vi#-6qsXhRpAwK",  # noqa: E501
    3: "U<BMQ=NZ^S0_-ye0vzb}o%H+193ce@G2P!9|34%r6xtr%?8@cP+u{e~76Qx<P!<fi4>%7e5+dR#5)LI?7%%%76u1K_&g2sN3$EG`3nmcUMmZT4zz4Mv4+HuV?hy_3^7P~K70PA%-XgbKMhNTZL+1Ix0w3P-%n{tP7X!is5JdGq<0>WZ87Ujf?hQ9J14s=d8|d*8-tqNM-pIqiGeacJ=?dQB1s1#tAQ=}N6y5;hB@QzUBsS0K{kGrXE7(p31sBTc1mV5|@AumJuj9HK5kT`I^6Kjg0kq@r{L}t084&bE9{uJ1)BOe>wbtn#<o)9T0@NQi;}99>6(3LL%r*tbE6fVo62IOd9ls)275^rl1nCg;?dtaZLJvUq5Z15o&?2@uN$l}Itq%<ZC;qVc48t}N!j|j;!&~-1-2@3SKnPC?p(5%g00^$$_W1(XHO3*<{0-;d@h27C69Mcc9oaqz>+V4DHQM|H4>10;{sip~BpN;K7ZMA*84(T0HT~-a(8TxP=jhV+lKleO1vw8F=GqTO>5Wd>>BjUZ2^~i$DAx1>@b)c?^AYXtM+yqE8o<=y<NMP37RtlkGr|!8<svIX&h_8-=HdIq4JsM=D5zHgI{Wf24$Tn$>LTYX{m?w}G8rx1@kJZMBpepV`7!<w7__+M7SSClE9=NY7!mEZF9rSz3g`M6J`Lgw9VizqH16(hS1UgR|1<*a2QB~L4@Mg7#tau6><sV#ECw?i1r-G+7xk#+&hSdSGa&~G(jW`YLl;;%0Q~;^GYL250x<97`2Zu;<oe4iRP8La1`-h=92(~D4GI9bE-?1rE94F~DJ&y9*%BEO?IhpA&hiy56663hBsu&0C;|NGFxLFu9Pb~r;uPUE8yC$Sq}$CIj2Q6I<PXgOvIz~F>kbm=>r5~L_w73Z&-3*x$;;*o4i7ar_5S+DzDND*l`0Sb2ly}V)CBGZ_7>{cE6z3KO2It@{z35rXK@$?6xkTa>I^KP8vEz5x82hK`~1(#$?q4>0lpgk0|V?o8w>GHyB5h$R|hfF=Pd+h00qkA13x?L-^cz4(6;@#upKqc5eUJ>8L><1^Ys(q2?r4h>k8}-A@A?)`H#`Q;@$<-wFC-5@DlhEx&_SL7V7sMN6^vA{QWNw7UA|NSpm1b2O`V|8X^xC>EPlQ4n86O^7+&(<p<xv*`@VbA^_X;CE5lD^z+Hv;u;R#%+jhN+4bWV^&8y|O5qCP$O+XQ>*Zkz+t98p2ErHd*!c!j-runNxY#KaN(uaX@*Dsi9Gx&5?h^_!`U(ci_&)@X;SWJmE>GIm`@yE}6kh8CGbsDg=I}fh1J|7-p4Ic?^*;#p2K3rI@UWxw-6;D^K=3*!*TwMd>D~bXX&~+tEZhhEMFs@v4k7Iz;T;d#C5I`U<M!nj7U-e-{$}UdBf$L+VP4e0EG!WC?nvomN;udn=L_Hn3?bsbtrY1Z`W)*Biv9s9@JtdV`W+J+6x!qO20!i6ycP`n0wyEz;{Gb)9Q_8}^bHa}{;tr))!hQb4hHqw5-z~-{7fVBFcJba1P{_0AOZjG`!whQ;{iPI5#<%&=LQqy?&u8f6zL7@;^zz}1voAF2=nK*E-c~pA4d`gQ27A<67AqCzRuv|GbINd*y-^L=o$~W-rnu;3lC=k<N@Uu1o!+&^G3!E-wZt@{nqvh30iLO-95O_5jg|y<?##zK;;wHJk|N|9UIsnIi%#W=Cu*&^Fijw0}I~{9rp7O_kq9p^AGtr{nOO=1p)up*y_?qzaA7qxd>cg)acO=;isYk3kUV%^R?6u*Sg&q=M7R2B<8av<0v8c74;TN9uY(t_3P-*-Sh?F3I7eq4*4R}_Y2Mr3HZtH-|Pd%)yM?Q%ikIa&kRC4%>4eZ&)^dR@FnsXPDBn&<?l!-FwEH~0l`hG(BALY&&vx_^aB3?D+T}oD)*}F@67=(^_$)s1s%f(CJeg<5f~obKJVG@#S5@d%kB?A$k7MPwawKO8U{M<;p_??^yTUq!6vf#9_iFC873X``4Qwb2(swb4B{B*`~fG@5Yr+%^bp`8V*%at>)A>PzUv4g^ys`t#PI4M%(3-NP)6<U)(+&w{niM=?c!U#HQhP&9u7qsnDj@}IQV}8T<<d<8XLO(9Gv0n9U~*#9@Yf_)%8OE3Kt|F?i4BT9~|N!7y`=+8%YQfA~5tC=^Giepg~3P>^|5A`28Fz2L~7b_S?e<6wKNZ{s;yA_RsP4^6}&NHuv`7;Q{mT%?<MY((dFDFent`4=DEv^7P{W);S)==jROR+WQvr=pY>9!s+)D#oh864Fb~s>ju@l8R!iO5hD*uy#wy+;^Y#~E9nTpto+>K-&5y0ATEI|^x_5n_4xWp&GxbepzPm)_wpwb+G`Eq8bcD+&JHILw+jI){5v550;~?x%sIRS>vKlY*nvID4g?nw2n9pzKFK%*BDN~iOCcrjEeaeC6$B&7`~>Wb8xQCAAv5(Q-xL%jM)2<>8RNp$tLps)?;`m0KSlbd+zTl3wG|iv@5#3n4+|E^6fWOM8Ol^n`ynL0tdb2q=l4iB0|L<WbNfLt49x5BCMntv70~J+As^QLFgpITA}t>h-VOZB8Vmc&0`~>@6u&U`Ch`U-NeJp9>LecF=04!*<^aI|`WX`SO8e>;w7Y^U><#<36xa~<LgpaX_8+m{8WkiR1pN*0{}1@vJqY;X&j}IE66pUR8!+JsIN1*pDftENB>@Q>=j!R#`YZeg3I7ik;Wgwa85R4^KI`D>AO=+OHxSY6{SOi`@$>rL{Yt9o5T^qH@glt9=mjhy{`J!(09z6v@(L^}2^{MM(ylZGD(lDN6*&1F`{Lr<`M49_D%lGEBq|^Z_2%t25D3xk<lr_G85<$r4F&H4Isp739{cbfGWgc_B^ny>It=*PBq#d{Hag-l9U+kI1QxF`2I|Th=IQ!35jgD}3DyQ0qZIB+Imqn%8Q|Xx{(%zZ4Z-dv21p^U3gJ%n-sSHEBKO}#0>9|=)8Zrp70^+*=;Qns*u*dq+BXaB77nx@`~&7OF8HV>GAI}*{shJ3;Q!wg%^A?b0`?FKOBxXW8Ywe&73w`C2=zb;`8n?LC;cW5-^3~2?C@D80NwvR?YZj$So7#9_3I`XJOjbW2^Iy(*vZor_b@6a5jP7?{W#?WVIt%NR3z>!&KoK??&;_$-vk!%{N5QG6&X}5wD<5ZBlr3%6ZT30xy%vm+0@c0C(9Az4CL$F`QheL0_^@B`a9w2Al*he#?K7q8uV@n=iJrs{odoX7wxhz-V**mMicn(64MLW5hdau^S}i~^(fl%^XU`^9yjU0LEZKj7a<Vp-{~VgwFw~{4&fdv7u)^f((rOY0?zdu1rQX_5dZV<>*LNh`{*pE2KFHa073Nb&k_LYC`Azu64^&B0yhOt|JvyZKkU-v+cz9T+-2Qn3e^=0{L<f1;N27f@##3Yy|-oV$=dh}@Foeo)!bJA<K_a_8WYt&-470o3BA(uE(h`+BCXKv;1gpSxD%ceJ=#C#*7FKdkOJHrHsjVZO5Z{SN!=|T6u0&t*9q9v=oAg((<a9K0-M(NvIIaB%jeY=6w~?*u?+Od90)D<{tgQy8^r||5?JD{-WBB<5$g!>)y(Mi2BjB11^T)5Px*uq6XzW+zxVbd3P=AF0PO~U3f=_d+Wp$<88uB6E$JHg(&!HY^$+ScAjK^p@9i`W)?p3mGBnaHFFF?f<t$0|0~rPpJ|Er4@XOfIAmGw}EcwY3P`<rG^4Jc-D9*(MCENS@e>MOQOJ3Ri)cVf8V-?WyBE<O}P7&x7+8_`8>KEz#6b;nH7v(hs7Z(1@u?-~*|0Wz5FS`Bx7W~WG+Xp+l=<)W;A@d-j7SRCJQxf;LI3Eb+4+<sR!DmA=K}8!Y^484gj2s~J<tX+g=p*LuxbG7T5*WGo+0z&T02KokJ4NFrD)#U?I~@ztT@czA{pb+^`trf>_#~nO>MY4A5as*<<|6|b|J~*C&M3F}1U97s84uGSD+~wr`Wp+<>k9G~|LV=x-X8A4)fo}n*X9HPP5A!^%_Q0ysJ{i|;ph_R8}aJe0{aNs$oB6o_2b?$_5uk1<p3!b=z-P`1R>cF&q3V{%-k{#-2C$azfYa{57!<G=;5Eg^ZEA36o%pW#pK)q>ktwV{{8X}4YLpfB?J}^{Yc*X$+`f^_u(JS+z;{m)$-iK<njoUt@z!^tn>g8r2_#QMgighoGaoO=|18E5g{E@$F~}6lDhWE{`;!r`OFCS2F2X?465zz8V&XX0vY`V;{Yu7@$;PU6CUah0@4Q861_C_(y1%s%NzDOfdS((#L4FVp5?gDs{-ED+~5!u-}}%L!L24NjbOdvM<7ujH!TJO`o}lxxbw-g(%Kg3)zR!T%sfQEGxD(686oc?2p%6oA@AuV^5^Ep$0r6B{jSBW9_)X0=ts}6pAOqwqqgnk&A0UKUhEXt)7|6=)1BAu;@4CRzVf<JJqi;QApIU54e{hm;LqC35YIE|{I?7W&>sg58u!QdNb?py(%?TCC#pz)Lh&KKFcApQ4wU)r-0LCm<s#cD{}SjuP}Bza_VK^5*75Zc)`8p{>=)d}`+*h5;5O9@F$2Uj>%#InGO98G(I~UV?tvFC0ksN1nque!+w3KQ_8v?0^UCe(MzIwczw7uAT=yLo?CSjp4dgNT6%pA85*iok(h23}2}c0t(h30j-6Pu{HQ?(D7yC`^y5a8j`w!R%Arm-BG40g~^6NDQ2Rha{@Y3?yvs@YY_3|!P1oPAdNeA@#@5%Tb10We7|Ihgl9Sr9V9_r=-?<~dG*(Dmz(lR69HXryUA>1<rC>$fw8Tt|S9tR!YWfwij7yaSk5Hba)B{%8f{2eLq$mhYF6dUxSuomq+{UA=$_~-UE{Sg%*<y_*_)7j@0$l>@J&;Hu`=>`w@A08jm)Fkf-;Oh<Z<-Xvu$_^X#>-iBQ8V}U);V8^4;5ObY;vN`U?(7ja@;UG?`Q)<eA_Db`#sv`YB-#Ka7VClS_WAD$9_07_1-KVN5)lYF85;~O6U^w!=D!0H+x!sk$u{r{4+0e2!3nJ32l&|%4*?|J=DocP`UeyYrXlkx{u2oD8-f29<lEf;|Ln`NE4%6s-_zYWC=f5?KmN7OSOi4a8utkq4#gtz6bH!{5BIs&AoR2$01fQd^%3mzx&93q10WME{~P`O*@5!756&+KFCPIe>bVvG1o!#*QTW;;HOT@F1H?53)CC&{JPudN_AvM43=I`2C<d`R8r<#w5GL0V*Ciw9%?T*a(9sb00sI)=^8~{G{v&??CLitg%o+CJ4cZmA7Ukdc*ze{INa777-UIpc?D*r%4h!rZ{=@Jt>O1S(@bd&B69d}I`w-p&F5u@BKq2hr3mfOU=poY*1^)U%)8gsk2D1Mp8Qd)@9r^<a^V1sl!0<l<_5&IJ-V_=9=N1Uy3=kH>1Mmwj_W$cLEF1*x5fs!SNaa5P575o&9Kt2yEByr#BhV%%+x7_hFImG4_TVhU@doq&@R#)h4<+Q{>GeMX3g71k!|v`G3))cTtjX*I<E2V06b%0lDbf|V3mHZI67tnlAJXsXFUcH0;OFQLH}d!g0u}(@_5tiV1_cnj_Z;^n1nkZvHa6Dt(*qzOJ~<0R;`<}_t?IuPy6o>C{TBlZ8XG>w;okDx>jvrc^Y1A62M!bv0~JHh6$dNm6_3gq0ZJP<+YRNGCIR^g0?8W*TjKNe7%lDu<Hz3i??UGL0z4en@+;>5()Shj<O=k<9PQyH`TGYV*(Ns#1o{sK&+N0ht@jc&%@gR*<T@t?4fpLb?}GRZA?q9h0L%i~sqDq`&;;%oCMpQa570sO|1TL60|pMsO$-4B8dEDPBJqLfKo$7X2?_7M9uF1F5U2!l0qyGzy8{&Q4h{iHLw_{#Lf_}iFB=isA?n!{UMnY1S^>!%2NwzT%<wqJ1swz|HM>l)>x`=H^A{QLQCkh2Ow&o`5HHG525h|RTc7hkrSiZ++VJ7&A0y`3-logDh`Qw%@ZyV5n$}W*pwH?pseb<is0+3+!eQ6cmA8SJff|7#f!YS_0{Ve2<?m1m%S(axd@*2oAO+Ze)wB^7kw~e;Hk<jS#Fgv-$7JI2Ao>sHG&4R0?6NdnQIBC}_$}h}(r63r2K6*2BL_w<_W$PR&K378{qh*8<No*k`Rp{z9rXd^4#N~O`Y0I?1J()E8uIfp?Hv^e9|1EB0VBT){4Cew2Eq034jvLW8_xpr2^1zW)8YXH94s~o9vSuRS`GLA0~FW%EF0Py{{txk82cp*_0-lM1}F!}0q5uQ68!@DM8z5!xXuC=G8N|M0XPd5<Q~#6^1!nI645R05-<1`>?Q=@FZ&qT9PB3!8G-B72ldSp-SYz72O-oa*WnHJ{vMd#*!|eg9Pt4(Aqe&D|J3lx{174I&eS3v-Y6NL@D%nU6XV_&$sP$?|Mdbh0n!QR3Kr5?5E?QUH<S{_3I09;0saK)@dz6c?4;Y*02i(c=N<y{?H3W$1qB%qt^Ee`;sop98uKvk+4TAN$q)?u01Oy11q1#C^aI@W3={du{>upXF+B$jJP8x?`|sBIBtih`?*9Q9u>&g*3HIax5ikbW=<ECX;~bj|@w^NODp={36A}3e6Xzb`?+*yz<QFXx3FD`u|1$O62mtlbD(oQlB>=zV-Sp-O<<;uL7S^-$)f(&o4C>$x0S~(b;qtEx=g#io7{)do4G7B`_uUE&zVtHV4mB7)|J||k{mb%B<N!bp9UTtkq3b3-@a7i_&lmwd%_ABB*C6^M3fla<)D0W?D+}-Y^uE}h4%YbV)H&1q_wO$45ehIH$?*RZ02c5#=LGKrAkM5<%pD^A8QB!%AqWK?yvO12{1Oi=_WbxK)BoTU?jctW)85@a-yHS^{ruMI#3c{sVHN)R^wRPt-}Djw4gL867^ws52E`fm3GYGkDfZFo$-dS6Aom&*<t^eBA0dq~BKaEZ1{2qUMjss)0R{#0AMiXN0T|&U=QHOt>MFhdB_iY>9TgY`3GFHSF5}_vCI;33g`Nu*?E@zF`PlkA`Ul?{?L6%7_S{#mE!EB9BuwP#{p2ME{|DXn4?GUSLNM7E^(&zj?&i%O0Y?J!z|tWX0puq0T?DfB4k6F<3GdQH^!Zi_+BfOaDdqS(-{$5G{Phz03;-<D`{4HY5B3lg_xkAX1nS==2Qc9zB<KC<^V^9r<Ph^28U_NwPv`X8Cty)YTGQUM5IjiL7TpgS(+Lg9;`bB*3*DXVJ<0U;JJtL0_W~v9(hmy6?D-N>@(b%Q=nMc50S4#pAov3M=kp)<=@P{Y%jFf_3(~+k<^uXd0sjo$As`09{KWVa{nnkUx9E*7E8z6{0|zHK7nT4nATBiN`ThC*`QbOy<@#3(_|^y5`5Oh^2MklY`{NfR((};eF(3f64gLts%<dZb7cKYW|M>g?-q#W2_ypMx`z-Lu5cV!Y{YowZ@-_<o<No;gy2A?V*yTa{$wV>F7VQw!`zjUWEdn1W!V39JtAD@(_AviS1T-k|1ui59G_tZEvicFtIJO_z@9hcb+57S7m@`xL_xM4o?lTGR5<Lh`X5>99sn7%FuMifuRS4fG;L05M3GAxc2`3TyI#AaJfh{%27bOlP{`27V+yDp~{O8dy1R?qi8Tsbu+xEr$>lFwj?5PCx^Aj!r0}ek3>=eGp8t4P_39;nJ57*{50}|&6$ri;J>EFZ`Eegg20?zb8?&G`q3ib5Z^YjAa0xJL-<NYH-Dgyme8Up`9^b_#_G#u+5KL4=pp8PEV^W_8&BOK%;-U|io*z?m7``<?K3Gfj64=+UQH3l5&9udO76b}6n1|RkT_!ATfFZ7-l56|NJ|M39nEa(Fb<r>}Q_5a<x01X@M1PPz;`T7$$L)`w%zSvB`01w~Sx*IG$3nU*NGV$Q_94Zn9$M&l35#akH>Jsw~JuC_1;|<^m2ayfqHWBi$9m}BL7!Neu@yP`v*6aWM<rVnq2l@ZxRQ(q?8}Kk71L_I*#R(9k4+i%j@b>P{62}eiEj8*F>hu-z2=WRZ4+Jk1*ANvAAoU#k{08*#4WbD#3HfgEDBk<j+W-8t5E{%K2n|vD?jg7S(JQ)B@ZazZzOW7KI1COY?cd=B5$MyG>Fd+c1K%XeFu?ySRQd+-{H)$O;TS{t>Pj-a<?`_Q%G!Yr67wSY3pf)n%i<0F@zC_P{{aRC_2CWr+Xw>z2N2mS@=qelI@UW6POkgw5-CLD4d4dn0{QkE8U+CX_1Xv5{0PtN3H2u&`|{HY3G)j1{lU`TM-dGQ6Z{GivhYXv=@85e0usF1<NZkD6b1tm1LOeJ?fKCO9RdF3Hw6Ip6VDsa3-$8*Mdb<q6&mgb@G8^y`u+vy_0B2a=Jx^TCO!SQ{|DCGNw?huLL?*@63F&3{LTsUG!Z<_6#^;-{`@XJ6b~BG_#W^O`6A>x9@N|K90d{f&-LEj5EUv5^4QWG)7%sI939~l?-djjts>sr;^blDD%zk5^647w5+xN8{{ZRU+2tok4z9OD`S!yezXmS^2?-bn@4w!{$qpU$?Cw0q7i0(REb>0r{`(X39trXP%P>Li3r4s1>>R`^7vL`R5ZnP31OxL9=Jy%Z`~MB?BoMOiwciU6#_070ECuNh<Q*s^9Od&O{0-vU1jh>tC=3V&DhtdFANAxw2OKc@7AM?@5H&Up;&TT13=b0X>+Q<-ANv?IztSKI@cs1v2-*b862}t^{wxLA8tl9#{@M@vB?$o?_5B(x4)^5!`w;k<@BR)i2=fx_H`F)j!!Q8(0}1vSx8d?H{|D@U3Q#7i=tIaq^$FkmA|e+U6SNxc?dA^!&OrPyKwS4D2ru&U0>#|>`}oMi0V@Oa`}uGK2jcGiw;d+~NYc$7<oo;!E71k(`MnzpANw2+3o88(M-9mu6!|L=4*)s@Ztd6n3>kwQHX675*W0lb8QuZw_4c1n`wbG@01?dOBqs0hI|W7NE%`7s8yhI=8zdV9_Qu{K-Uciu{Tw0*Bl7C+3^w;A<q-SfHX86YQtJ`(9`g+5Cjl7MALqf(=Mwif?;EitFcuj))CCtC215V@ClSpW0>)AQ6Y~QQ`9JIgARQpv*8TdhGw2h|HaY__St%$P6#fCx+(**-?*1p{^$!TrEAsa#5<)aB)DXw((clpr93Sn|{y^mw3<|#d1IQ`f*a96H9%vHCRsJj*{R9ywD<Jyf8|L-)^#=>_C>}Wh*!(f>@9rA!G5^}s@tq6u^w}5jt;8Sk4hZY+A<^^q2sPpF>{$Z^2*=nr1oorE1Qz7p{9d!-*z>D8`h*X`JrEB0)V|gE;J(z@0Tks3OAPO6EKKt91rg!j&NB_x1PfZ~%OxBr_5K7I;T;jn>^~X17av3`(J|5RKD^)=`x@2>=OYgzzTYkLzwS=M<ty9rAJ@^U<G(kT=g$h)D$@P^_9$`$wei*+1R*`&^WP;``zk>r0?^jvsva@=rUM)a?)be5?EM3Q#7`d!0L}@nA<xDg7V66!KMT(V0!;7s;5p*m;Tr7w!~GQr1Nrm2^!LLv&cwaz1?Kw7`1B126&exP(&WqR?CQg}Jm?oS8O`|c?i}6a+}W)N1qUYH`uh6b0ImAp+aBEU2M`$3JJmrk<1yw0k_+b3%=ach`tJVp{psho2onhfH~|z2<pP1v&IAMy2hyV#{o4t))6Vu2GwjtX!}bXV>(#K`7=hRC*7N}GkmV={-U|8E*a!9&-_aHA?-bD1Ceiub{rb2UD8|_;^wtL%(hvU`<QVq}C+z~%mKrDL5BdV^0T4eCKmX(J?K>AH_#_ha(fzyg_!SKEB@i<LK+H@q-Vz58<O|#E+{G{G3E~&l;T9DD65Iy`Cdw$o*39<n7Z=JW>cy(Mpxpl8)A}Dd_HpWB)Br#&`u7Pk*Uo>=;P#{#8OX2r6dN)qk|YenE7BX_6CS(t2GT<GEc{dO@9FvlF6+|l2*Nf70_@&$?f&!r;4d`QAJY9E4Hg>D554Eq^ywxj*fA{;@2&UX6eB4d5Zm4i0wvw?81?Wl2=(>e)!#1OROjL#+(Fpx@+1i0Gx7)`*5UF81LgiR6bSYo_ZrUa4ovI&^xy0i10FA#>enJm3>oMd1r6f(wXow7-y0|=Bh~2u7$OGJ=>Eb5^bRD^{q+jdAM3dM(ccsb0{bA>zXuuOO78p=<nahD_v*nX{{h}L@Ff7}5E2rB3?=Z;zw6QZ1MvB}>IVJg^9R%k4&@)*4h|nV^S1H!<<&mh;qCt`*WUZ;?bij@|0^s1yd(_XBlf`a6dmphAHevN^~MA8{~qA|+xzbz3JL!s69R<%D-ifF?d=xz^AjNc*Yub1J_6}83eNWc01e+KFAzb)+aL}y7&i{=%J2&N>+BB=?i~#V+6?ms9S9f>fdV1&?i;+!3KtIJ4)D)DHQg)k=;8_uA=C@(0`>0;7wrDrv?d(_*~iTR@EZ&g>g=pH(&z7!9_#e@76ItS?<y5Q)l=-v8}0`2NdWB@6sZ;u9r+y*00{*FGq=L`3HAiz5F!8g@G0I9;Q2lgBhgui`ArBC9v}3I)&&hG2EQmt0Tw3>{@UODD=!EY7Tf6C7X3$(2nGI^Df#y61t;+?(z*NOGx0Sb=>zZ^`0wPi3L6mxBm?=jKk)?<AR71Xx}(4l?jsxk5%d}<>>4}zC*2z(JkUoX<jCI$+&j$iS0Vf?&H>!Z;nWfIP8GMs;vF%q#{=lYp63w_>dpu^$<4qB_238~0T$Kw=JoY3_Wb-P@G9nd0rexA=MEGLG8q`*<NoEsDF2o4q4W0I5rF~t3Z@-H)f?3JO3o5E2C)h)90Kd!*T)#P_utwM?Fk;#==c2ZN96_16*L$1*&GSJ^%LLk_5>3NDH`JV7ysq&*0cZ!=K#wh91IW<0p|)0#|;?o2<GrV1pM?$4Bg)d1oR5bJsQUT=Fi^@{qQReC*J2CF3=Vj92ye%R_W+E4j&oV2NgWo0|!AH0^|tyEAr(C6c`8V7!V8#*3j|o=M?Af2q^yY8vXe-1pyEJ>;M}bBrEsp8~f!sEjZCS59R9W8V>gc=L^vvNA2+=Ch{&F1Sr@ZG8N$#_5KE2)BFkc{`3#+_}}va=Hvt=3+&Sg3=sV*!^;x{6bKLj79Jt-9Pi)L8W`p0*#F8K=`hqk?Ek#kD;eMK1FPiZK?d*t`{4l)8UxSaK?)tN?+MlH|JvRt2O`$<1lyB=^tjvo*YC>$5GD%j0^iv$CE5w-|32&a`3l|pMgaB}|2q!;6WZ_C5CHZX#^??$@Zrh`{`>Uukpt`l>-i(~#nMp++q4<w2_5<M{viq{Rq^QnE&TlS4z4N+H#)ZN>=pa@)f^%c^*870(heyY9p?4_2Na^>8UzL${@=U%7#-h6{sI)y`QaPZ>+u`w><$<F)%_A*GuoCJL<|oF$kY<o{Tv?`%^<ep`uFwq53T+V4zn%b3+XiiF%lH30{sQv@KE&?CJE*e>?9YO!`<ZgJIEiD57Pe(0s-t%C{GFuJS!yc>^1-$)W`YQ@&xu2xgZ`4B@7%5<ka=(4A{~30QnFPF9ROoML7!l-TCk16#N18v^fnf=?v~474roI&p8Di7Z4iD69XU4=II_O90vsX=QG;u4H5G881@88DjDfRHxt_9BmX7!69@q!(GAr+6W{v$9v2Aj^bX7U2O`%d4)74z?^i3~1ODah{VV(F`LquLF#QSk1L_B~1p?Z{;|Ub$1nm*R`0(&9`WFM`8W9@9_$$gb1~TdjEA%ce#rW<N83XSC@)D;7_3_#U!Wkm&Gv&_f?*t&-*dFa0D*VbPWd0W;7^%|!$s_UG4L~Xj(G&pP`6nbK^#J>3Kmf=L1l|w^76ttt1l-H+C?xGV3+MXM(EcF%0O8>f8~GRwuovL;7xvs8{_fA=RQ%$`84VA)|NAb}0}ig~>;DTK8G`f$Gw>DD`Udb23uYD|E7{*L1SJpn?;<K25Ea`SKr_MOP3+qK&iys{46XwO?G7S4ASdM{8SC)xvJy4<4D3)67X;iL)Bo@3CoJl_=QIk^$soweAg>t`;n3U+-!vm19RmCT_WuS1za0PU-LU~8+fE0&_b%iVEjs5M%9ypj@XtIQ$lcp6*Zj^T|GMoX;5-CF7b_Ne5d!)W@CNG;@9dGk9t0@644pImtsprK;}p`&AvX>+nCkvn`ZzFJIy4#kApSJO&qI$KI|42@D8C)-C+il~-^l>&YaCW974E_iOacT31Y_<J1rib!PA&ZK_X?NxO2PE}C}A$X5W65Vq6~@<0x}h@Gyy0~5E_Z<0^h&(Iur!VBrwkB?-~3b%#QLSA|Cwv^3~^!_5uwUI^+i=z7FR=%Khc${1O}d+5qnk68Z-!;UN1BF4OV!SkVwG-W$jT<vkYk_{cOT0234KOA!|-tStlU2-)RC0x}Ef2oLk$6Bz+n1n&|182c2=I~pMs)A|+;`SL|MtTyoE!s#0p8YU(<`p*Ok1n@ik<^l96ju{dZF9;y7Ar9S<^8XVe|LdFO1MemEHtjI=`#0?K4^PGD>lhfw6w(dF3I)gF6#*C90VL?s0sz?u<No9O2Lv_%B)$g<9`Vu;=I#OZ6zkF=9Q)Z3?)W~|K@a5a4-MGq<Om!A;q^2p0}}uvE!Yad-TCI|*gZAzC_XUZ9oHnw9x3B6(Zw(JGcV@3Kic9<*%H+7{<swGC#2Kr?EB%Y3mOFIG7QTN{@nPq@&WxX1|I_d=_d>c=oJ<1)Uz2k05|60Y~tV-)$%jm{`)lF_A3FzARNB06bzrm_!tafCip|o$vf@&yWSN5!|mGF4ErAVBIYXQyZ;;P-tkRE*a!K%!z2bZHahMp&-L^pBj(}tHQl&>{ww7D<1G>d&M@&ePQVK_83?fgFZT2i78*&cE9)2uAm$yE|Jn%_+y*ZpIocBv|Mlbw^C11E1MKYQ=h_ntC@mMu66^2g-3JK)+)3*fHsSK#%=-KdB-|()G6eWC>sRcoEbtNS7ibdo!vxi_ybR_J&?zDu3P1!gvBC~g6!OYQ@*)Q3xF#Jf@GB575%v}g5ZDvP><tMEq&gq!;UN+V1RER6{|6K~0!Q#JJOAY74M7<Z0f;y54Db5#ED7lL5b8bJCgArC8u~;MIs-!D_!CMD@+15L774Yr6)xoJ6*t=sJPGB~R@ead^X?x8(g!inJ|F`i^7zd8@kZMl4h!WLC<zAy2*pC{zWFl=Eh8r+91Q^Y&_4bK*u4N=f&3)%G~p5=LKgW3Fd5Pa7apq}5&SUk^%E%dHWLr3>d*=_90BD3zU80m1_3KL3<>t(6A$k6Av@0W672aSBN5xeJOm2h<^<x@-U1{N2H)~L`UuP2!R8m)58?pi)E-Lm^WEb#8WTAi5y!vu7AOwn^S~|55&`n!^8g>mG5*^V9T@^K<TLi}0~aao?CsDi9tQs8{TmhZ%-UA~^%do*6a+fX%KlS2&G9Jw2r3_cIrZ}t1=%;%EG7#W?Dv5q03-|>`Yi*TA>jGz_u0bY5emHJ`U(?61Ni&(-T@2o8TB9H(%ALM1K;;53;GKi9~$s0*S``G5D6R@!x<v9QTFfs2;>n61Sjhh#;^SF_2(?*1rfg;;0)#GK_iSj?(QiRDi`_&$rBGSN(EO9>r~|B;STWN?)L8b2?reSqZA?vHsirC_R{R<_8jl{2gmXW1UCBS1sW?5?+P~S^9Kj)1x_=_9~8~#z1|~0?7}-K9t+<b_0bk43@Dqiv+4i$6cO_c;rJl+CY};E>GSK}1LE~53El<Z@;vkvo8H7YR52?nrKa%r0r)o$AKNAIJp<G49ymJp_#Xx88WPY03kv)EF6;a2?ZOl76Z|O32oDeq<Mreo{RIma00!a%DkC!i{SWK+3j(kqC*CZ!{TKHE10TQ*-z+92F5aB!>-qx&<qH}I_^QYe#x&tM=>G@Mz#l6MLn_|dANUOsAQjjF{2=@b9Xjeb8|~!*90KV0E(`x6?nLtoBjySyF9rz(C(Y~E_4Lad@9Rj~w&dp~2lnqR6Bz|P8TJbM^PRllBnvVL038$b=;7j%ApQi{1k=6~G#CvxE)^va3H=Dd57te=TOQRX951gF?JgnT=k(+*6A|v%Al}>%`12#~{^#QG8acT!+wKAGIP4eb6a^3oEzke|1@!w5&;i-@Eh&E)?zhnv>d*D{70vMvGARKG-U9Cv=lz%Q`OM+G1OpwxP~H?U<n$CRB;qQ+6bu>-6Cc~A<Qer=_Zrw$<nu!b0x|{)IMc#EM{vX~%)L<iHWWY>_ZRml;@ckXE9)0S7a#l)(Gu29N&)&EC#mA`?F~5#-4q@5F#bXP(Gn6D^A{(S8wO1UEfnt~=p+33=qCdU6WIk7==2~gEBFRA0@7m2^DY$q@c!}*#{Vfa;n*S%{|{V006gId;rS5n2qI_(9<=+|vK#^G*CIFt78X6L;uZTZF$@|*6fp4nAnE-h$sGqh3fJ=o2t5Dv&He}c(<A2X{r4*S-3tZi`Xuxz^)em^y#%V<+V#CX4D#Lz1J(4O5f>`z)eN`h6w~(u)C@2j8BPlI-b(800_pNL|MdkN`r`)u;_f#0vm+JwA{)#B1Ni3&79i~u5itw)4jmXR_V*;(?G7s??Bwe&>E#9Q-_lH_+RX&TP1@l7^9kLp5H<!1_VW($*5vl;2NehN{|x#6H{<sX<`B1e2LL(O?!och_wgp>Ed~n!+zj^o1O6k%2G}Aj@X8%xAo~*QtNQg!S^6u-EIS(fI@;4VC?FIz9mDseQ_KNLP*gTs4df58CNmxl<QW|nA!_*Z$vFe#FctzL6BYd?2}AQQ?;`=D<@^3k%^CNWH^kn7zxMe24z;^|*uYA`61K_)BNOc`>>=b06awS<>jC2?GAO6dU^N&t{0kKo5G}pgy&(Jf9trUt@Cxj-4p{vO2Pq2M+W1oo=^2$%^$hpjA{Wyw{sY_t`tJkp?Hn34@bBjoG0_+)+73hj1y$Y$Gz>->5bpBQ4m}17_ar0bIQ$0>1o+?r;^_bKI1%VkGv6r*GT#I#y#Wyz5m6rc|10GH&;v9uO!YHb_z36f?H}e3Bk%Gr>g4%F9P;nq(fhUyEbkT?4F4Y!$mJ5RDjNswDed4W<or-hA=&Wp2^#tLKnvyx)k_WY%=p~z3)~V!7tO;M15Z0XEA#g4^ZniZ)cNc8?c6=6&qM~~;2JzF`02tuIxhS;)z#qQ*V*3SCgu|$?$^Zl`SJY)2=5{d871cj;u^t75(@SW3HT)^EaEf#8XzGTm>=cw7%J2D2l?F$8XiMQDZl`?+uHXA4|X*M<kaQg2=(qRFz{XN?@=k>1|ZzO^ThKh6%x@=y8;cr`Yz(>?DrfD{1FuN%NXqd9MMhP@$Dr1!XxSp`x+a%^gT4v;M)?0*)#4G#u(r~Ci2(uG7|>_5i1-%JuTw8K@k4-Gy3Z8{~rPm&MfT>+W0cz&*tFsz!%N@87?4R_XG133kN(5E&0&X7z*<&3h{~|7Q8bN$oA{h?a92m;u-W8)BpXy2lBE45!Wf@Ko#EFIu0Zd6ayEf>$<e#Io`~w(8vy56bBCve<{z&@&)ns`u6Y#1MV5<7FhAB?-w2Z4B-PV(fvr?O3vv^(;^z!1x+XmycW(28u9x1E$;;uobn+pD&G%TOfU@MMo2meUmOVk&<8W<<-ZL6-Twpn_bbyPE#3Fo;~?rN^8)hSAU6+19~=R-JnGyH6)6(`(eBhSBr?+e$M6CM6zbFH?o+JeF!#R>+uZfD3nWeS=kq4w<?~L#57Gz+1DqG=Mnx(71Sjppg8LXC68`@KFdp4JHUc|U=S}e*CGjTF0Oca}8|vKpwd5eLDi`%G`0oQ5-33PX_yFzP=e0Zu^-uaG>f`&>Js{Tu-cj@bAUED73*rDD1M&(y2poaT0s$b>5I!n_78dgY4C_CW5fQB`EHwnxBl0IKyaMhu>KQZw=?4+!e-h8<=8F3O0!JO>5+VDn_4zBn^$;oF2;c!jKh^RR+dhx7F!Tx^sP+*U8~zpS1~9Jz&JP6b4Lb&{Hu)(69Mk+7#|Iu&1`h!k1K1}qFA5XAO7G<t-|G7Z1m)t))dvt5?&bv1>$?K(+&&-xY3%~d@6`107|IXCI4=_v7$)(j&P?<K7%af3y7NB(8Rj7w{^Iz{-52%w=_n2NIMHwPSQPTc0|DhQ6c+G7!o%Pp<?-<1{k;hr<p&Gx?N0pODDm+s_dWBKK`cG~?(q~BHwh0V@CiEM;NB=1CMV4z`!CJwspafP5g!Zq6cOwz9PApm+!y`g;UMSnIDbU_85{HA?*j$cDe(;%5a|^3OceIjA|vU;=lkOr=II2r_TVK3(fSJoHyh>2sXO%M93ZFq^4~B03J)^|6s_z(-5Kn{CL1gZO574A==uNV2O{zs1nL#{McL>D_v-xq^z+`<{qF1W{qg$&;!W@Z6Z!7^1rgs90P#^QQr{2T<UJVy`usNa78xc<)BX!G(K0jzA>RNW4eA#Q<P|6gNe&VU0<a?U_XOtT_yrQt@c#cT82|U<7ysE05E<13*aGhk;Nlwb@ze(F(=Q`ODLE(L;OoH-0rx?;=(YtT3p@xWI!^Tu5+^f9%<+-=8yemT5I(*B>hTO#<Nw`(4&5^08YJih<_*o`<tg>k`u6r0+tVoP8WG+C`0c6bA=U$E;L9A->Gk|d+4c(5ANe&Y*Aw09CGi`c6!Z%<{tfFaKxY3L5bFmXzA5S-6zb-c=>eA=3nvHr4HWGj7UJXu=P(^48POL+5A_2=ZSJ<!@-FED#_sC`>EqlYqYuotC@T;1<0tkN>B9Zc5eNI-;~y6h=mini_}<{_0x=;);T;I?=lkz0_~awF)&vl!4I#8AH@hI3*&@--8xj`AGY<Xa^v5IgI^t6CE9vPk@#@(B{LdHbqUOWL4e}Pl2n{MP`V$=C78(W<=-MO>1NT1V8s|sF>I(4Y2f^>@0rmT#BM$=J0}b5v?XU(9=MNeH^3mdJJ|q)`HP`+*Hv;>{!~9O>BpwyZLSX>1_u2sN8v6beAkgjz7!k`c5&kpe_3SYz<{c5g=-vPa{rd9&`3w;Z7HaR>-U3Gi^awo+5&sX^3I`A92>JjP4)HQaC;8AQ9yJ8lD?<+u<=X)i-^@Am<`nnr4%iE}0}A5_?yCb3-Vr7X850Q6+$`)1=@{tKEX4fy4Drt!EUPu@-50+7)8h&J74|m_{hbRdGwmA^^W@?PBL*xK`7EE}<NYS%9Mcdg@i6z`(CsMBApkcI>9y$l`Rx1L^AHNk|2GZ*_dfSP*8T&;7d!d=6!Zce-2DtB6}JjO7vahc{RQ$4B@^&5)#Dr(7ZK(TCIuqx3HRO~z~Q_D4%Iv1);HSM7#;^6H6X$KClB#7<>b}~@!}ux933a|3-=HOs{i@!-P`cx>H_jN;0^yA4=WQ71I70w5=rd@*B%EK`~D8r1nJl{Ar|BP#V+$W;NlGv0pJh)I=uuc>Hh{6AN$cb!r=JQ<Nz1rGYQx|GsW)(4GK34>+%Qv5&iKB3eE)u`^GZT;u#N6*%PYLECdVpF&qEr6aZ5vvgPd)G6m?<1}FLd_1+R8vo#NDxC>1h9whTm_3`MbC@0|8#M9B;1SQ%MI=c7+=<(mxAojNr|0DhD7SGhSC=2NN=nyn5F!|;367|;A`SHpNASJ{4*7)r1*%CO!sQVfw?fe@D=kDYR2EgPd0TsmeBOFNY11;788p8rM_#F%26_K;t-SipWGUOoi73SzFB+n`+00z6@8S)kF1@9-ZEh9SLy9UDV@9je49}+ayDhxY0+!**I^cWl30yzsX&<;$_OAQPnCDjn%t27o!|Md-80V(?_?b^rl77_0V?h47{00%qv<g4QN0_6JS7#hk9%M|VhEI$hc8V?fm?;afYz5oX3!r$tp=r7yD5;FPq6CUso7YYbn2R}1DDB9Na0So!n{^RiA&1wt$BR2c^=o8O<6y~Yx{0;2JEjq@%%rYHS3=}lSA@d!HBKF-PDeK1GNAwEo<lq7m5%>bv{v6sR7yjHy>nZH#_Yn;Y{RaFf-R2(!?%dWA1SR_a4FC;C4#O`n03Qf174!q_?l}hm7TfjX3F#0O_76YKP^r(~>ICri0n-E)8t?oP=M(r6H}FFT9tjHx81VP-yWcC_0M}2f>f`Pa2-?>v^xzu^{QNV!21!~NCLtE}_6Y&)FuC#;7zY~*0NXJF$N>xZAqgQ2=Jg;c`X}__EdeO@?*B~|;?Lq8FcSAUG1tQGA^6h`7{3J4EdtO6@X%r8&!$Bjr$XB<`1;syM;{+B^zYi{sM^ra^2qi0_PLTP)A<<Ds3h26FDhO;`}zYR;@bUX($o?W9r*eL`3VyQxH~N#<p>=d3E|g2sO<VKa77g5IvDZoA4OlrNIUdGW%Jah?%?I&Ko=Yh@!#Fw*cunwKm=O~H4ow^_}&=-@K?tU5F`#vJp%|U`9U&2=<~+b`SKdIf%)_K>&V`|MDY<Ar|kSn#338*<sAO$;0goMCi43G696CyxK9WExZMpF{4f|1JjUiJDGC4n;{5U)#^wd?;SK%}@9FKz^Yt7U-5Mkk3jh2G{uBD+?ir93<@+SQvnLPUyB99h_AChvE&;~j66U}Z3OmWhLoDO}5ZV^}2^SL~^{7$*{`S!yOZw#S0O$+=*XaTg<r@Fpxyb+e76&*D6XF6))-2x&2^7fa=IZYE6#Mrq62~bK1n}>~*89ln3jD<I2{jAQJsk-p{yPxv6!}3X9oG#Vg&m#v@(|k>D9R=nx&1>Xel885#LgQ2;1}oqJr5oY&Jh?67wtMN^vl@uG*Zd_`W^h?_ZlD{3GqQ27&x3UAq&1SANlwf7s&)66%olV{{96I(}~137!2e12s`y4<?!+;{-6>V_yO$c&gu!S{`v+5DGJv|@ec6H*cS}>`V1Q!)ByS1BNPVB5a0kJFWwd-?I{|M-QpHMCGXYsA-4SV0{-v8|M@vOUlIHfBRv}3<>eUp;209H<eC1N{|glE<k>6q>)Iz4Kk}*%5$>2V-3!4k5f3yLM@~1#@Fo-)PTn)`0z>`nAusmda0L>&<`?&~BucCEBrp~=H8~q4`l(j)Gg{LQ2@?b(1nM5=`s5r#2=^BNSSsZg;0W_6CVwsQ`!NB^{1gKq0NO7s=H1&K_S^vs+WZ(t^%5^41@|EO=sfQ@3>VoR7z+IX;0`Sd5BA#=3%wQT{VCDuBG}>_76m{a5zhDx0P4;S8pR3@593S&zytRRvnKBg@H!9(=oj<x1^X@N1PB$|8{OR<4;b|Y>P7qQ0-#eH^EDX-Fc1Ud77qk0=@uCB^215uIoA{T3MQ=4#png+7Y#S+;^f^44lWNG`oq*I1ReJLNh(7$^x)Gf@x|gT4GSj)>HPT_3G&t`1MT;l%>eT<C?56xFaQk#H{S~K)D*5G*`*}h-WVhO22=CP_zv$V0sz=-*MX-AM7I7A1tv)K`p^+)`!)F=6X_Ja3GIRP0n#Nz78yrBCO-TcOZyA}{KV1r3l1OU$v68DAYC{AD*77;<1E@d0_gY;`_%LeI@TH+=c_FO{qiH{`y~<3BOL7CE1)J32@3}p5bFc?BlX`3#JJfIJml_R(DTg_(g+yA{QncK<Zk!_=+XA{_W3X<753BOBM%V%LNQF<-~8<H{XG7$Q3?>qJ;cWIKLPmY7+?Fo_Rjqz^5_2tB<}L`fg~IY3eGCf6cr)<;4jxQY|st!1UIoJt|c_=+6UeC_Da?kqZ{<sunqtI0x;k8=iL`;6fo=g0SMF`PXQgn2^YP)@&5zr+6LhL_2vBt=(q^TG4~Tc3(*ky^6M7xMC~FI^w_Kc@hZkK0v|)p%<$Xr^6eHq?a;~t_2(r08yzei?H<w}@c!y7_4Nh($o#WVYX|kD>>n!D_~`>mFbWDvECST^!6_T}`tAeq{^uR;z4__^MFT5SFAW747{&7q`Pn|`_AINx)c(!~EW7q06!8hA+7Q0@6kN(E>hU5@9Q^hy6Y0+q@KZU)VDK=ABJ+456Dj#RMeH8N9o7K`4z~{G_ZdG7QN#lx^Sl!UC>H(K+PotQ-AVL208KGO6zay*84V}rd+PzlHzFnl04Xo=0T!eU=^*6hI3dZ)$wDF#B?ap(A-OxOrWPQo3*iPS3FH*n@&okGDa$L=7!m^P1OnmY*eDDw`v&9bDh3K49qRob761?kyx99D5)3Hb@M8HO#|zci@uB$cFCG+E^|AH^NC*k{`YIVV>klp$KMCpIjR$TG@&P}l_7&Iq6G#$ID<A*`{L<tN#U2t4+~y(*^Az>eP3<2NDC-Xh4B{IhJ}33<_`vri@)iE_8`J#C&N2i3?Q+y92JRHz64vbH_wWA!FUAQ@1U<q2#P#Y41rY}2(HZP85%LE677G;r5dA0S5R4Q5<?iYP_u&Er)b{!)5bFcq-Rk!w{|FNBAtxp!&nOfi|3|*#^$H&i`Xwkb**?M{*fc5fFCEk55bewoAQVguG70$c+x`>sAr8;s-P{xT!qxKB<Q4h~OE(VcG437f-sctE5CY*N6A1a>-~|ES&&cck2LCAhHvIKE1RN6aBk>08DDLDd5&q^HRvGO{zb6^=**X#%`2h&>?j5lM$@1nk?e+@n57tWo)fEyv3=R(iJTMs(5EL9A3FzTG9Ty1eEbsCi7&`9W&iV-}1sDMz8yEBZ*ZklL0{$Y`)&mat^2pHZEBoZ{7tZ_j^e6zp>mnET3>e|+MkD?_7Wfql+x`gs13Ksd(fb1j)y(|%6(sS`#tAGe63XTh%=7H;0_Pa?8|nW0>8SJ#3EBM_9}EHlw)b%R0~Qb?<nmVx+b-$*@h;`j-tyJ}HtQ)LEfBU01R~@hB>>y=0sHp{L;?>FAq)LM7Uu`n1vvD<zw+hl8w%zx3>F*+_VMoP_47LPJ<kNr$LOs9LJA79^e_P+A<-2LE-m#j*;ozac<|w@P#(J0!4>rX%m~R`7$m|P?Kd1Nw-^-r^aKzQ$>IOk;JM}Tf&9Ea0}mw@Cjlu92h8vVDfjNEl>=z?0T4X-K+)?A$PgDB74PHDE*1ef_4m{Y&A;)!`a1U;C06#)1?&M;NFx<278BzT(fIxn-U~6(?DYB1AK(l4(fc*x{p3|A5b*=GJO)fXJXRYuG55+n>>oM<Lkisr5)ITL^g%5Euiwtj2uv-q9K*)!&p{k28LG}Szv0IK2q?+r>O%|TW#KQ<3a7RZN6`P{9_sVaJmnZ2(H7l9{15a0+@>NeAs8Bt{2{j=GYAO!D)S=R+7?GX3j+NmM&}eg1-04;K13}WDmU>b?j7IB84ps>+5Mgo7z+f>-?H@VKt;tI@m;h58PUNr2l@I70u2T=M@X?z<RkX{^#U8aDN@q`@%Jq%CJ*N3^ZDfDAI1z4EATH91ML6!1KJMtNDvzu`8BiHCL9XzECw1coZ=Ed9N-r_9TDCcSJlk%JS6n%`{L{LF68gV1Lhq3BI6Q1!~Fgg8@vbn-tiU+*Y3~h80Z2MxDDdv$Nww~4jb_t)iod;_Jiu(zXJXd4Grn)4Am9*<2~H72-_Yu2LtxL4D+lAuizX3_ASlM95l(V@g)lM&Itq=+UdOV0v7)j4;~id0&C_Y`}_h0;pOxw9KI#2|05X`_3Zie5d;So036~M<GCgb(+T<94F3TW3KaGw85{rb_U7yi8|*+dEGM1k@7E$L2sz*_8wno}M-A)?2qhLR6z}9Z`r+0CCGao-6&C9hEbb5r6g<}M{_ZAb?HK#_^f*BPwA~)@&;se#-SiCj7x_2(3KR4*A?f-H>>A$$AQdG2I0Wp()EV5#1=!-)^vdoH&-mUtJt7DJQY<st5ApK_{3p;B9?a|m1tR++@(Ks;9{t?f*zGyi2?Ral5;EL4xH$pS(hUT^o(sA802n9z=hE8i1}*H{1<L?Y7A5T#Hxkb*5%wb081Aa?^Tts41SI$$G5`bm4IuTu$_e?=1PZI^@6{DIH1YHVA;b9-+bRAxv;OP{07Aqi<R26F3-c4x4;KGO@hkKL80QuP54G7B*ANsX0#ytS(BI+_=)t)L6;;A9*$wkGF9p%Y8Xpl7X)@Z%5(&V*8vFA4@(>sb((oJgDJ%i??hyL+G8pjsA=K&t5(3?U^yBpW0PxQRE+75t58|owAL$75Bc%}I*E#eC6fO!7&=2nw9m7LC=@ata0{6Sz?mVI{DC4^fI>#Rt5+mon4;J3*|Gv=Gw<!iV5X$QB*FDwixRLMe1|j|V_z*}E<PirJ86Ex5vKlD~@8c=k6_d^}$=VGo4=NDi`xfQV^|Ck>9q!vvE&0Ll|2ppwOVZT3<^9^pz%vIi9$4Ht)!Fen=J5s4LJij*Y4+X-_FNzMNfHSkZ_DuGUH~id`XECJMAPrA`4%V!=j0Y684Vy05FY-b_*4uH3-t+su^0*?6;hZl`quXq9sf`*J4W*UOe!Ym9S{c>>=qXd?aP__#NHuD-O0`R2s5)>_}V=R1Um)jSQ)Y--w*jCx%BlHt}FVL{RI9s0>Sm->H!r4Oab=h0p<5E4ADXgI0z$K?<B$}4C(6b4KwyD*zXKDRszi!M)3$0{v^{OAnn!J?CZw$4&D{|H3sm|BLoxPDEi^k>iOai^ZgB&<^$e=H~IA-aRE9n2=e{*8VKvtLqqvi<lx|cy(RGlFV+zU#||sU6*J2J+5j~8H2wJWa>Wbi4@L<es{rtu9^djL`|A6p3Ef<`^ad>1?9tf__{~rWBh}Rm*Yi36^Etu|CIkuYCIclv{H){lO4ya?N5&0B!_XPh``rRKBIW0)Q>Np_|Gohq0S?#+2^J*F`QQq~xG3?@;1^-I2?9AXEdC8O@jU6<%(V|f>L3Rt+_pRFLDBL~UHBCd9w`GQ+vWLiIRzaX%hm5iBF-A|2Lb@SJG<N#2i)+uf58nU5f%af6C{_k`wZUuzx^t>C+{ioDop_X<iiNp{}@^E@((rye<-))_671j03QVc1VRA#CGGh-4*pR5<=P6fC)p@s2rCT3-}?mZCj3M559bvV=|(`%1>_9r>>%m(0#md5)DY+d0R+h5Km5)fR@t`7Dd8k2Bttpkfdl=v_ckNz?MntmF!V0lB@OQZGynen5h6DDDF;IN>=63*=mPTP^e7w}{1nX@)xh}r4+7;1**W{~@Bk(g90Tt`Cm{nK?nAEq=$TON7$g<C12@|mK<E?z_$}S(0uSB%RP_ldOz7`C_vqac_S*;vx!^1LF$4=3V+{fs>&yH{1S9n#3mi7;Dy`%k(lj>x_%HYY-t-6Z|LyKZ{sR*MF#@aPBk<tX=Kl@f;rZ?LAp*kQIu0}iAnqah=_WMT7#!x{5&Izl=lLS+`!U_*7VQl6?jIykD>T#p_UJV~=fw8@5i<fX9?am@D<1w1H3ITB6V4YA0R18E0r4LA3Khrf7MvyN4NeQlH?`N}8wh&T2rmCMI`P^$;r}7wDDEy4`s|yr`!MnR_GjPKqs&)HObh`l{jd0k@%;+4(-<e13lbwi7TX2*m?r}EBHI4!9r*nA?HCy$_!cDWxdrF_4zc?j82)1W-vz7z9~lt>E%@==1_dHA6cEVQ`xpZr0|65KN&o>b+xh+<-_gw**#+M70p;ro+#uu-<;o#4Dd`H(0303e8NA#kBOn<s&!_^@<~issHS{4JI<NjB3%CCB_aX}PGv1ldwExTU0YC$Pe^A{KTh{*H<pm4h%=jYS=oAkF00uJlQW@>w_xB`7EchS?@bSn-yCELk(*@<{tnU3R1S|9r4GJ3u<Lc=A2{Hc#0tfsg{UQA?00r?G{M}a-$r{xJElczR{Up~p0p!*6?)T}&GUb&f0?F+3xE=8d&G{e70Nn2H{1DI^1_$&f>@(vb4&@;>D)8w80XPT*-4*Zu5#!#<?9>G3`TpG~^XMk#2;Ct2y#K(y_2Lxf9r-EkE$;b2?j#4-@EijC{s{X4zXt&B($6av5$G8I@e%po{_Pm}2LUYmC-mmO%>yU*p#tJJ@fPw18^`(S`!Mwh&cfF);pGDk%n%F(0XZ2o{mSFf^!e!^2J_xR5+f$j5Z58(Uy}mb$iVga?fnGd^Z5)T3Apy===19G9z-hD4*2l%`};v)SqbX_`}6nw*#g=e9R~|NQr<)A;tuI08~OUx3@;}F7d9F;^6M)gxbW!@A_2k~&n@5j{1g^{G2rn@Bh3fwRwenpuI9)F_yG0cHyK8}(IFuI1Y`I5#j61-Dh<vdC-TYQ|M^5N2;Tr-0_P3yAG+orD!EfKFcj<aBi{Mq;XvmQC;2xUoAeAHLb~?JAPCL*zXYet+w&8LBCp!z95nD7(A@?=8XOD=E5A?KAqgcC>g^Q`7ft)u<lf(L`4#fQ?e){xIj<P!&kp4j)b;(g3<0q+Y}Wd@5g!c+9?j_B{s<J>ApOi|xyH=+`RyJX73<=p1jx(XC^N-27eXB*6$JSWDc<=G%KXd|5Gx-e^!V%$($*#%0s(3>K@Ir1)Dz+>Hue?!e_0OyG5-o5FaOFUEI!`uy*cs**x)DV?+OjJ4iDPj?aWCK+D1RmFD1v~H#ZW{{reW}_Z1uX-u*=<`7Z{6102-&!~h^9(+>ah_&yEM_3j4|4hSkMSRN8LRwore7a-NG=;IjIM<X5VF0mya;RPci$fWkV0J94tM+UPW3`+(D<~{!&*Vn)Fap>h>{P7g{757eM9pNI`2IBMYH&6WO@h#EXJv=bjITriw0u|bxB_%Qd-y-K8B<J|YN-`oT{}BWV&hRY}P!RJipGOT34gCTN-4-`6`q%*U00P1A`%5JfEgON~EAN`}^gbF-(hm><2O`W+BJ9K00{_(V8YuAi(gq{-G920oU+%?W^9~sbE$ijM9nv4uYd{S4>JB3fD;MnQ1R(A`@1qaO)qnBR2^4=MCH(O(`5PG`2oTa1K0qMCf58d-7YX&%_xvNvuGa@99`@8C%oiT~5hn;E;1mZ7(Hj2^^8e*|!x{Ml)o;rTOBf3zHu3^ZY}3;u3kcQ%FW?a0D%kJiv@tel9u8{nEVtV18v9Q4F#z}I6$Y&976T3LKEXRJ`V`)24gUZ=J`V@{Ml!<29yJ`#&gwT1>e})X0Qn&c0v<X3=RNu18rlo$GyL@P66M4M1qwS1JO$j(=^Gma4LSIR`T-X`4!HyT;M3sfA115e?G()@@8T}Pw<#M7V<QU(!SFcq_X_Il0_8x^{5=Zf+D}F5sruWj@1oKH1s@z3^vEjS0P#WnknOR;x&A;3C=fRVQNQ6`%SHD!fo}KI{DD;Wecc9HjHP$Cf%@#hBi{DQ!r<_iBJIK!?@0RC<0vog-zNmH>}BVcf$YoBfxuzZu_p~7x$pEPA`0)`%O2Av=La398yD{yyy+Ly4F(GWEymSWH5S~P8h7zi@(TX{2<rOixyuU6>w)GLB|HWKShDBM?yuq>3;*6PGT+N^-hl}U2co&+^|c2q(+mCrnLslH8zlkY0_@HV;??3G_ZQ|T9oj@l9rx(*9QzIj{CEJ%>f}M!1LWnx&I%wJ@jV$O9xpNj0VW6J^b0U*^6~HvN!H#O)EfR`BG2Ln`tdN9(eW{`AmGssN#M#c%@8f;?Qz!A<@K}VAuski7|F~&3g`tQG(5z_>>vis^vM6N2MN3zF39v=Fd-e{!POh)3?mrc2M96n_Wd+N`$#PaA|w(9`oF*W+7bUbGym`)6z=WuItKG91T29~8qY~IUr6#A?f&2PA}8iL-1yKA^U@sR2@|H&2gw@Q;qn&m)X~;L5mE)#1|;hu0~E>;J46(JBp3(v;^g-v8GrBH)id+~F}&L5xheJyJ1PoVHGw2p76*SENzkxH3FJEjA4mWRKR7%A13MXC=MCue2Lc?{8~FY#;0+7e*T*Cf@EYYD%Ol0{EcyUG{sZbK4>9B;^)$ZM_wC)@|5P0C{~qkgQ8NtjFw4~JBJk7!HIPOb9TF%W5$EGOMh*n=0uJW&;4<nh)CCcD&MyEZ5&#m>8P2x_5HLLs`swxx@WbIB@ihDd2qh^QI2qaH4#@3C5BUf<8x-y1`znDT+9>HI3mNkT*IGBLE%6Zfu?sOT$Lbd)M;;CeF0_9l`sFe!<bU`fy%Fc~F2?u_P72&Z4CXr!<>~vw<KX=r@BPF4%Cf_<5(f|TPw&zI`1#B;E)MM8n&s~dDFq2rIV;%WsQ9(a?J5)J>k0EqGx-M-&T7}u{~OE(%g!1TSZwd~e?H_R>k`xVN*d=K`W7`tRSmEyFY`t6&-gLx2mizHO2;`CK3?e0n-Aa!1nwYWI1?P)yw&2sBTxDq_FxI=lFZirA^{-1LL9saJpkPm2j}nBVjhMqOx)7sGu-IK1`h@L2i4pF(h&6rEl?>l?cmWb_8a~L*3S4=7^)7H2LA)@-3s647upd^|NWsf#|stT;_?UtX#nR8EbR*pH0#zj4-V<n<oPPtqSp$t`P>}+_^&PQ=<37`+szWjDALB;11^C^57_8`lpFQ*Am6Cs8}0M_!lMZo1S20O>iHdQEi&T>^6>Ee1PTJupa$T@*%y>e<`)&~OdJ?1&<6NVHVYoq)E6P=+B3-&F%CV+NB9W$-m&`o0uCUA_2v`-=U4x{7!K+eAp7LT72g&K2Pp>g2pGc#EFJX$99h@vFAw?0`1b-7=oqC!{KDNJ3HI^qEXM4)0;}QExau|P8xs`(>;=jxjRdz2=<C+RHzP0n+ylS$^$qFI>`?pJ776XW8mIvG>8`=+-zpyE;uqhsFeK(e1o{U(qxd952?OE^Rp0jr2>ttN;la8K5&IkA<}4Tk5)Ix74rlh}8WR`}f!8B7Io(Ft8#d=K1rhcM1`_}U2n7583k(DH@(KP0_xuL-{|W&I{Ott&`TG<15AgL8`uy|?`XKua4+0wy0QmJ2|M=_s_5b?*2N3G`3jzQ38}t4G1r-1G{rvF<4*>G~1^f#D`vmp%1P2EL^8l?tn7Ma<ptp^!qPD&l4m#<lYq`gghdH8RoH*z!in#%>X*k1f6S}>rj5=B$Bf0O6V>#T6inyy)!nreeDY*p!202L=GC0ifgEt4pjkso2Svbp3KsR__VYn_`__^5RL^%h9z_^y<jycRs^f+Py1UW(SQMn9Q#<!g7FFBAZKsk5^1UZMN6FL*Cjyc9|B)L19a5##KzqoL954h%}nz<e<MY)o;hBy<TG`I=dFu1>;7daiwr8zHtfw}rdHo4)!<hb_0IJnB-fjRk%HMveAVYtP72Rb|3KDl|I+ql}YqdD|*hB<s~9=J65vbmx3Z#m{E>9}L|7CD?Og}5ecSGie>%r;HqKsGM3y18{KmN~|a(>b<KJ~_>uGPxhf9ymcYKe>-;-MLoqzPYj7kGaTx0XfjEBsrpFK{?iYt2c?CFS#F_Cpk|3<+%0yVzw&Fmbs+ND>zX(E4p3Gr8$bUy}1#KOu4H!h&kH?=s9qy1G)li3Ase|uQ#93PdOlOXSgh8pg4c4F1d(Kb2eX_uQ$!6`#3>$a5*ij=ehI<b~&1T^tVXA_&N5H9l7eg+BkhyHM#9sYdK%^$GD4YlsV2Hk~jeVtvR&<PdN6waydN22{}Dph&ecbA-Ew420CR++&OBYE4Yig)w#3h_c)TCmpUcdm^%C44Y;792syB*MmJKmAGvi05V<|<Dmu|ZJGdYApE=4VFSrEni?<RQ3b<n-gEuZAmbel|q&Y2cKDp+1y|<Y<<+llU`!;)xJUQsiBRGSL_Ba6^jk&X=WVv+~_BXjki8#;k4LROpjyW+T3c8o&5V@*iH#r34^0g&cptrXN!MR>BYq&fzcDKs-CAm=mj5$Mc_BaX)CpqQRlDTB7FE~;umA5Q&AGg0={kf{<{WvP~MYjR++BjMktvI@EFu2V=!nnv*+&LeK2Ds_)m^K2@g}KVoBe-^Y)Hp%3$2j*{<hV4yIJE-Nl{oU#YB}IwW4Vzf#yLW86+ZxAbv*#Uhdls5<UIf&yFLKmB0q&{61sr^h&d+hF1K-HVLD=oSUCu&5;;HbZ93}IO}ZF#Ik?J<2fA@EKRV7DmpRv4^EqEH;JEr|3Aj=TBf0oX$+^D)3Obz{f;c+eM7etz)H%iiD!IUmTsl}x$~mfp?m3rv0l6)%Cc5;;lsHQfC%R2G2s$#&bvT7oB|3)}x;knFZMm0cMYv0)khq(9P`Nw(7P@&}f;o`uPr25jJvt||;kkZ->Nxa?*}4FvrnykK@i=V=kU941BRM2aWVz7qO}fEcd^ut8l{u|up18V36}sw-m^K1o@wt~BCOY_gnK<C@JGo4b899r)2s-S&r8%G3m$-qX6FNQ4(7F6=#<`bMwK@C=iMhmKUb)a)nmNK03c4mYD>w{B2D-u!@;9Hq!#UF2Te?IXt2r{A*|`?K61i5-BRTdG%{f6hUb^hvD>)(D&^h3TnYic|6*=UwYq+cV9=iCSthUkskvP#9pSdMI=($xQjymeZTRBJnx48m=5;_1t1w5hn$v*1jWjWRA06I`;S2{Z1UOF~E!#B*)xw)qsg18<}_BqCu;W;~P+quY-v^nU%4LW~0pE*<IEV*EmiMb-ls=E07__qRM61wg(usJ64z&W3THaQri5I6|%r8%`4TDr_d5;=AJnz^V$47o<55IGVNI=NXyJUR5ezPPy_5jidkYB|lyEIQuelQ^8sDme0hzq!OA61p)cRyqjWGPzk4^*E_U0J^Fe5II|2ce)>|9J*90I=a!wCppuF9yvZwLAeC{kGfNl{5e4w!Z^R*xw&D?gu1f0N;Z8Cp}D8;#X0H}#5uQP?6?~JAvrT$R=Rp<<hbM?2RcF-<~T)ikGfk8Ji6qK+_|!-oH-OqL^*fmOt~DU4LX}i7ddBhJi2(NYdIpBg1ErD3A(j9$~j(7=Q*5D*tw^N61n;`ggVk-AUR3=`nWN$+&7EuG&$r!EV|0n5V{~R7&&oNZaJ>xC$~C{4!V(KR=JHngF3ryJUK!71h_7j@HqfLpt~f=lRm;=4LZ^2X}XPc8oIApQ@R4_<hhjwl(^o40lFMYt~n@3NV?{7pE<Tt$~oSi{y8kJj5+QeY`KKG`MHBJTe^2!a=9+!j5&YnmpKr~@Hrr4iMhCw>$zLWo;f_8=(xtx?YR&>Bs!*g!#IT=MY^gqV!DY;Mmo7z8@lf+M!761&bhIe^|{>XIJy}OP`ct?jyh*ESh}0BFE<%lpSX1j0XML38M&mHo;m(@2)W|8yE)JIJGg5ZUO8NbrMKsQ89HxYhB@GKa5<J1IJ$R>S2}U-8afRUuDQNuT{@{K0J#t-AG!u(RXG?G<hgyOFghP!thslar@4{1RXGXlt~u(|m^bKwfVy8#2RU&#I=X$n$+^;4ySXV;@wknqxVh|&6uJhBI5`k*D>`XLr#Q_Vn>Qmx)4HqiPrCBluDJvvskss@a=FsPnYjR1%eZU3Gqsxy6*^lbv$*m^&pBbTr#klfGrBK3Av(hW$vJh3_&KO&)H&gBL^=R~20c1A!M=MnfjOBBn>r@#E;(mIqB&BLjX8N-0=f!o%Q@aMs=7m41-dR*^tm;{%r}$wtT~nTSvhggqq!vdCAmI-Yr2tqpt;E)`MJ6@-ndzeI65N9s5&dX-8s5+%s42tr@3PZBf4u(lQ>yy{yBY=SUF=M<~UCmg}RmgAGx(o0Xh1({5pOI|GAS-thwm(8oKC(gu1w!-np>rE;>`CXt`081v&0|rMWwqVmRii7P+tkE4ucI=((NdSh>TQ{y8F9v^mo7in?6{COQx{0XYngnz<g;MY?V>P&y2rrno?AiaCn~c)H*t2)PJ=D>_$06S_$j8#-<7v$*~)i8x`X#=7Q~4LTaPjJXaEUb+MV7`n)(bT<x93b=QRce#zm-MK@x;5j&yoVkC4dby?AP&)qPfjVyodbkh(*g2w*NI8W@n7W%O_qkbKlerh;__+{hzPZE+9lEWKuDaSx(Yo|$Q#m+1I=T4E!nTPV&bcP@2|7C&V>t)}dN}}~;k@+`&OQ",  # noqa: E501
    4: "U<9)W2?*Z`FBSjj9P!)#DYGTl0{tP-?*~M(`R*j>6I=+e9RC6>2=W#aJL)X%xHB#LC=skO<?+z^L*wNg8wdmP3)~?5C)(37KM&|1Bo+%0?JflTI$b{m@DL5e;rrn$y|M4u+q?@X>o740_160y<PN7o>f1!*8r%dY<tg6%_f_^J@AJXyKkYsW+yqJ*+T_az;N9v1$t%O~CpRLp%WUuH#X;Fz6*d<6AqO`S8FCm3zS-FB3-jmc<htn$DGLzRwWS1Ee-b+x=_;uS(<b#X3D(N~#O~xXxFEwJ-|Fnx_c12(?e*OSy2=CTukk(Nr3D@O;7bkf#ySD@{|na=wCB!0<`UBL@w~_R_Tkt9^XJ722?gNrK>j2oFxVBxGY2vKT^uhBtPto7kWbGGCp7x+^4k?4-Le>0;q}=R)erpT3n~H&!{%7l>lrZ}|LZs3)*L6y({LLz9u4OO^B}bT6$jPeEeO*fFS!o@{rKSV_6_m~L;yV}bq?Ph_R!4EOY*_o0ksA!2oed^5g+jC(h>Cp?y2kv;_nFS`T#fk^w2u%22<x!{NnZ9G7{?C*r+fW69KgD0{#n4waUm00ywPf_!!Kz7b!A9-vHO#02}-`;^jgBI5r40D)7z73Fg-mD)BVqLE%rP8|mt{7g6o{DAhIi^RCtt`4q?^7!&-|x9zJu=IOQY8w0&H4+abcx*|9u9JmJ1{sHL#&>#XI1U#<<0OCdVG4fe<@Fwmd00y@I4jxhZU@ijC8p|m556Arw<0fYy3<m8H|2H`!_&PWK0V*0Y`o}LP9slm{NC6@)Na)S^77ZWzPKqrRJrf`67D-bBHv;lb5F++5IT$bO%JK<0C<od@5C{I?<dzIT5`o|I9Lw@(Btd4$_3s56!UpC2?E~D*mJhGxzA5htA3PG{>H)&@7Evq>7cv^^2_6&`Qr#rz_D?OnEh{1c)+*fG$m{|W(hJQwVT|=L>_G7w?c%M|CkpuB4*JyY-x9N$>%>7b3E#)~$5P|#v@hO1`yu(+!o%<c;Oh81z#_mC6yK=i7y-uS^870;`ug+xJMHQ0?ga?#9~mki>O1ZO|0VbZ)ElW6G{yTWQ47%@=jIy(!Q}iVGYc#YrRrN3)B^$wCdf4#5*qm$86No$05%Y`(*yYFJNy3g@6j5h@cYot7aIBx)z`%r4gXIP6#69M6(rpUA2g`{+ZOUs{P7Da@y6!-@g5ll9?SpU^T7JW>Ez`MQOheRQ9DidD&Da5_5(Q57Y4@cp7=uoD-RUK9R|hv0PG9k`U4Wu!z)w=3H^Wf4^Gqa4g=fg2KDY513<nqy#@m#{1*o{4&6ol_~iBv2^vTDH6Jes6fzwPIO7Zu7X$$~(sub4{3s3*1Q)sz)(kh=F0J~@ED|8=Sw|=!{}<ij@Baii@9!)zG`;2^5GV*KFt+p?Wby7D59SsY=i&7J`S2CbB?45@1s}3Cumd20^1=iaC=)X{=T!yo9-k%o4?yQk8%-AWC($n21=92R7vTi-2iE2xL?iM{6&w=*KsyNdJr*Je5Av-K0rm+sM+)9AQxowM+VaEQ9L?Yj8MzP(^(vnQD**gP<>xK;7A^q+HSPuozVr(hBhAPhyF~mUAM^hHOa>Js@Tvs%FYoFEISvW+*}+{y2{#xLA;~Gz>+-w}?k6Ac5A+l$pAb9$Each(Gw#>9POcNj7b)u;<{B^h{T}!}3h`p*DOncj8|PdI{s!9(<ss!n_x4<gy5|5WI0W-90N2+a*fQT$<0;Db^N{vD?-9f<@ebR}@E-%|0vHzn9^AqB2o*0Pz3~L{?za^{Z9p9{)Y{A)>lp#p;@v3i_x!XM3hM;U&Fc!{8wAZTGdoTMR{8i4-su!r58e(C4!rLl+zk~<_}|^@*8da=*bw;`2O0AN-!l`t1rSdRoz)l9DGB<<A@LmYw1^bp1@08@>^|x-``jGx^4$>`NbArl|HSGB-1*kn=*JAz0`Ma5HWBUF*$h|J<_HeY$G!Uf!#Lk3=Rg{--1qYd%L)nn79z(7^a?WL`t0%u^VC7T2>{RKcNPie*s(P40n_RW^E>4J>g)O3)a3Z97u@3qF3C{&>Dmn29Ssfq;Wh>PAp_v?6cG`s(!S=Z9Qjx6BJL63*Y^VH+6)L28Zht(6ZWtb;MeUW4C_!2-X|UH`rz{P`{ybg7}ui92hcP2Bn1|K)h5;FD;MMx8tO6t3l=OC`25=E8u<$T2L9^EMe@oa6ZjU)3H<aR_T&`o6+8DM!}8+UhcGJeD$@cJLlyeY0~;#o49yYsEZp<gVExz;0rt`f#2&n@_dz1)_2>@&>GSo{?Dy`y{^`!j62>O-D+$u&;Rf_5F#*{~0}ueIC7V~+#VQvS0|C<`#$m=d$?ygGqtxII0|wqD!Y&fT^3E9b_WesZ6&5MwK|%Fc_U>iq9WY+^VE*kD+%)ZSo+-cv{?y&*S}w~Zfp(kC#rc#4AJ-`AOB>%e2Kd4R0POJ0^~Cl92p8N5qWtY7;356?EAcn~_Hg4q*aZyy`vDl+D6X&->DVzD-#9QeJOS_G=MVYuU^*@M1{6I5E!YJ84C67~Lh8l;;6#B1^b!{T5&Rn3>X|bw&H5E1Px=?`DaPq3{M%0=HroC0KPnn9Q~?S20N)of{5kLA6Y~xW5a=}gp&kR$-WVeS1riY(+71oxJOBdz<>>lO-R;yc4e1T)yz2}sKQ`3z3<V1p`T{H3{`L(C@VeVFE;RS*`7F6R<vlYC+~vsh;w1sn5dsm`6vHjx_USCyG2c=5;U4n=@%qo{%>(=qH}eeb4F4v`)&>O2`rPLM3r_kHA_?*kB=Yqf@;pfSAObYY9|7j^)C3IW8xu+Y=M@?H@#v?cA>IcI>J{(w$mS$A9Q*qRKMx(P0NwQ&^C|xM^&$fLvM2o$ZtL(&BnJ5C-x2ow4-pgbFb3!v1Q#qi#T^7X+qf40=(A<)^6wA`?+EV=obK?xKwR-8<0<s{5fU2f)B!pDU;pJAQvlHLT?|n81iSJ815hrt@*WoB@6`_84EHtcwCB?4hVt~<3jZMX+x6V%G5_%@$sjeT+SLC&P5}T7{hLkO00ZPB)eiL%|JNl7?{QB1)acF--@ddS<(n|?>+s>}A0HSEIv_#&+^t{V>J{e{!xZxN$H*1PtL6tS?A7?}3f?Z%D+LWX+4&4w71Hhi?e0<x4fNC23O?-wEU7E{`5_Su?h*zY6eq3_+Xv<}=<vJJ)GC_wM9K3D&+z*P>GPle0r4iY8p$p5+}*h_vkLaH)WRYSBn8X74a6R`De3XL`~rdA%ohqv=<2~sA=)Fp1OWmN8VkMA5!)jZEB+u38WhP)F45TxL{2=l^4-NW`UuD>`|>Xf^#Aefao5QdFx~dwDcUE}5g^<j{_*1Y=MDG!Di5W@+t3CK2E@v(G8xSq+9cKZ)DHFhxj)^@7v;IO)#3mdNEq=N5E@q=*#qGiEE^{);0+t>|I-tmJRBPa(8H_<!2c`i76AqT8O_Jr^YHE_=k(Jv=K_)T00taB4K)}l2O0SF+wLjY6#~hS48sgL_b=fY9tueF@9fwfD&>vw_O=NS{L~lS?Z?X@7~}8`y#oF4M)<)23=9WQ*5458)#dyvJi8+G+$r$y7qj5)t=;81+!CoH?fm)n+bi<?^YYGA01GqG@DCID{fY}YstfYhBpC$o0VA;S>)RUL(z*#0C>aU?_6N!K$RaEM``9iMD6j%Y7&-|WB0UWnAol<J%M!o`p1$D>+~Em81N|8p-s=<}`bNqr0})yD`a#`19sdRW?(kps#xU$v8$=aEDFh+<3m!DEDgxc#1nST4Ci%t@F!1*Jb-B>R3Jx$aFEbOV{?Jk%AF5{A`TAYf61FGtIUxk@e`+NYC&CUZ9<%UCAm7y`3GLV_6DQ0YDJR($DIGQ<_uDEHK^ru@@y5L@Ch{W}^8?n=FHui83kWHHFG>LS(FZZEyYc@-{5<&6M-em<8Qd=40P!0V)5-%xtho-|DcbcK`zuH53>YLU-yPHk-?SMh!~_WYC=BopP3=V9-upr29|RlW*aXAc=q2|m5BD|I3Ip}#64U_8zu^h%6YJCDaOLtY2gKk7MjO@p%rWHr9qu{N3+M9|?!i0yAL;4|+vMiI&lrK>-4ylG=>ZlY0thPY#_tWr+a~_j9r`Bo657l177(`tz9RI^6cNQD<{k16`WX`4>D=Av5Fge80RTej)tTx47$EEB>k;_y+!?w69xJEs=hDl=*tYX3q2A%j(;}1cz9sSDyUHI869pw7-ugeof(iEI740t*rv%ac1=j-R$@lH?5BVBLT)^qV_4qR7G|%@cH}T`|X5r<(>d4bsB=Gd#tHs|m=Ng&R98=)W(cytI;ljDo$~f5i@#5Cz7Y*wWzUjWw;qxjp`S8il{`}MYI1VEjuQjwE?jRxv^QXZ8@hrpJ_23%r(eCca`Pm60>_F)303Cle`|0Uw7!?Tul@GZYuC~no+ZyA_wC2|z&!D~Y)B_>n%KFv#1^D_Az5=V(8zoi?jQ2?A;PRglqy@@AA<eoK84(5c*xeoV78<TY3@G{C``a0=1mf@NVFnB_pA_uQ&F^_5M<MI&$->eM5&rE9w;a>%DDK%g$m!cF59aFY;L)V~)H4zx;$P>*3mr^2$Hf)S?hel`;9m(c+G4si1JqaZ*Wcdj1M1Xi_f6UT)AR8D7PAWg%LN(QDk~ri{VLoSO7kGx!1U8I7xsVq<1O_78Pq=-;m8F0Ar9FEN%rXD-qQZp6GO_n?i}6MCH3e75EMB6l04w>-WvYX{~SB`@fa~0@c#?+%=P>3{>th2Cl~qJ4k`Wv`^T#SN+2_b^br;HTmKj8E&lHJ_|XRnQ6VMO>`orgBk(2<EYavD3iJ{a3_JQ386L+6B`Gii{Rj{;aVPROGvpljR>J`@C=l(}xenhB{r?axLNw<z5Ik1o<q9er;pPjl@%;7lQA_z57(wR_;pq4?L;l<S6#&HWDhc=_*2>c6wPerx_AE5&f=vJj^AkJFqTnCU`5-gQ?;iln3>V(k6F1+t`Y{UzN6!TB2K@s3Bii}DGzZJ~;`6-j7q|Azl)L2;L1h1~>*@nEx&`|72mj>+)WXdm0-5sO=m7;f=oC2utmE?Q7~e(()eq#j=-~Oi?j;CP^&l7&<0!}z<1<FZ>kH-DK=#NuB?7Ma3Zu2c&8z9_3q&vP3sK-VD%JQR-1hy>+P@v%2=@TC87-v%{r3U&2nPn<01Vq9_#dgwD9$V05b-kp@4Eo@a`aBS2hPPCtuQ0c-?#SV+V?@#rVr@^Lcj#j67&8Z5`Xm<*XRp7(HGeVEeH(#4I<Xe1mVQk70%Ss1?(NyFey9^;tc)qBJAz!&;-mw^C<@Y6Z8fm-O;ZPyu<m+MD_3=6BNy}<%k^U6x_$k;R+1W-u>U?`S&&X6P^bWOt3mD^4j?^3OgL`Jy*ac?AH7x6S%eP2O0L{+YbfU^B3sQ8S5DYMdRt>=f~P4`}r~S{qqLyJoDuV>DTD#uJ8%}9>&pas~*o64Z8Bu3n>Ex{44?I@ca9*{^>m%^3wkD*ar7x1?}F&1P&U12K&d;wB(k`QMvQ;`~cLw2Nc->K@%6$=)LU8`p_6a^CULXv+3vO&8DH?+44y5`T5ETB^b#s!omv~Nw5Vf5efzr>;@gJ3>F>FTGS>Q1LaKhiYEwh2AdJ??9bl+`^zuZ?gq9E{s-UpUAYt5Jq6<G3-KNy?adU~1^wR<(<96e*%KA#BjGqE$SLCuQ3vnq3&PhGsIwQp@YEO8_evrR9=zo$=(rghStka}4e$Xj(ecj%5IOxB+x_p~HT?Id$i)5*H{$c^3f~49`Z!D!I^yKWN%Qat`TFJ|?gJL-0`KS?AyVx1>liN%_uCQn<i^d?ETRS8{MY#6%>vOS3nt*<-YDw|0U#DB2n_laA>#5d)~+AJBiI*V_F>NRg7?cIKL<S4E}j9&MYVn|NnI^3C<spGP0!}>XsKN5fi>H-1(?mvqn-=dSuCt!4CUDLjL`=TPL)yPOMml$MH>!5vVm74VS@7){!|J0iya<2LiqT9UK>P=fru;JFDVq+j3R*|<`|;Z!hf=XzJZ&64CsL^fw9%FfgzlM8saB^)=y!S2Kq)1$boLC+R{&OOX<}Xfe3*|t;an7fq^92YDj^>`6&SA#D>wC@_~UIa{?j~@C7IL-v9_JxdGzh`v(st`1{oUD+~o5<z*Hz_Z=5x11s@L4$bfk2i_<d`rsVh2oFXe@b&=g1qJlg%s3?x@wmnhW9abg;RWyLxYynU8UYXL%G=KPCiDs_R`=QqBg9>I>_PKK6&v0I9>@ymE$#;>4-ei50{IZ)=BxE3DA5ZBBK%za2D$?g3*PV=5E{<?_zn&Q))*~60__d{2>Sl1$q%(H^BwM005>Jd;pgGKDET!a2k7t}?${d28|2*!0s8gLMa$~O-Vg#VHu>}f{37WUATj#F_q5gzB<>RY^5j?)_BSg8SJesr<^0X_D+}TTxT5v~@#-M;7ZL9d2_(_^;2s7CojKbi2o?qg+Vl1@{r~dkwFD3_&G!QDVG_&e^0^-_Dir+w9NYKMBMNWf%fTbm@yGFI^VrM?0R~(H3_Sny_`^LM4<rT*@&gMH|Hma84+sn(9Y7P~M<2T&_YBwx?&S<#x*reb<@u;GSrG&C{nz2=+79(N;y)a;(*oH35ef?#C>#O{1^^f18SvBe5gi&V?<iLuBJpGo1@Ss5Ck^fI!U7dWAocz081VVvAE4nL{MrQv*bB}9)%E!(<nbBu0ulxD{58-I5a{k20r(2-91ANc58xsd9PkPT1^&kiMnYTGDJ(G_72x6(3hDO@5CQZUAM6YL)GhtN_4@}j9S=u6_UicuBpbd+%l{_x@&)zFtPJF(D*f=@9T2zu&`lZQ4%4Um@gV#X6STVx3KJ$2=nw!*8eM<r==e4d{3GNo?JYa+*egB*(+UFv;G+N_{5b>z3m*9dPZ9V(2j&7b-}w&s3g{QvAK_aj8y^6S2IjjH<nznj4(rs>4-iG+{uI*p*7OY_L&^!~`91?K_vz*w4-?S$9QN-a|JF9*%K-~H93c$w`xXcP4)`1r2j(W?=Hw{h-k|j8@)ZdS^c}wo;DJO$K<qpI{yyp_viUag+8+)rJQp(09QZM`9STqCw*%?h{rnT7vK#NK+V%p<Cjg|YFwYFp2JcMfH{n16soe|=3C!%u1{F?6AL~Z^zp?c3II$cf%GxYE741gu`4SHKIRi)&viaiA+4tZF)ad{!5Et^m%_UPA0QNE++xim}>g?YD9{uL%%h3t`VIc`cz6}%I7tJlO;_^cKC@CoO3HA2b3jOr=043J?2LiDmK>yDU00Uj@=^6F><S6FF{r3V0+BFc(zA7ab@!s6(%^OD){@@d0^fVqA0}R~Y^VRqmtnKwT`wBP^*&hWNIO5LW!W=f+>&p+^4)O^I3RvjW@4C?O{NpSKF+%R^z~w190v0b3>GA#G&s6{Z2sTqM3ne7q64l!H`3xB9-A?KX%hv7(x$ai-;_MLn=IxiF_tbO^Ui2>r9X1OH9t`au;Y<=IHTWU+KE?eP0~X#N*ZMvyG}{CQ2p+R80~js_^z`sTBKsWz6xQOo^B6h~5F`U3;p{2a9P%aV`t0C02ne+%;?h0|();_#Edb8<#Q!PO;mD&E`|%$@<u3I<5ajgp0|?ab1?TZ1?-B<g^vWA32L|O7`TENw2NLNbAP5&V?hQrm?CIG7{PY9{LE7O#DH<me`ucj-L+v2#^bqO^>HGi(J`(N`At>|%Wf9-(*BS*7|4%@t%)I_48}r!z^Ca#5>oF7*6W-k_A=CT^@vtor{XOL-qA(rc{r58O&iGOp>?q3%#atKs>jV7mz45^r>-PB1+WZga1U4b+_3-7*>=*Va4&v_;`}!N@3)l|b{07GS10@X~Cgd2*Bii@lA}Hem89e^u^)U+&^A_Pa=<EaV-V!4<r1T=kO8fZwF+v;K@xK|#B;@x>91q0_FjyGv8`<vN5j+*y8s_cwyy+AA_R~TixZ=6B^ZF3%HOwv`=o0bcBk>8*=OxtMASDPoD-;SD%Hd8Q2}76k0~iDa+7jr|f9N3X>(ufH+28LBH8lnJ<PHJ?*e&Dr{TB2E5%?-D4fq`S{Qe*@4ip{<!2sptHtz5(K-Mh*D$xwq<2dRF3N8ir{W0IF59ssy0^;XB9}vYL8Uoo7%=Ql%q}2fN@fGX$zX`1w&Ex3kDDpM#B{~B9(E#b%0_W)~9Ny36{`VIH5e_=t3)leB+{+8_1hx_17zh<@EEo_f8mAQ%)C(t8>fBbxwGq)O`UC_&D<k0o%irqbBHua6_1XeOz3e0sLh1<w8Wk?{Hx3*Z-#QFnOzs@_`rf?KU+CrSIRD!qA@1tH0togHAq)5q;m%D6;1((w7#tD`^()c}`SjKX^B_U&>+sk3>md8u7X}wK9@nci7#$JX@6;J71Nqe$2^j4(B?J=15G%w67XTGB1N$E=AoC9X?#1^2@a;GZ&;5MdIusyQ4kZaPI1?B9>-@*_;N~RaPVn9NLF^Ni8UfQk9H0Ct;@bi37w^Ld;SSU^2@&8G!Z6>$<OllVJofnc)%^toz99L}@dfJhMF}O<CK4g%=mB8(Ek6?m`1mi$^a}1H)vv(tZsR2@0XE_7%mdL49?aq_5gw`V92C*f78@QG0~`Vd7V5Gp*a^<n>;bk8HI*04*ErtoJsrQ^4<F{RTAJf$2p!!`Bf%Eo`zZn=3Iz)V=L6;3_$mtB`1tbe49pAb5+N-m2I%(?Bo<yb2i^P?GTir3L<2L@G8*{s`_c;K0fEN_<=v_g3(YJbN($H-^Zye!KLbD(=QPk4?Ii@*@%9oj@f%ztGAZR37Whmtr{Fd3I^bwcEeG%^|1Rkf=nD7W1PvJyKjQM@G>G3C$?yOO8Rg#!0VCPj<E%RG3N%p<4Bja0(bCB)=>`k=FzoF|BGDuU9~~@Z3nS<mBE1>t3hgo<COm=V`2X`11nTwp)ezqfFe4%RIO78t#rD_`p)@JcE<6PU80ID2+Z6)(A|MS1F2>yb^tw9MI{-W_8UqCk69DGk<uc#ECl%rh^#LaD+w%4Z`6U4H`t<P^_4UQ?<`?M=?Azz~>HEv`pWq?i9WeCx{T}Wd+V!mZIq@Fyx&$2ZBN^T$3N_{bAww4{%oGe1BtGKm3GFcoC&L;g0wFI7=`Q#PDD3DWE&dkx=QRx&4>&>a=l%oV&jJ+{`ZNk12oCbw`seQq^2fWr0SXn;{NuyNohnf&Nkt1P`xD;}z#8@L8U@KW98etk2MI>@E)2=g0qfv2MhMgz57g5E@-H&=2KoRi$qOqJ^A6HH`q{$!#J$)B_4nQ{8~X&`5BVb=>I3Wq_6pwI1@`~-)+_D)_YmY3`}Fc6`4|>dz$-oM`Pl>L4(=57Mba!m3I7$_<gvl}0>97sxv>)|3B2m*!rb{3!{8GSDAOFqN-s@ir3?uDeIxgn;ujMP(bhWW3Ekls3Jq65@Zs(w<s~9S=q-{H;OGG6?Y8R(IoAUw4G1Ui8W!~a`YRJB9AYlfB32Oj(C6m>01zDP7&E}cUflu3-ueN`71R~9`8MJe>D~<J78TwS>*p%|2;~J1`03~j(*5T0<r?%BFVp<p^kyE*AKMq-F$4e3-|OoSKG(q%{K^aH@8|IQ2Px|Z1@P_z@AMk$(yHFCA_?mt;q|%kf&t;xyvO(c43_@x;HcmxAx8TMzvm103j4nuzTVdv`J}wz5D)hg@cH`u*T5Vf;bAB*{om*Vyy4+8gApuA2G*zVA-Na|@nsqS_!_I?>FDF)|HRnW^wk;A$NdQi1NTeN0oo}Y<k>+$2I1)&10@yl*qJ#P7T6K)EC1W|)C*9r90tS<0YeGYqWA?B1s}`=?Gy#3_EO{ODgg^T!0+=8_X+zIYaajR(i!pW=Qu(17yc6YBSic1?Dj3!3<BTuYV8!h4pbcq$KKo1)FjgX5F85z(%DHExAXc%DIWw71nTnl=I_`S0WIk({P5x{G$zy5B)=CFM->F**!IjA5EI@M1quZX`vL|D93A1-27D+GAx6}(0R=fJ<@+hv5aay)s{iuR7b+hx<sDuiFDlm|EJXkkGezD6%lH)B{M{?-_$<XE{74pA2j~M08ZRQ=DgxUl`9U!I<PzQM6&&^I@fZgi^Z&~D@;~bU8Y&Co=H;d~3j?j_>ig`|)eXzfz2x=OFiQ#HTh5Ii?;YXR@H+qS3KbpT_L@;GTjmJ$wfkK$)%dzX<s;fU0;c8MFyQw0_A}kR?h!Eb7vm8C;T-=G@dy+><>n#W7+>WHE+X&^AP*lU?*Kmd3<TKCJN5`m@v!Y0A_DZ;5flvy^BL#%IQJCW64Wpj{}c5Q-ubviAko|G?AQVI2)X?XHT%fm0PZ=ZA_yZ>AoBqOHvjPy{o54)1oYl66*}PYz4|!|`tb-D9O>`q>FCaRIt{xi3Jvf3F4Y7L?+xTe7XAzD<q75m5GB<O#oFry_UPXI$sElY_~Qlf@(RfqBsdT58R;4^)h#a)6*nRo-#p~(ApO2J68aG%?g7#V>*OpCJL%WzK=c^oCm!ed8R`BQ5YgJ}f&1t3`V<4h_uV`R%>e>F^q^BGwHVb39~tuJf%OC!@g+*|!sIVD7BwB}_4xY>&ko@B5ijfd?bJL(_6PtL{4)Fe!@0e(BjV>2qY>^s8VB<cB)b6i_P1CTyCesw2k;9W-t+Vz5b+`-*)9(5U<L@@SrgRU-U8bkH{R^q{s`X>Ff6?ct+M_7oE{DK?bQh_vC{8L-sd#y`2g+!6UYD#1}o_H@8&JJ^Zg4JQ3WQ<?FKQnB_QM7@aYQn8G9oJ=nYW*DCiCcA@3E})HnzN{siqL5W@}x1Qj^t25%0_7V`5k*ADRICNBXwBnH^!9-tK>{~-?p=-L)R@%^hF#8Cm=f$QuJKJ0nw-2o~d=iI_F5Ay`>{T2f!3jGiT>p|@g>BqL&0?ywIAWbg#@%<Ab@*n&J0_?f|_dT^f%On}ppGocx4h|*S01Fug?#>h~1KRNZI{>FH^cG(N6zMPn-0C1V!XQT_+xiC+23jBt;Mf1}^p)io4Y58V_yeH(*%<g3JpBsq=?3}44({gCBqBQ;C@BRGD+wzau&V+PBjg^?<m#b01sCuSAnxP!2_yPmEy4fy_9V6<5cd@S-tfjClkc({*9XBO1MnQj=J(!39t$fHI3m3L5bh27DeDXw>n`~g?$*)b2<6xfD;4Pq)9xre3fuAvCC)PB0#gw8<KpPh)-VC^8U-!*4ig953iCGy{}?a}|Lzp`7c}bvkoMXkMilkzI~@K4*!2oV+d2ad1SypF)f(L&3qRi|F6Jo^2mmZM=l1sc6ABSc+1VdVDE<o-_uwJS-ZTCM6#(w&Nk<jh+qC@S==Br}>b62X7#<Ss5Aw?Q6W#y!<_HuJ<NdG-3L>Tv6ad%gwIuK((<I3j1mhOL>=4^u<s1MF0}~mbz3K5QDcK<H*yHI6HPb8^))tyr{4E9);`i@R{zmNDC^E><EKBh}@ATmgD*BKi07LHWSp)wI3;G)OWY-_@<K*T^clYrY;NtKKEmFWI>E-1n%oZNu>hl2&5gRh;<_Hq)4e1L!7s%ivHPG?`6x;h6IWXt{;`sqg|1%~9P6h=s@K4zPr<^?81>X?@2n!tj@)ZNa83hR!GT~tfE58J|-N+vx9VZIz8#vwU_5k1n6BH~M9~`g+<>6M^w&?ot*$M^$2Sm3_At5&N;?XeR`_Ah!^6IP$`4aN+J>m4t(g6+o^AtAm2J=hm_t(t^6~i_f6d%D73itpH6w??rQ3xyN;}hlzKlJ(M_adACATQw!#v<_(F$+85))4C;`10`;+Pek>C=Cc61=05#&x{-G7z!l!?l1272Kxy<`JwXNBfS|%<Lfo||LPDEx&%GP04N9~!v`AXCJi$5L+k1P^+Nx-TJ;U-^XBaI3gjW}>F6#0>GlQH3>pLb@#MxGzxy%f3oZQy?I9lc0QfQJ69^C>1l|Dl)A8Xm1oaoI`Vl10*VxO}1N!^@5HMW53J3EI7x@?H74YdRFedRe2}2VJHs9{&5Jc-7Lk&ji-TeFo1~jR<@$?A@`#BvK(&QfV&5bbm9nI?lsTkk+={WJSvm4IH-U!*$zh2#1;2HSVrxou6Am9e|sv64B9wz}Xlf>)4E+-^DJW0>m`Ye`N?8Ciw+W@s7N=D%K)H@#v?-3F27Qn{n8tw4u%m2|XQ9H=ilFS+aCkO!)Ugu@p^zR`$G&&t9?Ftu_MF#e4{RIL<#{SOU-N_Ly=j+YD_wLw29RZM_jOPwFK=TE;AT03eODn!0yB0~(7@-;SFC;5Z`u`Lqfe-mB)KD)h<P!5wB=sZVRQK;8ASEL!>^cMS{_E@i;EFKh|LsK!;MNlY6cYUx&`S!@RsLKqD)T$?HZ)Ke4A>Y1_6;8R2-8T?`bG%^H~9DU{ud7x@c|Cj9Pjfe+8`M02kx;lE%^&05*N-Ai73kb5Xmju9Ub@svLFi0?(7o_<_hH~?(_%%{KWSIRu=IW5&P>%|K~3#<N4^r?H%Ra@e2Je=MWsj<?j3)><H={^ZED5J@vmc8SNDg?=0fvOv4dMSt>{d1Nrd(@D%Cc{R|BP2kZaX>fRiv6YvA*?=i~x-ud-2Cgk?-070xT58Mm(P5uk-+3zpg|M>w0C{*VF@)YXx0`LqD%+nSa>-pgQGvglR`_J$Q`n3NbBH7Uj=|39*1rheb<OA&|>EhJf7_;I31*sVoCN1Fp&Gnce8Uc;!%Je6`!~$++_4CKzGzy;i^7-8wDEJZf^#bYt)E)yL+S30Hw-^}~5(Lut+{VZV=H3MaD9i%W8_A~gAj=ReZ}D9I?*<y}1L_9sCg2JF{vi7WL(c2$=?WMr9rPCkDeg@28A1Ka_xu(G`W>hICCKrz4-o_#?HCEs9vk`v5eEd|944$k-y|2{GyM$a8uQr=G42Gw10FEmG#(y60z2?L3IQVcFXIwsv)Tn2#-bZ0((>r+*!9jc@h>_y(#0Ae=@jST<Gkzw8T<72?ENvwA20$9_Zk%U7y~mpIU*n+>Ff^L2ovYp6f6)4DiR0q*z?diE$}D`@a6sI9zy%{@7Lq;Rr?qaArJoB6vze)4!#Wt9nU%I@*@%uK{4<m>GSFR+4nY77!ZFY5Z}+`;Ro_B5a|>h67V|d=PBzIJ`V%Y94`9xAQb>5%NPdx?E(hrU;N<q2K?RS^W6jN%7PgVKluR6^c&{o9?-n);P>+F`LqZT*Wl{*?DZxbnm*$SH2~^Qfeh>c5#9hR106ggIR6|SF&-iOOWqSH_~aDz1w9w{@zp=@AR`dkE93w5qS@xW;K=9Y?F7{G0mkPmFw^mhz!cLQ7{edx@7@L2{RIOe4;~*0B-FU!D!&&67w0MS5cwY|0R7}c8~Ftf@A&%{!2#Sb1K;N4#?<9P2?yZ_`56Yooc;1B)x#6i1_tB|8{-NKImhz|5E%U-GUL?$=o29d>=P!)2M!lU2hlwd?=bfl_vZWgHCfo{76G&bN(ck+F;(`^PV^P(>nJP?EmHOa=jtyE>F*LK;1&4y?+xPVt@zU;=oc;x_vj}o6$A5E&l^m{wBH&X73bmn+uYtA3-;j~#QP@^2Mdz`%L~Eq4JpF<?D{JC-s0>!CifHvA@&RS3^^($q0bJ<82dv6`6u!U{xL1=>GBBt?Hl~&8XDQs1?2!H5g+v_7UD4s<U<=JPRaW|5#Gox5Ec*QLG20%+BW(07ZMxu*y^eg0xCNdJ<uIW(-#E}tQ_zuGyya9-yr8MGaU5+!yG0S<pa?I83z3v_bBQJ<N)R0)bIH#F3{W<8tCixA^Ow~Cn_Wx<>|lf%Sh7gKKbhM1zGD63PafK2=~t(2=eg_5gH3lM9T`(1QQn%6%;TD6xHec1#}nr|3mA%@8%#D3kLx3E$R9!1wc0=2<*n%+94nAN#$Aa`3ykF^ga~<8r{_aCKC1i1?2<{DKX&f8Ti)%uOIRq7~keD!_*7X8{GuT*arX8&D-JJ5AzQ6BK80l{|p}B3mNL#=Hw9oE+*;c8{X;#AMYaJ!TI4*DGu`K$@Js>3KPTg4ecTzWdSMf1`^&HL@NLc@Guhm8vr}D`zzF^`6Tb;5ceD9>K;h@`zFr>-~PhyN*m!6(9k8?^9Jh`7X<tm-ZaVH^9T6_y7JfM-PbA9_az|^<r&!o_5BVj-J_!~C>1H!(g^>$=j{`~Dk%sL1?Ke}B=JKFBlsTx?*C-m1SJan^*hGjlKay3oC6!_GZ@<T>+L^rR{sO}+wdjt9v}AU7Y!UD0P4>e^g#IdEA~es3j7KK3C8x;)c*M30rR%{;L;870pAz;RV(_`In@vee<c*?GXB(H1-V@T`lqN5@bfAeB;xY&9xB7bB>)EW`sCY}=pYjk48j`P{ze|z84$DF+5*Dp!RAZ&_x0@d^!dvN|Kb1_DlpId%F8<>I5-E;2<{^lM7v!mChIgN{1q%0{0rj}`pQVc^yv~B85j-f;`Hp@ItR}a*83+3<Txhu9OUK^`_Cfu<{sd)ApYn;?e8lsDEp}c2lMgLJ3i_W=JxK|G*%bI9O(V}-uN91#_8DV@dXYm2HhI^xI@hE=JD|-+9)Lr%oxQP2Oc^a5CQ%3``H8@Y5NHj&G!#C3=#~*>GIFL_8$Qa{r?RF>E7({0s7?~5%2a7<k#8~(nCTf`aH-M6ax4x4lCvj#|8J><i*P4CI#~S?Ft>pEhrc4==T87_bGW0`{~653R*z<8VBk>()Y#=zAg6o*8K!o=KbFl1uA#*1nro`=mW{^7X>L7I{!=w$pQ%w1LWcm9_QvluiP}}`M?(M>JR`K_UG&(0U8zC7WnQi5)R|4{SwFR0zU)_4&AX070kvl^yse&8S5m;57OiyD+{*T7!cwbVLI6S{^0i46!}gY{4*f@8Yt}@GX?`7_z=#??;vFy;Sb#|!0`9~`sKevE${&#<{8-b<KSoj1QhV$?FQHZ_9zDS0^b(-y#WdG8~HvFMf4N;S>E2-?tjwj7zhjo@g_6<2^Uz-BPK@{1S&TQM$;VK>JQ=L`4-dl@FFP18UFPdN-_QxE*9n?=<&$}_Z<iX^$WlV^4sX++DO$379!p{3iTiuBpT504A$--Jmeq_A`cY8wf4;9Llx~D6*uBN0v`ke1@|KH_524O+a3?R_!0#R3jGWgH2uIG+~eUp6G92eHYeNb2;marF9!rn83;HS81>`F_Xpqr3+?h11OW>9<`D84#pv$j-UZtH<s1wJ-tE)m_5%AgArK`j@A|{%3KA;v#vsfL?ilVpR1Ep`6CB|o_bj(C2MS6F&iEViR|V(M<01wq3h3enCG{xi3ESiFAM^d(`6&hZ=<?7o6#GI%{wf<BFbYHX_uv-}>(m+J3FHgaJ>mD_>li><ANvITC^O{_N4g{cx!d&f`4H0~xVRR_5eF8yy`V1e{s0#Z-RRl;9L4=3-RBtdFiPg!1WDop#P`wqAsZn?<O3BY{s`IqwG!kG49Wl78uaNK3Dy0#ygi=zGU6B&6$m01KJniwB<9LjH1q;O^&lDR8s+Z=61m#fF4_g(2JII43h(Xr`xfOVG5`Dj{`U3s`3WfG!cOGk0pPb7S|8I0`zyc*6ZHu46~NMge>WZt3GWr_^$qOV3Cz6%^Ta2<`tlD13I6;cC=B%Z?<M^T_%i|r6x|6G1poZq{tFc$uoEsNC(RuDCnNC<4(sP7|MukC3i}+>?Ct*L^4rrgIxY$W><S1Jn<19*Ug#ea3;PrE6d*hQ90npc{p>6E2qhl$?%M_U?D7L3_80CGr3^N}A|fsG3O7au7UA*a`rYOf=;j(8s-_b$&TQWw1s);}<PQ)0{pjfS$odY>%JAa^>li2L3jFooCB!MvxGVkw9Rlm-3AP3N5)J2C@Cxto6YuWW2m|cJ@)^xL*Wxday4?g1DhI~|wc*qUjOpeO`{yFu=gacv?Ag%{2o<vr_X*tQ-|Zs@=^p?CvL5*W!Tih&*ws=M;t(tn@$%~%5c$!>)(R8`@Bh*u+zK5M5)8%RIso)20M+ji69(_@@5>zJAT|si(>v)Y>sSUG@BaDy_wWe_0QTSh-vjCP>F)kI_AcNZ_1@ga91dehDEbQI=_vr{Jo(=h`S1|s9!OIO_#7_666OjW)aAO&^!J$*?B(Y6W8n<^0S7}o;@SHXVL=K0FrniWA<z;H56<-U+~@5v!`d7~Aj|6N=RPD4@FfT3&E^a6Oc6#k&g)Cj_ZLGmBL3nCA`Si{K-x1n=>zlx07KR%3C|V{$sN$Z9q9r49pt6<C+(dA=>aRsJ}x3u-Q^1fNeu=xD=GHk681JO?Nj>$0098X{~#bB5c1jg3k?;{A_@Kqs|FbQ^!zaCK9Kzg7y{)tJIfmZ10VkM>($2SB)KRF^#jZB_DS;|`1$7}+6d}B4*LZG44w4j2(I@cLPg+B(UuW5HQxW}6$=LE_$TrP<PIJSA|~<q_RIXlDE$5w5A{0f#R@zQAm0%QAlBLf_Z#N-0r1?rIS8-;DEijp$NIG!B?c5U6sUhK$oK8q{o3{R+W6w{)9fkY067c)5gYsuH74)r-zqY(@66j!`t#u#4GQlS<Pi%I%kCu`5!@Hv;qxL3_}km*@8RhQ5BA^U*Sjtu8woh$>n1?l8>Se;2<Z4H1`P2gk}mY~1rRyf^y~PB(m2}me;q5_^)$d0`58F+`c~xp@YEyb>>CCS<s0etKkx|PO!V?d{P+|EqD9l!z}ffn7vR<t2_xqd;@b2l2L=lH_U`}T^xjGH*4*40)9C)=q2nvm{qqdy|I*gk2nqoQ^#=aGP3A8Z0QnszCj9HD127lApfy3<@7EFtDDDO97wo^Q3(!On%|x~oC>stEDiP)B_4fqM`VJNO=MwD@>fs~4HVe`rIOF9K5c>G*u{kN;I_U@O2od`T65<&YA=<3R_uDrb0q_3_F&-QI^dQzb1|(M7;`%G+BG%Uf?$Jg!IUEudAji`j#q&7<->Cp7`55^k)Eorj2NE9&2m%@+&g{<v#|_s5KKIbw>Fn6!0}~tH4!`ErIrRJfy7C;$+6wa0uqNpL-Vz3??kWQeCOGrs#PYc10T9$e1`a11_y8>;{1F)33)9;B=|TM^EbRE_Dd7er(GwaG(gwyJ+|3{5;xzvJG~gKn(DX?g>kalB4d)B~AMgef;rZ?)$qyeJ{QwpE0R8g>_vC>l@cAe1(dZ=;Ea7ZOxG)P*3JMc7Hx}^j10vP#E8o)m)c)8z6)Exm9To2?_q_xn*#@-f93c}WDigjN2=O8W11d`aE77(0Bd!nh2>9F%6dnxQAOq{xv@sJA4DlK_^A`&l_r*gW8wKm#*%|4?x(xaK=LOaL(?0a-2PYdk<PQ<~_Yoxo8t_5^^5zThF&TX1?bZ+qSRWbl%MB6m66ZQHFy=7P*7ow`*xoBt0P5cN8{Zi9<5KU~6%rH!Kp9%`2o*cr0ksA9*!Bns@(2G3`VN#s=SnHk-|Y?u@gB_f<o)LCH1-7y-z6U=-}loN=lJ{R_8Rj4F1i6L#J&k7FsAbhAqW5r=mZuPKrRR5=+^QQGh9#u{}JsI0n_^Q-z`4KIV#^L4eNaKAOS)53l9_yCN?40`ZoFj1p>nO3@{b83i!7g9TWTV=-ntE9`@}MDGS9T(e?J|{N+&kSqVxhAuCWE1NkTm^a0{CIxY0`E&9|C@GLPv#R1e2>e<Bm5$g#HMej%8(A(em5b!!16A$13EgteBH0`tB=kZ1;2>#*j0{0g9@Atep_9yEhCejTOE(t|6Ap-bB>Mp+MxfbpL5aRItIq?CsC<ih0AVTOk1tSgY6Z84}3PSn$4B$)(_V@n`>hKHQ<QL>eCh`Le<qhB?2OZ-E=lLED-4@*BF7Uwc<Sf$fBFhu!;llba1ODsh1;z9q1lH>d-522x01xB!FGQU%{Vd?wK`WXj1SS^uA`B56=+PF~BF+L^EFRw`yao(2w+0UK2L2c@#s=vv^(yz|_WdYP7UuH%0kF&6DXYix8tU=<4gDMm#QO)t_Zbi+5&td>?d-(p;PymQ%)~Y#9}+b92kH|69~S%J-1q$h>^k=s@*Um-6Y>@C=;coN=KTiv`7!g*1+eZ&823IM{3!t45=A-*1kBYH)xqZF<?!St65;$SAUzun<Mt3v^ejE+GO;}v2on!L2>#v_4FfPK96jp@4ANBV@8$gy8{O^s#nt@q8v!vPEG`!B=MxJH)gRmY6+{jX`Qgpi?GzaVN%PhK{oNGI&e;q7BRLBp`DD@(1>q2a=(`jl4Gbi_;u-S`*$L1%%OI4>+&JG)*z>(7@<ya8xbyb^B-W||q5XgHb1mIB#^)!~<QW_WKn(Kq*ZQ<A3dsaHn#Nn@Qz;yg3MDD*`SC>iH@T!6&FeAl&hiX497Fj&4*v$|SIRH{^Bgt3tmP#t6l?kF`6y}B2o@yxD*X=x2k8R;9R>tN1m5>AH4EG_@$R1k<s?K1VJ;Z3Ve!@C3OLbAE6fK#*TCg32lf0n+A25c!{F!=)f^MVG&Swe`w#C7BH<k%#Z}Wc<3Ql*Ar}GB9R4sE4$|R1{O1k;9!mh`;^7rT7Xd;#?(oj*Ip!7L!v!Ji0~`|}{M<W96C2a=Ix<2c7z{x1<>kZ#{M{1m9_aHy0~_lo4=xlEGVZ(l-US8k`tdB{?LVmdJm~uT6#)YaF2Bnp4i<Rz6XOyqAx;er2oM!F>l*|LM&8EEGzbhD;ub3G6GFKp3@h9W5)kJezbGZ<5-hw&G4Tx(zpu60%-|&VIuZEnyr>XDJRBSiF)8%)5h>u`0<{d`C`kP<>MA)G;wCK))#?V&#itA=3IEIav;Y40-U0O>_`4M(66ORC(c-TH0scZU;13=`<md?aBN#CO>F($AJiz|l$MM706yyf}`1<}3IXf93<F+UY1_KlKp{U8@CK%}y5&?D3^(%%70OA`Q8t1hH5JW%^4=wH*Mk2S``UC3Q3>N?m_yFhS7u^yNDGe3?`T4{e-q;UO-|Gb%>mjz_u+iNE_CpHn{X!gp(18pFu<%v>#Vi{mDFD9<Fdh{776KOk2lT1u4k-ueAwbN+Km$GX6cEfGfBq{UEMWW~`zjL^!xzf&4OTPx8Y<-uxg5qD0q@YU(+}Jt+cNOY*xuda_7e^zKtU8H+NkIE?atrm__*X8;n4IO{PF@f`{m*vMdlb48#pWVCcq*0B{L`a;s^5J{?|qi4a^}7{vrz!`}p}K{SiDQ3h+!609Ee?*B2lV3o7&f4%{jS6Zs`5DeKAN`T7;@>>maP)BE`d#w!)}1LoQu82tbx{XGsJ0P_Lz9UJr1^5H%K`St-P<qQlD=h#hDDIqi%7vmfFRr4Gt8uA7T9rhCmJp|Uy?Fj_rLLmME1~DBB6hP@>^cDOh0~7dD;T$0*1qTZ)&fE$RH#Z^r<Xq(<+WNaK80s`05!uty#1X>t3>qQ(u_Yo1?dIhQ00bxP^%n3C68qm=^Yr@Y_zJi`Kkql|QTVC@JsbW*$nMn|-6PlY?8h4V{H@k57CSld`}gw_9^wBF@Wvn1Ti*Zw+&;-57!dIe3hU6%*ADSC#PjHm0Qx8FtNRJ@85`N~+WP|T8#(9B+VlkP+}*qHBiktk8WPOjLKF5S<L}_l2*11E9^Dicw!`cY2JryhTDe0H3E0^W{mu^b3*5T}5$G0w5Dduz=?@L<*4ow!@5%(#7Sa{&((L`O74PsA&pPZc(%s1Z*8T1D(-!J38W#uj1LX%4&iw^A{^$TE*APg;5cd=-;Alto4FdWU6&Uk7=+@l2+X2_#DhK^g(DMEU94h$jG|agN(kVqT-v$Y11^^e?Fud*Dz19le1itns+Y8<REd}Ep(gOL)3|Ix?7Szot;P4yrLdfwm$O-l@o*eu6BLeLoCPg*$C;$B)_Y(0DVAkzG+Vl3|0Syx0<lVFXF5~wH!_`O|=N}IICI=263EnW*>naw|`4tlt0Wu^5E9h$->mo^W@ekhS%OS<@`UCs&30dwB8_)T|<?zVmCJ6Z%H@xsU{UQ2RLGdckN8RZ3D)j{O@cG-*1`O9R^RMjr`TJh+2KDYW*cL|TIqntn9Owxo7Tg!ZCjv6i49(o-UJ)<r{6YE%=+^Y!-y#bpDJ1|p3I7D_#Uc_Q#RseV%o5}f=kdll4lxq<@60Ru9U}fi@FXzg_3jV(00`>+{sO$vv?S#R?Gp+auP$5ax*Y-d9#ZBv@)pMm3@-6h=qC!w93@NZ3m5+Zy5AQz!PE`@0wDA$3C;cD?e*5~C?^{VMjHbc+Y0B<Sye0b<;@Ax>);v`?j->t?HK{)*WH^ZDG1@%yVv6R=<~xi8^aC(_V4&L;VXk4@%-^Q1?MO62p$vm{od{n!}HZE$jRXW?;iPO=rY2}_BXoR2rldc8{$6h3l+^BJor25J~RK%AnE+?@*Ub2{L9=B=N9Kb)buat&=>6S-30(F8s_&Y-#PCvq8{Mj2JATf6UQYR=rsiT_2NG(km3jlI1$<K1+BCR(aX>D?)4?@xj(!XupcPWzYRgp7u@F1{N)1%2*(Q!{t}<|Edb*1@GtU14)_cWH5tJOzAYRUI@uw^^UoUNp&&>42gEk*>>1=i_yFhB>>2<TJL%X23HI!;{_w5-M)>GqGcXYf`7qoU?kx2Nu;lmSQOK<#2=x{E=LiQG3E<KS_!ryH;HnnGSnwOq`VkM%@v&C~%|8|3{m<wEV&&f3?%YBF&spx@03sC(vD)kD76JM7KQ#Ck$JORW3Jc``-L@+T4_Frr55DuU^Rg=#1hx74D(@1x2@<7Z_Ranu>*-k)>+<=|;Oy-K5eoR}-5F2Jy+B~;{ssv0!v!<i{3h?%?FIAu_evn-1_I>V?dTX3>K`{O3-${L8yxBn2N0kI^$v~qMFi)rDD4pYOY;l~RP`e;%BBAuED!hu{oO&pHSCP<A_6)T3gGA(@eLFN{vzZo4EfvEMFJ%Q?o|g--2C_xH4#fZ5El0`>?sj3E)XqF%^>Ff{T$Q){3`O%{@(Ed+u`E*A|m4__}~@n0KoVt^Ag%B)er&}^Bwvb*22Ex5DC!$A@)K4CjBN!tx^p?8sY8S-v;vl+2+T_&I9z{0v-tv3L@8P-tg%c&@}Y${K(zG==T-j9UMd_1I{B20W=x`90K^j5fJ;o_w*Y)3+fK}BK0gR`t}&-`t3L8C))(`^zlXyIo#&~^Xnc0^CST1843&^{PUsG3<4d{`!Fip9`Ybt8V30E<?|~U^hd`OOc(p%;xp$=^c^8JIppyjCK2=~72p>PBmf)I`TeQ~8W1rC>dYfF_bR>M=nn2I5)c>izSJci|4H@U`XMV5GduYGx*7W488-3a!5`T*7Tx^F1Q+h=4(Z3yC1#lR>+I6)_6iUt5h6Jq05|x7{Q2l12j2<`8UhXqEE_HN67Crg=j0O46#o7W0}>A&80jbb+ww{PAU7Ez_8JT-8TS1j{0a%=+dLu%<PHHO5BdVV_ZA%T`VrC;yX~ng2nYNp6aq9lB@h`7_0I_i7YGz1LkJDo<ml-b70EX3Al~H){Rj5z7%2lnvnb>WDF6fe(+c1H4&e>$0TS>aB>U<Z@$U01Qt$`=6YBc%7Y*_L{Kxe11VH@B&>j*U<jnH_HPkox-6JaR%iGcq0ufF9K>z(7{6H4#^~?7Y@Db($+veUZ`w=A@Q{THL2I(syD+oE{AT;6U`@tO3^aRov`U?9%Ar1xg4-**c4*1{H=>hoQNCxK40^c##0QVxx1N7Jr-t68f9sLLs+V}eK?AsL*$q4)^2gX411~5DZ4dKe+8zBqg8zsd>=leF`C(8WV2q*$JED!6l?jQ&9=NmWR2?-w8{=V}K^a=9=QxG01Crk_>*6tAw`|we$^AO!4zbvu``wSEn;r_`L56}Yx^cwda6VnbM!R_zc!YSzH_(a+Y2=MO+9O3`f0z4*e-3#pT^Y#4!*d0>Z@faf!#S_i_3Iy^4BF)Gv`Tp+$@6z?(?Gg1FKs6QmH^?0-{mRP?|K|d!(fH*a-PA6{`w9u~-)Q6V7|z)1F4fWo1Tx7A@#eJkB?;^R0nuGAaMkG~887DcHS0C>4I(9~+VSPx2oDtV#yKmq#Q-lZ{leBB^62V6LFhE!`~U^q?hU`~ulUeNA65)H{s->kL-ea50QET!0Pyw5{u0p9);ZYJ{`D5*<qX;s_!1jBuq6Ww4G0A4GUgS{{0ad){P!Hw2r%d9;vG%^(Fq16BI`Qj(UA`bLf-rUUM33xySo|d)dtww)SV&zF7^>H2gNJq?f@GZ6%Nc1@&EAD^Z^X((f_Fd{om6S@yj9~2;U>`{0IBl;Q<BJ4qFWUQ3o*xARpW3`XVy{)cq_q@9W>@Cg4N}2pllwJAY}n+t?uX55n{0^(QUs)-KN(^O`&>=iKT0?b@*$7ajK+&mATF$|Tcm1PcEY2iH9sv;5Nj@B-E$^8FhP3@Qie@FqM0Isgq9J3IcvOxzLR7~13{>m>Z-&hz@?01qG14G!+^0shw!96<dA`}y?@4E+H+{?+x)0x?bv9QiXJFcmhq9SR2+)&}Sb4F~-PG8_x-1u+B<$npR6*#HjT()1Vr{lfkaAqYe4^!@4K_X4Tr@L8%E(AyX063jO2R>~OJ-vv1T_8PVUEandI{5J954?^Dp0|plU0ueK^;rSJRRud2Z<@)jg?i{`8?;7>?3=#Us6a~Hq1?>dfD_I5){PGa$+SJAbJNo|A{s983`$q@<K=vQb9u)#B|K#f6`WzGO?Cnnf^5oyr2f+0h?ll4$9vS2a_44NH?eEb4>*Rs8P4WZ;#Q+S)#tsN57~}0V)-2*m5-nCBC=v7t{KxI+=PURE0q@H@97pux*!aLI5$p>N+nL&$_WK&p^bRTnOF;r3902JK4=5GT*sKN#^)3hl=-TS&0@OzS3*O%hP6!V#@Ei2l28#mdBL3(AA|I0j@I(9M1J4-h_VN1<3?ui<_v!-HX65!1B}uqj4>;@D8x8BR;OqR^>(j|c8Vu<6Dlh*28Y$Zz1H>6C0Sepl?-u&+1ndA08R_l6C)pkjJ_prG9N!JU+dS+9?;p<Y6tqMHxa}&q`W`&$E$vSr(;5K;(gOYX2gJ$$`tJ^{>)!Iz^&I0CqU6_R4hSVsIoRjh10OH#1l9xxAO70Q2(>2@>JA$c`}iqM{r|ZT>gvqlL&WVG5+&;C<pcZe>b&pq#lXlL*Ao*O<t#V@^93{F*!c#~`L^Hk)!PC}-sm&)1JVr%2iz0?5d0I{`u@QF<pf4M<wWZN{p|kl1nSiD`4O}l3i0OR91=Ph5DxYf|3CFQ7}o_kvKK@S4+R4Y-~bQn?H?ub=;7NE&-nZi0O#fUb=xuP1nTJ*6G24q<Shvh3O%>j;wbCT1riBB+_T{q88-^b%evn1{u=TZ)b#%E+A~7_<Otd$1lr#czV!=j|G@+@9seXD4e|34`Q_&28Ne|3L*}I?B>L|J3n1$F(ctIZECviJ5&S9P*73~@S0wVy0tw6`Q4iq$C+!qe0|wMr&*6&e>b|)1=^CTzH1`b_7#-|7`u!R_BlEb}AEOcN+z%$^Db)Dz$=(JYDG&1w@BJ7f9}^1-{p$=0KH$OQ;=|qU^xVA?75x_dJ@4=~{2yl_M?2vjB26&(*9!6d@d_o}&nYx0pZ(7h{ME@RaR@B?((3XJHx3#Q|K$+xx6lqK>(JrX-rfU2{K@F}1J@Z7#Q^0Y{*4g;`PA4d^6VArDijJh8`t^?2+A90Bi!Hn;NTo7^zPqK9qLse^9Kg}0{PPd`1tPR^))~i+WbT~9mvro4*fkwAwA?i9WS`@>kum_Ak{3`1@{{G2ktQx3H=2I8|_I2=p^l}*7qs+xiQQ1`w{&B8X4mj^eGhk@~_%31S%XL72wPj*ETgI`hfsR$w%eyDj&-X3JWgr0rmCO`o-=$+9~M&>-^jdBsDh?Q40tK7YL#-+9d)C?Ag~IX!Fq3QQ-v`fAldm5z6E(<P78y>L@Kr1Mmv|G4|5T{{iZM=qU~G-Y>2G4<FMD{w_nx=|mYM3=ItYmro!pOCmY?_XqsrWJT^t4);0@G~opH15^;|z1=M=?iA|y^ym@x;VAha59t&HOcw>(=|A=lzzFm#?>-R|1Qgi&#Axl`14jJ^u_nIq`})oB;Q8MP+yEp*4e}BC2lqDOKq>xd)8P9iu^RE|?+*&_4)z!N{7C5o^272E`}^zw9op#cL-XkV6$l*c)5QYf)zJan<u4^2`v>vH)H2i<5e?@Q|1}3O6A2dQ4>Zd1+}(u;Sq(J`%m+6H*}^9uxjY0#H2nV{1K{r1{R!j{B@hJ@_t*yy-4^Wc{M7;N^bzml>JbhH+#2v;D<shvA_Wi>(E$`30Z$UY`Q{G}Fx2DP{^`up_q^ik<?0I;4<G*%6aOF-@*eUBBogx}6z~ZO3<vlr1tRheM<mbuG41pY`}`9s-~k%pFa{d?57f&IJI{8$x`7?;9Yi4x{pH^Yi#8Vnt}v{SrQYEP-2d)9+~B3#q#o@+EC?|#D>4D%O)3Khx6oPA{v=*D8&ajx>^SH-(bdR5@(B9r0!`x2;$kP=>iNhtLBqo9+4aHS%^1!O84n2$^sONB5j7qgx6k8B{=QKp%|0X0{7w-68xt=CEP=8a$y_7m-B|461q3925hC&&<UAfG01p=>{6aZ7J}mhSDmDhiAM?)dDdvOv^aBAM+8P)c=@8sRJ|GMy?E@r2-V6ihyU_O(Gz}$KAn5n{0{ig}4m}Jg7R%l;MA#wd?*9$&H2{p_``8op-uB-L@KWyw98eJ?+sXn&Qr-c_1p@Es7w!V+@)IHZ^#QX!3i9gk^8nZi`r!BG;XeQE1q<Km;n5l50<IPQ7vS$1O6lqTFCH2y)%v>U1phAx69ecQiX7PMNfQ_7Cfx@6<em)Q-X0i2HZJ-9a3|~p@dgXi1qCDiAMFUq1t0a274-f0QyTy^+T+PG)G!?d3hX{^8VJ)E0@csiDEIyiLBRq11i9=N;==b+5Afs^*zWQy^h)@I1KCvwvHmCc^aEHGDOVv50@Mr<<`dia@Bkzm|0Fl!;P4ggEf3-c3GoOr6dw8&+YeW{=ie@WywD)f`M&nt_qY)g{^U&kC2b7Y2M`Vc4kZruHsYoa2`N$QHe2~t>j51b0s{j24Gc8n{vIzNJ{#o(4Fe+J&iVBI>=FVd7w#kc?=Jii2+r;KC-lfRv@jO(O#5T^H3l09#Q-AT-_bzZr~v5iI^X>4SyJL@AQb=~07d8$KN7zYGJglSQ5M<z@&oMr3@_pVEsgy41fkg?C?>=#=Hvvn!1M|X_~=0!>hT!;(*pPY@8kdsCnJO^3?ofWCdVr;CleO=0UHTo<L3kW?H~c>5YGYr>)Qy?4-GK&)&&U$(E2k8D-$9H2jx5G5$MbP)A7UV3ga*j<|79j9R?EY+t@CyBJ2bD<oE#m^%)5|KT6>V8odt*{}8gNA>h{cDb5)ezD5`QMjZ4M4e1{2EFBO9@DMun8|g&#-xS!+vHIl>=KJ*;4)E^s@f8Xs*)-?;2rc5;3j!tyBuOkAKm5b?749VOIUWoYBli2u{QvpjM@ZU41S1hDH5e(3AnD!$1LG<03H0?%EDT;4Lgg0s<nI6(5(Wbg5Z>kg3Fl7~^zIWLRRr_~4gos{?aLn&wjA6lJr%<P&u38e_WLa;;MnvO-vQC&5!&(zHXX_MQ3Q=4B>V$8`Umdj3miQSpep;=5ESeIB-q#nRs#+O%Lx+s>m2g-0_i8}{_^(|=m`DwmJI>x$nN48L`f7S^Y8`y5$ob34HEb&6)4o<PUGtX{QCtM1}ohl0^;){-Ra?81pgh|>;L)!@6<CK*a$uY^i(%R=nzKOHctG@0r%fF`qK;)0uUPl9}LPCD#!B{;vCfa7A8o;G3@m#DgW+1^eMjq0vYTk@CVQv2eAef-VVAaNF4Rv85Fq*|Iz~D2-y(&tCsWB)hR9h88aavAN}3@*5ld-8`mQK2-y#3|18@RP3!Ou*z*YR{}j>@2JZGC66^)-1*!590Jk2~6&dIQ4+16(()Qf!`VJfq5BC=v^vnSzL|OVzD+3`+KP3k=5DQf3>-*dd008U2O-E4(DYx<OJvTcI&N<fR6z2N?D$bJ%-O3Uw+$kbf+zbW(A7&s&#>6t;=<WO>0_o{n@*yhM)XWa+GUMDU^bpa=&HxM}Eb15q(|a@kCgCXe82j-Te-#EFEAJB>)!_dO4I3v20UZGB`VI#7{vg310|Nv6m-a^|Cfgw|)Bpq9>c{>3%^hI)12+X54JJqD4<g?GO&ZztJO1ww_87S+!rkiWmL%c%F3Gg_AOGnLxE<;D!Q2NG6zww3_6G&+Jn+>6^#Sx0@F3LZ2_(7;w6(kS=OgzQwja0+1nU^{-W@Of`3e9FJm2Z_{yyLb>ofFOGw=l<21dl%&*<<d7B2x7LLC7QARp-!0S)Z~3lbDo4ecuXHTvoI9^vanQMDn!{gv(ON(%HG1^5aC0oDmC1_@34+8`Y5CloOq(c|?f3gr3)CG#o*uEx#@>bKh(=lcES5Efzz*Xa-OBkl(6GztwF<M$H%|Lj{32&6Up>(f;BtnT#SG(79V6|F`J1h3&C?pNvX9{Jb@2Gl7d93KJ;5%mTe6CL&WH9;i)BLMN`$SfTC^W^;b4f)$A=%geN1GLuwKJ`iD1{D_t6b&^H*GUO4CDQugAU`c9y$S3q+S)Xw83z^dGC2M2(FPs~0rK+*8|&2^0|4mj5*7>Z=j$!?6z=Nw0_*m1-5u-K(>Ulj(LF>F+Qbqq?+h>p3=H4&5blx^<qh}q@C*3_5zq?b<)-@=Jrx_~z7p67;MVal*XMx{Egu*00VWU5^eivwDk$&iJ|;6U8rkU$#pN>-`TjNn1n=gp3KJFVE7==N;@$%R5EKM1D&!&B^%Mu~3KiG<6)Ef5|1kjt+U+I}R|)0Tyx;KCDcb87^4tP&^#<ef0n-!)4j$z*A+ib`;tj|G0Qc~{r^z8Y|NZqr4+R+Y>Jcc+8{YEW&dU5AEi)1u+Re-w5(2^LED{SM2>?Ux4gdb+2p1b8*x(F74Z<G0BH_Bx_2UQ_;Nu6dF3%0;2j~aJMnNTN^xyXM?hgpo`_CZ~F(UTyBnAuME&@B=BQ8t}1nB<<|Mc+A?kMR!5h%YJskJ0N%=^S53;O*3AkPd0HPgz|t>_dX=<_}yGkWtF81l#q3;!*d3_2qmNh(Y;{{lJkEFbCf<^nUX3`-~_@w6?rJLo-1HtQh`M<nPo6%!=1#w7m@2@u==))yGx6(>Ym9qJX+^zRlHCHUO!4aDCj8|V@L9kE*o(!WbW68<;uCS3X>*#7`O`TE@2LMZpzIt&QM6$J+j4crO?3J3}n#sT@+2MQ77^HKR;E&uWXI11U=1LX_C>J9fK5c<F~=Mn0=f$!H4AoL>c_P^fsKHAn2%IYog1ow+BC>IvyDD~{|&Efq7?cogj6jk*f{wgr(_uz>4<@ydH4nhk!+2J(x%?%I)LhsZO4lNYBAqxoVGQZ9K$pIJn8m1id3bWh9$mU4)<L>+V;0g=w)}=8J-_8~80yHzrIMw_2ZQ?33^Dbr`{t)>7865W`7ZUxz=<MwM6WsqTF$WDZ!uWUj;ROur3%3Bt_yi6KCgUX;EGzvB<>%s32NX6MH5U}?71rSk>^bxI`UUF%B;ytiK@18{Bk=d_2*5uD;sM>cLisq|CCVlqHun+w`|#`t`W>z3xbdttH~>uq$tGO&EdC7_>)$LY_$5OE_Avns^f=u2#qrohG&AcxKfLD@@Y~Ad@fr8=9J1>R`!nJHA=U&LFhcd3(gh>x<^Hef5%(h$G~3h93gGu2^#}av;se?D{ODo#<pJ6wFB)wu3*hS!47dTy3IGAE*VhFN2No&0-Xazp2^|zW00+qN6Bir=Jm%^TA>rdKJ_;d773Lb+ANm>A5%xM6*Yg%S@G&hXx;y>&2J-p@@y{*q2RX(I8xHyfzT5NOC*UIdn+V3^;RMb)_#+zO00Q^$7$hS?8Q&f_KjP3B@%tOm{|d1U7z!Bh1NY84x1;aU%Nz9>C=k`{%iq5S_Zu%1FzVMFF~sc-<{0WC?g;JT3LdKi3iuA{>??RK$r3?L6&vj8{#5GTJqqO7CL{JL{tp%5829%76yzEiF1Iq!IQK;P0wMw81Kvo_8wxfI<2(X6O#%n`vi7<PU(VwVHS!$n1ts0V6)*zi4gSQ^<|*;&{S{i?EA8RJ$N~cs#^eqO0thD*3LY5m#{deyBou!K*aZO#sRUL&C;H3p1l|-1EDi?YD&Nlu^%TYq8vi5Y6fOV;0mvW(7V>NrCfg@981PK~=if9H@e}7J`41T<473mD*#*<k>Cq@j0@(iq!u<KO8wv&VCKl?x<Si!)0vP()A<i)m9q{_!;14kA{^1BLJ-;X6_VE-G4&W*wVGtt;Df9r|*Av$hCK(Vb0yM?m@7op$7sW_h1nKhhBjN4zFh~~r7Yfcb9NrWHuptWd=CjfK`z`r19svb13jEFbu^<`|3g+xJ3lr%G^85x7?(+o=z}!b5K{ns*>l^Fz6(jxh6e8-I$nq8j^9>M0H90E?-!>HL8WT$j)f=Y%w*m$g3H=iq-}M$60Rk}nH6|eBGR`9}EDSL=9XT5!fjO!%;Uzu}H`R0o#p)F>$RPkK3G+bOD&HIbBKzLu85i^u>;DG=0rd+g1K<qj6$<eO@Ye18`s^P15+c4DEK=$Q6d~IX|M>~=4iFm5al;np`2ZRG*(u`+ycPu!=j;sO84da!4GWL|{1)x}1RdlH1N`3m65y!O6$I!h`rys^9V8?b?dmT8OE?q}6TTK#_pBK(@%%0U5#;#vrT7p1I3fA_=ISm4DA4Hu13n2H(<SuNCHC6!|5D;59NYl~=Ku8d3ds8X4BY!B8|n$rBMssd;JgPIK1*^hQ1t!{&=LG)Ot;+i1^o337W?o&>f$p7=JFjM_>t%a*YADV&D;kvaP|J?_6r#q5BC550pk!A0`aRm7!1-4$vg%U={E$-==?Y0R`~u57yAN1>Jq@dpaTgB731|E(nLWy0fFA&3*!3PIQ-(%`zhS!K+9a_)F=!b?)~!w+!pHO-KHkrFa9a=;U@F-5${Cl2HxrE{{*(|0>c^_5I@VqITu6+-RbfH3;`$6{NVmQ|6#a2KnV!N4=^v`1GF9MJnaw+<-@80SOyjtIOPNbA^6TJ;u|M55fRD*jh7cIo%{#}<qOx<!Oq3iJC)<!;Z5xU75MQy;yJf}zYg{#`3Kxm=HNgrxD@FhD)Y1675Kdl0_FZ5?cK)J8RQWaOAhihTP^@L^t4Cn7zW=!<>~oJ05Z@06{!X5m+__k6AbenClVkA^tkFZ_U8lY2`uUN3oq;Y1}W3{4mtHL_%9Rd_TpR&`t>9p(F*eZ1*<efCgaU4_VyC^F(V`fLi_{s7|b38`S~2;<pKH{^$!3N@!;te63^`r2s7l;+y)FE1NI*L?W)ilK^aE|9~AdQ>JBIc@gV8c3Ifpz_4gtM4jc>=I`aqp)dvX`&;<qO`S$}0z`YP2($okU#v8)W+aeJ59u)5y0{#pG&h7Fo83OSG{}I3aIX={w9r`m%01Msf_~<Ut<_aMK7~=fiN<O~r-2>_FEifSY_aea{Ck-771NZV0@AL%c#U1wgFfD)l@*~X;)Xv%P@z@D12>(PvGZhNp4;>c-<khn63HK`n@$l*n>nync-{A!B8wC{#75L`eN6i=a`26H27Y#4w`~4R@G0y|I^C1xt1{cFDBlF1~MlvKk7RuouyZ{o)JoGaz?AiwkF2pq(|IrWT#taS4EIcFW==<Ag^BLX?*2W9?)gT5A{H+M~5D*OH)Ht;7>+TA#$Tq^i{`tBl=VAZ!`YcG!<{nHl8X!XNJn;bv__g^R7t0al7e4hkVHo<f&ll471V$)@%}fp^{?sS(|KZmaD7PyU5#zuj3=%v+69rQW-1Z9nN)lS*68K5~=)Mpb`R*3d*gqf*-#9Y!@53+wH?9re>HXdr71;V1`Qh#t6&+jt(GD&MW*yE8{{Z*(Aq)sXC@KBO6+P|J84~WJ1TY59I`J$A=@QWR_Xb4}aO?NO`vKwJFVGkj4;t<3+BNCY3j__$;}rK8HXrp09n}i*@Z=-i2K5c-^}#ax5()z`%^e;M1|uX0u>kM|k?b)V4IB5|Lk|H37%kG*@eCR;`QgncE#>as-WdKV#~bz}YS|0n+QRPd3+wuS?;!s-FcRDC=fT|iG42)u6#@?h>hS^r+V<HB{ecG%<1^pz*XSepBJ0}@`4{>7>-iA&8W9HmFx~qt`wZ$4#~R@r1@{U26&2eJ{JR7w?G5?)1qA*M*Yne%G5{a)`qL0Y0~7<^9oyp$9SaTT1Ska9{-wl2P52rnJRKqe*AdqM8vY8@JoDWl^CAfc?jFzZ+aqWI=@H)y32XW@1O>?)*&0Xc@cXzi;WYcE3=!xB2<{05iS6pf-{1PY*WKh4;~c`@_0FOjArG}D4=)-Y?#KMi2?+Wg2rN4g4fenx63O_i{~#Lk{LsJ+72N~u_YFPyGZqB@8T}>C4_v+y*c?6N+bZ?~3hf!RCDZL`DDeXV7EN=}*F+=p4EC@&<qA*?9}LPOPy+}A^C=StD?j6)FY_K1&h;j}6WuNfGXv^6WF9Cv&%!S601)~H|1<^$BlY1hM!ycP6{OPp@9G~4(FP(2)3y{s>;=ERx(V*q?W?#K30d?z21W+*89e1d3-J5`0wekF8Vo`j@+1#9s37hDH01ya{s<2|`71O6SnJCaCk6`;)f?p?(DWN8N*O>2Z#gFl4ph1^#xv?72j9&O&9OZ!>(46&F9PTM_(RD-%m(Z4<=+7bP!7*04I&WN-Yx^$7vA&-Kd1Tg?fdoF^6v>D0o%+H74_=TsqOYR*a!Ov9_I5CCp!-NM<pc>G(ZjH{PXP>69>xz<q)#i6g<k`1No;gv@RGVwFE2#+F}v@1E&`n3m4)12TaBLI}G;)7S|yk?J?f+2@Co*P3;dH6$v}b1sLTj&j}*dA;k3i{{HU?^W^~44Mp$(Dq8#;&EG@85+u|Q3*pe=AE+q){_Xl03jY-I64w^m3<oX?1q#gO@&c?J0w4L%4*e492K^TIDEji!FCGOY0I}H{8m-?>GXN$;IvJ$s8xk1@Jt!>H^TP-HMn53ZCS4g8=_Aey>Kr}(2I}k+NBZ9ZCJZDYp%V=}0vJ)+@&Nz25EAbd21nBQ1UB>c^)ufJ>hcW_58fgD7&GGYA@TVMG9&cXMPwA{<t#4-$Em#aSN#9(K;Nz!KQh(n9R=k70VLo=!W85E83WD>o#x*jqT>V+Ar&yl%^CT~(Jm1i3;yXQEj-RK<n7-`{st6D3K0Ye6%P+b4C(?8LKEDt=h3lPZ?CE&+V&O$5JtSu6SdFtf7}eUa1GJ`FZ;^Lfj%4j%{{5ek|)%l5ufxYl7T`CRN>5lLF1-K2gyQbsg#-$EOWNCzzOwpn#Gh1BZlBBDZXeef%Ecz8VS_cG$#!BJd*wO57Hz$r1Ad0^{&?>DG$a0E(tCcaO5%N<Tdc)xB=DG*7DjK+W^y5@XDqgG2HbJ^0l`hNELrJ1?uhk@>2x0&-nEf(6TZe^|uQK&^qPnvE$tW4K3=*0salx$pj_^^WGG`=JFRVy$9YX)gq@j;};6vBV*h51oO@|<^p5s4nNORC;-wK1`X^m^73K-${E7Y46i)qMNaA=?LYY7><kkb?5s)$^2{EA-^}^PEgAMA;wmBlBt<^Vu^#aj^av62BMmt`KPpHL+$#Pm((DNj+D7nH_zUs$6bval3K#<YCQU8wE=(B`_YVg)65PkY+C=8r4cHwkun{oz3=9b5Oimr-3N6~#-7?KB4*LbvmpG&x%jbPALt6PXK=(DZ*r_ED4$~_7`5qKp5#28?*jw8B6yxgSJnB~?TF&rD{WVbn#}dF9CJPD+>CGfV1_Q!}5H~*j)7qj1MjaB`GGXr``alKtHq8D9Q0p7!?gi-*_UcPk>Kz303K2@?3GE&!0~IthmGLEJ)+V?o&gKATJ;3wr^1eVgCh<flDe)fE5Gls>D>elaA_K<NAPvv)3l`)U{_qneHYUeIJSY4A#bW9D1U%^$DjFiyqPYq39PB*f14RHm4lDdW{Sgou><~g+(A8cj5$+FE|A8v$JJ{DF7vLD>5C|DaRXp#v*fCP|{Q~pqIz|w_BKNWU8_4t@;^YnhJ5QvhR7Xbv_<teU3<?MbBN+bX2=M^;{^9-u`64aoDE;XX-x=c#Tk0+$-73=Z`+wI_%*zce1?=7^E(-k!A2?+h&Oi192^TFW_T&8h-XrSk>)t>86n_K}={y#`0u>J(2NK&U+x`yE8pq%&MGP`JQVH`d4bCkc(=+xSP$wAQ3&!++4lfQ8%h?ea_cb=|@Adj*Ce#DwY2IWnBl8nP!7d%&EIzq0@)1I67CdU?2K(l^C_NfE1O*O9C)f@IJ5}@!(ntB{^A_9RJ@+OT2?8Vw)C>126Y~`zL$(nHrnU<HSwu=0@jn+D`vDIRE%yks`zpc^_39PO6d*wM?#d=cBO%D|I`Z`g)5!A{L<A?sC(G9S;s@{U<O~}s^5_Qf=Km8O0U6WX688iaP5}ikQWOg>BHj$xUD(vm!VU>H5CR6#Ewk{~?mGuBJO2_I(lZJdE(PT8D<lOM+4c4<^!Y&iPyzz?B2h63;|UcG?J(T__ZP1m1`Ytz>+$o*?mPwCKK_3(LJar?@8;7e@x-zN=+HF+9yr{n67a_E?8O}C91ZCkAG{$D65-e=?FH}y(+aXE`STLb*X%a-1@uEc;^#C2#|+;xB@OZ&DC_kkE%xBt@)srLA?(ZV7u_uQ)%`5{&Hm2^8tN$>*9-ol!}_tv*u(Yl>?_O-Ho*+k4-qpK?JAMp8_M1BEhqvF85!L({PF_UQYrj57W>Nz3fwE%4_;0B6GQb11%3j-)7}y$%F=Qm^dlcDuMh(SMcF^=)ap3?e;WA<0Ra3D1qliX5dQ)C{rmm~2>JyS3=aeaAOHOP4+#Gd`114z_z(I6`~3U?_4@q#00RmU0{avD0QUR}69NqY2>bK~1SazY@elX|4+H@R1_S*2{`?022>|>C4ECZ!9XjXA!8o)6rMIhEW;ZX~1h_AyhPV0&!MMHM3p#X$Ni}pkO}W6dAGvg8(YX||xVXo~y1D#m`?iOE-#1xts<>E9O1a_+dN;tV$GLs<f;g)ZJ-N`KJT{o?)i&i<EI9t7)i*79>opk{AvvHA1UaUnzqz{?Vz>(S>$vksPdV41S-F<Y<~b+oytuK)8o5(LmN@ImOgit6uQ^H`#kgZ4Z#fXnhPie$=QsK#-nqVmpSg=$06NC}D7kifB)PFbPq_ZpGqt`c6uL4|F}dGdM!7A&oH(7`1Ufr5a5yl9X*!`0g*hy=kT<Lg=C=$8?6-%}7P;ce&bX(F`M7rN=(o(q_c$)LHMz7br8!0$ytsLwEV=5rC^%H9y16lEsJLF0<vEqQy}0$w^|f-Z+_yF361f6a>^RQ>y*QWkNV$tLZMb7ajJUPxxjFF0bhQ!$8aakX;W?3-Avr{dNIAdR3b@|-wmEahbUMaLCONjteYkr8)3^Epnz+oIr8wq$GB-p1w>W#<dANvQt~YM5hd2$(IXMenuDF19qquWg;Wi-WlDOAL6}QwwCb<i#fjB9g^|rAeGC7Mw8@S(dK{((pdbmIAgExcKPPpkm=C}25M7VyDK)96Fint_zl{l>aUO9~MAUH~c-?z@uI5`vPcQ{1eu{ntNh`0$w&N<xlv$*<r1UNmrHaX`PJUMu(_Bet~OgEf=lQ`5DN;oNSOSy&Ov^dc!;<jtofjN3|3b-z6S~n4hTes0>>bL`SpSaTZuC^5v6*+LDPq=NALOB*OsW>etlQ|HLytvz9Bsg1kC%Gob1~{RQ`nTqdN;v*sm^cNQ7`LE-JUL>W8aJ}wGdY_0i8x5U&^JYw*SK06#kaD?7CGf<FFIkccsMH{lQ&dn0k^`hdbi76jW|~**Enc;aJWT)oVQ_hUbr%R8aZd<i8&!?xHzH&pE%FsytkMkZ8(F05jf0n06NvC1Ua&DK{)*u^0z5wYB=5z7C!)B$UOkS**ySY5Iz8a!#)52BtJ~%lDPu)UO60g<Tz(DdAa9Pt2xXiI=Ki006KU3Rl23N5js){qq#TBsyVAo^EW2Vl(=Q4Bsr&xi#WsqCc0k-EIHtx^EjzQO}LT9CpxR8GCG#3K{&{REV|S&i@4xJXt_n=syL&`EV?n6LAhi94>^5a?m4N{pf}+2l{rz=Fu4py={e95n>f9iM>)yl-Z}ngtGSvi?6{Fi0K4Gt7dek1l{%GXJUW#M8@XXr6*|hCD>{}h{kVSHPdOXSB|2)wFF80&V>-UxY&uOI6uQ`lFE^XbuDEkyUApp)r#M}X0y?{O%(q1PnK@x#RXR}QK{`8O6FL5pSUKp|jJl21HM#%*%DE8u6}gus1UeLw#W_Si6FKnzZMsHhPq_vY!Z|1eNjk8P_PCps__z>g7`pzN;kic_ggT*wBf82QuDSlc*SXB4J36^=-Z(Hein;t3n7It*(78TqeYo;K5IW#hgE`5h{5ccaOuAv361s(kU%E&fLb?Dzio3)|h`tzXPdT0FkGgluY`HlcS-I7IgSjx+Y&s{C7dp^KMmk-F+PMx_Gq{`84Z11~uryrObGZnJW48uFW;#Wp;5n1cIy#*OL%Q8IcQ?HMx;S&$W4OFMKDj77vNv()2RQ%=3pvIjv^jaM2Du?L%{fo`5IH>F9lGUm*g2nPVKzk?q&mN!rnx^`v^k@-zqqwZD>*i|BRR@sZ8}rWzPQ04F*$QvpE;?#|F?ESOu7a;{<&*49=dirwmDc}cR4q&gt=z7%sJ>o(76PH9J&<Rbh(;DLpjga$v6rrK04~W3A!cHc{;QCM>$lAy1Cff(z$_nx4BLJ9=aw6wYf)QH@Ogq2f9RJi8^<ithY3njXH<R06AJ!Cpt8G&$#^I*|{R!bvj<3K|0iJjW|~Kr8!N`$T^DON4lfsfw(d`06KGlHo0TLpgH{Avp8>8&bbIw`Z%!;1Udlt;yIB_tGP{9zqmVLE4t@HdO9CyXF33iE4n2zL%N%VOSu3bl)T+uQa%`L&pF04jW?$g1UO^y5jhdzVY#~<3^@aVb~%?TfI3BzNV-aahB<S|V!2911G-cc2st}VY_}9@e7C%9&N<S;t~!73EINOKWjIN+MmYM689Hs&q`4HDuQ>L)hq^QE$2m6}LOKwLl({3(Bssb;Ryr2T(7A2)C^s!K`MGP2D?0SKE4k9BEjp>j7P<n#E;<gk;5k{mP&$Vz9=Rygp*e-fm^rbk2s*Fh2DnCvl(;fE^|)dc!nulh^10faqPcv6b-2om96C1JpE$nWs=4N(K)R(`(K$Vyr8@9ED7TFUhdNHDM7RnqS2&o5s5!w%+c|B{k-1SmiZ~Q{&pCmJ_c(3VGCF%*-nrVWMLJA2ZMkd)+PU)J3%RFLEV|j;_qhg(KRS00qd7bp3Aq+U1vm>maJe3j2D#zDr??V96FH66H8{}cT)EmD+BsReSUPLji@LE80y;V&Ik=CHo45d!X*w((hC1a6+d3-E?>9NrSGm!!x48h|Ks*Swiaxuo1-d5_4mlQ!_PLA2Xt_+j!?|fR+_~OvQMoJ*Cc5}r_c?ixAGx;5Iy$rIxjE0n$2roN@wn=2h`6n0skx2h$~pd)Nx8uQ)wneV*g1>6T{&m-!Z>Mk6S{pq<~R~-kGU2L1vp+8;yA*1YPn59bUAq(@j0W>(79{X={b9;$++MT5H(+gj5^xD%(#Kz{<#q7<u~5`;JFq@PdQku+BqhtD>|{Nh&n8$>o{vE3_3D(FFHp38MzQl!#Sj3x;F@*7r2SEPC0eD06H>R$GM*7ce%A%aJf<B<GE!*Vmij+U^(ejLAlkc#W}8em^m=$=ehn0hB^LT#<=3-&N!{sRl1R=4Y+@w!8t@e`ng>;O*ur0GrCV}G`Y{O2{^?_4>}@+4Z6NQaXHT?A~+x-qd6DD7&^!+#5s{j&pCHH@VF(?gu1qR#yNX|m^m20LAW}bvN@ZbK)RRnBe^GwjJcBmQ#$zDWV)!__PLL5ySY<~A-Xy(UO50j#X6MNAHD",  # noqa: E501
}
"""By number of seats, the weights as `python -m benchmarks.training.boss` writes them."""


@lru_cache
def net_of(seats):
    """Return the net for a number of seats."""
    return Net(seats, TEXTS[seats])
