"""Play many games in parallel on all cores, from the start or from given positions."""

import os
import signal
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from hashlib import sha256
from mmap import mmap
from multiprocessing import get_context
from multiprocessing.connection import wait
from multiprocessing.context import ForkProcess
from random import Random
from traceback import format_exc
from typing import Any, Final

import numpy as np

from gangland.chance import SeededChance
from gangland.game import Game, Policy
from gangland.games import game_named
from gangland.words import join_or
from gangland_ladder.common.runtime import delayed_interrupt

# Processes are forked, because positions and policies cannot be pickled. Threads do not survive a fork, so a process
# with threads must not use this module. Dice and the policies' random generators depend only on the seed and the game's
# number, so the results are the same with any number of processes.

PolicyMaker = Callable[[Random], Policy]  # Creates the policy of one seat in one game, with its random generator.

CHUNKS_PER_PROCESS: Final = 8  # Each process's share of the games has this many parts; an idle process takes the next.
MAX_CHUNK_GAMES: Final = 64
MAX_TRACEBACK_CHARS: Final = 4000  # Maximum length of a traceback in a failure's message; its start is cut off.


class RolloutError(RuntimeError):
    """A game could not be finished; the message names the game and the reason."""


@dataclass(frozen=True, slots=True)
class Rollouts:
    """The results of many games."""

    # 1 + the number of strictly better seats (ruling G37), uint8 of shape (games, seats), or (positions, times, seats)
    places: np.ndarray
    decisions: np.ndarray  # number of decisions, of shape (games,) or (positions, times)


def at_random(rng: Random) -> Policy:
    """Return a policy that chooses at random among all legal answers with equal probability."""
    draw = rng.random
    return lambda _view, choices: int(draw() * choices)


def play_games(
    game: str,
    seats: int,
    games: int,
    *,
    policies: PolicyMaker | Sequence[PolicyMaker] = at_random,
    options: Mapping[str, object] | None = None,
    seed: int = 0,
    processes: int | None = None,
) -> Rollouts:
    """Play a number of whole games.

    Raises ValueError: an invalid argument; RolloutError: a policy or a process failed; OSError: a process cannot start.
    """
    rules: Game[Any] = game_named(game)
    if seats not in rules.table_sizes:
        sizes = join_or(tuple(map(str, rules.table_sizes)))
        raise ValueError(f"{rules.title} is played with {sizes} seats, not {seats!r}")
    rule_options, makers = rules.options(options or {}), _one_per_seat(policies, seats)

    def play(number: int) -> tuple[tuple[int, ...], int]:
        chance = SeededChance(_seed_of(seed, number))
        state, _ = rules.start(seats, rule_options, chance)
        return _play_on(rules, state, makers, seed, number, chance)

    return _play_games(play, games, seats, processes)


def play_on(
    game: str,
    positions: Sequence[Any],
    times: int,
    *,
    policies: PolicyMaker | Sequence[PolicyMaker] = at_random,
    seed: int = 0,
    processes: int | None = None,
) -> Rollouts:
    """Play each position, which is a state of the game, to the end of the game a number of times.

    All positions must have the same number of seats. Raises the same errors as `play_games`.
    """
    rules: Game[Any] = game_named(game)
    seats = len(rules.held(positions[0])) if positions else 0
    makers = _one_per_seat(policies, seats) if positions else ()

    def play(number: int) -> tuple[tuple[int, ...], int]:
        position, time = divmod(number, times)  # the n-th game of every position has the same dice: less variance
        return _play_on(rules, positions[position], makers, seed, time, SeededChance(_seed_of(seed, time)))

    played = _play_games(play, len(positions) * times, seats, processes)
    shape = (len(positions), times)
    return Rollouts(played.places.reshape(*shape, seats), played.decisions.reshape(shape))


# A function that plays the game with this number, and returns the places and the number of decisions.
Play = Callable[[int], tuple[tuple[int, ...], int]]


def _play_on(
    rules: Game[Any], state: Any, makers: Sequence[PolicyMaker], seed: int, number: int, chance: SeededChance
) -> tuple[tuple[int, ...], int]:
    policies = [make(Random(f"rollout {seed} {number} {seat}")) for seat, make in enumerate(makers)]
    last, decisions = rules.rollout(state, policies, chance)
    outcome = rules.outcome(last)
    if outcome is None:
        raise RolloutError("the game did not end")
    return outcome.places, decisions


def _seed_of(seed: int, number: int) -> bytes:
    return sha256(f"gangland rollouts|{seed}|{number}".encode()).digest()


def _one_per_seat(policies: PolicyMaker | Sequence[PolicyMaker], seats: int) -> Sequence[PolicyMaker]:
    if not isinstance(policies, Sequence):
        return [policies] * seats
    if len(policies) != seats:
        raise ValueError(f"expected one policy for all seats or {seats} policies, not {len(policies)}")
    return policies


def _play_games(play: Play, games: int, seats: int, processes: int | None) -> Rollouts:
    if processes is not None and processes < 1:
        raise ValueError(f"expected at least 1 process, not {processes!r}")
    workers = min(processes or len(os.sched_getaffinity(0)), max(1, games))
    places, decisions = _shared_array((games, seats), np.uint8), _shared_array((games,), np.uint32)
    if workers == 1:
        _play_numbers(play, range(games), places, decisions)
        return Rollouts(places, decisions)
    context = get_context("fork")
    next_game = context.Value("q", 0)
    chunk = max(1, min(MAX_CHUNK_GAMES, games // (workers * CHUNKS_PER_PROCESS)))
    reading, writing = context.Pipe(duplex=False)

    def work() -> None:
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # Ctrl-C reaches all processes, and one traceback is enough
        try:
            while True:
                with next_game.get_lock():
                    first, next_game.value = next_game.value, next_game.value + chunk
                if first >= games:
                    return
                _play_numbers(play, range(first, min(first + chunk, games)), places, decisions)
        except RolloutError as error:
            writing.send(str(error))
            raise SystemExit(1) from None

    children = [context.Process(target=work, daemon=True) for _ in range(workers)]
    with closing(reading), closing(writing):
        try:
            with delayed_interrupt():
                for child in children:
                    child.start()
            running = [child.sentinel for child in children]
            while running and not _failed_exit_code(children):  # a killed process may hold a lock that others need
                wait(running)
                running = [child.sentinel for child in children if child.is_alive()]
            exit_code = _failed_exit_code(children)
        finally:
            for child in children:
                if child.pid is not None:  # None if the process was never started
                    child.kill()
                    child.join()
        if reading.poll():
            raise RolloutError(reading.recv())
    if exit_code:
        raise RolloutError(f"a process ended with status {exit_code}")
    unplayed = np.flatnonzero((places == 0).any(axis=1))
    if unplayed.size:
        raise RolloutError(f"game {unplayed[0]}: its process ended before it was played")
    return Rollouts(places, decisions)


def _failed_exit_code(children: Sequence[ForkProcess]) -> int | None:
    return next((child.exitcode for child in children if child.exitcode), None)


def _play_numbers(play: Play, numbers: range, places: np.ndarray, decisions: np.ndarray) -> None:
    for number in numbers:
        try:
            places[number], decisions[number] = play(number)
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # a policy's SystemExit would end the process as if its games were finished
            raise RolloutError(f"game {number}: {format_exc()[-MAX_TRACEBACK_CHARS:]}") from error


def _shared_array(shape: tuple[int, ...], kind: type[np.unsignedinteger]) -> np.ndarray:
    size = max(1, int(np.prod(shape)) * np.dtype(kind).itemsize)
    return np.ndarray(shape, kind, buffer=mmap(-1, size))
