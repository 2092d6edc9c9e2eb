"""`practise`: a game for an author's own test, in the test's own process."""

from typing import Any

import pytest

from gangland import faults, gang_of_dice, gangster_dice
from gangland.bot import BaseBot, GameEnd, GameStart
from gangland.gangster_dice.events import Round
from gangland.practice import practise


class Steady(gang_of_dice.Bot):
    def on_game_start(self, start: GameStart) -> None:
        self.start = start

    def choose_dice(self, view: gang_of_dice.View) -> int:
        assert view.seat == self.start.seat
        return self.rng.randint(1, min(3, view.pool))

    def on_game_end(self, end: GameEnd) -> None:
        self.end = end
        assert len(end.places) == self.start.seats


class Bidder(gangster_dice.Bot):
    def choose_bids(self, view: gangster_dice.View) -> Any:
        return list(zip(view.legal_tokens[: view.bids_required], sorted(view.hand), strict=False))


@pytest.mark.parametrize("bot", [Steady, Bidder])
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_game_is_played_to_its_end_and_the_bots_decisions_are_told(bot: type[BaseBot], seats: int) -> None:
    played = practise(bot, seats=seats, seed=5)
    assert played.seat == 5 % seats
    assert len(played.outcome.places) == seats
    assert played.decisions
    assert {each.kind for each in played.decisions} <= set(bot.kinds)
    assert {each.view.seat for each in played.decisions} == {played.seat}  # type: ignore[attr-defined]


def test_the_same_arguments_give_the_same_game_and_another_seed_another() -> None:
    assert practise(Steady, seed=1) == practise(Steady, seed=1)
    assert practise(Steady, seed=1).decisions != practise(Steady, seed=3).decisions


def test_options_reach_the_game() -> None:
    played = practise(Bidder, options={"characters": "chosen", "cast": ["timmy", "don"]})
    assert "keep" in {each.kind for each in played.decisions}


def test_an_illegal_answer_a_wrong_type_and_an_exception_fail_the_test_that_plays() -> None:
    class Wrong(Steady):
        answer: Any = 99

        def choose_dice(self, view: gang_of_dice.View) -> Any:
            return self.answer

    with pytest.raises(faults.IllegalDecision, match="99 is not legal"):
        practise(Wrong)
    Wrong.answer = "2"
    with pytest.raises(TypeError, match="expected a whole number of dice"):
        practise(Wrong)


def test_what_is_no_bot_is_refused_with_the_games_there_are() -> None:
    with pytest.raises(ValueError, match="gangster-dice, gang-of-dice"):
        practise(BaseBot)
    with pytest.raises(ValueError, match="is not a subclass of any game's Bot"):
        practise(Steady())  # type: ignore[arg-type]


def test_the_history_of_a_bot_is_all_that_its_views_have_shown_each_round_once() -> None:
    """It is the same at every reading, and for a bot that answers in `act`."""

    class Silent(gangster_dice.Bot):
        def act(self, decision: Any) -> Any:
            return self.rng.choice(decision.view.legal())

        def on_game_end(self, end: GameEnd) -> None:
            histories.append(dict(self.history))

    class Reading(Silent):
        def act(self, decision: Any) -> Any:
            shown = decision.view.events
            told = [event for events in self.history.values() for event in events]
            assert told[len(told) - len(shown) :] == list(shown)
            return super().act(decision)

    histories: list[dict[int, tuple[object, ...]]] = []
    for bot in (Silent, Reading):
        practice = practise(bot, seats=3, seed=4)
        last: Any = practice.decisions[-1].view
        assert sorted(histories[-1]) == list(range(1, last.round + 1))
        for number, events in histories[-1].items():
            assert events[0] == Round(number)
    assert histories[0] == histories[1]


def test_the_history_of_gang_of_dice_has_the_rounds_that_are_over() -> None:
    class Kept(gang_of_dice.Bot):
        def choose_dice(self, view: Any) -> int:
            if view.last_round:
                assert self.history[view.round - 1] == view.last_round
            seen.append(sorted(self.history))
            return 1

    seen: list[list[int]] = []
    practise(Kept, seats=2, seed=1)
    assert seen == [list(range(1, number)) for number in range(1, len(seen) + 1)]
    assert len(seen) > 3
