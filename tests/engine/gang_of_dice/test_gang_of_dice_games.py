"""Whole games: replays, rotated tables, and the story that is told of them."""

import pytest
from tests.engine.gang_of_dice.table import Table, faces

from gangland.gang_of_dice import events, rules, story


def test_what_is_no_event_is_refused() -> None:
    nonsense: list[tuple[object, ...]] = [(), ("dealt", 1), ("stood", 1), ([],)]
    for event in nonsense:
        with pytest.raises(ValueError, match="not an event of Gang of Dice"):
            events.typed(event)


def test_a_spectator_is_told_each_step_in_plain_english() -> None:
    table = Table(seats=3, cards="Y7 Y8 B5")
    names = ("Ann", "Bob", "Cleo")
    table.set(round=10, pools=(2, 40, 40))
    table.turn("20", ("0", "1"))
    table.turns("1", "111")
    card = table.view().card
    on_table = "On the table: 9 dice left from before and 6 bonus dice."
    result = [rules.GAME.sentence(event, names) for event in table.events]
    assert result[1:] == [
        "Ann rolls 2 dice: 2 and a gangster, 2 in all.",
        "Ann rerolls a gangster and gets a 1, for 2 and 1, 3 in all.", "Ann triggers the warning and is bust.",
        "Bob rolls 1 die: 1.", "Bob triggers the warning and is bust.", "Cleo rolls 3 dice: 1, 1 and 1, 3 in all.",
        "Cleo triggers the warning and is bust.", "Everybody is bust: 9 dice stay on the table.",
        "Ann is out of dice and out of the game.",
        f"The warning is {card.id}, black: {card.words}. {on_table} Bob begins.",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("event", "text"),
    [
        (("stood", 1, 7), "Bob stands at 7."),
        (("won", 0, 7, 9, ""), "Ann wins the round with 7, and takes 9 dice."),
        (
            ("won", 0, 7, 9, "dice"),
            "Ann wins the round with 7, on more dice than any other with that total, and takes 9 dice.",
        ),
        (("won", 0, 7, 9, "turn"), "Ann wins the round with 7, having rolled it first, and takes 9 dice."),
        (("eliminated", (0, 1)), "Ann and Bob are out of dice and out of the game."),
        (("ended", (3, 1), 0), "The game is over. Dice at the end: 3 for Ann and 1 for Bob."),
        (
            ("ended", (3, 0), 5),
            "The game is over. Dice at the end: 3 for Ann and 0 for Bob. 5 dice on the table belong to nobody.",
        ),
        (("rolled", 0, 2, (1, 2), (0, 0), (0, 0)), "Ann rerolls both dice: two gangsters, 0 in all."),
        (("rolled", 0, 2, (3,), (4,), (4,)), "Ann rerolls the die: 4."),
        (("round", 1, "B7", (1, 0), 0, 0), "The warning is B7, black: two or more different numbers. Bob begins."),
    ],
)
def test_each_kind_of_event_has_its_sentence(event: tuple[object, ...], text: str) -> None:
    assert rules.GAME.sentence(event, ("Ann", "Bob")) == text


def test_many_dice_are_counted_and_few_are_listed() -> None:
    assert story.dice_text(faces("50205")) == "5, 5, 2 and two gangsters"
    assert story.dice_text(faces("1" * 9 + "55" + "0")) == "two 5s, nine 1s and a gangster"
    assert story.dice_text(faces("4")) == "4"


def test_faces_cannot_be_mistaken_for_a_number_of_dice() -> None:
    assert story.faces_text(faces("2")) == "a 2"
    assert story.faces_text(faces("25052")) == "two 5s, two 2s and a gangster"
    assert story.faces_text(faces("3" * 13)) == "13 3s"
