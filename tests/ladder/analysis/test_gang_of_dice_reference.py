"""The reference of Gang of Dice against brute force by the rules alone, and its account of whole games."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations_with_replacement
from math import factorial, prod
from random import Random
from typing import Any

import pytest

from gangland.chance import SeededChance
from gangland.game import Decision
from gangland.gang_of_dice import FACES
from gangland.gang_of_dice.counts import counts_of
from gangland.gang_of_dice.rules import FACE_OF_RAW, GAME
from gangland.gang_of_dice.state import NO_BEST, ROUNDS, Options, Round, State, state_of
from gangland.gang_of_dice.warnings import NUMBER_OF, WARNINGS
from gangland_ladder.analysis.account import Values, scores_of
from gangland_ladder.analysis.games import reference_of

RAW_OF = {face: raw for raw, face in enumerate(FACE_OF_RAW)}


def state_in_last_round(card: str, pools: Sequence[int], bonus: int = 9) -> State:
    """Return a state before the first turn of the last round."""
    others = [number for number in range(len(WARNINGS)) if number != NUMBER_OF[card]]
    deck = (*others[: ROUNDS - 1], NUMBER_OF[card])
    seats = tuple(range(len(pools)))
    began = Round(Options(), deck, ROUNDS, seats, (0,) * len(pools), carried=0, bonus=bonus, last=None)
    return state_of((began, tuple(pools), (), NO_BEST, 0, ()))


# Brute force --------------------------------------------------------------------------------------


class MoreDice(Exception):
    """The rules ask for dice that the script does not have."""


class Script:
    """Chance that gives the dice of a script, roll by roll."""

    def __init__(self, rolls: Sequence[Sequence[int]]) -> None:
        self.rolls = list(rolls)

    def faces(self, round: int, seat: int, roll: int, count: int) -> bytes:
        """Return the next roll."""
        if not self.rolls:
            raise MoreDice(count)
        return bytes(RAW_OF[face] for face in self.rolls.pop(0))

    def shuffle(self, what: str, number: int, cards: Sequence[int]) -> tuple[int, ...]:
        """There is nothing to shuffle any more."""
        raise NotImplementedError

    def below(self, what: str, bound: int) -> int:
        """There is nothing to draw any more."""
        raise NotImplementedError


def ends_of(state: State, decision: Decision, rolls: tuple[tuple[int, ...], ...] = ()) -> Iterator[tuple[State, float]]:
    """Yield all that a decision leads to, with the chances."""
    try:
        yield GAME.resolve(state, {state.seat: decision}, Script(rolls))[0], 1.0
    except MoreDice as asked:
        count = asked.args[0]
        for faces in combinations_with_replacement(FACES, count):
            ways = factorial(count) / prod(map(factorial, counts_of(faces)))
            for after, chance in ends_of(state, decision, (*rolls, faces)):
                yield after, chance * ways / len(FACES) ** count


class BruteForce:
    """Every seat does what is best for itself, until the game is over."""

    def __init__(self) -> None:
        self.known: dict[object, Values] = {}

    def value(self, state: State) -> Values:
        """Return by seat what a state is worth."""
        outcome = GAME.outcome(state)
        if outcome is not None:
            return scores_of(outcome)
        turns = tuple((seat, stake, total, bust) for seat, stake, _, total, bust in state.turns)
        key = (state.pools, turns, state.seat, len(state.rolls), state.rolls[-1:])
        if key not in self.known:
            values = [self.after(state, decision) for decision in GAME.choices(state, state.seat)]
            self.known[key] = max(values, key=lambda value: value[state.seat])
        return self.known[key]

    def after(self, state: State, decision: Decision) -> Values:
        """Return by seat what a decision is worth."""
        ends = [(self.value(after), chance) for after, chance in ends_of(state, decision)]
        return tuple(sum(value[seat] * chance for value, chance in ends) for seat in range(len(state.pools)))


def agrees(state: State, brute: BruteForce) -> None:
    """See that every legal decision is worth the same by both, and so that the best one is."""
    reference = reference_of("gang-of-dice", len(state.pools), Options(), 0)
    assert reference is not None
    options = reference.options(state, state.seat)
    assert [option.decision for option in options] != []
    assert {option.decision for option in options} == set(GAME.choices(state, state.seat))
    for option in options:
        assert option.value == pytest.approx(brute.after(state, option.decision)[state.seat], abs=1e-4), option
    assert options[0].value == max(option.value for option in options)


def cards(*quick: str, more: Sequence[str]) -> list[Any]:
    """Return the warnings of the quick suite, and more of both colors for the long one."""
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


# Whole games ---------------------------------------------------------------------------------------


def test_the_order_of_the_warnings_to_come_changes_no_judgement() -> None:
    chance = SeededChance(bytes(32))
    state, _ = GAME.start(3, Options(), chance)
    for decision in (4, (), 3):
        if decision in GAME.choices(state, state.seat):
            state, _ = GAME.resolve(state, {state.seat: decision}, chance)
    began = state.round
    hidden = (*began.deck[:1], *reversed(began.deck[1:]))
    other = state._replace(round=Round(began.options, hidden, 1, began.order, began.out, 0, began.bonus, None))
    one, two = (reference_of("gang-of-dice", 3, Options(), 0) for _ in range(2))
    assert one is not None
    assert two is not None
    assert one.options(state, state.seat) == two.options(other, state.seat)


@pytest.mark.parametrize("dice", [1, pytest.param(2, marks=pytest.mark.long("more dice"))])
def test_what_dice_bring_is_nothing_on_average(dice: int) -> None:
    """Over all first rolls of a stake, by their chances: exactly what the stake was worth."""
    state, _ = GAME.start(2, Options(), SeededChance(bytes(32)))
    reference = reference_of("gang-of-dice", 2, Options(), 0)
    assert reference is not None
    stake = next(option for option in reference.options(state, state.seat) if option.decision == dice)
    mean = 0.0
    for after, chance in ends_of(state, dice):
        if after.seat == state.seat:
            mean += chance * reference.options(after, state.seat)[0].value
        else:  # bust by a yellow warning: the other seat plays on
            mean += chance * (1 - reference.options(after, after.seat)[0].value)
    assert mean == pytest.approx(stake.value, abs=1e-6)
