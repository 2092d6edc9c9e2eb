"""Whole games: replays, rotated tables, and the story that is told of them."""

import json
from random import Random

import pytest
from tests.engine.gang_of_dice.table import Table, faces, random_states

from gangland import gang_of_dice, replay, story
from gangland.bot import DecisionRequest
from gangland.chance import SeededChance
from gangland.game import Outcome
from gangland.games import game_named
from gangland.gang_of_dice.events import Rolled, typed
from gangland.gang_of_dice.rules import GAME
from gangland.gang_of_dice.story import dice_in_words, faces_in_words
from gangland.gang_of_dice.views import View
from gangland.match import play
from gangland.view import View as BaseView


class Steady:
    """Decides by its number in the first order and the dice before it, by nothing else."""

    def __init__(self, number: int) -> None:
        self.number = number

    def decide(self, kind: str, view: View, _: int) -> object:
        rng = Random(repr((self.number, view.round, view.card.id, view.dice, view.pool, view.best_total)))
        if kind == "dice":
            return rng.randint(1, min(view.pool, 6))
        return [face for face in view.dice if rng.random() < 0.4]


class CardReader(gang_of_dice.Bot):
    """Few dice on yellow; reroll only when behind or busted."""

    def choose_dice(self, view: View) -> int:
        want = 2 if view.card.yellow else 4
        return min(want, view.pool)

    def choose_reroll(self, view: View) -> list[int]:
        if not view.triggered and view.total > view.best_total:
            return []
        return [face for face in view.dice if face <= 2]


class Asked:
    def __init__(self, bot: gang_of_dice.Bot) -> None:
        self.bot = bot

    def decide(self, kind: str, view: BaseView, _: int) -> object:
        return self.bot.encode(kind, self.bot.act(DecisionRequest(kind, view)))


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_first_bot_of_ten_lines_plays_without_a_fault(seats: int) -> None:
    for seed in range(10):
        played = play(GAME, [Asked(CardReader()) for _ in range(seats)], Random(seed).randbytes(32))
        assert played.faults == ()


def test_a_changed_seed_or_decision_or_place_is_found() -> None:
    players = [Steady(seat) for seat in range(3)]
    result = play(GAME, players, bytes(32)).replay.to_dict()  # type: ignore[arg-type]
    decisions = list(result["decisions"])
    changes: list[dict[str, object]] = [
        {"seed": "01" + result["seed"][2:]},
        {"places": [3, 3, 3]},
        {"reason": "all_at_fault"},
        {"rounds": result["rounds"] - 1},
        {"digest": result["digest"][::-1]},
        {"decisions": [3 - decisions[0] % 2, *decisions[1:]]},
        {"decisions": decisions[:-1]},
        {"decisions": [*decisions, []]},
    ]
    for change in changes:
        with pytest.raises(replay.ReplayError):
            replay.verify(replay.load(json.dumps(result | change)))


def test_the_game_is_found_by_its_name() -> None:
    assert game_named("gang-of-dice") is GAME
    assert (GAME.title, GAME.table_sizes, GAME.rules_version) == ("Gang of Dice", (2, 3, 4), 1)


def test_the_rounds_are_counted_from_one_to_at_most_twelve() -> None:
    for seed in range(10):
        numbers = [GAME.round(state) for state in random_states(2, seed)]
        assert numbers[0] == 1
        assert numbers == sorted(numbers)
        assert numbers[-1] <= 12


def test_the_events_show_every_face_that_fell() -> None:
    chance = SeededChance(bytes(32))
    state, events = GAME.start(2, GAME.options({}), chance)
    seat = state.seat
    _, events = GAME.resolve(state, {seat: 5}, chance)
    rolled = typed(events[0])
    assert isinstance(rolled, Rolled)
    assert rolled.drawn == tuple((raw + 1) % 6 for raw in chance.faces(1, seat, 1, 5))


def test_what_is_no_event_is_refused() -> None:
    nonsense: list[tuple[object, ...]] = [(), ("dealt", 1), ("stood", 1), ([],)]
    for event in nonsense:
        with pytest.raises(ValueError, match="no event of Gang of Dice"):
            typed(event)


def test_a_spectator_is_told_each_step_in_plain_english() -> None:
    table = Table(seats=3, cards="Y7 Y8 B5")
    names = ("Ann", "Bob", "Cleo")
    table.set(round=10, pools=(2, 40, 40))
    table.turn("20", ("0", "1"))
    table.turns("1", "111")
    card = table.view().card
    on_table = "On the table: 9 dice left from before and 6 bonus dice."
    result = [GAME.sentence(event, names) for event in table.events]
    assert result[1:] == [
        "Ann rolls 2 dice: 2 and a gangster, 2 in all.",
        "Ann rerolls a gangster and gets a 1, for 2 and 1, 3 in all.",
        "Ann triggers the warning and is bust.",
        "Bob rolls 1 die: 1.",
        "Bob triggers the warning and is bust.",
        "Cleo rolls 3 dice: 1, 1 and 1, 3 in all.",
        "Cleo triggers the warning and is bust.",
        "Everybody is bust: 9 dice stay on the table.",
        "Ann is out of dice and out of the game.",
        f"The warning is {card.id}, black: {card.words}. {on_table} Bob begins.",
    ]


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
    assert GAME.sentence(event, ("Ann", "Bob")) == text


def test_many_dice_are_counted_and_few_are_listed() -> None:
    assert dice_in_words(faces("50205")) == "5, 5, 2 and two gangsters"
    assert dice_in_words(faces("1" * 9 + "55" + "0")) == "two 5s, nine 1s and a gangster"
    assert dice_in_words(faces("4")) == "4"


def test_faces_cannot_be_mistaken_for_a_number_of_dice() -> None:
    assert faces_in_words(faces("2")) == "a 2"
    assert faces_in_words(faces("25052")) == "two 5s, two 2s and a gangster"
    assert faces_in_words(faces("3" * 13)) == "13 3s"


def test_a_whole_game_is_told_to_its_end() -> None:
    players = [Steady(seat) for seat in range(2)]
    played = play(GAME, players, bytes(32))  # type: ignore[arg-type]
    lines = list(story.tell(played.replay, ("Ann", "Bob")))
    assert lines[0].text.startswith("The warning is ")
    assert "win" in lines[-1].text
    assert isinstance(played.outcome, Outcome)
