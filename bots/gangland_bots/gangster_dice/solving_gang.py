"""Solving: plays out every possible end of a round, and finds bids that are good even if a rival knows them.

Teaches: search with simultaneous decisions.  A round's result depends only on who wins which token.  So `after` plays
out each combination of winners once, and `chances` judges the resulting position by weights that were learned from
games between house bots.  With two seats, all pairs of bids form a matrix, averaged over the
rival's possible favors, and regret matching finds mixed bids for both sides.  At larger tables, each seat
moves its bids step by step toward the best answer to the others' previous bids.

Its weakness: it looks only one round ahead, and assumes that all rivals think as it does.
"""

from functools import lru_cache
from itertools import accumulate, combinations, permutations, product
from math import comb, exp, fsum
from operator import mul

from gangland import gangster_dice
from gangland.gangster_dice import DECK, EXCHANGE_LIMIT, SPECIAL, SPECIALS, Bid, Colour, Exchange, Token

LAWYER, SPEAKEASY, STREETS, INVESTIGATOR = Token
TOKENS = range(len(Token))
COLORS = range(len(Colour))
NO_DICE = (0, 0, 0)
NOBODY_WINS = (None,) * len(Token)
MEAN_FAVOR = sum(DECK) / len(DECK)

ROUNDS = 60  # number of iterations of regret matching
UNLIKELY = 0.2  # bids below this share of the likeliest bid's chance are omitted
STEPS = 12  # number of adjustments of the bids at larger tables
HEAT = 0.02  # at larger tables, the loss in the chance of winning at which a bid is still considered
LEVELS = 40  # all scores are lower than this


# A position between two rounds, and its worth -------------------------------------------------------


class Position:
    """A position between two rounds.

    Attributes:
        control: the holder of each token, or None.
        speakeasy, investigator: the dice there, by color.
        streets: the number of dice there.
        hands: by seat, the sum of its favors, or the mean of this sum.
    """

    __slots__ = ("control", "hands", "investigator", "speakeasy", "stashes", "streets")

    def __init__(self, stashes, control, speakeasy, streets, investigator, hands):
        self.stashes = stashes
        self.control = control
        self.speakeasy = speakeasy
        self.streets = streets
        self.investigator = investigator
        self.hands = hands


TRAITS = (
    # the number of values of each part of a trait
    (10, 3),  # dice; the Investigator: not held, mine, another seat's
    (6, 3, 2),  # dice of other colors than the main one; the Investigator; at most three dice
    (5, 2, 2),  # dice; the Streets are mine; two colors or more
    (5, 2, 3),  # dice on the Investigator; the Lawyer is mine; the Investigator
    (5, 2),  # dice on the Streets; they are mine
    (2, 5, 4),  # the Speakeasy is mine; dice of other colors; dice of the main color there
    (6,),  # white dice
    (6,),  # red dice
    (6,),  # blue dice
    (6, 3),  # dice of the main color; the Investigator
    (4, 2),  # seats from the Investigator's holder to me; the Lawyer is mine
)


def traits(position, seat):
    """Return a seat's values of `TRAITS`."""
    stash, control = position.stashes[seat], position.control
    dice, main = sum(stash), max(stash)
    rest, holder = dice - main, control[INVESTIGATOR]
    investigator = 0 if holder is None else 1 if holder == seat else 2
    lawyer, streets = control[LAWYER] == seat, control[STREETS] == seat
    return (
        (min(dice, 9), investigator),
        (min(rest, 5), investigator, dice <= 3),
        (min(dice, 4), streets, rest > 0),
        (min(sum(position.investigator), 4), lawyer, investigator),
        (min(position.streets, 4), streets),
        (control[SPEAKEASY] == seat, min(rest, 4), min(position.speakeasy[stash.index(main)], 3)),
        (min(stash[0], 5),),
        (min(stash[1], 5),),
        (min(stash[2], 5),),
        (min(main, 5), investigator),
        (0 if holder is None else (seat - holder) % len(position.stashes), lawyer),
    )


def chances(position):
    """Return each seat's chance of winning."""
    out = [float(stash == NO_DICE) for stash in position.stashes]
    if any(out):
        return [is_out / out.count(1.0) for is_out in out]
    by_trait, of_favor = WEIGHTS[len(position.stashes)]
    strengths = [
        exp(
            fsum([weights[value] for weights, value in zip(by_trait, traits(position, seat), strict=True)])
            + of_favor * hand
        )
        for seat, hand in enumerate(position.hands)
    ]
    total = fsum(strengths)
    return [strength / total for strength in strengths]


def price(position, seat):
    """Return the gain in a seat's chance of winning from one more point of favor."""
    chance = chances(position)[seat]
    return WEIGHTS[len(position.stashes)][1] * chance * (1 - chance)


# A round in which the winners of the tokens are known -----------------------------------------------


def move_dice(stash, fewer, more=NO_DICE):
    """Return a stash with some dice removed and others added."""
    return (stash[0] - fewer[0] + more[0], stash[1] - fewer[1] + more[1], stash[2] - fewer[2] + more[2])


def dice_of(color, count=1):
    """Return dice of one color."""
    return tuple([count if other == color else 0 for other in COLORS])


def after(position, winners, answers=None):
    """Return the position after a round with these winners of the tokens.

    `answers` has my own answers by kind; rules of thumb decide all other effects.
    """
    answers = answers or {}
    late = Position(
        list(position.stashes),
        list(position.control),
        position.speakeasy,
        position.streets,
        position.investigator,
        list(position.hands),
    )
    dumper, holder = winners[INVESTIGATOR], position.control[INVESTIGATOR]
    for token in (LAWYER, SPEAKEASY, STREETS):
        if winners[token] is not None:
            late.control[token] = winners[token]
    if dumper is not None and holder in (None, dumper):
        late.control[INVESTIGATOR] = (dumper + 1) % len(late.stashes)
    held = [winner is not None and winner == position.control[token] for token, winner in enumerate(winners)]
    locked = [NO_DICE] * len(late.stashes)
    if held[SPEAKEASY]:
        locked[winners[SPEAKEASY]] = _exchange(late, winners[SPEAKEASY], answers)
    if held[STREETS]:
        _stake(late, winners[STREETS], locked, answers)
    if dumper is not None and holder not in (None, dumper):
        _dump(late, dumper, locked, answers)
    if held[LAWYER]:
        late.hands[winners[LAWYER]] += SPECIAL - MEAN_FAVOR
    _take(late)
    return late


def _exchange(late, seat, answers):
    old_dice, new_dice = answers.get("exchange") or exchange_for(late.stashes[seat], late.speakeasy)
    late.stashes[seat] = move_dice(late.stashes[seat], old_dice, new_dice)
    late.speakeasy = move_dice(late.speakeasy, new_dice, old_dice)
    return new_dice


def _stake(late, seat, locked, answers):
    stash = late.stashes[seat]
    spare = move_dice(stash, locked[seat])
    color = answers["stake"] if "stake" in answers else rarest(stash, spare)
    if color is not None:
        late.stashes[seat] = move_dice(stash, dice_of(color))
        late.streets += 1


def _dump(late, seat, locked, answers):
    spare = move_dice(late.stashes[seat], locked[seat])
    color = answers["dump"] if "dump" in answers else spare.index(max(spare))
    dumped = dice_of(color, spare[color])
    late.stashes[seat] = move_dice(late.stashes[seat], dumped)
    late.investigator = move_dice(late.investigator, NO_DICE, dumped)


def _take(late):
    seat = late.control[INVESTIGATOR]
    if seat is None or seat == late.control[LAWYER] or not any(late.investigator):
        return
    stash = late.stashes[seat]
    die = dice_of(max([color for color in COLORS if late.investigator[color]], key=lambda color: stash[color]))
    late.stashes[seat] = move_dice(stash, NO_DICE, die)
    late.investigator = move_dice(late.investigator, die)


@lru_cache(5_000)
def exchange_for(stash, offer):
    """Return the exchange that collects the most dice of one color; it gives dice of the rarest color first."""
    best, best_count = (NO_DICE, NO_DICE), max(stash)
    for color in COLORS:
        others = sorted([other for other in COLORS if other != color], key=lambda other: stash[other])
        give = [other for other in others for _ in range(stash[other])]
        count = min(EXCHANGE_LIMIT, len(give), offer[color])
        if stash[color] + count > best_count:
            best_count = stash[color] + count
            best = (*Exchange.of(give[:count], [color] * count),)
    return best


@lru_cache(5_000)
def rarest(stash, spare):
    """Return the rarest color of a stash with a spare die of that color, or None."""
    return min([color for color in COLORS if spare[color]], key=lambda color: stash[color], default=None)


@lru_cache(2_000)
def picks(dice, size):
    """Return every way to pick `size` of the dice."""
    return [pick for pick in product(*[range(min(count, size) + 1) for count in dice]) if sum(pick) == size]


# The other seats' hidden favors ---------------------------------------------------------------------


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
            ways = 1
            for count, available in zip(counts, left, strict=True):
                ways *= comb(available, count)
            hand = [value for value, count in enumerate(counts) for _ in range(count)]
            ways_of_hands.append(((*hand, *[SPECIAL] * specials), ways))
    total = sum([ways for _, ways in ways_of_hands])
    return [(hand, ways / total) for hand, ways in ways_of_hands]


@lru_cache(5_000)
def favors(left, cards, specials, ranks):
    """Return the possible cards at some ranks of a hidden hand, with their chances."""
    chance_of: dict[tuple[int, ...], float] = {}
    for hand, chance in hands(left, cards, specials):
        values = tuple([hand[rank] for rank in ranks])
        chance_of[values] = chance_of.get(values, 0.0) + chance
    return list(chance_of.items())


def hidden_cards(view, player, ranks):
    """Return the possible cards at some ranks of a seat's hand, with their chances."""
    return favors(unseen(view), player.hand_size, player.specials, ranks)


# Reading a view -------------------------------------------------------------------------------------


def scores_of(view, player):
    """Return, for each token, the score of a seat's bid without a favor; 0 if it cannot bid there."""
    bonus = sum(view.streets.dice) if view.streets.holder_before == player.seat else 0
    character, scores = player.character, []
    for token, symbols in enumerate(player.symbols):
        held = view.token(token).holder_before == player.seat
        extra = character.bonus(token, held=held) if character else 0
        scores.append(symbols + bonus + extra if symbols else 0)
    return scores


def position_of(view):
    """Return the position at the start of the round, with the current dice."""
    left = unseen(view)
    mean = sum([value * count for value, count in enumerate(left)]) / max(1, sum(left))
    sums = [player.specials * SPECIAL + (player.hand_size - player.specials) * mean for player in view.players]
    sums[view.seat] = float(sum(view.hand))
    return Position(
        [player.dice for player in view.players],
        [view.token(token).holder_before for token in Token],
        view.speakeasy.dice,
        sum(view.streets.dice),
        view.investigator.dice,
        sums,
    )


def own_bids(view):
    """Return all my legal bids."""
    count = view.bids_required
    return [
        tuple(zip(tokens, dealt, strict=True))
        for tokens in combinations(view.legal_tokens, count)
        for dealt in sorted(set(permutations(view.hand, count)))
    ]


# Two seats: a matrix of bids ------------------------------------------------------------------------


class HeadsUp:
    """The bids of one round between two seats.

    Attributes:
        matrix: my chance of winning, by my bids and by the rival's tokens and ranks of cards, lowest first.
    """

    def __init__(self, view):
        (rival,) = view.opponents
        self.me = view.seat
        self.position = position_of(view)
        self.favor = price(self.position, self.me)
        self.worth = {}
        self.bids = own_bids(view)
        plans, answers = self._answers(view, rival)
        mine = scores_of(view, view.me)
        self.matrix = []
        for bids in self.bids:
            scores, cost = bid_scores(bids, mine), sum([favor for _, favor in bids])
            payoffs = [
                self._worth_of(scores, rival_scores) + self.favor * (spent - cost) for rival_scores, spent in answers
            ]
            self.matrix.append([fsum(map(mul, chances, map(payoffs.__getitem__, places))) for places, chances in plans])

    def _answers(self, view, rival):
        """Return the rival's plans (indices and chances of answers) and the answers (scores and favors spent)."""
        base, plans = scores_of(view, rival), []
        answers: list[tuple[list[int], int]] = []
        numbers: dict[tuple[tuple[int, ...], tuple[int, ...]], int] = {}
        tokens = [token for token in TOKENS if base[token]]
        count = min(2, len(tokens))
        for targets, ranks in product(combinations(tokens, count), permutations(range(rival.hand_size), count)):
            likely = hidden_cards(view, rival, ranks)
            for values, _ in likely:
                if (targets, values) not in numbers:
                    numbers[targets, values] = len(answers)
                    answers.append((bid_scores(zip(targets, values, strict=True), base), sum(values)))
            plans.append(([numbers[targets, values] for values, _ in likely], [chance for _, chance in likely]))
        return plans, answers

    def _worth_of(self, scores, rival_scores):
        me, rival, streets = self.me, 1 - self.me, self.position.control[STREETS]
        won = tuple(
            [
                (streets if mine else None) if mine == theirs else me if mine > theirs else rival
                for mine, theirs in zip(scores, rival_scores, strict=True)
            ]
        )
        if won not in self.worth:
            self.worth[won] = chances(after(self.position, won))[me]
        return self.worth[won]


def bid_scores(bids, base):
    """Return, for each token, the score of some bids; 0 without a bid."""
    scores = [0] * len(Token)
    for token, favor in bids:
        scores[token] = base[token] + favor
    return scores


def match_regrets(matrix, rounds):
    """Return the chance of choosing each row, against a side that chooses columns and wants low values.

    This is regret matching, in the variant known as RM+: a choice gains weight by its advantage over the current
    mixture, and later iterations count more.
    """
    columns = list(zip(*matrix, strict=True))
    mine, theirs, mean = [1.0] * len(matrix), [1.0] * len(columns), [0.0] * len(matrix)
    rows, against = shares(mine), shares(theirs)
    for weight in range(1, rounds + 1):
        theirs = _add_regrets(theirs, against, [-payoff for payoff in _mean_payoffs(matrix, rows)])
        against = shares(theirs)
        mean = [total + weight * share for total, share in zip(mean, rows, strict=True)]
        mine = _add_regrets(mine, rows, _mean_payoffs(columns, against))
        rows = shares(mine)
    return shares(mean)


def _mean_payoffs(choices, chances):
    """Return the mean payoffs against these choices; those without a chance, soon the majority, are skipped."""
    likely = [(choice, chance) for choice, chance in zip(choices, chances, strict=True) if chance]
    weights = [chance for _, chance in likely]
    return [fsum(map(mul, payoffs, weights)) for payoffs in zip(*[choice for choice, _ in likely], strict=True)]


def _add_regrets(regrets, chances, payoffs):
    mean = fsum(map(mul, chances, payoffs))
    return [max(0.0, regret + payoff - mean) for regret, payoff in zip(regrets, payoffs, strict=True)]


def shares(values):
    """Return the values divided by their sum, or equal shares if the sum is 0."""
    total = fsum(values)
    return [value / total for value in values] if total else [1 / len(values)] * len(values)


# Three and four seats: token by token ---------------------------------------------------------------


class Option:
    """A seat's legal bid; `card` is a favor or, in a hidden hand, a rank. Each possible score has its chance."""

    __slots__ = ("card", "cost", "scores", "token")

    def __init__(self, token, base, card, values, favor):
        self.token = token
        self.card = card
        self.scores = [(base + value, chance) for value, chance in values]
        self.cost = favor * fsum([value * chance for value, chance in values])


class Crowd:
    """The bids of one round among three or four seats, as if each token's worth did not depend on the others.

    Attributes:
        worth: by token and winner, the change in each seat's chance of winning the game.
        options, likely: by seat, its legal bids and their chances.
        scores: by seat and token, the possible scores.
        at_most: by seat, token and score, the chance that the seat's score there is not higher.
    """

    def __init__(self, view):
        self.seats = range(view.seats)
        position = position_of(view)
        self.streets = position.control[STREETS]
        base = [scores_of(view, player) for player in view.players]
        self.worth = [self._worth_of(position, token, base) for token in TOKENS]
        self.options = [self._options(view, player, base[player.seat], position) for player in view.players]
        self.scores = [
            [sorted({score for bid in bids if bid.token == token for score, _ in bid.scores}) for token in TOKENS]
            for bids in self.options
        ]
        self.likely = [shares([1.0] * len(options)) for options in self.options]
        self.at_most = [self._sums(seat) for seat in self.seats]

    def _worth_of(self, position, token, base):
        before, worth = chances(after(position, NOBODY_WINS)), {}
        for winner in self.seats:
            if base[winner][token]:
                won = (*NOBODY_WINS[:token], winner, *NOBODY_WINS[token + 1 :])
                worth[winner] = [
                    late - early for late, early in zip(chances(after(position, won)), before, strict=True)
                ]
        return worth

    def _options(self, view, player, base, position):
        if player.seat == view.seat:
            cards = [(favor, [(favor, 1.0)]) for favor in sorted(set(view.hand))]
        else:
            cards = [
                (rank, [(value, chance) for (value,), chance in hidden_cards(view, player, (rank,))])
                for rank in range(player.hand_size)
            ]
        favor = price(position, player.seat)
        return [
            Option(token, base[token], card, values, favor) for token in TOKENS if base[token] for card, values in cards
        ]

    def _sums(self, seat):
        exact = [[0.0] * LEVELS for _ in TOKENS]
        for option, share in zip(self.options[seat], self.likely[seat], strict=True):
            for score, chance in option.scores:
                exact[option.token][score] += share * chance
        return [_cumulate(chances_of_scores) for chances_of_scores in exact]

    def gains(self, seat):
        """Return by option the change in a seat's chance of winning the game."""
        gains = {}
        for token in {option.token for option in self.options[seat]}:
            rivals = {other: self.at_most[other][token] for other in self.worth[token] if other != seat}
            lost = self._others(seat, token, rivals)
            scores = {score for option in self.options[seat] if option.token == token for score, _ in option.scores}
            gains[token] = {score: self._gain(seat, token, score, lost, rivals) for score in scores}
        return [
            fsum([chance * gains[bid.token][score] for score, chance in bid.scores]) - bid.cost
            for bid in self.options[seat]
        ]

    def _others(self, seat, token, rivals):
        """Return by score the change in the seat's chance if another seat wins with that score."""
        added = [0.0] * LEVELS
        for winner, at_most in rivals.items():
            worth = self.worth[token][winner][seat]
            for score in self.scores[winner][token]:
                exact = at_most[score] - at_most[score - 1]
                if exact > 0.0:
                    added[score] += worth * exact * self._unbeaten(winner, score, rivals, winner)
        return added

    def _unbeaten(self, seat, score, rivals, excluded=None):
        reach, chance = score if seat == self.streets else score - 1, 1.0
        for rival, at_most in rivals.items():
            if rival != excluded:
                chance *= at_most[reach]
        return chance

    def _gain(self, seat, token, score, lost, rivals):
        """Return the change in the seat's chance from a score: its own wins, the wins that it prevents, and ties."""
        gain = self.worth[token][seat][seat] * self._unbeaten(seat, score, rivals) - fsum(lost[: score + 1])
        if self.streets in rivals:  # that rival wins a tie with me
            at_most = rivals[self.streets]
            tied = (at_most[score] - at_most[score - 1]) * self._unbeaten(self.streets, score, rivals, self.streets)
            gain += tied * self.worth[token][self.streets][seat]
        return gain

    def shift(self, seat, part):
        """Move part of a seat's chances to the bids that are best now, and a little less to slightly worse ones."""
        gains = self.gains(seat)
        top = max(gains)
        better = shares([exp((gain - top) / HEAT) for gain in gains])
        self.likely[seat] = [old + part * (new - old) for old, new in zip(self.likely[seat], better, strict=True)]
        self.at_most[seat] = self._sums(seat)


def _cumulate(exact):
    return list(accumulate(exact, initial=1 - fsum(exact)))[1:]


class SolvingGang(gangster_dice.Bot):
    """Search one round, and judge the resulting positions by learned weights."""

    def choose_bids(self, view):
        if view.seats > 2:
            return self.bid_in_crowd(view)
        round_ = HeadsUp(view)
        strategy = match_regrets(round_.matrix, ROUNDS)
        limit = UNLIKELY * max(strategy)
        (bids,) = self.rng.choices(round_.bids, [chance if chance > limit else 0.0 for chance in strategy])
        return [Bid(*bid) for bid in bids]

    def bid_in_crowd(self, view):
        crowd = Crowd(view)
        for step in range(STEPS):
            for seat in crowd.seats:
                crowd.shift(seat, 1 / (step + 2))
        gains = crowd.gains(view.seat)
        best = crowd.options[view.seat][gains.index(max(gains))]
        return [Bid(best.token, best.card)]

    # Effects: every answer is played out to the end of the round

    def choose_exchange(self, view):
        options = [
            (old_dice, new_dice)
            for size in range(EXCHANGE_LIMIT + 1)
            for old_dice in picks(view.spare, size)
            for new_dice in picks(view.speakeasy.dice, size)
        ]
        return Exchange(*max(options, key=lambda option: self.chance_after(view, {"exchange": option})))

    def choose_stake(self, view):
        answers = self.own_answers(view)
        options = [None, *(color for color in COLORS if view.spare[color])]
        return max(options, key=lambda option: self.chance_after(view, {**answers, "stake": option}))

    def choose_dump(self, view):
        answers = self.own_answers(view)
        if view.streets.winner == view.streets.holder_before == view.seat:
            answers["stake"] = view.staked
        return max(view.dump_colours, key=lambda option: self.chance_after(view, {**answers, "dump": option}))

    def choose_take(self, view):
        options = [*view.take_colours, *([None] if view.protected else [])]
        return max(options, key=lambda option: self.chance_with_die(view, option))

    def own_answers(self, view):
        return {} if view.exchanged is None else {"exchange": view.exchanged}

    def chance_after(self, view, answers):
        """Return my chance of winning if I give these answers to this round's effects."""
        winners = [view.token(token).winner for token in Token]
        return chances(after(position_of(view), winners, answers))[view.seat]

    def chance_with_die(self, view, color):
        """Return my chance of winning after taking a die of this color, or no die."""
        position, die = position_of(view), NO_DICE if color is None else dice_of(color)
        position.control = [view.token(token).holder for token in Token]
        position.stashes[view.seat] = move_dice(view.dice, NO_DICE, die)
        position.investigator = move_dice(position.investigator, die)
        return chances(position)[view.seat]


# Learned weights ------------------------------------------------------------------------------------

FAVOR = {2: 0.007, 3: 0.057, 4: 0.09}
"""By number of seats, the weight of a point of favor in the hand."""

LEARNED = {
    2: """
        0 0 0 0 -42 -24 0 -22 -6 0 5 20 -44 -11 4 6 8 18 38 25 18 0 33 17 0 21 -3 0 -30 -30 0 0 8 -33 51 13 0 0
        26 -18 16 -37 -34 0 0 10 -22 29 2 0 7 0 -15 0 32 0 -1 0 -26 0 0 0 29 0 13 0 0 0 0 0 -46 0 -15 0 -20 -15
        12 -5 0 -14 36 6 -27 -3 67 4 -8 -11 10 8 0 -3 0 -10 7 0 2 1 0 10 -8 0 -15 15 0 4 0 0 4 -8 0 10 -14 0 -10
        17 1 -1 -10 10 -18 18 -26 26 -28 28 2 -7 16 14 -16 -9 -1 -11 -24 -25 6 -4 -23 -28 23 -19 37 -4 -10 0 -9
        6 12 10 -9 0 37 -26 -16 -9 21 40 -24 -12 44 31 5 -16 24 -11 5 -12 -2 3 -21 39 -28 -33 3 24 27 45 20 -2
        -11 1 -4 -33 0 0 0 0 -24 -22 -15 -10 -13 15 -7 -4 0 23 33 0 26 24 -5 -7 2 12 0 0 0 0
    """,
    3: """
        0 0 0 0 -21 -4 -22 -17 9 8 -10 10 -10 -28 -20 30 -18 -22 -6 6 6 0 23 15 0 30 43 0 14 10 0 -22 13 -31 50
        14 -28 8 -5 -33 -11 -15 -3 0 4 21 16 3 13 0 7 0 -17 0 32 0 -11 0 -34 0 0 0 19 0 14 0 0 0 0 0 -42 0 21 0
        -14 -11 3 14 -5 -24 42 -4 18 -6 46 -3 -4 -2 18 4 -4 -10 0 3 7 0 -6 -4 0 11 5 0 -8 -8 0 -1 4 0 -12 10 0
        -4 -1 0 1 9 -8 8 -19 19 -24 24 -22 22 -20 20 21 9 -4 -29 -6 2 -18 -26 -24 -5 -13 103 -10 7 6 48 13 35
        -46 -8 31 4 28 -30 5 24 21 -95 5 -5 10 -16 -8 21 -5 -54 12 38 -84 33 37 -17 -24 -39 5 -6 28 12 -10 -42
        -14 -14 51 -20 -22 -29 2 -19 0 0 0 0 2 -4 14 11 9 31 17 30 -17 -36 -15 -28 -34 2 1 -16 -11 -14 23 15 0 0
    """,
    4: """
        0 0 0 0 -38 23 13 -20 -8 -18 3 3 4 -41 -36 17 -11 -8 -15 -5 5 0 18 20 0 35 23 0 40 42 0 13 19 -32 63 14
        0 -18 10 -28 6 -6 -10 0 -6 7 3 -29 25 0 3 0 -21 0 -9 0 9 0 -19 0 0 0 1 0 -3 0 0 0 0 0 -43 0 32 0 -24 -28
        19 22 8 -41 51 -10 38 -6 46 -11 -4 4 2 4 1 -6 0 5 8 0 -9 -3 0 0 8 0 -1 -7 0 -4 7 0 -1 -1 0 -6 5 0 -5 8
        -6 6 -20 20 -30 30 -31 31 -25 25 18 1 14 37 -6 -10 -12 4 16 17 11 -63 1 6 -13 -14 -14 7 25 -21 3 16 3 13
        -5 12 -2 -18 0 9 34 -74 -15 4 13 26 -19 0 11 -19 31 -24 -30 -9 22 -31 25 -10 -29 3 37 -22 52 -14 -18 -13
        -18 -45 0 0 0 0 -10 -23 19 20 33 -19 -4 13 0 -42 -32 0 2 0 -4 -9 -23 -27 7 1 25 22
    """,
}
"""By number of seats, a weight for each value of each of `TRAITS`, in hundredths."""


def learned(seats):
    """Return the weights for a number of seats: by trait and its values, and for a point of favor."""
    weights = map(int, LEARNED[seats].split())
    return [{values: next(weights) / 100 for values in product(*map(range, sizes))} for sizes in TRAITS], FAVOR[seats]


WEIGHTS = {seats: learned(seats) for seats in LEARNED}
