"""Train the nets of `positions` by fitted value iteration, from rounds of house bots and of the reference.

`python -m benchmarks.training gangster-dice` rebuilds `values-2.npz`; it takes about ten hours on two cores. The
same seed gives the same cases on every machine, and nets that are equal up to rounding. The shipped nets began with
older ones, and learned from about 110,000, 50,000 and 36,000 cases at two, three and four seats.

1. The first net of values follows a rule of thumb: few dice, of one color, with tokens.
2. Cases are the starts of rounds: from games of unlike house bots, and from games of the reference with itself in
   which some bids are random and some effects are skipped. Half of the games have characters, a tenth other options,
   and some are near the round limit or begin anywhere. Each case adds another one, after an unlikely way of winning
   the tokens, because the net is asked about all ways.
3. A case's value is the mean over rolls by the net of ways, corrected by the solved bids of one more roll. This is
   unbiased, and much noisier than in an analysis, but the next step averages over all cases. The hands are dealt again
   for two more values.
4. The net of values learns these values, and the net of ways learns the ways of the solved bids.
5. Steps 2 to 4 repeat with the new nets and more cases (`SCHEDULE`).
"""

from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from copy import deepcopy
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from itertools import pairwise
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeVar

import numpy as np

from benchmarks.analysis.games import played as played_game
from benchmarks.analysis.games import seated
from benchmarks.evidence.players import ANY
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
from gangland.gangster_dice.options import Options, parse
from gangland.gangster_dice.state import State
from gangland.replay import expand
from gangland_ladder.analysis.games.gangster_dice.bids import (
    Bidding,
    Outcomes,
    Visible,
    digits,
    sampled,
    stakes_of,
    strengths_of,
    ways,
)
from gangland_ladder.analysis.games.gangster_dice.chance import sample_rolls
from gangland_ladder.analysis.games.gangster_dice.effects import NONE, Settled, round_of, with_fewer
from gangland_ladder.analysis.games.gangster_dice.positions import (
    FAVOR_VALUES,
    HAND_TRAITS,
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
    hand_traits,
    lost_score,
    position_of,
    possible_ways,
    roll_traits,
    seat_traits,
    situation_of,
    table_traits,
    way_chances,
    weighted_sum,
    worths_of,
)
from gangland_ladder.analysis.games.gangster_dice.positions import nets as present_nets

SCHEDULE: Final = {
    2: (10_000, 10_000, 20_000, 20_000, 40_000, 80_000, 120_000),
    3: (8_000, 8_000, 15_000, 15_000, 30_000, 60_000, 80_000),
    4: (6_000, 6_000, 10_000, 10_000, 20_000, 40_000, 60_000),
}
"""The number of cases for each pair of nets, by seats."""
LAST: Final = 1
"""The number of parts of the schedule that refine present nets."""
EPOCHS: Final = 8
FIRST_RATE: Final = 3e-3
"""The rate of learning for the first parts of the schedule."""
RATE: Final = 1e-3
CHUNK: Final = 500
"""The number of cases that a process makes at once."""
SOLVING: Final = 12
"""Rounds of regret matching."""
DEALS: Final = 3
"""The number of hands for each case."""
ANY_BIDS: Final = (0.0, 0.1, 0.3, 0.6)
"""The shares of random bids; each game draws one share."""
NO_EFFECTS: Final = 0.06
ANYWHERE: Final = 0.25
NEAR_END: Final = 0.2
CHARACTERS: Final = 0.5
OTHER_OPTIONS: Final = 0.1
FLATTER: Final = 0.7
"""The power of the ways' chances when an unlikely way is drawn."""
ROLLS: Final = 256
BATCH: Final = 256
HIDDEN: Final = (128, 48)
WORTHS: Final = 3
"""The number of worths of a hand."""
HIDDEN_OF_WAYS: Final = (160, 96)
_MAX_ROUNDS: Final = 60
"""The maximum number of rounds; longer games are stopped."""
_KEPT_ROUNDS: Final = 30
"""The maximum number of rounds that are kept from a game."""


# Cases ----------------------------------------------------------------------------------------------


@dataclass
class Cards:
    """The favors of a game."""

    deck: list[int]
    discards: list[int]
    hands: list[list[int]]
    specials: int

    @classmethod
    def dealt(cls, rng: np.random.Generator, sizes: Sequence[int]) -> "Cards":
        """Return the favors at the start of a game."""
        cards = cls(rng.permutation(np.array(DECK)).tolist(), [], [], SPECIALS)
        cards.hands = [[cards.drawn(rng) for _ in range(size)] for size in sizes]
        return cards

    def drawn(self, rng: np.random.Generator) -> int:
        """Draw a favor; the discards are shuffled if the deck is empty."""
        if not self.deck:
            self.deck, self.discards = rng.permutation(np.array(self.discards)).tolist(), []
        return self.deck.pop()

    def play(self, seat: int, favors: Sequence[int]) -> None:
        """Discard favors of a hand."""
        for favor in favors:
            self.hands[seat].remove(favor)
            if favor == SPECIAL:
                self.specials += 1
            else:
                self.discards.append(favor)

    def draw(self, seat: int, count: int, rng: np.random.Generator, *, special: bool) -> None:
        """Draw favors for a seat; the first one is a +4 if the seat gets it."""
        if special and self.specials and count:
            self.specials -= 1
            count -= 1
            self.hands[seat].append(SPECIAL)
        for _ in range(min(count, len(self.deck) + len(self.discards))):
            self.hands[seat].append(self.drawn(rng))

    def counts(self) -> Array:
        """Return the hands by seat and value."""
        return np.array([np.bincount(hand, minlength=FAVOR_VALUES) for hand in self.hands])

    def pool(self) -> Array:
        """Return the number of favors of each value in the deck; if it is nearly empty, with the discards."""
        low = len(self.deck) < 2 * len(self.hands)
        return np.bincount([*self.deck, *(self.discards if low else [])], minlength=FAVOR_VALUES)

    def dealt_again(self, rng: np.random.Generator) -> "Cards":
        """Return the same favors with other hands; +4s stay, because all seats know them."""
        hidden = [*self.deck, *(favor for hand in self.hands for favor in hand if favor != SPECIAL)]
        hidden = rng.permutation(np.array(hidden, dtype=np.int64)).tolist()
        hands = [[SPECIAL] * hand.count(SPECIAL) for hand in self.hands]
        for hand, old in zip(hands, self.hands, strict=True):
            hand += [hidden.pop() for _ in range(len(old) - len(hand))]
        return Cards(hidden, list(self.discards), hands, self.specials)

    def visible(self, strengths: Array, streets: int) -> Visible:
        """Return the public part."""
        known = np.array([hand.count(SPECIAL) for hand in self.hands])
        hidden = [*self.deck, *(favor for hand in self.hands for favor in hand if favor != SPECIAL)]
        sizes = np.array(list(map(len, self.hands)))
        return Visible(strengths, streets, np.bincount(hidden, minlength=FAVOR_VALUES), known, sizes)


class Case(NamedTuple):
    """The start of a round, before the roll; the position has one row."""

    situation: Situation
    position: Positions
    cards: Cards


def first_position(seats: int) -> Positions:
    """Return the dice at the start of a game."""
    return Positions(
        np.array([[FIRST_STASH] * seats]),
        np.full((1, len(TOKENS)), NOBODY),
        np.array([FIRST_SPEAKEASY]),
        np.zeros(1, dtype=np.int64),
        np.zeros((1, len(COLORS)), dtype=np.int64),
    )


def _options(rng: np.random.Generator) -> dict[str, str]:
    if rng.random() >= OTHER_OPTIONS:
        return {}
    return {"investigator_colour": "held"} if rng.random() < 0.5 else {"win_check": "win_first"}


def began(seats: int, rng: np.random.Generator) -> Case:
    """Return the start of a game: sometimes near its end, with characters or other options, or anywhere."""
    cast = [PLAIN] * seats
    if rng.random() < CHARACTERS:
        cast = [HOUSE_SET[number] for number in rng.permutation(len(HOUSE_SET))[:seats]]
    left = int(rng.integers(0, 20)) if rng.random() < NEAR_END else Options().round_limit - 1
    limits = tuple(each.hand_limit for each in cast)
    situation = Situation(parse(_options(rng)), tuple(cast), limits, left, frozenset())
    position = anywhere(seats, rng) if rng.random() < ANYWHERE else first_position(seats)
    return Case(situation, position, Cards.dealt(rng, limits))


def anywhere(seats: int, rng: np.random.Generator) -> Positions:
    """Return any position that keeps all dice."""
    position = first_position(seats)
    stashes, lying = position.stashes[0], np.zeros(len(COLORS), dtype=np.int64)
    speakeasy, streets = position.speakeasy[0], 0
    for _ in range(int(rng.integers(1, 5 * seats))):
        seat, color = rng.integers(seats), rng.integers(len(COLORS))
        if stashes[seat, color] and stashes[seat].sum() > 1:
            stashes[seat, color] -= 1
            kind_of_end = rng.random()
            if kind_of_end < 0.35:
                stashes[rng.integers(seats), color] += 1
            elif kind_of_end < 0.65:
                lying[color] += 1
            elif kind_of_end < 0.75:
                speakeasy[color] += 1
            else:
                streets += 1
    control = rng.integers(-1, seats, (1, len(TOKENS)))
    if control[0, INVESTIGATOR] == NOBODY:
        control[0, INVESTIGATOR] = rng.integers(seats)
    return Positions(stashes[None], control, speakeasy[None], np.array([streets]), lying[None])


def cases_of_house(seats: int, seed: int, number: int) -> list[Case]:
    """Return the rounds of a game of house bots."""
    rng = np.random.default_rng([seed, seats, number])
    bots: list[Any] = seated("gangster-dice", seats, 10_000_000 + seed * 1_000_000 + number)
    options = _options(rng) | ({"characters": "dealt"} if rng.random() < CHARACTERS else {})
    if rng.random() < 0.15:
        bots[rng.integers(seats)] = ANY
    cases: list[Case] = []
    last = 0
    for step in expand(played_game("gangster-dice", bots, 10_000_000 + seed * 1_000_000 + number, options).replay):
        state: State = step.after
        if state.questions and state.questions[0].kind in ("bids", "reroll") and state.opening.round != last:
            last = state.opening.round
            discards = np.repeat(np.arange(len(state.public.discards)), state.public.discards).tolist()
            cards = Cards(list(state.deck), discards, list(map(list, state.hands)), state.public.specials)
            position = position_of(state, state.opening.control)
            cases.append(Case(situation_of(state, frozenset()), position, cards))
    if len(cases) > _KEPT_ROUNDS:
        cases = [cases[at] for at in sorted(rng.choice(len(cases), _KEPT_ROUNDS, replace=False))]
    return cases


def cases_of_reference(nets: Nets, seats: int, rng: np.random.Generator) -> list[Case]:
    """Return the rounds of a game of the reference with itself."""
    case, cases = began(seats, rng), list[Case]()
    any_bid = float(rng.choice(ANY_BIDS))
    while len(cases) < _MAX_ROUNDS:
        cases.append(case._replace(cards=deepcopy(case.cards)))
        situation, position, cards = case
        streets = int(position.control[0, STREETS])
        strengths = strengths_of(situation, position, sample_rolls(position.stashes[0], 1, rng)[0])
        outcomes = Outcomes(nets, situation, position, cards.specials)
        bidding = Bidding(cards.visible(strengths, streets), outcomes, SOLVING)
        actions = []
        for side, hand in zip(bidding.sides, cards.hands, strict=True):
            own = side.type_of(hand)
            chances = side.legal[own] / side.legal[own].sum() if rng.random() < any_bid else side.mix[own]
            actions.append(int(rng.choice(len(chances), p=chances)))
        way = int(bidding.ways([np.array([action]) for action in actions]).reshape(()))
        bids = [side.actions.bids[action] for side, action in zip(bidding.sides, actions, strict=True)]
        settled = outcomes.settled.rows(np.array([way]))
        if rng.random() < NO_EFFECTS:
            settled = _without_effects(outcomes, position, way, rng)
        if settled.over[0]:
            break
        favors = [[favor for _, favor in pairs] for pairs in bids]
        case = after_round(case, settled, outcomes.special[way], favors, rng)
    return cases


def _without_effects(outcomes: Outcomes, position: Positions, way: int, rng: np.random.Generator) -> Settled:
    """Play out a round without exchange and stake, and with a random color dumped."""
    round_ = replace(
        round_of(position, outcomes.situation.cast, outcomes.winners[way : way + 1]),
        exchanged=np.array([True]),
        staked=np.array([NONE]),
        dumped_color=rng.integers(len(COLORS), size=1),
    )
    return outcomes.settler.settle(round_)


def after_round(
    case: Case, settled: Settled, special: Array, favors: Sequence[Sequence[int]], rng: np.random.Generator
) -> Case:
    """Return the next round, after a round has been played out and these favors were played."""
    situation, cards = case.situation, deepcopy(case.cards)
    for seat, played_favors in enumerate(favors):
        cards.play(seat, played_favors)
    for seat, played_favors in enumerate(favors):
        cards.draw(seat, len(played_favors), rng, special=bool(special[seat]))
    situation = situation._replace(rounds_left=situation.rounds_left - 1)
    if settled.discarded[0]:
        seat = int(settled.positions.control[0, INVESTIGATOR])
        cards.play(seat, [min(cards.hands[seat])])
        situation = with_fewer(situation, seat)
    return Case(situation, settled.positions, cards)


# Lessons --------------------------------------------------------------------------------------------


class Lesson(NamedTuple):
    """A case and its values: for the net of values by deal, for the net of ways by the solved roll and deal.

    Attributes:
        seats, table: traits of the position.
        hands: by deal, seat and value.
        values: by deal and seat, the mean score.
        strengths: by seat and token, of bids.
        streets: the controller of the Streets.
        by_way: the score by way and seat, with the first hands.
        ways: by deal and way, the probability of the way if the bids are solved.
    """

    seats: Floats
    table: Floats
    hands: Array
    values: Floats
    strengths: Array
    streets: int
    by_way: Floats
    ways: Floats


def lessons_of(nets: Nets, case: Case, rng: np.random.Generator) -> list[Lesson]:
    """Return the lessons of a case, and of the case after an unlikely way of winning the tokens."""
    outcomes = Outcomes(nets, case.situation, case.position, case.cards.specials)
    lesson, chances = _lesson(nets, case, outcomes, rng)
    chances = np.where(outcomes.settled.over, 0, chances**FLATTER)
    if not chances.sum():
        return [lesson]
    way = rng.choice(len(chances), p=chances / chances.sum())
    count = 2 if case.situation.seats == 2 else 1
    favors = [rng.choice(hand, min(count, len(hand)), replace=False).tolist() for hand in case.cards.hands]
    case = after_round(case, outcomes.settled.rows(np.array([way])), outcomes.special[way], favors, rng)
    outcomes = Outcomes(nets, case.situation, case.position, case.cards.specials)
    return [lesson, _lesson(nets, case, outcomes, rng)[0]]


def _lesson(nets: Nets, case: Case, outcomes: Outcomes, rng: np.random.Generator) -> tuple[Lesson, Floats]:
    """Return the lesson of a case, and the probability of each way."""
    situation, position, first = case
    rerolls = any(character.rerolls for character in situation.cast)
    # The roll that is solved must not depend on the hands, but the choice of a reroll does.
    deals = [first, *(first.dealt_again(rng) for _ in range(0 if rerolls else DEALS - 1))]
    visible = first.visible(np.zeros((situation.seats, len(TOKENS)), dtype=np.int64), int(position.control[0, STREETS]))
    seed = rng.integers(2**32)
    samples = [
        sampled(
            *(nets.ways, outcomes, position, visible, cards.counts(), cards.pool(), np.random.default_rng(seed)),
            rolls=ROLLS,
            few=1,
        )
        for cards in deals
    ]
    strengths = strengths_of(situation, position, samples[0].symbols[0])
    solved = Bidding(visible._replace(strengths=strengths), outcomes, SOLVING)
    solutions = [solved.played(cards.hands, cards.pool()) for cards in deals]
    values = [rolls.mean - rolls.values[0] + value for rolls, (value, _) in zip(samples, solutions, strict=True)]
    before = situation._replace(rounds_left=situation.rounds_left + 1)
    by_way = outcomes.settled.values_with(situation, outcomes.worths_after(first.counts(), first.pool()))
    lesson = Lesson(
        seat_traits(before, position)[0].astype(np.float16),
        table_traits(before, position)[0].astype(np.float16),
        np.array([cards.counts() for cards in deals], dtype=np.int8),
        np.array(values, dtype=np.float32),
        strengths.astype(np.int8),
        visible.streets,
        by_way.astype(np.float16),
        np.array([chances for _, chances in solutions], dtype=np.float16),
    )
    return lesson, samples[0].ways


def chunk(nets: Nets, seats: int, seed: int, number: int) -> list[Lesson]:
    """Return the lessons of about `CHUNK` cases; half of them are from games of house bots."""
    rng, lessons, games = np.random.default_rng([seed, seats, number]), list[Lesson](), 0
    while len(lessons) < 2 * CHUNK:
        if games % 2:
            cases = cases_of_reference(nets, seats, rng)
        else:
            cases = cases_of_house(seats, seed, number * CHUNK + games)
        for case in cases:
            lessons += lessons_of(nets, case, rng)
        games += 1
    return lessons


def made_lessons(nets: Nets, seats: int, seed: int, cases: int, cores: int) -> list[list[Lesson]]:
    """Return the lessons of about this number of cases, in chunks."""
    with ProcessPoolExecutor(cores) as pool:
        return list(pool.map(partial(chunk, nets, seats, seed), range(max(2, cases // CHUNK))))


# Learning -------------------------------------------------------------------------------------------


NetT = TypeVar("NetT", bound=tuple[Any, ...])


def learned(
    net: NetT,
    rows: int,
    epochs: int,
    rng: np.random.Generator,
    slope: Callable[[NetT, Array], NetT],
    *,
    rate: float,
    decay: float,
) -> NetT:
    """Return a net after training with AdamW (Loshchilov and Hutter 2019); the rate falls over the last two thirds.

    Args:
        slope: returns the gradient of a net over some rows.
    """
    net_class, parts = type(net), [part.astype(np.float32) for part in net]
    mean, square = [np.zeros_like(part) for part in parts], [np.zeros_like(part) for part in parts]
    batches, order = rows // BATCH, np.arange(rows)
    for step in range(epochs * batches):
        if step % batches == 0:
            order = rng.permutation(rows)
        now = rate * min(1.0, 1.5 * (1 - step / (epochs * batches)), (step + 1) / 200)
        batch = order[step % batches * BATCH :][:BATCH]
        for number, by_part in enumerate(slope(net_class(*parts), batch)):
            mean[number] = 0.9 * mean[number] + 0.1 * by_part
            square[number] = 0.999 * square[number] + 0.001 * by_part * by_part
            change = mean[number] / (1 - 0.9 ** (step + 1))
            change = change / (np.sqrt(square[number] / (1 - 0.999 ** (step + 1))) + 1e-8)
            parts[number] = (parts[number] - now * (change + decay * parts[number])).astype(np.float32)
    return net_class(*parts)


# The net of values.


class Values(NamedTuple):
    """The lessons of the net of values.

    Attributes:
        seats, table: traits by case.
        case: by row, its case.
        hands: traits by row and seat.
        targets: by row and seat, the probability of winning.
    """

    seats: Floats
    table: Floats
    case: Array
    hands: Floats
    targets: Floats


def values_of(lessons: Sequence[Lesson]) -> Values:
    """Return the lessons of the net of values."""
    deals = [len(lesson.values) for lesson in lessons]
    values = np.concatenate([lesson.values for lesson in lessons])
    lost = lost_score(values.shape[1], values.shape[1])
    targets = np.clip((values - lost) / (1 - lost), 0, None)
    return Values(
        np.array([lesson.seats for lesson in lessons]),
        np.array([lesson.table for lesson in lessons]),
        np.repeat(np.arange(len(lessons)), deals),
        hand_traits(np.concatenate([lesson.hands for lesson in lessons])).astype(np.float16),
        (targets / targets.sum(axis=1, keepdims=True)).astype(np.float32),
    )


def gradient(net: Net, lessons: Values, batch: Array) -> tuple[Net, Floats]:
    """Return the gradient of the cross-entropy over some rows, and by row and seat the probability of winning."""
    case = lessons.case[batch]
    parts, table = lessons.seats[case].astype(np.float32), lessons.table[case].astype(np.float32)
    hands, (rows, seats) = lessons.hands[batch].astype(np.float32), lessons.targets[batch].shape
    gathered = weighted_sum(parts, net.seat) + (table @ net.table + net.first)[:, None]
    units = np.maximum(gathered, 0)
    raw = units @ net.middle + net.second
    later = np.maximum(raw, 0)
    output = later @ net.out + net.last
    worths = hands @ net.hands
    chances = chances_of(output[..., 0] + (output[..., 1:] * worths).sum(axis=2), frozenset())
    by_strength = ((chances - lessons.targets[batch]) / rows).astype(np.float32)[..., None]
    by_output = np.concatenate([by_strength, by_strength * worths], axis=2)
    by_later = (by_output @ net.out.T) * (raw > 0)
    by_units = (by_later @ net.middle.T) * (gathered > 0)
    flat, count = by_units.reshape(rows * seats, -1), rows * seats
    turns = [np.roll(parts, -distance, axis=1).reshape(count, -1).T @ flat for distance in range(seats)]
    slope = Net(
        seat=np.stack(turns),
        table=table.T @ by_units.sum(axis=1),
        first=flat.sum(axis=0),
        middle=units.reshape(count, -1).T @ by_later.reshape(count, -1),
        second=by_later.sum(axis=(0, 1)),
        out=later.reshape(count, -1).T @ by_output.reshape(count, -1),
        last=by_output.sum(axis=(0, 1)),
        hands=hands.reshape(count, -1).T @ (by_strength * output[..., 1:]).reshape(count, -1),
    )
    return slope, chances


def error_of(net: Net, lessons: Values) -> float:
    """Return the root mean square error, in scores; it includes the noise of the lessons."""
    rows = np.arange(len(lessons.case))
    chances = np.concatenate([gradient(net, lessons, batch)[1] for batch in np.array_split(rows, len(rows) // 999 + 1)])
    seats = chances.shape[1]
    return float(np.sqrt(((chances - lessons.targets) ** 2).mean()) * (1 - lost_score(seats, seats)))


def first_net(seats: int, rng: np.random.Generator) -> Net:
    """Return a net of values with small random weights; favors are worth more the higher they are."""
    units, later = HIDDEN
    worth = np.repeat([0, 0.1, 0.2, 0.3, 0.5], FAVOR_VALUES - 1)
    worths = np.concatenate([worth, np.zeros(HAND_TRAITS - len(worth))])[:, None]

    def weights(*shape: int, scale: float) -> Floats:
        return (rng.normal(size=shape) * scale).astype(np.float32)

    return Net(
        seat=weights(seats, SEAT_TRAITS, units, scale=0.15),
        table=weights(TABLE_TRAITS, units, scale=0.15),
        first=np.zeros(units, dtype=np.float32),
        middle=weights(units, later, scale=(2 / units) ** 0.5),
        second=np.zeros(later, dtype=np.float32),
        out=weights(later, 1 + WORTHS, scale=0.06),
        last=np.zeros(1 + WORTHS, dtype=np.float32),
        hands=weights(HAND_TRAITS, WORTHS, scale=0.05) + worths.astype(np.float32),
    )


def rule_of_thumb(seats: int, rng: np.random.Generator) -> Net:
    """Return a net trained with a rule of thumb: few dice, dice of one color, and tokens are good."""
    seat_rows, table_rows, strengths = [], [], []
    for _ in range(4_000):
        case = began(seats, rng)
        position = anywhere(seats, rng)
        seat_rows.append(seat_traits(case.situation, position)[0])
        table_rows.append(table_traits(case.situation, position)[0])
        stash, control = position.stashes[0], position.control[0]
        total, main = stash.sum(axis=1), stash.max(axis=1)
        strength = -0.4 * total - 0.2 * (total - main)
        for token, worth in ((LAWYER, 0.25), (SPEAKEASY, 0.2), (STREETS, 0.2 + 0.2 * position.streets[0])):
            if control[token] != NOBODY:
                strength[control[token]] += worth
        strength[control[INVESTIGATOR]] -= 0.2 + 0.15 * position.investigator[0].sum()
        strengths.append(strength)
    hands = np.zeros((len(strengths), seats, HAND_TRAITS), dtype=np.float16)
    chances = chances_of(np.array(strengths), frozenset()).astype(np.float32)
    lessons = Values(np.array(seat_rows), np.array(table_rows), np.arange(len(chances)), hands, chances)
    return learned_values(first_net(seats, rng), lessons, rng, 15, FIRST_RATE)


def learned_values(net: Net, lessons: Values, rng: np.random.Generator, epochs: int, rate: float) -> Net:
    """Return a net of values after learning."""
    rows = len(lessons.case)
    return learned(net, rows, epochs, rng, lambda now, batch: gradient(now, lessons, batch)[0], rate=rate, decay=0.3)


# The net of ways.


class Ways(NamedTuple):
    """The lessons of the net of ways: its traits, the possible ways, their values, and their probabilities."""

    traits: Floats
    allowed: Array
    values: Floats
    targets: Floats


VALUED: Final = 15.0
"""The weight of an error of the value relative to the cross-entropy of the ways."""


def first_ways(seats: int, rng: np.random.Generator) -> WayNet:
    """Return a net of ways with small random weights."""
    count = len(ways(seats)[0])
    symbols, none = np.ones((1, seats, len(TOKENS)), dtype=np.int64), np.zeros((seats, FAVOR_VALUES))
    traits = roll_traits(symbols, none, NOBODY, stakes_of(np.zeros((count, seats)))).shape[1]
    parts: list[Floats] = []
    for before, after in pairwise((traits, *HIDDEN_OF_WAYS, count)):
        parts.append((rng.normal(size=(before, after)) * (2 / before) ** 0.5).astype(np.float32))
        parts.append(np.zeros(after, dtype=np.float32))
    return WayNet(*parts)


@lru_cache(maxsize=16)
def turned(seats: int, steps: int) -> Array:
    """Return the number of each way if all seats' numbers fall by `steps`."""
    winners, row = ways(seats)
    renamed = np.where(winners == NOBODY, NOBODY, (winners - steps) % seats)
    return row[(renamed + 1) @ digits(seats)]


def ways_of(lessons: Sequence[Lesson], rng: np.random.Generator) -> Ways:
    """Return the lessons of the net of ways, one for each deal of a solved roll; the seats are renumbered at random."""
    traits, allowed, values, targets = [], [], [], []
    for lesson, deal in [(each, deal) for each in lessons for deal in range(len(each.ways))]:
        seats = len(lesson.strengths)
        steps = int(rng.integers(seats))
        came_from = np.argsort(turned(seats, steps))
        symbols = np.roll(lesson.strengths.astype(np.int64), -steps, axis=0)[None]
        by_way = np.roll(lesson.by_way.astype(np.float32), -steps, axis=1)[came_from]
        streets = NOBODY if lesson.streets == NOBODY else (lesson.streets - steps) % seats
        hands = np.roll(lesson.hands[deal], -steps, axis=0)
        traits.append(roll_traits(symbols, hands, streets, stakes_of(by_way))[0].astype(np.float16))
        allowed.append(possible_ways(symbols, ways(seats)[0])[0])
        values.append(by_way.astype(np.float16))
        targets.append(lesson.ways[deal][came_from])
    return Ways(*map(np.array, (traits, allowed, values, targets)))


def way_gradient(net: WayNet, lessons: Ways, batch: Array) -> tuple[WayNet, Floats]:
    """Return the gradient of the loss over some rows, and by row and seat the error of the value."""
    traits, target, values = (
        part[batch].astype(np.float32) for part in (lessons.traits, lessons.targets, lessons.values)
    )
    rows = len(traits)
    units = np.maximum(traits @ net.start + net.first, 0)
    later = np.maximum(units @ net.middle + net.second, 0)
    chances = way_chances(net, traits, lessons.allowed[batch])
    errors = np.einsum("rw,rws->rs", chances - target, values)
    pull = np.einsum("rs,rws->rw", errors, values)
    by_value = chances * (pull - (chances * pull).sum(axis=1, keepdims=True))
    by_logit = ((chances - target + 2 * VALUED * by_value) / rows).astype(np.float32)
    by_later = (by_logit @ net.out.T) * (later > 0)
    by_units = (by_later @ net.middle.T) * (units > 0)
    slope = WayNet(
        traits.T @ by_units,
        by_units.sum(axis=0),
        units.T @ by_later,
        by_later.sum(axis=0),
        later.T @ by_logit,
        by_logit.sum(axis=0),
    )
    return slope, errors


def _way_slope(lessons: Ways, net: WayNet, batch: Array) -> WayNet:
    return way_gradient(net, lessons, batch)[0]


def way_error(net: WayNet, lessons: Ways) -> float:
    """Return the root mean square error of a roll's value, in scores."""
    rows = np.arange(len(lessons.traits))
    errors = [way_gradient(net, lessons, batch)[1] for batch in np.array_split(rows, len(rows) // 999 + 1)]
    return float(np.sqrt((np.concatenate(errors) ** 2).mean()))


# The schedule.


def made(
    seats: int,
    seed: int,
    schedule: Sequence[int],
    say: Callable[[str], None],
    *,
    first: int = 0,
    nets: Nets | None = None,
    cores: int = 2,
) -> Nets:
    """Return the nets for a number of seats; print the errors after each part of the schedule.

    Args:
        first, nets: begin with this part of the schedule, and with these nets.
    """
    if nets is None:
        rng = np.random.default_rng([seed, seats])
        between = rule_of_thumb(seats, rng)
        nets = Nets(between, first_ways(seats, rng), worths_of(between))
    for part, cases in list(enumerate(schedule))[first:]:
        chunks = made_lessons(nets, seats, seed * 100 + part, cases, cores)
        aside, fresh = chunks[0], [lesson for lessons in chunks[1:] for lesson in lessons]
        rng = np.random.default_rng([seed, seats, part])
        test, tested = values_of(aside), ways_of(aside, rng)
        between = learned_values(nets.between, values_of(fresh), rng, EPOCHS, FIRST_RATE if part < 2 else RATE)
        lessons = ways_of(fresh, rng)
        by_ways = learned(
            nets.ways,
            len(lessons.traits),
            EPOCHS,
            rng,
            partial(_way_slope, lessons),
            rate=FIRST_RATE if part < 2 else RATE,
            decay=0.1,
        )
        errors = [f"{error_of(net, test):.4f}" for net in (nets.between, between)]
        way_errors = [f"{way_error(net, tested):.4f}" for net in (nets.ways, by_ways)]
        say(
            f"{seats} seats, part {part + 1}: {len(fresh)} cases; error between rounds {' -> '.join(errors)}, "
            f"after the roll {' -> '.join(way_errors)}"
        )
        nets = Nets(between, by_ways, worths_of(between))
    return nets


def train(seed: int, folder: Path, say: Callable[[str], None], *, refines: bool = False) -> None:
    """Train the nets for all numbers of seats and write them to a folder.

    Args:
        say: called with the errors after each part.
        refines: begin with the present nets, and with the last parts of the schedule.
    """
    arrays: dict[str, Floats] = {}
    for seats, schedule in SCHEDULE.items():
        first, nets = (len(schedule) - LAST, present_nets(seats)) if refines else (0, None)
        arrays |= named(seats, made(seats, seed, schedule, say, first=first, nets=nets))
    np.savez_compressed(folder / TABLES.name, allow_pickle=False, **arrays)


def named(seats: int, nets: Nets) -> dict[str, Floats]:
    """Return the arrays of two nets by distinct names."""
    parts = {f"between.{name}": part for name, part in nets.between._asdict().items()}
    parts |= {f"ways.{name}": part for name, part in nets.ways._asdict().items()}
    return {f"{seats}.{name}": part.astype(np.float16) for name, part in parts.items()}
