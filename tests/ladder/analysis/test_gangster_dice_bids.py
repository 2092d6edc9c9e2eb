"""Bids of two seats against brute force, in rounds that end the game."""

from collections import defaultdict
from itertools import combinations, product
from random import Random
from typing import Any

import pytest
from tests.kits.gangster_dice_kit import GAME, any_legal, fresh, steps_of

from gangland.chance import RandomChance
from gangland.gangster_dice.cards import DECK
from gangland.gangster_dice.state import State
from gangland_ladder.analysis.account import scores_of

LAST_ROUND = {"round_limit": 2}
Bids = tuple[tuple[int, int], ...]
Strategy = dict[tuple[int, ...], dict[Bids, float]]  # the probability of each bid, by hand


def last_rounds() -> list[State]:
    """Return states before the last bids with much at stake and few symbols."""
    found = []
    for number in range(400):
        for step in steps_of(2, LAST_ROUND, number):
            state = step.after
            if state.opening.round != 2 or len(state.questions) != 2 or state.questions[0].kind != "bids":
                continue
            _, speakeasy, streets, investigator = state.control
            showing = [sum(map(bool, symbols)) for symbols in state.opening.symbols]
            if speakeasy is None and None not in (streets, investigator) and max(showing) <= 3:
                values = [option.value for option in fresh(2, LAST_ROUND).options(state, 0)]
                if max(values) - min(values) > 0.1:
                    found.append(state)
        if len(found) >= 2:
            return found[:2]
    return found


def best_end(state: State) -> tuple[float, ...]:
    """Return the final scores if every seat answers for its own good."""
    outcome = GAME.outcome(state)
    if outcome is not None:
        return tuple(map(float, scores_of(outcome)))
    question = GAME.pending(state)[0]
    others = {each.seat: GAME.choices(state, each.seat) for each in GAME.pending(state)[1:]}
    ends = []
    for decision in GAME.choices(state, question.seat):
        # Two seats decide at once: the second answers what is best for it.
        answers = [dict(zip(others, chosen, strict=True)) for chosen in product(*others.values())]
        after = [best_end(_resolved(state, {question.seat: decision, **answer})) for answer in answers]
        ends.append(max(after, key=lambda end: end[1 - question.seat]) if others else after[0])
    return max(ends, key=lambda end: end[question.seat])


def _resolved(state: State, decisions: dict[int, Any]) -> State:
    after: State = GAME.resolve(state, decisions, RandomChance(Random(0)))[0]
    return after


class Payoffs:
    def __init__(self, state: State) -> None:
        self.state = state
        self.known: dict[tuple[Bids, Bids], float] = {}

    def __call__(self, mine: Bids, theirs: Bids) -> float:
        if (mine, theirs) not in self.known:
            hands = tuple([self._hand(seat, bids) for seat, bids in enumerate((mine, theirs))])
            after = _resolved(self.state._replace(hands=hands), {0: mine, 1: theirs})
            self.known[mine, theirs] = best_end(after)[0]
        return self.known[mine, theirs]

    def _hand(self, seat: int, bids: Bids) -> tuple[int, ...]:
        favors = [favor for _, favor in bids]
        return tuple(sorted([*favors, *[0] * (len(self.state.hands[seat]) - len(favors))]))


def hands_without(state: State, known: tuple[int, ...], size: int) -> dict[tuple[int, ...], float]:
    """Return the probabilities of hands from the cards neither discarded nor known."""
    left = list(DECK)
    for value, count in enumerate(state.public.discards):
        for _ in range(count):
            left.remove(value)
    for value in known:
        left.remove(value)
    found: dict[tuple[int, ...], float] = defaultdict(float)
    for hand in combinations(left, size):
        found[hand] += 1.0
    total = sum(found.values())
    return {hand: count / total for hand, count in found.items()}


def strategy_of(state: State, seat: int) -> Strategy:
    """Return the reference's play with each hand, from many draws of its decision."""
    bidding = fresh(2, LAST_ROUND)._play(state, frozenset()).bidding
    side = bidding.sides[seat]
    hands = [tuple([value for value, count in enumerate(counts) for _ in range(count)]) for counts in side.hands]
    bids = side.actions.bids
    return {hand: dict(zip(bids, mix.tolist(), strict=True)) for hand, mix in zip(hands, side.mix, strict=True)}


@pytest.fixture(scope="module")
def states() -> list[State]:
    found = last_rounds()
    assert len(found) == 2
    return found


def test_bids_of_a_last_round_are_worth_what_brute_force_says(states: list[State]) -> None:
    for state in states:
        pays, seat = Payoffs(state), 0
        theirs = strategy_of(state, 1)
        posterior = hands_without(state, state.hands[seat], len(state.hands[1]))
        options = fresh(2, LAST_ROUND).options(state, seat)
        assert {option.decision for option in options} == set(GAME.choices(state, seat))
        for option in options:
            mine: Any = option.decision
            wanted = sum(
                chance * share * pays(mine, bids)
                for hand, chance in posterior.items()
                for bids, share in theirs[hand].items()
                if share
            )
            assert option.value == pytest.approx(wanted, abs=1e-4)


def test_nobody_gains_half_a_point_of_a_percent_against_the_solved_bids(states: list[State]) -> None:
    for state in states:
        pays = Payoffs(state)
        strategies = [strategy_of(state, seat) for seat in range(2)]
        best = [0.0, 0.0]
        for seat in range(2):
            size = len(state.hands[seat])
            for hand, chance in hands_without(state, (), size).items():
                other = hands_without(state, hand, len(state.hands[1 - seat]))
                against: dict[Bids, float] = defaultdict(float)
                for held, likely in other.items():
                    for bids, share in strategies[1 - seat][held].items():
                        against[bids] += likely * share
                choices: Any = GAME.choices(state._replace(hands=(hand, hand)), seat)
                best[seat] += chance * max([_mean(pays, mine, against, seat) for mine in choices])
        assert -1e-9 <= sum(best) - 1 < 0.005


def _mean(pays: Payoffs, mine: Bids, against: dict[Bids, float], seat: int) -> float:
    if seat == 0:
        return sum([share * pays(mine, bids) for bids, share in against.items() if share])
    return sum([share * (1 - pays(bids, mine)) for bids, share in against.items() if share])


def test_no_side_is_at_random() -> None:
    state = next(step.after for step in steps_of(2, {}, 2, any_legal) if len(step.after.questions) == 2)
    assert sum(sorted(strategy_of(state, 0)[state.hands[0]].values(), reverse=True)[:8]) > 0.9
