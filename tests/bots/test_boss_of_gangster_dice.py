"""The two strongest bots of Gangster Dice: they know what a round leads to, and solve its bids."""

from collections import Counter
from collections.abc import Iterator, Sequence
from importlib import import_module
from itertools import combinations
from random import Random
from typing import Any

import numpy as np
import pytest
from tests.contract.run import Run, Table, begun
from tests.kits.house_bots_kit import GANGSTER_DICE as HOUSE

from gangland.games import game_named
from gangland.gangster_dice.rounds import events_of
from gangland_ladder.analysis.games.gangster_dice import positions

solving_gang: Any = import_module("gangland_bots.gangster_dice.solving_gang")  # written without types, as bots are
boss_gang: Any = import_module("gangland_bots.gangster_dice.boss_gang")
of_both = pytest.mark.parametrize("bot", [solving_gang, boss_gang], ids=["solving", "boss"])


def rounds_of(seats: int, games: int) -> Iterator[tuple[Run, Any, Any]]:
    """Yield each state of random games that asks for bids, and the state after that round."""
    for number in range(games):
        run, decide = begun(Table("gangster-dice", seats, {}), number)
        while run.outcome() is None:
            early, began = run.state, run.game.round(run.state)
            while run.outcome() is None and run.game.round(run.state) == began:
                run.step(decide)
            yield run, early, run.state


@of_both
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_round_leads_where_the_rules_lead(seats: int, bot: Any) -> None:
    """Skip rounds in which a seat took a die that the bot does not expect."""
    observed: Counter[str] = Counter()
    for run, early, late in rounds_of(seats, 25):
        if run.outcome() is not None:
            continue
        events = events_of(late.public.history[0])
        result = {event[0]: event for event in events}
        chosen = {}
        if "exchanged" in result:
            chosen["exchange"] = result["exchanged"][2:]
        chosen |= {kind: result[told][2] for kind, told in (("stake", "staked"), ("dump", "dumped")) if told in result}
        after = bot.after if bot is solving_gang else lambda position, *how: bot.Round(position).after(*how)
        expected = after(at(early, bot), winners_in(events), chosen)
        if result.keys() & {"received", "declined"} and tuple(expected.stashes) != late.stashes:
            continue
        assert tuple(expected.stashes) == late.stashes
        assert tuple(expected.control) == late.control
        assert (expected.speakeasy, expected.investigator) == (late.dice[1], late.dice[3])
        assert expected.streets == sum(late.dice[2])
        observed.update(result.keys() & {"exchanged", "staked", "dumped", "moved", "received", "declined"})
    assert len(observed) == 6, observed


def winners_in(events: Sequence[Any]) -> list[int | None]:
    won = {event[1]: event[2] for event in events if event[0] == "won"}
    return [won.get(token) for token in range(4)]


def at(state: Any, bot: Any) -> Any:
    hands, several = [float(sum(hand)) for hand in state.hands], list if bot is solving_gang else tuple
    return bot.Position(
        several(state.stashes), several(state.control), state.dice[1], sum(state.dice[2]), state.dice[3], hands
    )


def test_rock_paper_scissors_is_mixed_evenly() -> None:
    assert solving_gang.match_regrets([[0, -1, 1], [1, 0, -1], [-1, 1, 0]], 200) == pytest.approx([1 / 3] * 3, abs=0.05)


def test_bids_that_are_worse_whatever_the_rival_does_are_not_made() -> None:
    rng = Random(5)
    matrix = [[rng.random() for _ in range(6)] for _ in range(5)]
    matrix.append([min(column) - 0.1 for column in zip(*matrix, strict=True)])
    strategy = solving_gang.match_regrets(matrix, 200)
    assert strategy[-1] < 0.01
    held = min(sum(part * row[at] for part, row in zip(strategy, matrix, strict=True)) for at in range(6))
    answer = [sum(row) for row in matrix].index(max(map(sum, matrix)))
    assert held >= min(matrix[answer]) - 0.02, "a mixture holds what one bid alone holds, and more"


@of_both
@pytest.mark.parametrize(("cards", "specials"), [(3, 0), (3, 2), (1, 1), (5, 1)])
def test_hidden_hands_are_as_likely_as_by_counting_the_cards(cards: int, specials: int, bot: Any) -> None:
    left = (2, 3, 1, 2)
    deck = [value for value, count in enumerate(left) for _ in range(count)]
    counted = Counter((*sorted(hand), *[4] * specials) for hand in combinations(deck, cards - specials))
    total = sum(counted.values())
    found = dict(bot.hands(left, cards, specials))
    assert found == pytest.approx({hand: count / total for hand, count in counted.items()})


@of_both
def test_unseen_favors_are_the_deck_and_the_other_hands(bot: Any) -> None:
    rules = game_named("gangster-dice")
    for _, state, _ in rounds_of(3, 3):
        hidden = [*state.deck, *(favor for hand in state.hands[1:] for favor in hand if favor < 4)]
        assert bot.unseen(rules.observe(state, 0)) == tuple(hidden.count(value) for value in range(4))


def test_chances_are_shared_and_a_seat_without_dice_has_won() -> None:
    for seats in (2, 3, 4):
        for _, state, _ in rounds_of(seats, 3):
            position = at(state, solving_gang)
            assert sum(solving_gang.chances(position)) == pytest.approx(1.0)
            position.stashes[1] = (0, 0, 0)
            assert solving_gang.chances(position) == [float(seat == 1) for seat in range(seats)]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_boss_values_positions_like_the_reference(seats: int) -> None:
    errors = []
    for _, state, _ in rounds_of(seats, 6):
        hands = [sum(boss_gang.net_of(seats).worth[favor] for favor in hand) for hand in state.hands]
        position = at(state, boss_gang)._replace(hands=hands)
        situation, nets = positions.situation_of(state, frozenset()), positions.nets(seats)
        strengths = positions.strengths_of(nets.between, situation, positions.position_of(state, state.control))
        worths = nets.worths.of(np.array([np.bincount(hand, minlength=5) for hand in state.hands]))
        wins = positions.chances_of(strengths.with_hands(worths), frozenset())[0]
        errors.append(np.abs(boss_gang.chances(position) - wins).mean())
    assert np.mean(errors) < 0.05


@of_both
def test_a_seat_that_wins_for_sure_is_found(bot: Any) -> None:
    """One die left, the Streets are mine and nobody else shows a gun: any favor wins there."""
    several = list if bot is solving_gang else tuple
    stashes, control = several([(0, 1, 0), (3, 3, 3)]), several([None, None, 0, 1])
    position, won = bot.Position(stashes, control, (1, 1, 1), 2, (1, 0, 0), [5.0, 5.0]), [None, None, 0, None]
    late = bot.after(position, won) if bot is solving_gang else bot.Round(position).after(won, {})
    assert bot.chances(late) == [1.0, 0.0]


def test_the_boss_ends_a_game_that_it_cannot_lose() -> None:
    """Its ten dice keep the rival from winning; it would keep them until the round limit, and lose there."""
    position = boss_gang.Position(((5, 5, 0), (0, 0, 1)), (0, 0, 0, 1), (0, 0, 3), 1, (0, 0, 0), [1.0, 1.0])
    late = boss_gang.Round(position).after([None, None, None, 0], {})
    assert sum(late.stashes[0]) == 5


@pytest.mark.parametrize("seats", [2, 4])
def test_the_boss_plays_any_cast_without_a_fault(seats: int) -> None:
    for seed in range(4):
        played = HOUSE.play(["boss_gang", "sensible_gang"] * (seats // 2), seed, characters="dealt")
        assert played.faults == ()
