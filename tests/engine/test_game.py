"""What a game says of itself to those who let people choose its options."""

from fractions import Fraction

import pytest
from tests.engine.gang_of_dice.table import random_states
from tests.engine.gangster_dice.table import random_game

from gangland import blocks, game, games
from gangland.gang_of_dice.rules import GAME as GANG_OF_DICE
from gangland.gangster_dice.rules import GAME as GANGSTER_DICE

WORD = game.Choice("deck", "Deck", ("w24", "box18"), "w24")
NUMBER = game.Choice("round_limit", "Round after which a game ends", (), "100")
LIST = game.Choice("cast", "Characters", is_list=True)


@pytest.mark.parametrize(
    ("choice", "text", "value"),
    [
        (WORD, "box18", "box18"), (WORD, "18", "18"), (NUMBER, "40", 40), (NUMBER, "many", "many"),
        (NUMBER, "9" * 5000, "9" * 5000), (NUMBER, "\u0664\u0660", "\u0664\u0660"), (LIST, "don", ["don"]),
        (LIST, "don, nancy,", ["don", "nancy"]),
    ],
)  # fmt: skip
def test_a_typed_option_becomes_what_the_game_takes_or_refuses(choice: game.Choice, text: str, value: object) -> None:
    assert choice.of_text(text) == value


def test_each_value_of_an_option_is_offered_in_words_of_its_own_and_by_itself_where_there_are_none() -> None:
    assert game.Choice("face", "Face", ("1", "6"), "1").pairs == [("1", "1"), ("6", "6")]
    for option in (option for name in games.GAME_NAMES for option in games.game_named(name).choices_of_options):
        shown = [words for _, words in option.pairs]
        assert len(set(shown)) == len(shown) == len(option.values)
        assert not any("_" in words for words in shown)
        assert option.values or option.hint


# Blocks: one seed in every rotation of the seats.


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_over_a_block_every_bot_sits_once_in_every_seat_beside_the_same_neighbors(seats: int) -> None:
    for block in range(2 * blocks.circular_orders(seats)):
        first = blocks.seating(block, 0, seats)
        assert sorted(first) == list(range(seats))
        for rotation in range(seats):
            assert blocks.seating(block, rotation, seats) == first[rotation:] + first[:rotation]


@pytest.mark.parametrize(("seats", "orders"), [(2, 1), (3, 2), (4, 6)])
def test_twelve_blocks_bring_every_circular_order_equally_often(seats: int, orders: int) -> None:
    found = [blocks.seating(block, 0, seats) for block in range(12)]
    assert len(set(found)) == orders == blocks.circular_orders(seats)
    assert {found.count(order) for order in found} == {12 // orders}


def test_a_rotation_that_the_table_does_not_have_is_refused() -> None:
    with pytest.raises(ValueError, match="rotation from 0 to 2, not 3"):
        blocks.seating(0, 3, 3)


# What docs/strategy.md says of places is what the games do.


def test_g37_in_gangster_dice_there_is_no_second_place_to_play_for() -> None:
    for seed in range(40):
        *_, (end, _) = random_game(4, seed)
        outcome = GANGSTER_DICE.outcome(end)
        assert outcome is not None
        losers = {place for seat, place in enumerate(outcome.places) if seat not in outcome.winners}
        assert losers == {len(outcome.winners) + 1}
        if len(outcome.winners) == 1:
            covered = range(2, 5)
            assert Fraction(sum(covered), len(covered)) == 3, "third on average, as the page says"


def test_d23_in_gang_of_dice_second_is_better_than_third() -> None:
    ends = [random_states(4, seed)[-1] for seed in range(40)]
    outcomes = [GANG_OF_DICE.outcome(end) for end in ends]
    assert sum(outcome is not None and len(set(outcome.places)) > 2 for outcome in outcomes) > 20
