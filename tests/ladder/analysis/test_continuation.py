"""Recorded games played on from one decision: the same until there, the best decision, the same dice."""

import msgspec
import pytest
from tests.golden.store import stored

from gangland.replay import expand, verify
from gangland_ladder.analysis import analyzer
from gangland_ladder.analysis.account import Judged, Option


@pytest.mark.parametrize("game", ["gang-of-dice", "gangster-dice"])
def test_a_game_is_played_on_with_the_best_decision_on_the_same_dice(game: str) -> None:
    replay = next(
        each for each in stored(game)[::9] if each.seats == 2 and not each.faults and len(each.decisions) > 12
    )
    number = len(replay.decisions) - 3
    step, answer, options = analyzer.options_at(replay, number)

    found = analyzer.continue_game(replay, number)

    verify(found.replay)
    assert (found.number, found.seat, found.decision) == (number, answer.seat, options[0].decision)
    same = min(each.number for each in step.answers if each.number is not None)
    assert found.replay.decisions[:same] == replay.decisions[:same]
    assert (found.replay.seed, found.replay.faults) == (replay.seed, ())
    later = next(each for each in expand(found.replay) if number in [one.number for one in each.answers])
    assert later.before == step.before
    for one, other in zip(step.answers, later.answers, strict=True):
        assert other.decision == (options[0].decision if one.number == number else one.decision)
    assert (
        found
        == analyzer.continue_game(replay, number)
        == analyzer.continue_game(replay, number, best=options[0].decision)
    )
    kept = msgspec.json.decode(msgspec.json.encode(analyzer.stored_form(found)), type=analyzer.StoredContinuation)
    again = analyzer.load_continuation(replay, kept)
    assert (again.replay.to_json(), again.scores) == (found.replay.to_json(), found.scores)
    for bad in (
        analyzer.StoredContinuation(number, kept.decisions[:-1]),
        analyzer.StoredContinuation(number, [*kept.decisions, 1]),
        analyzer.StoredContinuation(number, [99, *kept.decisions[1:]]),
        analyzer.StoredContinuation(len(replay.decisions), kept.decisions),
        analyzer.StoredContinuation(-1, kept.decisions),
    ):  # fmt: skip
        with pytest.raises(analyzer.NoContinuation):
            analyzer.load_continuation(replay, bad)
    assert sum(found.scores) == sum(found.recorded) == 1


@pytest.mark.parametrize("game", ["gang-of-dice", "gangster-dice"])
def test_a_game_with_a_seat_at_fault_is_played_on_and_ends_when_time_is_over(game: str) -> None:
    replay = next(each for each in stored(game)[::9] if each.seats > 2 and each.faults)
    at_fault = {seat for seat, _ in replay.faults}
    step = next(step for step in expand(replay) if {each.seat for each in step.answers} - at_fault)
    number = next(each.number for each in step.answers if each.seat not in at_fault and each.number is not None)
    asked = iter(range(10**6))
    found = analyzer.continue_game(replay, number, has_time=lambda: next(asked) < 10**5)
    verify(found.replay)
    assert next(asked) > 3
    left = iter(range(3))
    with pytest.raises(analyzer.OutOfTime):
        analyzer.continue_game(replay, number, best=found.decision, has_time=lambda: next(left, None) is not None)


def test_a_game_is_played_on_from_the_costliest_mistakes_of_each_seat() -> None:
    def judged(number: int, seat: int, cost: float, *, fault: bool = False) -> Judged:
        best = Option(1, 0.6)
        return Judged(1, seat, number, "dice", Option(1 if fault else 2, 0.6 - cost), best, (best,), 2, "")

    found = [
        judged(0, 0, 0.02), judged(1, 0, 0.05), judged(2, 1, 0.5, fault=True), judged(3, 1, 0.0), judged(4, 0, 0.3),
    ]  # fmt: skip

    assert [each.number for each in analyzer.costliest(found, 2)] == [4, 1]
    assert [each.number for each in analyzer.costliest([judged(5, 1, 0.04)])] == [5]
