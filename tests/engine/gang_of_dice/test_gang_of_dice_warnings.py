"""The warning cards: what triggers them, and the decks made of them."""

from itertools import combinations_with_replacement

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.engine.gang_of_dice.table import Table, faces

from gangland.gang_of_dice import answers, counts
from gangland.gang_of_dice.warnings import DECKS, FACES, NUMBER_OF, WARNINGS, Colour, Source, WarningCard

CARDS = {card.id: card for card in WARNINGS}
dice = st.lists(st.sampled_from(FACES), max_size=12)


@given(dice, st.sampled_from(FACES))
def test_adding_a_die_never_undoes_a_trigger(shown: list[int], more: int) -> None:
    for card in WARNINGS:
        assert not card.triggered_by(shown) or card.triggered_by([*shown, more])


@given(dice.flatmap(lambda shown: st.tuples(st.just(shown), st.permutations(shown))))
def test_the_order_of_the_dice_does_not_matter(both: tuple[list[int], list[int]]) -> None:
    for card in WARNINGS:
        assert card.triggered_by(both[0]) == card.triggered_by(tuple(both[1]))


@pytest.mark.parametrize("card", WARNINGS, ids=lambda card: card.id)
def test_no_dice_trigger_nothing_and_enough_dice_of_all_faces_trigger_everything(card: WarningCard) -> None:
    assert not card.triggered_by(())
    assert card.triggered_by(FACES * 3)


# For each card: dice that trigger it, and dice that do not.
EXAMPLES = {
    "B1": ("52 34 11113 00052", "51 0 222 1113"), "B2": ("55 5311 22222", "54 333 000"), "B3": ("551 443", "55 433"),
    "B4": ("553 4441", "552 444"), "B5": ("5551 4444", "555 44430"), "B6": ("11 3123 55", "12345 00 1000"),
    "B7": ("12 5501", "1111 500 000"), "B8": ("123 55124", "1122 5500 00"), "B9": ("1 243 5", "2 2404 00"),
    "B10": ("3 124 25", "12 1120 0"), "B11": ("111 15455", "1122 000 55443300"),
    "B12": ("1122 554400 11122", "11112345 1100 0000"), "Y1": ("553 4441", "552 444"),
    "Y2": ("12 5401 34", "135 15 2400 11"), "Y3": ("123 54030 2344 112233", "1245 12045 135"),
    "Y4": ("11 1203 55", "1222 30 00"), "Y5": ("111 135 53120", "1122 5504 00"), "Y6": ("55 5105", "5 5444 00"),
    "Y7": ("1 5501", "2345 0 55"), "Y8": ("4 5 1114", "123 0 3333"), "Y9": ("333 12522", "1122 0000"),
    "Y10": ("1234 551240 2345", "123 1122330 000"), "Y11": ("22 24 4123", "2135 4 000"),
    "Y12": ("00 1020", "0 12345 0555"),
}  # fmt: skip


@pytest.mark.parametrize("name", EXAMPLES)
def test_d25_d26_d27_each_card_does_what_its_words_say(name: str) -> None:
    triggering, harmless = EXAMPLES[name]
    card = CARDS[name]
    assert [text for text in triggering.split() if not card.triggered_by(faces(text))] == []
    assert [text for text in harmless.split() if card.triggered_by(faces(text))] == []


def test_w24_has_twelve_cards_of_each_colour_and_all_have_names_of_their_own() -> None:
    assert [card.id for card in WARNINGS if card.black] == [f"B{number}" for number in range(1, 13)]
    assert [card.id for card in WARNINGS if card.yellow] == [f"Y{number}" for number in range(1, 13)]
    assert all((card.colour is Colour.BLACK) == card.black for card in WARNINGS)
    assert len({card.words for card in WARNINGS if card.black}) == 12
    assert len(NUMBER_OF) == 24


def test_printed_conditions_are_told_from_our_own() -> None:
    assert len({card.id for card in WARNINGS if card.source is Source.PRINTED}) == 16
    assert [card.id for card in WARNINGS if card.source is Source.SECOND_COLOUR] == ["Y1"]
    assert {card.id for card in WARNINGS if card.source is Source.OURS} == set("B5 B11 B12 Y9 Y10 Y11 Y12".split())


def test_d24_the_gangster_is_neither_odd_nor_even_and_only_our_own_cards_count_it() -> None:
    gangsters = (0,) * 12
    triggered = [card for card in WARNINGS if card.triggered_by(gangsters)]
    assert [card.id for card in triggered] == ["Y12"]
    assert {card.source for card in triggered} == {Source.OURS}


def test_d28_one_die_may_already_bust_and_staking_it_is_legal() -> None:
    singles = {card.id for card in WARNINGS if any(card.triggered_by((face,)) for face in FACES)}
    assert singles == {"B9", "B10", "Y7", "Y8"}
    table = Table(cards="Y7")
    table.decide(1, "1")
    assert table.events_of("busted") == [("busted", 0)]


def test_every_deck_has_twelve_rounds_and_more_cards_than_rounds() -> None:
    for stacks in DECKS.values():
        assert sum(stack.rounds for stack in stacks) == 12
        assert all(len(set(stack.cards)) == len(stack.cards) > stack.rounds for stack in stacks)


def test_box18_is_the_eighteen_printed_cards_in_two_backs() -> None:
    bright, dark = DECKS["box18"]
    assert (len(bright.cards), len(dark.cards)) == (12, 6)
    assert not set(bright.cards) & set(dark.cards)
    assert [WARNINGS[number].id for number in dark.cards] == ["B9", "B10", "Y1", "Y7", "Y8", "Y12"]


# Dice in counts, as the rules have them: the same dice, the same warnings and the same rerolls.


MAX_DICE = 7
EVERY = [dice for count in range(MAX_DICE + 1) for dice in combinations_with_replacement(FACES, count)]


def counted(dice: tuple[int, ...]) -> counts.Counts:
    return dice.count(0), dice.count(1), dice.count(2), dice.count(3), dice.count(4), dice.count(5)


def test_counts_are_the_same_dice() -> None:
    for dice in EVERY:
        assert tuple(counts.counts_of(dice)) == counted(dice)
        assert counts.dice_of(counted(dice)) == dice


@pytest.mark.parametrize("card", WARNINGS, ids=lambda card: card.id)
def test_a_warning_is_triggered_by_the_same_dice_one_by_one_and_counted(card: WarningCard) -> None:
    met = counts.TESTS[card.condition.kind]
    assert [dice for dice in EVERY if met(card.condition, counted(dice)) != card.triggered_by(dice)] == []


@pytest.mark.parametrize("dice", [(), (0,), (0, 0, 3), (1, 2, 3, 4, 5), (0, 1, 1, 4, 5, 5)])
def test_rerolls_in_counts_are_the_choices_in_their_order(dice: tuple[int, ...]) -> None:
    shown = counted(dice)
    every = [counts.dice_of(counts.reroll_at(shown, index)) for index in range(counts.count_rerolls(shown))]
    assert every == list(answers.Rerolls(shown))
    assert (every[0], every[-1]) == ((), dice)
