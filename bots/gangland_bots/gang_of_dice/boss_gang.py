"""Boss: knows the odds of every roll, and expects the best answers from later seats when it stakes.

Teaches: dynamic programming over dice.  There are few multisets of faces, so `Odds` computes the best reroll for each
of them, backwards from the last roll, for any card, number of dice and worth of the final totals.

The round is solved backwards, too.  Each later seat is assumed to choose the best stake against the leader, so
an earlier seat knows the chance that its total keeps the lead.  With two seats, only the chance of being ahead after
round 12 counts: the bot takes risks when it is behind and plays safe when it is ahead.

Its weakness: it assumes that the others play as well as it does, and never looks at how they really play.
"""

from functools import cache, lru_cache
from math import erf, fsum, sqrt

from gangland import gang_of_dice

FACES = gang_of_dice.FACES
MAX_STAKE = 9  # the maximum stake of this bot, and its assumption about later seats
EXACT_STAKES = 3  # number of stakes to solve exactly: the best by a rough estimate
AIM_HIGHER = 4  # how far above the leading total a seat may aim if others come after it
LATER_STAKE = 3  # the usual stake of a seat after the next one
SWING = 6  # the usual change in the lead, in dice, in a round without bonus dice
DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
UNITS = len(DIGITS) ** 2 - 1  # the unit of chances in `REACH` is 1 / UNITS
MIN_UNITS = 8  # smaller chances are omitted
TOLERANCE = 1e-9  # values within this distance count as equal


# The roll under a card ----------------------------------------------------------------------------


class Multisets:
    """All multisets of faces, with a level for each number of dice; a multiset is known by its index in its level."""

    # A single `dead` face triggers the warning.  Here all dead faces count as one face, because each of them must be
    # rerolled.  Under a yellow warning, a trigger ends the turn, so the levels omit multisets that trigger it.
    def __init__(self, dead, yellow):
        self.yellow = yellow  # the card; None for a black one
        self.faces = [face for face in FACES if face not in dead]
        self.ways = [1] * len(self.faces)
        if dead and not yellow:
            self.faces.append(dead[0])
            self.ways.append(len(dead))
        self.place = {face: self.faces.index(face) for face in self.faces}
        self.place |= {face: len(self.faces) - 1 for face in dead}
        # By number of dice, the index of each multiset; a face is given by its index in `self.faces`.
        self.levels: list[dict[tuple[int, ...], int]] = [{(): 0}]
        # By number of dice and index, the indices of the multisets with one more die, by its face.
        self.larger: list[list[tuple[int, ...]]] = []
        # The same with one die removed.
        self.smaller: list[list[tuple[int, ...]]] = [[]]

    def grow(self, dice):
        """Add levels up to this number of dice."""
        while len(self.levels) <= dice:
            below = self.levels[-1]
            level: dict[tuple[int, ...], int] = {}
            for smaller in below:
                for place in range(smaller[-1] if smaller else 0, len(self.faces)):
                    multiset = (*smaller, place)
                    if self.yellow is None or not self.yellow.triggered_by(self.faces_of(multiset)):
                        level[multiset] = len(level)
            self.larger.append([self._larger(multiset, level) for multiset in below])
            self.smaller.append([self._smaller(multiset, below) for multiset in level])
            self.levels.append(level)

    def _larger(self, multiset, level):
        omitted = len(level)
        return tuple([level.get(tuple(sorted((*multiset, place))), omitted) for place in range(len(self.faces))])

    def _smaller(self, multiset, below):
        indices = [below[part] for part in one_less(multiset)]
        return tuple(indices + indices[:1] * (len(self.faces) - len(indices)))

    def faces_of(self, multiset):
        return [self.faces[place] for place in multiset]

    def index(self, dice):
        return self.levels[len(dice)][tuple(sorted([self.place[face] for face in dice]))]

    def means(self, values, dice):
        """Return for each level the mean worth of rolling the missing dice, given the values of all full multisets."""
        levels = [values]
        for larger in reversed(self.larger[:dice]):
            worth = [*levels[-1], 0.0]
            if len(self.faces) == len(FACES):
                mean = [
                    (worth[a] + worth[b] + worth[c] + worth[d] + worth[e] + worth[f]) / 6 for a, b, c, d, e, f in larger
                ]
            else:
                mean = [fsum([ways * worth[at] for ways, at in zip(self.ways, row, strict=True)]) / 6 for row in larger]
            levels.append(mean)
        return levels[::-1]

    def best(self, means):
        """Return for each full multiset the worth of keeping its best part and rerolling the other dice."""
        best = means[0]
        for mean, smaller in zip(means[1:], self.smaller[1:], strict=False):
            below = best
            if len(self.faces) == len(FACES):
                best = [
                    max(worth, below[a], below[b], below[c], below[d], below[e], below[f])
                    for worth, (a, b, c, d, e, f) in zip(mean, smaller, strict=True)
                ]
            else:
                best = [max(worth, *[below[at] for at in row]) for worth, row in zip(mean, smaller, strict=True)]
        return best


@cache
def all_multisets(dead):
    """Return the multisets for all black warnings with these dead faces."""
    return Multisets(dead, None)


class Odds:
    """The odds under a card; levels are added when they are needed."""

    def __init__(self, card):
        self.card = card
        dead = tuple([face for face in FACES if card.triggered_by((face,))])
        self.multisets = Multisets(dead, card) if card.yellow else all_multisets(dead)
        self.totals = []  # by number of dice and index, the total, or -1 for dice that trigger the warning

    def grow(self, dice):
        self.multisets.grow(dice)
        for level in self.multisets.levels[len(self.totals) : dice + 1]:
            rolls = map(self.multisets.faces_of, level)
            self.totals.append([-1 if self.card.triggered_by(roll) else sum(roll) for roll in rolls])

    def highest(self, dice):
        """Return the highest total of a number of dice that does not trigger the warning."""
        self.grow(dice)
        return max(self.totals[dice])

    def solve(self, dice, values):
        """Return the best play with a number of dice; `values` are indexed by final total, and a bust is worth 0."""
        self.grow(dice)
        values = (*values, 0.0)  # the last one is for total -1
        last = self.multisets.means([values[total] for total in self.totals[dice]], dice)
        first = self.multisets.means(self.multisets.best(last), dice)
        opening = self.multisets.means(self.multisets.best(first), dice)
        return Play(self, values, {1: last, 2: first}, opening[0][0])


class Play:
    """The best play with a number of dice under a card; `worth` is its mean worth."""

    def __init__(self, odds, values, means, worth):
        self.odds = odds
        self.values = values
        self.means = means
        self.worth = worth

    def choices(self, dice, rerolls_left):
        """Yield every part of the dice that can be kept, with its worth; keeping all dice means stopping."""
        yield dice, 0.0 if self.odds.card.triggered_by(dice) else self.values[sum(dice)]
        means, index = self.means[rerolls_left], self.odds.multisets.index
        for part in parts(dice):
            if len(part) < len(dice):
                yield part, means[len(part)][index(part)]

    def keep(self, dice, rerolls_left):
        best, best_worth = dice, -1.0
        for part, worth in self.choices(dice, rerolls_left):
            if worth > best_worth + TOLERANCE:
                best, best_worth = part, worth
        return best


def parts(dice):
    """Return every multiset that is part of these dice, larger ones first."""
    multisets = level = [dice]
    while level[0]:
        level = list(dict.fromkeys([smaller for larger in level for smaller in one_less(larger)]))
        multisets = multisets + level
    return multisets


def one_less(dice):
    """Return the multisets that remain after one die is removed."""
    return [dice[:at] + dice[at + 1 :] for at in range(len(dice)) if not at or dice[at] != dice[at - 1]]


@cache
def odds_of(card):
    """Return the odds of a card."""
    return Odds(card)


# The chance of reaching a total -------------------------------------------------------------------


def reach_row(card, dice):
    """Return a row of `REACH`: for each total, the best chance of ending with at least that total, as two digits."""
    row = ""
    for total in range(5 * dice + 1):
        chance = odds_of(card).solve(dice, [float(final >= total) for final in range(5 * dice + 1)]).worth
        units = round(chance * UNITS)
        if units < MIN_UNITS:
            break
        row += DIGITS[units // 62] + DIGITS[units % 62]
    return row


@cache
def chances(card_id):
    """Return the rows of `REACH` for a card as numbers, by number of dice and total."""
    fields = REACH.split()
    first = fields.index(card_id) + 1
    rows: list[tuple[float, ...]] = [()]
    for row in fields[first : first + MAX_STAKE]:
        units = [62 * DIGITS.index(row[at]) + DIGITS.index(row[at + 1]) for at in range(0, len(row), 2)]
        rows.append(tuple([count / UNITS for count in units]))
    return rows


def reach(card, dice, total):
    """Return the best chance of ending with at least this total with a number of dice."""
    return row_chance(chances(card.id)[dice], max(0, total))


def row_chance(row, total):
    """Return the chance in a row of `chances`; it is 0 beyond the row's end."""
    return row[total] if total < len(row) else 0.0


def leading_total(total, stake, dice):
    """Return the total that a number of dice needs to lead; a tie goes to the seat with more dice (D15)."""
    return total if dice > stake else total + 1


# Three or four seats: every seat maximizes its dice -----------------------------------------------


@lru_cache(20_000)
def hold_chance(card_id, total, stake, table, later):
    """Return the chance that a leader still leads after `later` more seats, and the dice then on the table."""
    if not later:
        return 1.0, table
    best_payoff, dice, chance = -float(MAX_STAKE), 1, 0.0
    for answer, aim, success in answers(card_id, total, stake, later > 1):
        if success * (table + answer + LATER_STAKE * (later - 1)) - answer > best_payoff:  # otherwise it cannot be best
            stays, won = hold_chance(card_id, aim, answer, table + answer, later - 1)
            if success * stays * won - answer > best_payoff:
                best_payoff, dice, chance = success * stays * won - answer, answer, success
    stays, won = hold_chance(card_id, total, stake, table + dice, later - 1)
    return (1 - chance) * stays, won


@lru_cache(2_000)
def answers(card_id, total, stake, higher):
    """Return the answers to a leader as (dice, total to reach, chance); `higher` also aims above the needed totals."""
    rows = chances(card_id)
    triples: list[tuple[int, int, float]] = []
    for dice in range(1, MAX_STAKE + 1):
        need = leading_total(total, stake, dice)
        if triples and row_chance(rows[dice], need) < row_chance(rows[dice - 1], leading_total(total, stake, dice - 1)):
            break  # more dice would only cause more busts
        triples += [(dice, aim, row_chance(rows[dice], aim)) for aim in range(need, need + 1 + AIM_HIGHER * higher)]
    return triples


@lru_cache(64)
def play_for_dice(card, dice, total, stake, table, later):
    """Return the best play with a number of dice; values are in dice."""
    odds, values = odds_of(card), [0.0] * (5 * dice + 1)
    for final in range(max(0, leading_total(total, stake, dice)), odds.highest(dice) + 1):
        stays, won = hold_chance(card.id, final, dice, table + dice, later)
        values[final] = stays * won
    return odds.solve(dice, values)


@lru_cache(2_000)
def stake_for_dice(card, limit, total, stake, table, later):
    """Return the most profitable number of dice to stake."""
    payoffs = {}
    for dice in range(1, limit + 1):
        need = max(0, leading_total(total, stake, dice))
        payoffs[dice] = -dice
        for aim in range(need, need + 1 + AIM_HIGHER * (later > 0)):
            if success := reach(card, dice, aim):
                stays, won = hold_chance(card.id, aim, dice, table + dice, later)
                payoffs[dice] = max(payoffs[dice], success * stays * won - dice)
    if not later:
        return max(payoffs, key=lambda dice: payoffs[dice])
    likely = sorted(payoffs, key=lambda dice: payoffs[dice])[-EXACT_STAKES:]
    return max(likely, key=lambda dice: play_for_dice(card, dice, total, stake, table, later).worth - dice)


# A duel: only the lead at the end counts ----------------------------------------------------------


@lru_cache(10_000)
def win_chance(ahead, rounds_left):
    """Return a seat's chance of winning the game if it is this number of dice ahead of the only other seat."""
    if not rounds_left:
        return 0.5 if ahead == 0 else float(ahead > 0)
    last = gang_of_dice.ROUNDS
    spread = sum((SWING + gang_of_dice.BONUS.get(number, 0)) ** 2 for number in range(last - rounds_left + 1, last + 1))
    return 0.5 + 0.5 * erf(ahead / sqrt(2 * spread))


@lru_cache(5_000)
def worst_chance(card_id, total, dice, ahead, table, rival_pool, rounds_left):
    """Return the result of `Duel.worst_chance` from hashable values."""
    rows, lost, lowest = chances(card_id), win_chance(ahead - table - 2 * dice, rounds_left), 1.0
    for answer in range(1, min(rival_pool, MAX_STAKE) + 1):
        beaten = row_chance(rows[answer], max(0, leading_total(total, dice, answer)))
        missed = ahead + table + 2 * answer if total >= 0 else ahead - dice + answer
        lowest = min(lowest, beaten * lost + (1 - beaten) * win_chance(missed, rounds_left))
    return lowest


class Duel:
    """A turn with only one other seat in the game."""

    def __init__(self, view):
        turn = view.turn_of(view.seat)
        staked = turn.stake if turn else 0
        self.card = view.card
        self.table = view.table - staked  # before my stake, like the next two values
        self.rival_pool = sum(view.pools) - view.pool
        self.ahead = view.pool + staked - self.rival_pool
        self.leader = (view.best_total, view.best_stake)
        self.later = bool(view.later_seats)  # whether the other seat's turn comes after mine
        self.rounds_left = view.rounds - view.round

    def worth(self, ahead):
        return win_chance(ahead, self.rounds_left)

    def bust(self, dice):
        if self.later:
            return self.worst_chance(-1, dice)
        lost = self.ahead - dice
        return self.worth(lost if self.leader[0] < 0 else lost - self.table - dice)

    def worst_chance(self, total, dice):
        """Return my chance of winning with a total, given the worst answer for me; a total of -1 is a bust."""
        return worst_chance(self.card.id, total, dice, self.ahead, self.table, self.rival_pool, self.rounds_left)

    def stake(self, limit):
        estimates = {dice: self.estimate(dice) for dice in range(1, limit + 1)}
        if not self.later:
            return max(estimates, key=lambda dice: estimates[dice])
        likely = sorted(estimates, key=lambda dice: estimates[dice])[-EXACT_STAKES:]
        return max(likely, key=lambda dice: self.bust(dice) + self.play(dice).worth)

    def estimate(self, dice):
        """Return my chance of winning if I aim at a single total; it is exact if no seat comes later."""
        bust = self.bust(dice)
        if not self.later:
            chance = reach(self.card, dice, leading_total(*self.leader, dice))
            return chance * self.worth(self.ahead + self.table) + (1 - chance) * bust
        row = chances(self.card.id)[dice]
        return max([chance * self.worst_chance(aim, dice) + (1 - chance) * bust for aim, chance in enumerate(row)])

    def play(self, dice):
        """Return the best play with a number of dice; its worth is the gain over a bust."""
        if self.later:
            bust = self.bust(dice)
            totals = range(odds_of(self.card).highest(dice) + 1)
            gains = [self.worst_chance(total, dice) - bust for total in totals]
            values = tuple(gains + [0.0] * (5 * dice + 1 - len(totals)))
        else:
            need = leading_total(*self.leader, dice)
            values = tuple([float(total >= need) for total in range(5 * dice + 1)])
        return play_for(self.card, dice, values)


@lru_cache(64)
def play_for(card, dice, values):
    """Return the best play with a number of dice for these values."""
    return odds_of(card).solve(dice, values)


class BossGang(gang_of_dice.Bot):
    """Play by the odds, and expect the best answers from the others."""

    def choose_dice(self, view):
        limit = min(view.pool, MAX_STAKE)
        if len(view.order) == 2:
            return Duel(view).stake(limit)
        return stake_for_dice(view.card, limit, view.best_total, view.best_stake, view.table, len(view.later_seats))

    def choose_reroll(self, view):
        if view.stake > MAX_STAKE:  # I never stake this much, but analyses also ask about such positions
            return view.dice if view.triggered else []
        play = self.play(view)
        reroll = list(view.dice)
        for face in play.keep(view.dice, view.rerolls_left):
            reroll.remove(face)
        return reroll

    def play(self, view):
        dice = view.stake
        if len(view.order) == 2:
            return Duel(view).play(dice)
        leader = (view.best_total, view.best_stake)
        return play_for_dice(view.card, dice, *leader, view.table - dice, len(view.later_seats))


REACH = """
    B1 zzzhxhsFhcQ7 yuyiyDwTrHgpOs svsosQqqmQdHNc ioikiQh6dbWNJg XfXdXPWSTtOaF6 NgNfNXMwLEHaAv FmFlFhFMEKBz7W
    A2A2A09p9F7p4y 686867625j4u3A
    B2 zzzhxhsFhcQ7 zzzyzuzbyiwZrPicWSHQ zSzSzNz8ymxuvZpcedNc whwgwcwPvxv1sinHdDNH qeqeqbqQpwoymihlYlKd
    iIiIiGi7hhgmekaVSzHD Z8Z8Z7Z1YgXwWGSrMxDf QRQRQQQNQ9PbOLLpHOAP J0J0IzIxIpITHbFqCh7d
    B3 zzzhxhsFhcQ7 zzzzzxzhyuwnsHkmahO4B0 zpzpzozizSyzxuv7oedHMO yQyQyOyHxzxUwVu6oPdxNX uOuNuMuGtztPsJpokOajLk
    ngngnfnZnKmkldjEeKVpIm fNfNfMfIf6eadYbQXHQFFT WhWhWhWeWVW7VHTXQFKiCE OeOeOeOcOXOGNeMLJtFj9K
    B4 zzzhxhsFhcQ7 zzzzzxzhyuwnsHkmahO4B0 zzzzzyzxzvziz8y0veqqiVWQHP zjzjzjzizfzWzAydxWuloPdDMX
    yPyPyPyNyKy7xgx3vttGnOcxMs v2v2v2v0uwujuHtWsBpNjeZrL5 pQpQpQpPpLp9ointmUjieNVWIQ iEiEiEiDiAhzhbgpfUcvYFQeFW
    aMaMaLaLaIaAZrZBY0VoRvLiCe
    B5 zzzhxhsFhcQ7 zzzzzxzhyuwnsHkmahO4B0 zzzzzzzzzxzpzSyYwbsvnCfJVxLsBy4d zzzzzzzzzyzyzwzpzWymxUv1qJi9WNHQ
    zrzrzrzrzrzqzozjzXz5yQx7u2nOc7Lk zDzDzDzDzDzBz8z1ykyCxUwEtNnDcYMS xPxPxPxPxOxMxIxAwow8vDthqekZaOLH
    tututututttstntdtGsXrTpmmYgaX0JA okokokokokoiodoTo6nOmHkWhNbmT4Gl
    B6 zzzhxhsFhcQ7 zpzhzVz1xEttmQf1QJHQ xqxmxjxZwpvctJpkkkeCTUK6E9 sLsKsIsErurLqIoFlDh7cvUkOaHOCj
    itisirioibiJhmgYevcfaIUFPLJvGBCC XcXbXZXXXNXAWrW3V6TmSPOXLLHkF5CC NLNLNJNIN9N1MpMHLfKpJxHVFTDEBX9k
    FMFMFLFJFEF8F0EeEHDjDABZAG8r7o6j 9h9g9g9f9b9Y9T9F918g8K7J6T5a4w4I
    B7 zzzhxhsFhcQ7 pMocmEhfdPTCL8HQHQB0B0 dCcfbCXoVqQaMYJAJAF0Dg7U7U4d4d4d
    ShSRRmPpObLyKFHgHgEsDQ9N9N6S6S6S3D1x1x1x1x KfKZKJJOIbHBGUEnEnD5Bs9Y9Y7070704H303030300p0p0p0p0p
    EpEnEiELDsD3CiBjBjAg9s8d8d6g6g6g4g3X3X3S3S1N1N1N1N1D0L0L0L0L0L
    AgAgAeAVAG9m9X8z8y8L7s7B7B5r5r5r4V3c3c3U3U1j1h1h1h1S0d0d0d0Y0Y0909090909
    7j7i7i7f7Y7G746k6i6L675h5h4q4q4p3x3N3N3D3D1t1p1p1p1Y0o0o0o0h0h0H0H0F0F0F
    5b5b5a5a5W5M5C504x4k4d4N4N3r3r3o3H2v2v2k2k1r1m1m1m1U0v0v0v0n0n0O0O0K0K0K08
    B8 zzzhxhsFhcQ7 zzzzzxzhyuwnsHkmahO4B0 yfydyXyExgwnuarUm6hybDVfQGLsBy4d
    w4w3vyvgvHuTt9r9nul3hHdYZhX2R5KUIlGMBz5g1x rwrvrtrirQqppyohmlkhiOfXcaaMWfRkQxOHJxFkCZBy9f6C2e0p
    mqmqmomjmZmDlhkvjoiOgvexcvb9YTUgTxRiOJLNIvHpFNC29i8E7Q5Q351D0L
    hahahahYhThHgygYfuf0e3clbQa6YJVcUtSwQLNyMBKzIsG4EICjBd9f7V6G5J4R2v1V0Y09
    chchcgcgcdcXcMc7bmbEacZlYuXyWnUzUJSnQxP3NgMSKlISH3FaEQChAi9Y8b7Y684n423L2X1W0j0F
    YJYJYJYJYIYEY8XzXnXTX6WXVyVKUXTOSmReQQP0O0MoLXJfIYHEGAEiCyBsAy9p8U7E6U5l4t3u352a221P0l0L
    B9 sFhchcQ7Q7 lShrhrahahO4O4B0B0 fXeNeNawawUYUYLsLsByBy4d4d aLZzZzYYYYV8V8PvPvJHJHBzBz5g5g1x1x
    VnVgVgV8V8TYTYQTQTM4M4GsGsBJBJ6C6C2e2e0p0p RpRnRnRaRaQuQuPKPKMaMaIuIuEhEhAMAM6G6G35351D1D0L0L
    OLOLOLOGOGNzNzNFNFLkLkJLJLGEGECnCn9J9J62623J3J1V1V0Y0Y0909
    LILILILHLHLALAKqKqK6K6IhIhGbGbDyDyB7B78I8I5d5d3N3N1h1h0j0j0F0F
    IdIdIdIdIdIaIaISISI6I6HNHNG6G6EHEHC3C39f9f7L7L5A5A3H3H1o1o0r0r0L0L
    B10 sFhcQ7 lShrahO4B0 fXeNawUYLsBy4d aLZzYYV8PvJHBz5g1x VnVgV8TYQTM4GsBJ6C2e0p RpRnRaQuPKMaIuEhAM6G351D0L
    OLOLOGNzNFLkJLGECn9J623J1V0Y09 LILILHLAKqK6IhGbDyB78I5d3N1h0j0F IdIdIdIaISI6HNG6EHC39f7L5A3H1o0r0L
    B11 zzzhxhsFhcQ7 zzzzzxzhyuwnsHkmahO4B0 zzzzzzzyzvzlzKyBvwrumBdUSoKF9W zyzyzyzyzxzvzrzizKyTx6ucqUkcdXUpLsBi6T
    zuzuzuzuzuztzrznzfzQyyyHx3uwrnnShkaMSBKWCP6h zczczczczczbzbzZzUzMz5yiy8xEvotoqsn3iCbwV8NwFN955X
    yfyfyfyfyfyfyeydybyXyNy9xlxAwBuvtAr0o6kOfhaHTnNOGAAP66
    wOwOwOwOwOwOwOwOwMwKwFw6vrvTuptzsjr8oxmJj6fEawVkQBJRDf8Y5Z
    sKsKsKsKsKsKsKsJsIsHsDs7rxrgrIqlpvoqnKlOivfqcMY5TgP5JOETA86J
    B12 zzzhxhsFhcQ7 zzzzzxzhyuwnsHkmahO4B0 zzzzzzzzzxzpzSyYwbsvnCfJVxLsBy4d
    zzzzzzzyzyzxzuznzUyuxkvkrrn1fwYgP0Fy7c5g1x znznznzmzmzlzjzfzWzFyjy1wauXrNnLiVbzTsM9FeAS7V3d2e0p
    yfyfyfyfyeycyZyVyNyAxrxOwRv1t0qLncjMedYtTNNgJhEhBc7L573o1h1D0L
    vtvtvsvsvrvpvmvhvXvKv4ugu0t1repknckTgwcpYhUTR1NVJdGhCxAD7y5z3j2b1t0n0Y09
    rgrgrgrfrfrdrZrUrLr8qrqTpxpFoJn0lTjGghdbaPWyU1RFO0LMI9FoDBBH9T6n5Z4B3B1u1I0v0M0F
    mhmhmhmhmgmfmcmXmQmFlzldlBkek0j6i1gWemccaJXgV6SlPyNdKvIsGHEWCxAU8u7Y6M5A3j2y2E1f0y0d0R0A
    Y1 zzzhxhsFhcQ7 zzzzzxzhyuwnsHkmahO4B0 x7x7x7x6x2wow9uks7n5eqTOFh lAlAlAlAl9l5ktkTjYhFcITmHD
    UzUzUzUzUzUyUuUmUTTSQtLpDF HKHKHKHKHKHJHIHGH9GkFbD38E 8V8V8V8V8V8V8V8U8S8J7q6i4N 3l3l3l3l3l3l3l3l3k3h3X3523
    1X1X1X1X1X1X1X1X1X1W1S1I0s
    Y2 zzzhxhsFhcQ7 mDmAlgk3i6cfXyOOJg8989 WiWiWbW8VVThRYNfKeHaDJBP885i2O2O
    KrKrKpKiKYJzJGHfGOEfD1Ak9k7J6X483y2H1n0h0h CyCyCxCvCtCjCVByBRAk9v8x847364504E3Z2a2G1O1H0i0Y0C0C
    818180807z7x7t7i7X7G6x6U675W574M3z3J2x2I211W1L0s0o0R0Q0E0B
    4y4y4y4y4y4x4w4t4p4j4c4R4G413m3S3C2r2Y2E1u1f1M1A0u0m0Z0U0J0H0908
    37373737373636353432302w2r2l2f2V2N2C231p1g1S1J160y0m0h0X0T0L0I0C0B
    1y1y1y1y1y1y1y1x1x1w1w1u1t1q1n1k1g1b1W1P1J1C150z0r0l0f0Z0T0P0K0H0D0B08
    Y3 zzzhxhsFhcQ7 zzzzzxzhyuwnsHkmahO4B0 upupuouluYu0slrWock1esWXNJJAAa4J
    mnmnmmmmmimWm5lekaiogcdYZmVTQxMDG2Bq8h4O1d eEeEeEeEeDe9e1dpdScmbkaFYTW6TaQuNaKhHMEJAx7y5Z3i1k0b
    WPWPWPWPWPWOWMWIW9VtVUUpTySnROPoNxLyJtHlFTDEBE987B5O3n2U1X0g0D
    PpPpPpPpPpPoPoPmPjPePUPEOrOJNbMlLjKYJFHoGKElDBBeA48b7A5u4f3Z2a1k150c0G
    KUKUKUKUKUKUKTKTKSKQKNKHK7JtJZJ9IcHyHEGMFQEODJCBB29s8l7e6b5a4g3o342M1k1D0n0S0F
    GGGGGGGGGGGGGFGFGFGEGDGBG7G2FtFhFSF8EjEFDhD4CNBdApA19A8K7U6e5q554L3g342W201Z1B0q0Z0L0B
    Y4 zzzhxhsFhcQ7 kUkRjvjah6emXeSpIZCU V0UzUsUnU6TlRjQjMgKUEfCF6k4k JNJNJLJKJAJ4ITIFGtGOE5D8A28m5Z4a2G1d
    BdBdBcBcBaBYBOBKAtAk9v9e8N7w6I5h3x3O1w1a0j0X 6m6m6m6m6m6l6j6i6a6X6G6B5g5X4p4c3l3U2Y2G1R1D0e0W0E0A
    3s3s3s3s3s3s3r3r3p3o3j3h3X3T3C372j2d2A221Y1P0y0q0V0Q0D0A
    2B2B2B2B2B2B2B2B2A2A292825241x1w1m1j1W1T1E1A0u0q0b0X0L0I0A08
    1D1D1D1D1D1D1D1D1D1D1C1C1B1B191815140y0x0q0o0g0e0W0U0M0K0E0C
    Y5 zzzhxhsFhcQ7 zzzzzxzhyuwnsHkmahO4B0 sFsFsEsCs7rir6pFmyiFdCUsNhEL7b gcgcgcgbgagUgMfqfPdqcVZ6WLQvMwGSCU6u3x
    V0UzUzUzUzUxUvUmUeU9ToSbRnPVNxKSIBDyBY7b5j2w1l LJLJLJLJLJLILILFLDL3KwKWKHJPIuHQGZEOD8AV936S5E3B2O190i
    E3E3E3E3E3E3E2E2E1DyDwDnDiDODECdCKBOAu9b8u7L6W4t472j2B1F0w0Q0H
    8x8x8x8x8x8x8x8x8x8w8w8t8r8k8h8T8M7x7m7C6v695m4r4P3R2y261j150r0T0M09
    5Z5Z5Z5Z5Z5Z5Z5Z5Z5Z5Z5Y5Y5V5U5P5N5D594t4m4R4H3p3c352q2I221V1H0r0h0P0K0A08
    Y6 zzzhxhsFhcQ7 yGyFy8xlwkuXpCgXUgGO vOvOvNvKvCuuu7sSpRkNcZSqIF8M rororornrmrirZrFqZpIn5jeehXzPsHP9d3u
    npnpnpnpnononlngnWnCmblYjrhIdjZ8TOMkFt9b4k1k jfjfjfjfjfjfjfjdjajUjJiziRhZgEeIbaY7TxP7JiEA944x2F0l
    fWfWfWfWfWfWfWfVfVfTfPfJf7eneIdYcTaxYuWFT0PKLGGsCQ8J4t2S120K
    bUbUbUbUbUbUbUbUbTbTbSbQbMbEb2akaIZeYkXXVwTtROOTLFHqEIAk7Q4c2V1B0T08
    XdXdXdXdXdXdXdXdXdXdXdXcXbXYXUXMXBWtWUVvVAUASuRKPNN5KVHjEtC09A6W4E2S1F0Y0D
    Y7 penMnMimaALo h3gfgffneud7a1VsP2Gf7g ZsZoZoZbZOYwYFXJVhTbQcMbHpCO6w2h
    TtTtTtTqTnTgTTTCSiS5RAPuOGM8JVGICl995e2j0x OuOuOuOuOtOrOoOjOaONO3NcN1MELEJwIMGTEHBo9E6j4P2R130L
    KlKlKlKlKlKkKkKiKgKcKVKMK8JpJQIuIEHPGOFCDnCDAS8a6i4w3M21100O
    HJHJHJHIHIHIHIHIHHHGHEHBH7H0GqGdGLFzFWEyEIDVCZBVAK927g6G4t3d2X1c0t0P09
    EQEQEQEQEQEQEQEQEPEPEPEOEMEKEHECE5DvDjDTD9ClCJBlB7AO9Z8f7h6g5d4a3a2g1u1G0k0N0A
    C1C1C1C1C1C1C1C1C1C1C1C0C0BzByBwBuBqBlBfBWBKB6ApAVA79f9A8a7w7F6V5j4w493M2d1y1Q0x0b0K0A
    Y8 fKb1TqI5 RYQqPDM8HGBR5H INIFHrH1FRD9AG753y1X CFCEC9BvBRAd9R7t674L2g1J0S 8A8A89857x7h7F6b5l4l3g2e1i0x0Q08
    5R5R5R5Q5O5J5A4v4Z453W2s2D1b150e0K08 3d3d3d3d3c3b3Y3T3K382r2W291k1L0z0f0Q0F
    2Q2Q2Q2Q2Q2P2P2N2K2F281y1m1Y1J130o0b0Q0H0A 1c1c1c1c1c1c1c1b1a1Y1W1S1M1F170x0o0e0V0N0G0A
    Y9 zzzhxhsFhcQ7 zzzzzxzhyuwnsHkmahO4B0 yYyYyYyWyRyBxgwVuCqCkbc9RrJN9A uyuyuyuxuwurujuStssqrJorkxfQYwRBJIAK5Y
    ozozozozozoxouooocoEncmglEj3g9cNXaRkL9FO9J53 gxgxgxgxgxgwgvgtgpgggPg0fNeOcwazYRVNRpNRItER9B5P3A
    XhXhXhXhXhXhXhXgXfXcXWXMX5WeVwUxTaRsPlN8KDH5DhAX784c2k
    OOOOOOOOOOOOOOOOOOONOLOHOBO0NiNHMcLkKZJ3HIFFD7An8g6D4F2f1a
    GAGAGAGAGAGAGAGAGAG9G9G7G6G2FvFkFUF5EWDnCrBgAP8u7T5y4M33241J
    Y10 zzzhxhsFhcQ7 zzzzzxzhyuwnsHkmahO4B0 zzzzzzzzzxzpzSyYwbsvnCfJVxLsBy4d
    uFuFuFuFuFuCu6tqtFs3psnQk1fcajVVOSHLAX561n kgkgkgkgkgkfkdkXkHjkilhVfjdUbEZ5VDRrOLKmGrCH814Q1z0e
    aKaKaKaKaKaJaJaHaBZxZVYpXtWlVQU6RvQ8ODM9JrHFEvCnAV865Y3N1j0k0E
    R1R1R1R1R1R1R1R0QyQtQiQOPuPIOYNnMeLaKIJ3HcGAEiDLBoAL8m7W6G4w3c2L1L0e0G
    JUJUJUJUJUJUJUJUJTJRJNJFJ2IjIKHsHHGfFvFBEIDPCPBXAa9d8f7k6r5x564J3b2u2C1Y0x0W0F
    DkDkDkDkDkDkDkDkDkDkDiDfDaDRDFD0CgCLBvBVAyAT9r9I8e817N6m6A5a4z4Q3s3O2t2S231f1J0x0d0N0C
    Y11 zzzhxhsFhcQ7 t6t4suruqGnOhccGRgL5AF jvjujsjhjDiPgsewcUYOUkNlJZCC8y3q
    ajajajagaZaKZrZ8Y8WiUvSoPvNOJ3GHBD8q4z3a1O SZSZSZSZSXSTSKS5RiRAQPPPOAMhL4J2HBETCc9N7i4q3i1x1N0V
    LmLmLmLlLlLkLhLdLVLIL0KbK2JLITHUGKF6DgCMAd9L7L6C4F3O1y1U0k0W0B
    GKGKGKGKGKGKGJGIGFGBG4FuFgFNEzEVDuDDCRBZAg9f8j7c6j5U4h3S2q1o1Q0m0a0H0B
    C6C6C6C6C6C6C5C5C4C3C0BxBrBkBaBMB5AkAK9r9K8k867S6k665M4k3y3R2e2E1X1E0j0Z0I0D
    8s8s8s8s8s8s8s8s8r8r8q8p8n8k8g8a8T8J877s7b7H6u6V655c5A4f4D3j3I2o2R1x1f1D100e0W0I0E
    Y12 zzzhxhsFhcQ7 yGyGyDxux4v7qsjbZtNbAo vOvOvOvOvKv9uhtks1oojZcUTvKdBL4P
    rororororornrkrdrNqrpwoRlyi9csWMP8HkAl581m npnpnpnpnpnpnpnonmnhnYnFmilrkYibflboWrR9L5F89i5F2F0i
    jfjfjfjfjfjfjfjfjfjfjdjajUjJiziThhgZeycnZpW2RZMgHeCq8X502R0y0H
    fWfWfWfWfWfWfWfWfWfWfWfVfUfSfOfHf5emeIdacbbIZYXHUOQvN0IsEjAq7O4Z2S160P
    bUbUbUbUbUbUbUbUbUbUbUbUbUbTbTbRbPbKbDb0aiaGZdYmXfWGUTSGPZMSJ5FdCF966K432K190U0A
    XdXdXdXdXdXdXdXdXdXdXdXdXdXdXdXdXdXcXaXXXSXKX8WrWRVtV9UDT2RbPsNmLLIdFlCtA87b5N3X28180W0D
"""
"""By card, a row of `reach_row` for each number of dice; computing them during a game would take seconds."""
