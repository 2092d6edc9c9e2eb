"""Many games at once: the same results on any number of processes, and no failure is lost."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from multiprocessing import active_children
from multiprocessing.context import ForkProcess
from random import Random
from typing import Any

import numpy as np
import pytest

from gangland.chance import SeededChance
from gangland.game import Policy
from gangland.games import GAME_NAMES, game_named
from gangland_ladder.rollouts import RolloutError, Rollouts, at_random, play_games, play_on

TABLES = [(game, seats) for game in GAME_NAMES for seats in (2, 4)]


def same(one: Rollouts, other: Rollouts) -> bool:
    return bool(np.array_equal(one.places, other.places) and np.array_equal(one.decisions, other.decisions))


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_results_hang_on_seed_and_number_and_not_on_processes(game: str, seats: int) -> None:
    alone = play_games(game, seats, 30, processes=1)
    assert same(alone, play_games(game, seats, 30, processes=3))
    assert not same(alone, play_games(game, seats, 30, seed=1, processes=1))
    assert np.array_equal(alone.places[:10], play_games(game, seats, 10, processes=2).places)
    assert alone.places.shape == (30, seats)
    assert alone.places.min() == 1
    assert alone.places.max() <= seats
    assert alone.decisions.min() > 0


def middle_of(game: str, seats: int, plies: int) -> Any:
    """Return a position some plies into a game with first legal answers."""
    rules, chance = game_named(game), SeededChance(bytes(32))
    state, _ = rules.start(seats, rules.options({}), chance)
    for _ in range(plies):
        answers = {asked.seat: rules.choices(state, asked.seat)[0] for asked in rules.pending(state)}
        state, _ = rules.resolve(state, answers, chance)
    return state


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_a_position_is_played_on_with_the_same_dice_as_every_other(game: str, seats: int) -> None:
    position, other = middle_of(game, seats, 4), middle_of(game, seats, 1)
    played = play_on(game, [position, other, position], 12, processes=2)
    assert played.places.shape == (3, 12, seats)
    assert played.decisions.shape == (3, 12)
    assert np.array_equal(played.places[0], played.places[2])
    assert not np.array_equal(played.decisions[0], played.decisions[1])
    assert len(np.unique(played.decisions[0])) > 1
    assert same(played, play_on(game, [position, other, position], 12, processes=1))


def sitting(seat: int) -> Callable[[Random], Policy]:
    def make(rng: Random) -> Policy:
        def decide(view: Any, choices: int) -> int:
            assert view.seat == seat
            return choices - 1

        return decide

    return make


@pytest.mark.parametrize("game", GAME_NAMES)
def test_each_seat_has_a_policy_of_its_own(game: str) -> None:
    played = play_games(game, 3, 6, policies=[sitting(0), at_random, sitting(2)], processes=2)
    assert not same(played, play_games(game, 3, 6, processes=2))
    with pytest.raises(ValueError, match="all seats or 3 policies, not 2"):
        play_games(game, 3, 6, policies=[at_random, at_random])


def test_no_position_gives_an_empty_result_whatever_the_policies() -> None:
    for policies in (at_random, [at_random, at_random]):
        played = play_on("gang-of-dice", [], 3, policies=policies)
        assert (played.places.shape, played.decisions.shape) == ((0, 3, 0), (0, 3))


@pytest.mark.parametrize("processes", [1, 2])
def test_a_policy_that_fails_is_told_with_its_game_and_line(processes: int) -> None:
    def broken(rng: Random) -> Policy:
        def decide(view: Any, choices: int) -> int:
            raise KeyError("no such plan")

        return decide

    with pytest.raises(RolloutError, match=r"(?s)game \d+: .*no such plan"):
        play_games("gang-of-dice", 2, 8, policies=broken, processes=processes)


def test_a_process_that_is_killed_is_no_result() -> None:
    def deadly(rng: Random) -> Policy:
        os.kill(os.getpid(), signal.SIGKILL)
        return at_random(rng)

    with pytest.raises(RolloutError, match="ended with status -9"):
        play_games("gang-of-dice", 2, 8, policies=deadly, processes=2)


def test_a_process_that_ends_well_before_its_games_are_played_is_no_result() -> None:
    def gone(rng: Random) -> Policy:
        os._exit(0)

    with pytest.raises(RolloutError, match="game 0: its process ended before it was played"):
        play_games("gang-of-dice", 2, 8, policies=gone, processes=2)


@pytest.mark.parametrize("processes", [1, 2])
def test_a_policy_that_exits_is_one_that_fails(processes: int) -> None:
    def leaving(rng: Random) -> Policy:
        raise SystemExit(0)

    with pytest.raises(RolloutError, match=r"(?s)game \d+: .*SystemExit"):
        play_games("gang-of-dice", 2, 8, policies=leaving, processes=processes)


@pytest.mark.parametrize("processes", [-1, 0])
def test_games_are_not_played_in_no_process(processes: int) -> None:
    with pytest.raises(ValueError, match=f"at least 1 process, not {processes}"):
        play_games("gang-of-dice", 2, 8, processes=processes)


def test_a_process_that_cannot_be_started_is_told_and_leaves_none_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    start = ForkProcess.start

    def second_fails(process: ForkProcess) -> None:
        if active_children():
            raise BlockingIOError(11, "Resource temporarily unavailable")
        start(process)

    monkeypatch.setattr(ForkProcess, "start", second_fails)
    with pytest.raises(BlockingIOError, match="Resource temporarily unavailable"):
        play_games("gang-of-dice", 2, 800, processes=2)
    assert active_children() == []


INTERRUPTED = """
import os, signal
from gangland_ladder.rollouts import play_games

def interrupted(rng):
    def decide(view, choices):
        os.killpg(0, signal.SIGINT)
        signal.pause()
    return decide

try:
    play_games("gang-of-dice", 2, 8, policies=interrupted, processes=2)
except KeyboardInterrupt:
    print("interrupted")
"""


def test_ctrl_c_is_told_by_the_caller_alone() -> None:
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED],
        capture_output=True,
        text=True,
        timeout=60,
        start_new_session=True,
        check=False,
    )
    assert (done.stdout, done.stderr) == ("interrupted\n", "")


def test_a_table_that_there_is_not_is_refused() -> None:
    with pytest.raises(ValueError, match="is played with 2, 3 or 4 seats"):
        play_games("gang-of-dice", 7, 1)
    with pytest.raises(ValueError, match="has no option"):
        play_games("gang-of-dice", 2, 1, options={"weather": "rain"})
