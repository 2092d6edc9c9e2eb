"""The match loop with a game of two plies in one simultaneous stage."""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from gangland import faults, games, match
from gangland.chance import Chance
from gangland.game import Decision, EndReason, Event, Game, Outcome, Question
from gangland.replay import expand
from gangland.view import View


class TwoPlies(Game[tuple[int, ...]]):
    """All seats answer 0 or 1 in the first ply, seats 1 and 2 again in the second and last."""

    name = "gang-of-dice"  # only its replay carries it, and nobody plays that here
    title = "Two plies"
    view_class = View

    def options(self, values: Mapping[str, object]) -> Any:
        return dict(values)

    def options_dict(self, options: Any) -> dict[str, object]:
        return {}

    def start(self, seats: int, options: Any, chance: Chance) -> tuple[tuple[int, ...], tuple[Event, ...]]:
        return (), ()

    def pending(self, state: tuple[int, ...]) -> tuple[Question, ...]:
        requested = {0: (0, 1, 2), 3: (1, 2)}.get(len(state), ())
        return tuple(Question(seat, "word") for seat in requested)

    def half_answered(self, state: tuple[int, ...]) -> bool:
        return len(state) == 3

    def observe(self, state: tuple[int, ...], seat: int, defaulting: frozenset[int] = frozenset()) -> View:
        return View((state, seat, tuple(sorted(defaulting))))

    def legal(self, state: tuple[int, ...], seat: int) -> str:
        return "0 or 1"

    def check(self, state: tuple[int, ...], seat: int, answer: object) -> Decision:
        if answer not in (0, 1):
            raise faults.IllegalDecision(f"0 or 1, not {answer!r}")
        assert isinstance(answer, int)
        return answer

    def choices(self, state: tuple[int, ...], seat: int) -> Sequence[Decision]:
        return [0, 1]

    def default(self, state: tuple[int, ...], seat: int) -> Decision:
        return 0

    def resolve(
        self, state: tuple[int, ...], decisions: Mapping[int, Decision], chance: Chance
    ) -> tuple[tuple[int, ...], tuple[Event, ...]]:
        output = tuple(value for _, value in sorted(decisions.items()) if isinstance(value, int))
        return state + output, (("said", *output),)

    def outcome(self, state: tuple[int, ...], defaulting: frozenset[int] = frozenset()) -> Outcome | None:
        if len(state) < 5:
            return None
        return Outcome((1, 1, 1), (0, 1, 2), EndReason.COMPLETED)

    def held(self, state: tuple[int, ...]) -> tuple[int, ...]:
        return state

    def round(self, state: tuple[int, ...]) -> int:
        return 1

    def sentence(self, event: Event, names: tuple[str, ...]) -> str | None:
        return None


class Watching:
    def __init__(self, *answers: object) -> None:
        self.answers = list(answers)
        self.saw: list[Any] = []

    def decide(self, kind: str, view: View, number: int) -> object:
        self.saw.append(view.wire)
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer


def broken() -> faults.BotFault:
    return faults.BotFault(faults.FaultKind.CRASHED, "it broke")


def test_all_seats_of_a_ply_decide_from_the_same_state() -> None:
    players = [Watching(1), Watching(1, 1), Watching(1, 1)]
    played = match.play(TwoPlies(), players, bytes(32))
    assert [player.saw[0][0] for player in players] == [(), (), ()]
    assert played.replay.decisions == (1, 1, 1, 1, 1)


def test_g16_nobody_sees_in_mid_stage_that_another_seat_has_failed() -> None:
    players = [Watching(broken()), Watching(1, 1), Watching(1, 1)]
    played = match.play(TwoPlies(), players, bytes(32))
    assert [wire[2] for player in players[1:] for wire in player.saw] == [(), (), (), ()]
    assert [fault.seat for fault in played.faults] == [0]


def test_g38_a_seat_at_fault_is_never_asked_again() -> None:
    players = [Watching(1), Watching(broken()), Watching(7)]
    played = match.play(TwoPlies(), players, bytes(32))
    assert [(f.seat, f.kind.name, f.decision) for f in played.faults] == [(1, "CRASHED", 1), (2, "ILLEGAL", 2)]
    assert played.replay.decisions == (1, "fault", "fault")
    assert "0 or 1, not 7" in played.faults[1].message


class ByDefault:
    def __init__(self, seat: int, fails_at: int | None = None) -> None:
        self.seat, self.fails_at = seat, fails_at
        self.table: match.Table
        self.shown: list[tuple[int, frozenset[int]]] = []

    def decide(self, kind: str, view: Any, number: int) -> object:
        seats = view.defaulting if hasattr(view, "defaulting") else [one.seat for one in view.players if one.defaulting]
        self.shown.append((number, frozenset(seats)))
        if len(self.shown) == self.fails_at:
            raise broken()
        return self.table.game.default(self.table.state, self.seat)


@pytest.mark.parametrize("game", games.GAME_NAMES)
@pytest.mark.parametrize("fails_at", [1, 2])
def test_g42_d33_all_seats_see_that_one_has_failed_from_the_next_stage_on(game: str, fails_at: int) -> None:
    players = [ByDefault(0), ByDefault(1, fails_at), ByDefault(2)]
    table = match.Table(games.game_named(game), players, bytes(32))
    for player in players:
        player.table = table
    while table.outcome is None:
        table.play_ply()
    failed = players[1].shown[-1][0]
    steps = expand(table.finished_game().replay)
    stage = next(step for step in steps if failed in [each.number for each in step.answers])
    together = {each.number for each in stage.answers}
    found = sorted(each for player in players for each in player.shown)
    until = [seats for number, seats in found if number < failed or number in together]
    assert until == [frozenset()] * len(until)
    later = [seats for number, seats in found if number > failed and number not in together]
    assert later == [frozenset({1})] * len(later)
    assert len(later) > 5

    result = {each.number: step.defaulting for step in expand(table.finished_game().replay) for each in step.answers}
    assert [(number, result[number]) for number, _ in found] == found, "a replay shows them as they were shown"
