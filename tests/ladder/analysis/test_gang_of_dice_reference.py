"""The reference of Gang of Dice against brute force by the rules alone, and its account of whole games."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations, combinations_with_replacement, product
from math import factorial, prod
from random import Random
from typing import Any

import numpy as np
import pytest
from benchmarks.training.gang_of_dice import positions

from gangland.chance import SeededChance
from gangland.game import Decision
from gangland.gang_of_dice import FACES, warnings
from gangland.gang_of_dice.counts import counts_of
from gangland.gang_of_dice.rules import FACE_OF_RAW, GAME
from gangland.gang_of_dice.state import BONUS, NO_BEST, ROLLS, ROUNDS, Options, Round, State, state_of
from gangland_ladder.analysis import account, games
from gangland_ladder.analysis.games.gang_of_dice.positions import RoundEnd, Setting, changed_dice, clipped_shares
from gangland_ladder.analysis.games.gang_of_dice.rounds import tables
from gangland_ladder.analysis.games.gang_of_dice.turns import Turn, level, triggered

RAW_OF = {face: raw for raw, face in enumerate(FACE_OF_RAW)}


def state_before(number: int, card: str, pools: Sequence[int], carried: int = 0, bonus: int = 0) -> State:
    others = [each for each in range(len(warnings.WARNINGS)) if each != warnings.NUMBER_OF[card]]
    deck = (*others[: number - 1], warnings.NUMBER_OF[card], *others[number - 1 : ROUNDS - 1])
    seats = tuple(range(len(pools)))
    began = Round(Options(), deck, number, seats, (0,) * len(pools), carried=carried, bonus=bonus, last=None)
    return state_of((began, tuple(pools), (), NO_BEST, 0, ()))


def state_in_last_round(card: str, pools: Sequence[int], bonus: int = 9) -> State:
    return state_before(ROUNDS, card, pools, bonus=bonus)


# Brute force --------------------------------------------------------------------------------------


class MoreDice(Exception):
    """The rules ask for dice that the script does not have."""


class Script:
    def __init__(self, rolls: Sequence[Sequence[int]]) -> None:
        self.rolls = list(rolls)

    def faces(self, round: int, seat: int, roll: int, count: int) -> bytes:
        if not self.rolls:
            raise MoreDice(count)
        return bytes(RAW_OF[face] for face in self.rolls.pop(0))

    def shuffle(self, purpose: str, number: int, cards: Sequence[int]) -> tuple[int, ...]:
        raise NotImplementedError

    def below(self, purpose: str, bound: int) -> int:
        raise NotImplementedError


def ends_of(state: State, decision: Decision, rolls: tuple[tuple[int, ...], ...] = ()) -> Iterator[tuple[State, float]]:
    try:
        yield GAME.resolve(state, {state.seat: decision}, Script(rolls))[0], 1.0
    except MoreDice as asked:
        count = asked.args[0]
        for faces in combinations_with_replacement(FACES, count):
            ways = factorial(count) / prod(map(factorial, counts_of(faces)))
            for after, chance in ends_of(state, decision, (*rolls, faces)):
                yield after, chance * ways / len(FACES) ** count


class BruteForce:
    def __init__(self) -> None:
        self.known: dict[object, account.Values] = {}

    def value(self, state: State) -> account.Values:
        outcome = GAME.outcome(state)
        if outcome is not None:
            return account.scores_of(outcome)
        turns = tuple((seat, stake, total, bust) for seat, stake, _, total, bust in state.turns)
        key = (state.pools, turns, state.seat, len(state.rolls), state.rolls[-1:])
        if key not in self.known:
            values = [self.after(state, decision) for decision in GAME.choices(state, state.seat)]
            self.known[key] = max(values, key=lambda value: value[state.seat])
        return self.known[key]

    def after(self, state: State, decision: Decision) -> account.Values:
        ends = [(self.value(after), chance) for after, chance in ends_of(state, decision)]
        return tuple(sum(value[seat] * chance for value, chance in ends) for seat in range(len(state.pools)))


def agrees(state: State, brute: BruteForce) -> None:
    """Check every legal decision's worth, and so the best one, against brute force."""
    reference = games.reference_of("gang-of-dice", len(state.pools), Options(), 0)
    assert reference is not None
    options = reference.options(state, state.seat)
    assert [option.decision for option in options] != []
    assert {option.decision for option in options} == set(GAME.choices(state, state.seat))
    for option in options:
        assert option.value == pytest.approx(brute.after(state, option.decision)[state.seat], abs=1e-4), option
    assert options[0].value == max(option.value for option in options)


def cards(*quick: str, more: Sequence[str]) -> list[Any]:
    return [*quick, *[pytest.param(card, marks=pytest.mark.long("more warnings")) for card in more]]


@pytest.mark.parametrize("card", cards("B1", "Y4", more=["B6", "B8", "Y8", "Y12"]))
def test_the_last_round_of_two_is_worth_what_brute_force_says(card: str) -> None:
    for pools in ((2, 2), (3, 1)):
        agrees(state_in_last_round(card, pools, bonus=0), BruteForce())


@pytest.mark.parametrize("card", cards("Y2", more=["B6"]))
def test_so_are_the_last_turn_and_its_rerolls(card: str) -> None:
    brute, rng = BruteForce(), Random(5)
    state = state_in_last_round(card, (5, 4))
    while state.seat == 0:
        state = next(ends_of(state, GAME.default(state, 0), ((5,),)))[0]
    seen = 0
    while GAME.outcome(state) is None:
        agrees(state, brute)
        decision = 3 if not state.rolls else rng.choice(GAME.choices(state, 1)[1:])
        state = rng.choice([after for after, _ in ends_of(state, decision)])
        seen += 1
    assert seen > 1


@pytest.mark.parametrize("card", cards("Y6", more=["B7"]))
def test_so_is_the_last_round_of_three(card: str) -> None:
    agrees(state_in_last_round(card, (2, 2, 1), bonus=1), BruteForce())


# Turns ----------------------------------------------------------------------------------------------


def test_a_level_has_every_multiset_and_the_warnings_that_it_triggers() -> None:
    for dice in range(6):
        shown = list(combinations_with_replacement(FACES, dice))
        assert list(level(dice).index.items()) == [(counts_of(faces), row) for row, faces in enumerate(shown)]
        assert level(dice).counts.tolist() == [list(counts) for counts in level(dice).index]
        for card, warning in enumerate(warnings.WARNINGS):
            assert triggered(card, dice).tolist() == [warning.triggered_by(faces) for faces in shown], warning.id


def worth_of_turn(card: int, rolls: int, shown: tuple[int, ...], worths: Any) -> Any:
    lost = warnings.WARNINGS[card].triggered_by(shown)
    stops = worths[-1 if lost else sum(shown)]
    if rolls == ROLLS or (lost and warnings.WARNINGS[card].yellow):
        return stops
    for again in range(1, len(shown) + 1):
        for kept in sorted(set(combinations(shown, len(shown) - again))):
            rolled = worth_of_roll(card, rolls, kept, len(shown), worths)
            stops = rolled if rolled[0] > stops[0] + 1e-12 else stops
    return stops


def worth_of_roll(card: int, rolls: int, kept: tuple[int, ...], dice: int, worths: Any) -> Any:
    ends = [
        worth_of_turn(card, rolls + 1, tuple(sorted((*kept, *more))), worths)
        for more in product(FACES, repeat=dice - len(kept))
    ]
    return sum(ends) / len(ends)


@pytest.mark.parametrize("card", ["B3", "Y3"])
@pytest.mark.parametrize("channels", [1, 3])
def test_a_turn_is_worth_what_rolling_and_keeping_come_to(card: str, channels: int) -> None:
    number, worths = warnings.NUMBER_OF[card], np.random.default_rng(3).random((2 * max(FACES) + 2, channels))
    turn = Turn(number, 2, worths)
    assert turn.start == pytest.approx(worth_of_roll(number, 0, (), 2, worths), abs=1e-12)
    for shown in combinations_with_replacement(FACES, 2):
        expected = worth_of_turn(number, 2, shown, worths)
        assert turn.after(2, counts_of(shown)) == pytest.approx(expected, abs=1e-12)
        expected = worth_of_roll(number, 2, shown[:1], 2, worths)
        assert turn.keep(2, counts_of(shown[:1])) == pytest.approx(expected, abs=1e-12)


# Rounds before the last -----------------------------------------------------------------------------


def solved_for_two(state: State) -> tuple[int, float]:
    """Return the first seat's best stake of up to 16 dice and its value; round ends are worth the networks' value."""
    known, now = tables(), state.round
    drawn = now.deck[: now.number]
    setting = Setting(Options(), known.networks, (0, 0), frozenset(), drawn)
    ends = RoundEnd(setting, now.number, (0, 1), state.pools, now.carried + now.bonus)
    reached = known.plans(drawn[-1]).reached
    answers = np.arange(1, min(16, state.pools[1]) + 1)
    found: dict[int, float] = {}
    for stake in range(1, min(16, state.pools[0]) + 1):
        stakes = np.column_stack([np.full_like(answers, stake), answers])
        nobody, first, second = (ends(stakes, np.full_like(answers, winner))[:, 0] for winner in (-1, 0, 1))
        worths = []
        for total in [*range(5 * stake + 1), None]:
            lost = nobody if total is None else first
            leads = np.zeros(len(answers))
            for place, answer in enumerate(answers.tolist()):
                need = 0 if total is None else total + (answer <= stake)  # equal totals: more dice, then the first seat
                leads[place] = reached(answer)[need] if need <= 5 * answer else 0.0
            values = leads * second + (1 - leads) * lost
            worths.append(values.min())  # best for the second seat
        found[stake] = float(Turn(drawn[-1], stake, np.array(worths)[:, None]).start[0])
    best = max(found, key=lambda stake: found[stake])
    return best, found[best]


@pytest.mark.parametrize(
    ("number", "card", "pools", "carried", "value"),
    [
        (11, "B1", (45, 54), 0, 0.262), (11, "B4", (45, 54), 0, 0.301), (11, "B1", (20, 20), 59, 0.408),
        (11, "B4", (20, 20), 59, 0.404), (3, "Y1", (60, 36), 0, None),
    ],
)  # fmt: skip
def test_d15_the_last_seat_stakes_more_dice_to_win_ties(
    number: int, card: str, pools: tuple[int, int], carried: int, value: float | None
) -> None:
    state = state_before(number, card, pools, carried, BONUS.get(number, 0))
    followed = games.reference_of("gang-of-dice", 2, Options(), 0)
    assert followed is not None
    stake, exact = solved_for_two(state)
    options = followed.options(state, 0)
    assert options[0].value == pytest.approx(exact, abs=1e-9)
    assert options[0].decision == stake
    assert value is None or exact == pytest.approx(value, abs=0.005)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_what_the_networks_say_is_from_0_to_1_and_adds_up(seats: int) -> None:
    drawn, order = tuple(range(5)), range(seats)
    setting = Setting(Options(), tables().networks, (0,) * seats, frozenset(), drawn)
    dice, carried = positions(seats, 6, 400, np.random.default_rng(1))
    values = setting.values(6, order, dice, carried)
    assert values.min() >= 0
    assert values.max() <= 1
    assert values.sum(axis=1) == pytest.approx(seats / 2)


def test_shares_beyond_0_to_1_are_brought_back_and_the_others_pay_for_it() -> None:
    assert clipped_shares(np.array([[1.02, -0.02]])).tolist() == [[1.0, 0.0]]
    outside = np.array([[1.09, 0.6, -0.03, 0.34], [1.2, 1.0, -0.4, 0.2], [0.5, 0.5, 0.5, 0.5]])
    found = clipped_shares(outside)
    assert 0 <= found.min() <= found.max() <= 1
    assert found.sum(axis=1) == pytest.approx(outside.sum(axis=1))
    assert found[2].tolist() == outside[2].tolist()


# Whole games ---------------------------------------------------------------------------------------


def test_later_warnings_of_two_stacks_are_those_that_can_still_come() -> None:
    bright, dark = warnings.DECKS["box18"]
    drawn = bright.cards[:8]
    setting = Setting(Options(deck="box18"), tables().networks, (0, 0), frozenset(), drawn)
    later = setting.warnings(9, bright.cards[8])[1]
    assert later[list(dark.cards)] == pytest.approx(1 / 6)
    earlier = replace(setting, drawn=()).warnings(1)[1]
    assert earlier[list(bright.cards)] == pytest.approx(8 / 12 / 11)
    assert earlier[list(dark.cards)] == pytest.approx(3 / 6 / 11)


def test_dice_are_worth_what_the_options_make_of_them() -> None:
    dice = np.array([[10, 6]])
    assert changed_dice(dice, np.array([1.0, 0.0, 0.0])) == pytest.approx(dice)
    assert changed_dice(dice, np.array([1.5, -1.0, 1.0])) == pytest.approx(np.array([[10.0, 6.0]]))


def test_the_order_of_the_warnings_to_come_changes_no_judgment() -> None:
    chance = SeededChance(bytes(32))
    state, _ = GAME.start(3, Options(), chance)
    for decision in (4, (), 3):
        if decision in GAME.choices(state, state.seat):
            state, _ = GAME.resolve(state, {state.seat: decision}, chance)
    began = state.round
    hidden = (*began.deck[:1], *reversed(began.deck[1:]))
    other = state._replace(round=Round(began.options, hidden, 1, began.order, began.out, 0, began.bonus, None))
    one, two = (games.reference_of("gang-of-dice", 3, Options(), 0) for _ in range(2))
    assert one is not None
    assert two is not None
    assert one.options(state, state.seat) == two.options(other, state.seat)


@pytest.mark.parametrize("dice", [1, pytest.param(2, marks=pytest.mark.long("more dice"))])
def test_what_dice_bring_is_nothing_on_average(dice: int) -> None:
    """The mean over all first rolls is exactly what the stake was worth."""
    state, _ = GAME.start(2, Options(), SeededChance(bytes(32)))
    reference = games.reference_of("gang-of-dice", 2, Options(), 0)
    assert reference is not None
    stake = next(option for option in reference.options(state, state.seat) if option.decision == dice)
    mean = 0.0
    for after, chance in ends_of(state, dice):
        if after.seat == state.seat:
            mean += chance * reference.options(after, state.seat)[0].value
        else:  # bust by a yellow warning: the other seat plays on
            mean += chance * (1 - reference.options(after, after.seat)[0].value)
    assert mean == pytest.approx(stake.value, abs=1e-6)
