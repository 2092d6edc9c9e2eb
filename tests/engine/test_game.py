"""What a game says of itself to those who let people choose its options."""

import pytest

from gangland.game import Choice
from gangland.games import GAME_NAMES, game_named

WORD = Choice("deck", "Deck", ("w24", "box18"), "w24")
NUMBER = Choice("round_limit", "Round after which a game ends", (), "100")
LIST = Choice("cast", "Characters", is_list=True)


@pytest.mark.parametrize(
    ("choice", "text", "value"),
    [
        (WORD, "box18", "box18"),
        (WORD, "18", "18"),
        (NUMBER, "40", 40),
        (NUMBER, "many", "many"),
        (NUMBER, "9" * 5000, "9" * 5000),
        (NUMBER, "\u0664\u0660", "\u0664\u0660"),
        (LIST, "don", ["don"]),
        (LIST, "don, nancy,", ["don", "nancy"]),
    ],
)
def test_a_typed_option_becomes_what_the_game_takes_or_stays_for_it_to_refuse(
    choice: Choice, text: str, value: object
) -> None:
    assert choice.of_text(text) == value


def test_each_value_of_an_option_is_offered_in_words_of_its_own_and_by_itself_where_there_are_none() -> None:
    assert Choice("face", "Face", ("1", "6"), "1").pairs == [("1", "1"), ("6", "6")]
    for option in (option for name in GAME_NAMES for option in game_named(name).choices_of_options):
        shown = [words for _, words in option.pairs]
        assert len(set(shown)) == len(shown) == len(option.values)
        assert not any("_" in words for words in shown)
        assert option.values or option.hint
