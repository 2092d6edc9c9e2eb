"""A corrected deck is a change of data alone: cards and a deck that the rules have never seen are played."""

import json
from random import Random

import pytest
from tests.engine.gang_of_dice.table import Table, random_states

from gangland import replay, story
from gangland.gang_of_dice import state, views, warnings
from gangland.gang_of_dice import story as sentences
from gangland.gang_of_dice.rules import GAME
from gangland.gang_of_dice.views import View
from gangland.gang_of_dice.warnings import DECKS, WARNINGS, Colour, Condition, Source, Stack, WarningCard, numbers_of
from gangland.match import play


def corrected() -> tuple[WarningCard, ...]:
    return (
        WarningCard("B20", Colour.BLACK, Condition("among", 2, (1, 2)), "two or more of 1 and 2", Source.PRINTED),
        WarningCard("B21", Colour.BLACK, Condition("run", 4), "four consecutive numbers", Source.PRINTED),
        WarningCard("Y20", Colour.YELLOW, Condition("total", 7), "a total of 7 or more", Source.PRINTED),
        WarningCard("Y21", Colour.YELLOW, Condition("pairs", 1), "two equal numbers", Source.PRINTED),
    )


@pytest.fixture(autouse=True)
def _registered(monkeypatch: pytest.MonkeyPatch) -> None:
    cards = WARNINGS + corrected()
    for module in (warnings, state, views, sentences):
        monkeypatch.setattr(module, "WARNINGS", cards)
    for number, card in enumerate(cards):
        monkeypatch.setitem(warnings.NUMBER_OF, card.id, number)
    stacks = (Stack(numbers_of("B20 Y20 B1 Y1 B2"), 4), Stack(numbers_of("B21 Y21 B6 B7 B8 Y4 Y5 Y6 B9"), 8))
    monkeypatch.setitem(DECKS, "corrected", stacks)


class Chancer:
    def __init__(self, seat: int) -> None:
        self.rng = Random(seat)

    def decide(self, kind: str, view: View, _: int) -> object:
        if kind == "dice":
            return self.rng.randint(1, min(view.pool, 5))
        return [face for face in view.dice if self.rng.random() < 0.4]


def test_d1_a_corrected_deck_is_offered_played_and_recorded_by_its_name() -> None:
    with pytest.raises(ValueError, match="deck must be one of w24, box18, corrected, not 'w25'"):
        GAME.options({"deck": "w25"})
    for seed in range(8):
        played = _played(seed)
        assert played.options == {"deck": "corrected"}
        assert replay.verify(replay.load(json.dumps(played.to_dict()))).places == played.places
        assert all(line.text for line in story.tell(played))


def test_d1_of_a_corrected_deck_each_stack_is_shuffled_and_played_in_its_own_rounds() -> None:
    first, second = DECKS["corrected"]
    for seed in range(5):
        end = random_states(3, seed, deck="corrected")[-1]
        assert len(end.round.deck) == 12
        assert set(end.round.deck[:4]) < set(first.cards)
        assert set(end.round.deck[4:]) < set(second.cards)
    view = Table(cards="B20", deck="corrected").view()
    assert [card.id for card in view.deck] == "B20 Y20 B1 Y1 B2 B21 Y21 B6 B7 B8 Y4 Y5 Y6 B9".split()
    assert len(view.cards_to_come) == 13


def test_d11_a_corrected_yellow_card_ends_the_turn_at_once() -> None:
    table = Table(cards="Y20", deck="corrected")
    assert (table.view().card.yellow, table.view().card.black) == (True, False)
    table.decide(2, "52")
    assert table.events_of("busted") == [("busted", 0)]


def test_d12_a_corrected_black_card_is_checked_on_the_final_dice() -> None:
    table = Table(cards="B20", deck="corrected")
    assert (table.view().card.yellow, table.view().card.black) == (False, True)
    table.turn("12", ("1", "3"))
    assert table.events_of("stood") == [("stood", 0, 5)]
    table.turn("12")
    assert table.events_of("busted") == [("busted", 1)]


def test_a_corrected_deck_is_told_in_its_own_words() -> None:
    result = GAME.sentence(Table(cards="Y20", deck="corrected").events[0], ("Ann", "Bob"))
    assert result == "The warning is Y20, yellow: a total of 7 or more. Ann begins."


def _played(seed: int) -> replay.Replay:
    players = [Chancer(seat) for seat in range(3)]
    played = play(GAME, players, Random(seed).randbytes(32), options={"deck": "corrected"})  # type: ignore[arg-type]
    assert played.faults == ()
    return played.replay
