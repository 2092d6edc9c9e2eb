"""Train the nets of `positions` by fitted value iteration, from games of the reference with itself.

`python -m benchmarks.training gangster-dice` rebuilds `values-1.npz`, equal for the same
seed on the same machine; it takes about 50 minutes on one core.

1. The first nets follow a rule of thumb: few dice, of one color, with tokens.
2. The reference plays games with itself.  Every round gives a position, a roll, and the values of the solved bids.
   One bid in eight is random, and some effects are skipped, so that unusual positions occur.  A quarter of the games
   have an early last round, a sixth have characters, so that these are covered.
3. The net of ways learns the ways of the solved bids.  The net of values learns their values without the roll: the
   value of the roll by the net of ways, relative to its mean over rolls, is subtracted, and the changes in later rounds
   of the game are added (TD(lambda)), so that little chance remains in the targets.
4. Steps 2 and 3 repeat with the new nets; the last games are only for the net of ways.
5. The strengths of table and hand are scaled separately (temperature scaling; Guo et al. 2017), so that chances fit
   the results of other games best.

The shipped tables were made in three runs: the first four steps with a share of 0.8 for later rounds and more unusual
positions, the others as described here, and for two seats another 32,000 rounds of the sixth part.  They were scaled
by 1.05, 1.12 and 1.17.  Rebuilt tables will be similar, but not equal to the byte.

Measured in games of the reference with itself, two, three and four seats: the net of ways is off by 0.036, 0.046 and
0.048 of a score for a roll; the net of values by about 0.027 for a position.  Of a game's account 0.087 (150 games),
0.093 (40) and 0.120 (40) are the reference's own error: the mean absolute sum for a seat.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import pairwise, product
from pathlib import Path
from typing import Final, NamedTuple, TypeVar

import numpy as np

from gangland.gangster_dice.cards import (
    COLORS,
    DECK,
    FIRST_SPEAKEASY,
    FIRST_STASH,
    INVESTIGATOR,
    LAWYER,
    SPEAKEASY,
    SPECIAL,
    SPECIALS,
    STREETS,
    TOKENS,
)
from gangland.gangster_dice.characters import HOUSE_SET, PLAIN
from gangland.gangster_dice.options import Options
from gangland_ladder.analysis.games.gangster_dice.bids import Bidding, Outcomes, Visible, digits, stakes_of, ways
from gangland_ladder.analysis.games.gangster_dice.chance import sample_rolls
from gangland_ladder.analysis.games.gangster_dice.effects import NONE, Settled, round_of, with_fewer
from gangland_ladder.analysis.games.gangster_dice.positions import (
    FAVOR_VALUES,
    NOBODY,
    SEAT_TRAITS,
    TABLE_TRAITS,
    TABLES,
    Array,
    Floats,
    Net,
    Nets,
    Positions,
    Situation,
    WayNet,
    chances_of,
    lost_score,
    possible_ways,
    roll_traits,
    scores_with,
    seat_traits,
    strengths_of,
    table_traits,
    way_chances,
    weighted_sum,
)
from gangland_ladder.analysis.games.gangster_dice.positions import nets as present_nets

SCHEDULE: Final = {
    2: (6_000, 8_000, 12_000, 16_000, 24_000, 30_000, 6_000),
    3: (4_000, 5_000, 8_000, 10_000, 14_000, 16_000, 4_000),
    4: (2_500, 4_000, 6_000, 8_000, 10_000, 10_000, 3_000),
}
"""The rounds to play with each pair of nets, by seats; the last rounds are only for the net after the roll."""
LAST: Final = 2
"""The number of parts of the schedule that refine present nets."""
SOLVING: Final = 24
"""Rounds of regret matching while games are made."""
ANY_BID: Final = 0.1
NO_EFFECTS: Final = 0.06
ANYWHERE: Final = 0.15
NEAR_END: Final = 0.15
CHARACTERS: Final = 0.1
LAMBDAS: Final = (0.8, 0.8, 0.6, 0.3)
"""The share of later rounds in the target, by part of the schedule; later parts use the last share."""
ROLLS: Final = 256
BATCH: Final = 256
SCALED_BY: Final = {2: 2_000, 3: 1_500, 4: 1_500}
"""The number of games for scaling strengths, by seats."""
SCALES: Final = tuple(scale / 100 for scale in range(80, 151, 2))
HAND_SCALES: Final = tuple(scale / 100 for scale in range(50, 301, 5))
_MAX_ROUNDS: Final = 60
"""The maximum number of rounds; longer games are stopped, and the net's value counts."""
HIDDEN: Final = (96, 32)
HIDDEN_OF_WAYS: Final = (160, 96)


# Games of the reference with itself -----------------------------------------------------------------


class Sample(NamedTuple):
    """One round of a game.

    Attributes:
        seats, table: traits of the position.
        hands: by seat and value.
        symbols: by seat and token, strengths of bids.
        streets: the controller of the Streets.
        values: the worth, by way and seat.
        solved: by seat, the worth of the solved bids.
        ways: the chance of each way with these bids.
        between, rolled, mean: by seat, the nets' values of the position, of the roll, and of the mean roll.
        strengths: by seat, the net's values of the table and of the hand.
        after: by seat, the value of the round's end: the scores if it was the last.
        goes_on: whether the next round followed from the reference's own choices.
    """

    seats: Floats
    table: Floats
    hands: Array
    symbols: Array
    streets: int
    values: Floats
    solved: Floats
    ways: Floats
    between: Floats
    rolled: Floats
    mean: Floats
    strengths: tuple[Floats, Floats]
    after: Floats
    goes_on: bool


@dataclass
class Hands:
    """The favors of a game: hands and discards as counts by value, the deck as a list."""

    rng: np.random.Generator
    sizes: Sequence[int]
    deck: list[int] = field(default_factory=list)
    discards: list[int] = field(default_factory=list)
    specials: int = SPECIALS

    def __post_init__(self) -> None:
        self.deck = self.rng.permutation(np.array(DECK)).tolist()
        self.hands = [[self.drawn() for _ in range(size)] for size in self.sizes]

    def drawn(self) -> int:
        """Draw a favor; the discards are shuffled if the deck is empty."""
        if not self.deck:
            self.deck = self.rng.permutation(np.array(self.discards)).tolist()
            self.discards = []
        return self.deck.pop()

    def play(self, seat: int, favors: Sequence[int]) -> None:
        """Discard favors of a hand."""
        for favor in favors:
            self.hands[seat].remove(favor)
            if favor == SPECIAL:
                self.specials += 1
            else:
                self.discards.append(favor)

    def draw(self, seat: int, count: int, *, special: bool) -> None:
        """Draw favors for a seat; the first one is a +4 if the seat gets it."""
        if special and self.specials:
            self.specials -= 1
            count -= 1
            self.hands[seat].append(SPECIAL)
        self.hands[seat] += [self.drawn() for _ in range(count)]

    def visible(self, strengths: Array, streets: int) -> Visible:
        """Return the public part."""
        known = np.array([hand.count(SPECIAL) for hand in self.hands])
        hidden = [*self.deck, *(favor for hand in self.hands for favor in hand if favor != SPECIAL)]
        sizes = np.array(list(map(len, self.hands)))
        return Visible(strengths, streets, np.bincount(hidden, minlength=FAVOR_VALUES), known, sizes)


def _default_start(seats: int) -> tuple[Situation, Positions]:
    """Return the start of a game without characters."""
    limits = tuple([PLAIN.hand_limit] * seats)
    situation = Situation(Options(), (PLAIN,) * seats, limits, Options().round_limit - 1, frozenset())
    return situation, _first_position(seats)


def _first_position(seats: int) -> Positions:
    return Positions(
        np.array([[FIRST_STASH] * seats]),
        np.full((1, len(TOKENS)), NOBODY),
        np.array([FIRST_SPEAKEASY]),
        np.zeros(1, dtype=np.int64),
        np.zeros((1, len(COLORS)), dtype=np.int64),
    )


def _began(seats: int, rng: np.random.Generator) -> tuple[Situation, Positions]:
    """Return the start of a game to learn from: sometimes near its end, with characters, or anywhere."""
    cast = [PLAIN] * seats
    if rng.random() < CHARACTERS:
        cast = [HOUSE_SET[number] for number in rng.permutation(len(HOUSE_SET))[:seats]]
    left = int(rng.integers(0, 20)) if rng.random() < NEAR_END else 99
    situation = Situation(Options(), tuple(cast), tuple([each.hand_limit for each in cast]), left, frozenset())
    position = _first_position(seats)
    if rng.random() < ANYWHERE:  # any position that keeps all dice
        stashes, lying = position.stashes[0], np.zeros(len(COLORS), dtype=np.int64)
        speakeasy, streets = position.speakeasy[0], 0
        for _ in range(int(rng.integers(1, 5 * seats))):
            seat, colour = rng.integers(seats), rng.integers(len(COLORS))
            if stashes[seat, colour] and stashes[seat].sum() > 1:
                stashes[seat, colour] -= 1
                kind_of_end = rng.random()
                if kind_of_end < 0.35:
                    stashes[rng.integers(seats), colour] += 1
                elif kind_of_end < 0.65:
                    lying[colour] += 1
                elif kind_of_end < 0.75:
                    speakeasy[colour] += 1
                else:
                    streets += 1
        control = rng.integers(-1, seats, (1, len(TOKENS)))
        if control[0, INVESTIGATOR] == NOBODY:
            control[0, INVESTIGATOR] = rng.integers(seats)
        position = Positions(stashes[None], control, speakeasy[None], np.array([streets]), lying[None])
    return situation, position


def played(
    nets: Nets, seats: int, rng: np.random.Generator, *, with_rolled: bool, is_default: bool = False
) -> list[Sample]:
    """Return the rounds of one game of the reference with itself.

    Args:
        is_default: whether the game has the default start, and every seat plays like the reference.
    """
    situation, position = _default_start(seats) if is_default else _began(seats, rng)
    cards = Hands(rng, situation.hand_limits)
    favors = nets.between.favors.astype(np.float64)
    samples: list[Sample] = []
    while len(samples) < _MAX_ROUNDS:
        symbols = sample_rolls(position.stashes[0], 1, rng)[0]
        strengths = _strengths(situation, position, symbols[None])[0]
        visible = cards.visible(strengths, int(position.control[0, STREETS]))
        outcomes = Outcomes(nets.between, situation, position, cards.specials)
        bidding = Bidding(visible, outcomes, favors, SOLVING)
        counts = np.array([np.bincount(hand, minlength=FAVOR_VALUES) for hand in cards.hands])
        before = situation._replace(rounds_left=situation.rounds_left + 1)
        table_strengths = strengths_of(nets.between, before, position)
        between = scores_with(before, table_strengths, counts @ favors)[0]
        solved, way_shares = bidding.played(cards.hands)
        by_way = outcomes.settled.values_with(situation, counts @ favors)
        if with_rolled:
            more = _strengths(situation, position, sample_rolls(position.stashes[0], ROLLS, rng))
            rolls = np.concatenate([strengths[None], more])
            traits = roll_traits(rolls, counts, visible.streets, outcomes.stakes)
            by_net = way_chances(nets.ways, traits, possible_ways(rolls, outcomes.winners)) @ by_way
            rolled, mean = by_net[0], by_net[1:].mean(axis=0)
        else:
            rolled = mean = between
        numbers, own = _chosen(bidding, cards, rng, 0.0 if is_default else ANY_BID)
        picks = [np.array([number]) for number in numbers]
        way = int(bidding.ways(picks).reshape(()))
        settled, as_meant = outcomes.settled.rows(np.array([way])), True
        if not is_default and rng.random() < NO_EFFECTS:
            settled, as_meant = _without_effects(outcomes, position, way, rng), False
        samples.append(
            Sample(
                seat_traits(before, position)[0].astype(np.float16),
                table_traits(before, position)[0].astype(np.float16),
                counts.astype(np.int8),
                strengths.astype(np.int8),
                visible.streets,
                by_way,
                solved,
                way_shares,
                between,
                rolled,
                mean,
                (table_strengths.base[0], table_strengths.weight[0] * (counts @ favors)),
                by_way[way],
                own and as_meant,
            )
        )
        if settled.over[0]:
            break
        for seat, number in enumerate(numbers):
            cards.play(seat, [favor for _, favor in bidding.sides[seat].actions.bids[number]])
        for seat, number in enumerate(numbers):
            many = len(bidding.sides[seat].actions.bids[number])
            cards.draw(seat, many, special=bool(outcomes.special[way, seat]))
        position = settled.positions
        situation = situation._replace(rounds_left=situation.rounds_left - 1)
        if settled.discarded[0]:
            seat = int(position.control[0, INVESTIGATOR])
            cards.play(seat, [min(cards.hands[seat])])
            situation = with_fewer(situation, seat)
    return samples


def _strengths(situation: Situation, position: Positions, symbols: Array) -> Array:
    control, bonus = position.control[0], np.zeros(symbols.shape[1:], dtype=np.int64)
    if control[STREETS] != NOBODY:
        bonus[control[STREETS]] += position.streets[0]
    for seat, character in enumerate(situation.cast):
        for token in TOKENS:
            bonus[seat, token] += character.bonus(token, held=bool(control[token] == seat))
    return np.where(symbols > 0, symbols + bonus, 0)


def _chosen(bidding: Bidding, cards: Hands, rng: np.random.Generator, any_bid: float) -> tuple[list[int], bool]:
    """Return, by seat, the number of its action, and whether all actions are those of the reference.

    Args:
        any_bid: the share of random bids.
    """
    numbers, own = [], True
    for side, hand in zip(bidding.sides, cards.hands, strict=True):
        number = side.type_of(hand)
        if rng.random() < any_bid:
            own = False
            numbers.append(int(rng.choice(np.flatnonzero(side.legal[number]))))
        else:
            numbers.append(int(rng.choice(len(side.mix[number]), p=side.mix[number])))
    return numbers, own


def _without_effects(outcomes: Outcomes, position: Positions, way: int, rng: np.random.Generator) -> Settled:
    """Play out a round without exchange and stake, and with a random color dumped."""
    round_ = replace(
        round_of(position, outcomes.situation.cast, outcomes.winners[way : way + 1]),
        exchanged=np.array([True]),
        staked=np.array([NONE]),
        dumped_color=rng.integers(len(COLORS), size=1),
    )
    return outcomes.settler.settle(round_)


# Learning -------------------------------------------------------------------------------------------


class Lessons(NamedTuple):
    """Samples as arrays, and the targets: by row and seat, the chance to win; by row and way, the chance of the way."""

    seats: Floats
    table: Floats
    hands: Array
    targets: Floats
    samples: Sequence[Sample]


def lessons_of(games: Sequence[Sequence[Sample]], seats: int, share: float) -> Lessons:
    """Return the lessons of games (TD(lambda), with this share of later rounds)."""
    rows: list[Sample] = []
    all_targets = []
    for game in games:
        later = np.zeros(seats)
        targets = []
        for sample in reversed(game):
            later = later if sample.goes_on else np.zeros(seats)
            error = sample.solved - sample.rolled + sample.mean - sample.between
            later = error + share * later
            targets.append(sample.between + later)
        rows += game
        all_targets += reversed(targets)
    lost = lost_score(seats, seats)
    return Lessons(
        np.array([row.seats for row in rows], dtype=np.float32),
        np.array([row.table for row in rows], dtype=np.float32),
        np.array([row.hands for row in rows]),
        ((np.array(all_targets) - lost) / (1 - lost)).astype(np.float32),
        rows,
    )


def shapes(seats: int) -> dict[str, tuple[int, ...]]:
    """Return the shape of each part of a net of values."""
    units, more = HIDDEN
    return {
        "seat": (seats, SEAT_TRAITS, units),
        "table": (TABLE_TRAITS, units),
        "first": (units,),
        "middle": (units, more),
        "second": (more,),
        "out": (more, 2),
        "last": (2,),
        "favors": (FAVOR_VALUES,),
    }


def first_net(seats: int, rng: np.random.Generator) -> Net:
    """Return a net of values with small random weights."""
    parts = {}
    for name, shape in shapes(seats).items():
        scale = {"seat": 0.1, "table": 0.1, "middle": 0.14, "out": 0.05}.get(name, 0.0)
        parts[name] = (rng.normal(size=shape) * scale).astype(np.float32)
    parts["favors"] = np.array([0, 0.05, 0.15, 0.3, 0.5], dtype=np.float32)
    return Net(**parts)


def first_ways(seats: int, rng: np.random.Generator) -> WayNet:
    """Return a net of ways with small random weights."""
    count = len(ways(seats)[0])
    symbols, none = np.ones((1, seats, len(TOKENS)), dtype=np.int64), np.zeros((seats, FAVOR_VALUES))
    traits = roll_traits(symbols, none, NOBODY, stakes_of(np.zeros((count, seats)))).shape[1]
    sizes = (traits, *HIDDEN_OF_WAYS, count)
    parts: list[Floats] = []
    for before, after in pairwise(sizes):
        parts.append((rng.normal(size=(before, after)) * (2 / before) ** 0.5).astype(np.float32))
        parts.append(np.zeros(after, dtype=np.float32))
    return WayNet(*parts)


def gradient(net: Net, lessons: Lessons, batch: Array) -> tuple[Net, Floats]:
    """Return the gradient of the cross-entropy over some rows, and by row and seat the chances to win."""
    parts, table, target = lessons.seats[batch], lessons.table[batch], lessons.targets[batch]
    hands = lessons.hands[batch].astype(np.float32)
    rows, seats = parts.shape[:2]
    gathered = weighted_sum(parts, net.seat) + (table @ net.table + net.first)[:, None]
    units = np.maximum(gathered, 0)
    raw = units @ net.middle + net.second
    more = np.maximum(raw, 0)
    strengths = more @ net.out + net.last
    weight = np.logaddexp(0, strengths[..., 1])
    worth = hands @ net.favors
    chances = chances_of(strengths[..., 0] + weight * worth, frozenset())
    by_strength = ((chances - target) / rows).astype(np.float32)
    by_given = np.stack([by_strength, by_strength * worth * (1 - np.exp(-weight))], axis=2)
    by_more = (by_given @ net.out.T) * (raw > 0)
    by_units = (by_more @ net.middle.T) * (gathered > 0)
    flat, many = by_units.reshape(rows * seats, -1), rows * seats
    turns = [np.roll(parts, -distance, axis=1).reshape(many, -1).T @ flat for distance in range(seats)]
    slope = Net(
        seat=np.stack(turns),
        table=table.T @ by_units.sum(axis=1),
        first=flat.sum(axis=0),
        middle=units.reshape(many, -1).T @ by_more.reshape(many, -1),
        second=by_more.sum(axis=(0, 1)),
        out=more.reshape(many, -1).T @ by_given.reshape(many, -1),
        last=by_given.sum(axis=(0, 1)),
        favors=np.einsum("rs,rsv->v", by_strength * weight, hands),
    )
    return slope, chances


class Ways(NamedTuple):
    """The lessons of the net of ways: its traits, the possible ways, their values, and their chances."""

    traits: Floats
    allowed: Array
    values: Floats
    targets: Floats


@lru_cache(maxsize=16)
def turned(seats: int, steps: int) -> Array:
    """Return the number of each way if all seats' numbers fall by `steps`."""
    winners, row = ways(seats)
    renamed = np.where(winners == NOBODY, NOBODY, (winners - steps) % seats)
    return row[(renamed + 1) @ digits(seats)]


def ways_of(samples: Sequence[Sample], steps: int) -> Ways:
    """Return the lessons of samples for the net of ways, with all seats' numbers lower by `steps`."""
    seats = len(samples[0].hands)
    winners = ways(seats)[0]
    came_from = np.argsort(turned(seats, steps))
    traits, allowed, values, targets = [], [], [], []
    for sample in samples:
        symbols = np.roll(sample.symbols.astype(np.int64), -steps, axis=0)[None]
        by_way = np.roll(sample.values, -steps, axis=1)[came_from]
        streets = NOBODY if sample.streets == NOBODY else (sample.streets - steps) % seats
        hands = np.roll(sample.hands, -steps, axis=0)
        traits.append(roll_traits(symbols, hands, streets, stakes_of(by_way))[0])
        allowed.append(possible_ways(symbols, winners)[0])
        values.append(by_way)
        targets.append(sample.ways[came_from])
    as_floats = np.array(values, dtype=np.float32), np.array(targets, dtype=np.float32)
    return Ways(np.array(traits), np.array(allowed), *as_floats)


VALUED: Final = 15.0
"""The weight of an error of the value relative to the cross-entropy of the ways."""


def way_gradient(net: WayNet, lessons: Ways, batch: Array) -> tuple[WayNet, Floats]:
    """Return the gradient of the loss over some rows, and by row and seat the error of the value."""
    traits, target, values = lessons.traits[batch], lessons.targets[batch], lessons.values[batch]
    rows = len(traits)
    units = np.maximum(traits @ net.start + net.first, 0)
    more = np.maximum(units @ net.middle + net.second, 0)
    chances = way_chances(net, traits, lessons.allowed[batch])
    errors = np.einsum("rw,rws->rs", chances - target, values)
    pull = np.einsum("rs,rws->rw", errors, values)
    by_value = chances * (pull - (chances * pull).sum(axis=1, keepdims=True))
    by_logit = ((chances - target + 2 * VALUED * by_value) / rows).astype(np.float32)
    by_more = (by_logit @ net.out.T) * (more > 0)
    by_units = (by_more @ net.middle.T) * (units > 0)
    slope = WayNet(
        traits.T @ by_units,
        by_units.sum(axis=0),
        units.T @ by_more,
        by_more.sum(axis=0),
        more.T @ by_logit,
        by_logit.sum(axis=0),
    )
    return slope, errors


NetT = TypeVar("NetT", Net, WayNet)


def learned(
    net: NetT,
    rows: int,
    epochs: int,
    rng: np.random.Generator,
    slope: Callable[[NetT, Array, int], NetT],
    error: Callable[[NetT], float],
) -> NetT:
    """Train a net with Adam, and return the net with the smallest error among those after each pass over all rows.

    Args:
        slope: returns the gradient of a net over some rows, in the pass of this number.
    """
    rate, net_class = 0.002, type(net)
    parts = [part.astype(np.float32) for part in net]
    mean, square = [np.zeros_like(part) for part in parts], [np.zeros_like(part) for part in parts]
    best, lowest = net, error(net)
    for epoch in range(epochs):
        order = rng.permutation(rows)
        for place in range(rows // BATCH):
            step = epoch * (rows // BATCH) + place
            now = rate * min(1.0, 2 * (1 - step / (epochs * (rows // BATCH))), (step + 1) / 50)
            batch = order[place * BATCH : (place + 1) * BATCH]
            for number, by_part in enumerate(slope(net_class(*parts), batch, epoch)):
                mean[number] = 0.9 * mean[number] + 0.1 * by_part
                square[number] = 0.999 * square[number] + 0.001 * by_part * by_part
                change = mean[number] / (1 - 0.9 ** (step + 1))
                change = change / (np.sqrt(square[number] / (1 - 0.999 ** (step + 1))) + 1e-8)
                parts[number] = parts[number] - now * (change + 0.02 * parts[number])
        now_error = error(net_class(*parts))
        if now_error < lowest:
            best, lowest = net_class(*parts), now_error
    return best


def learned_values(net: Net, lessons: Lessons, test: Lessons, rng: np.random.Generator, epochs: int) -> Net:
    """Return a net of values after learning."""
    return learned(
        net,
        len(lessons.table),
        epochs,
        rng,
        lambda now, rows, _: gradient(now, lessons, rows)[0],
        lambda now: error_of(now, test),
    )


def learned_ways(net: WayNet, lessons: Lessons, test: Lessons, rng: np.random.Generator, epochs: int) -> WayNet:
    """Return a net of ways after learning; each pass renumbers the seats."""
    seats = lessons.seats.shape[1]
    turns = [ways_of(lessons.samples, steps) for steps in range(seats)]
    aside = ways_of(test.samples, 0)
    return learned(
        net,
        len(lessons.table),
        epochs,
        rng,
        lambda now, rows, epoch: way_gradient(now, turns[epoch % seats], rows)[0],
        lambda now: way_error(now, aside),
    )


def rule_of_thumb(seats: int, rng: np.random.Generator) -> Net:
    """Return a net trained with a rule of thumb: few dice, dice of one color, and tokens are good."""
    net = first_net(seats, rng)
    rows = []
    for _ in range(4_000):
        situation, position = _began(seats, rng)
        rows.append((seat_traits(situation, position)[0], table_traits(situation, position)[0], position))
    chances = []
    for _, _, position in rows:
        stash, control = position.stashes[0], position.control[0]
        total, main = stash.sum(axis=1), stash.max(axis=1)
        strength = -0.4 * total - 0.2 * (total - main)
        for token, worth in ((LAWYER, 0.25), (SPEAKEASY, 0.2), (STREETS, 0.2 + 0.2 * position.streets[0])):
            if control[token] != NOBODY:
                strength[control[token]] += worth
        if control[INVESTIGATOR] != NOBODY:
            strength[control[INVESTIGATOR]] -= 0.2 + 0.15 * position.investigator[0].sum()
        raised = np.exp(strength)
        chances.append(raised / raised.sum())
    hands = np.zeros((len(rows), seats, FAVOR_VALUES), dtype=np.int8)
    hands[:, :, 1:4] = 1
    lessons = Lessons(
        np.array([row[0] for row in rows]), np.array([row[1] for row in rows]), hands, np.array(chances), ()
    )
    return learned_values(net, lessons, lessons, rng, 15)


def error_of(net: Net, lessons: Lessons) -> float:
    """Return the root mean square error, in chances to win."""
    chances = gradient(net, lessons, np.arange(len(lessons.table)))[1]
    return float(np.sqrt(((chances - lessons.targets) ** 2).mean()))


def way_error(net: WayNet, lessons: Ways) -> float:
    """Return the root of the mean squared difference of the value, in scores."""
    return float(np.sqrt((way_gradient(net, lessons, np.arange(len(lessons.traits)))[1] ** 2).mean()))


def _halved(games: list[list[Sample]]) -> tuple[list[list[Sample]], list[list[Sample]]]:
    """Return nine tenths of the games to learn from, and the rest to check the result."""
    return [game for number, game in enumerate(games) if number % 10], games[::10]


def made(
    seats: int,
    seed: int,
    schedule: Sequence[int],
    say: Callable[[str], None],
    *,
    first: int = 0,
    nets: Nets | None = None,
) -> Nets:
    """Return the nets of one table size; print the errors after each part of the schedule.

    Args:
        first, nets: begin with this part of the schedule, and with these nets.
    """
    if nets is None:
        rng = np.random.default_rng([seed, seats])
        nets = Nets(rule_of_thumb(seats, rng), first_ways(seats, rng))
    before: list[list[Sample]] = []
    for part, rounds in list(enumerate(schedule))[first:]:
        rng = np.random.default_rng([seed, seats, part])
        share = LAMBDAS[min(part, len(LAMBDAS) - 1)]
        games: list[list[Sample]] = []
        while sum(map(len, games)) < rounds:
            games.append(played(nets, seats, rng, with_rolled=part > 0))
        last = part == len(schedule) - 1
        fresh, aside = _halved(games)
        lessons, test = lessons_of([*before, *fresh], seats, share), lessons_of(aside, seats, share)
        between = nets.between if last else learned_values(nets.between, lessons, test, rng, 25)
        by_ways = learned_ways(nets.ways, lessons, test, rng, 24)
        tested = ways_of(test.samples, 0)
        say(
            f"{seats} seats, part {part + 1}: {len(games)} games, {rounds} rounds; error between rounds "
            f"{error_of(nets.between, test):.4f} -> {error_of(between, test):.4f}, after the roll "
            f"{way_error(nets.ways, tested):.4f} -> {way_error(by_ways, tested):.4f}"
        )
        nets = Nets(between, by_ways)
        before = fresh if part else []
    rng = np.random.default_rng([seed, seats, len(schedule)])
    games = [played(nets, seats, rng, with_rolled=False, is_default=True) for _ in range(SCALED_BY[seats])]
    table, hand = best_scales(games)
    say(f"{seats} seats: strengths scaled by {table}, those of hands by {hand}")
    return nets._replace(between=scaled(nets.between, table, hand))


def scaled(net: Net, table: float, hand: float) -> Net:
    """Return a net of values with the strengths of table and favors multiplied by these factors."""
    only_table = np.array([table, 1.0], dtype=np.float32)
    return net._replace(out=net.out * only_table, last=net.last * only_table, favors=net.favors * hand)


def best_scales(games: Sequence[Sequence[Sample]]) -> tuple[float, float]:
    """Return the scales of table and hand that fit the results of games best, by log loss."""
    table, hand = (np.array([sample.strengths[part] for game in games for sample in game]) for part in (0, 1))
    ended = np.array([game[-1].after for game in games for _ in game])
    lost = lost_score(ended.shape[1], ended.shape[1])
    won = (ended - lost) / (1 - lost)

    def loss(scales: tuple[float, float]) -> float:
        strengths = scales[0] * table + scales[1] * hand
        return float((np.log(np.exp(strengths).sum(axis=1)) - (won * strengths).sum(axis=1)).sum())

    return min(product(SCALES, HAND_SCALES), key=loss)


def train(seed: int, folder: Path, say: Callable[[str], None], *, refines: bool = False) -> None:
    """Train the nets of all table sizes and write them to a folder.

    Args:
        say: called with the errors after each part.
        refines: begin with the present nets, and with the last parts of the schedule.
    """
    arrays: dict[str, Floats] = {}
    for seats, schedule in SCHEDULE.items():
        first, nets = (len(schedule) - LAST, present_nets(seats)) if refines else (0, None)
        arrays |= named(seats, made(seats, seed, schedule, say, first=first, nets=nets))
    np.savez_compressed(folder / TABLES.name, allow_pickle=False, **arrays)


def named(seats: int, learned: Nets) -> dict[str, Floats]:
    """Return the arrays of two nets by distinct names."""
    parts = {f"between.{name}": part for name, part in learned.between._asdict().items()}
    parts |= {f"ways.{name}": part for name, part in learned.ways._asdict().items()}
    return {f"{seats}.{name}": part.astype(np.float16) for name, part in parts.items()}
