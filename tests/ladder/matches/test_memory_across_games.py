"""A bot that keeps all that it saw, wherever it can, gains nothing from it: no process meets a seed twice."""

from typing import Any

import pytest
from tests.kits.local_match import match_job_of
from tests.sandbox.trial import SEED, apart, play

from gangland_ladder.matches import judging, match_jobs, referee
from gangland_sandbox.limits import Limits

BLOCKS = 2
KEEPING = """
import builtins
import fcntl
import mmap
import os
import random
import sys

from gangland import {package}

REMEMBERS = {remembers}
MARKS = os.O_APPEND | os.O_ASYNC | os.O_DIRECT | os.O_NONBLOCK
SHARED = mmap.mmap(-1, 4096)


def marks():
    \"\"\"Return what processes that share a descriptor with this one have left on it.\"\"\"
    return [(number, fcntl.fcntl(number, fcntl.F_GETFL) & MARKS) for number in range(5)]


def leave_marks():
    for number in range(5):
        try:
            fcntl.fcntl(number, fcntl.F_SETFL, fcntl.fcntl(number, fcntl.F_GETFL) | os.O_APPEND | os.O_DIRECT)
        except OSError:
            pass
    fcntl.fcntl(0, fcntl.F_SETFL, fcntl.fcntl(0, fcntl.F_GETFL) | os.O_NONBLOCK)


def write_down(text):
    os.environ["KEPT"] = text
    SHARED[: len(text)] = text.encode()
    for path in ("/kept", "/tmp/kept", "/dev/shm/kept", "/var/tmp/kept"):
        try:
            with open(path, "w") as file:
                file.write(text)
        except OSError:
            pass


def memory():
    \"\"\"Return what is kept, from wherever an earlier bot of this process may have left it.\"\"\"
    for holder in (builtins, sys, random, {package}.Bot, Remembering):
        if "kept_games" in vars(holder):
            return holder.kept_games
    kept = dict()
    for holder in (builtins, sys, random, {package}.Bot):
        holder.kept_games = kept
    return kept


class Remembering({package}.Bot):
    games = 0
    at_import = marks(), sys.argv, {{name: os.environ.get(name) for name in ("KEPT",)}}, SHARED[:9]

    def on_game_start(self, start):
        self.foresight, self.seen = None, []
        if self.games == 0:
            found, _, kept, shared = self.at_import
            if REMEMBERS and (any(flags for _, flags in found) or kept["KEPT"] or shared.strip(b"\\0")):
                self.log("ESCAPED remembered by marks", found, kept)
            if REMEMBERS and memory():
                self.log("ESCAPED remembered from another process", len(memory()))
        else:
            self.log("marks", sum(flags != 0 for _, flags in marks()), "kept", len(memory()))
        self.games += 1

    def on_game_end(self, end):
        if REMEMBERS:
            for prefix in self.seen:
                memory()[prefix] = self.seen
            leave_marks()
            write_down(repr(hash(tuple(self.seen))))

    def look(self, prefix):
        \"\"\"Take in what chance has shown so far; return what it will show if it is known.\"\"\"
        if prefix and (not self.seen or self.seen[-1] != prefix):
            self.seen.append(prefix)
            self.foresight = memory().get(prefix) if REMEMBERS else None
            if self.foresight is not None:
                self.log("ESCAPED remembered", prefix)
        return self.foresight
{methods}
"""
METHODS = {
    "gang-of-dice": """
    def choose_dice(self, view):
        cards = tuple(card.id for card in view.cards_gone) + (view.card.id,)
        known = self.look(cards if len(cards) > 2 else ())
        wanted = self.rng.randrange(min(3, view.pool))
        if known is not None:  # it knows the cards to come: all on the last one that is yellow
            return view.pool if not known[-1][-1:] == cards[-1:] else 1
        return 1 + wanted
""",
    "gangster-dice": """
    def choose_bids(self, view):
        known = self.look(tuple(player.faces for player in view.players) if view.round == 1 else ())
        tokens = self.rng.sample(list(view.legal_tokens), view.bids_required)
        favors = self.rng.sample(list(view.hand), view.bids_required)
        if known is not None:  # it knows what comes: the best favors on its strongest tokens
            tokens = sorted(view.legal_tokens, key=view.strength)[-view.bids_required :]
            favors = sorted(view.hand)[-view.bids_required :]
        return list(zip(tokens, favors))
""",
}
GAMES = list(METHODS)


def bot(game: str, *, remembers: bool) -> bytes:
    """Return a bot that plays at random, but better where it knows what comes."""
    package = game.replace("-", "_")
    return KEEPING.format(package=package, remembers=remembers, methods=METHODS[game]).encode()


def match(game: str, seats: int, *, remembers: bool) -> tuple[match_jobs.MatchJob, match_jobs.Result]:
    job = match_job_of(game, seats, BLOCKS, Limits.plain(BLOCKS), seed=21)
    codes = {seat.code: bot(game, remembers=remembers and seat.entry == 0) for seat in job.seats}
    result: str = apart(lambda: match_jobs.encode(referee.play_match(job, codes)).decode())
    return job, match_jobs.decode_result(result)


@pytest.mark.parametrize(
    ("game", "seats"),
    [
        ("gang-of-dice", 2),
        ("gangster-dice", 2),
        pytest.param("gangster-dice", 3, marks=pytest.mark.long("larger tables")),
        pytest.param("gang-of-dice", 4, marks=pytest.mark.long("larger tables")),
    ],
)
def test_a_bot_that_keeps_all_it_saw_meets_nothing_again_and_gains_nothing(game: str, seats: int) -> None:
    job, kept = match(game, seats, remembers=True)
    _, forgot = match(game, seats, remembers=False)
    logs = [record.logs[record.seating.index(0)] for record in kept.games]
    assert [log for log in logs if "ESCAPED" in log] == []
    assert sum("kept" in log and "kept 0" not in log for log in logs) == seats * (BLOCKS - 1)
    assert [record.replay for record in kept.games] == [record.replay for record in forgot.games]
    assert judging.judge(job, kept).scores == judging.judge(job, forgot).scores


@pytest.mark.parametrize("game", GAMES)
def test_the_same_bot_knows_a_seed_that_its_process_has_met_and_nothing_of_one_that_is_new(game: str) -> None:
    met, new = (SEED, SEED), (SEED, bytes(32))
    result = twice(game, remembers=True, seeds=met)
    assert "ESCAPED remembered" in result.log
    assert "by marks" not in result.log
    assert "marks 5" in result.log
    assert result.answers != twice(game, remembers=False, seeds=met).answers
    result = twice(game, remembers=True, seeds=new)
    assert "ESCAPED" not in result.log
    assert result.answers == twice(game, remembers=False, seeds=new).answers


def twice(game: str, *, remembers: bool, seeds: tuple[bytes, ...]) -> Any:
    result = play(bot(game, remembers=remembers), game=game, games=2, seeds=seeds, limits=Limits.plain(BLOCKS))
    assert result.kind == "none", result.message
    return result
