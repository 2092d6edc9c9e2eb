"""The referee in the real jail: whose fault it is, what a bot may remember, what a match leaves behind."""

import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from tests.kits.local_match import match_job_of
from tests.sandbox.trial import apart

from gangland.games import game_named, package_of
from gangland.replay import Step, expand, load, verify_events
from gangland_ladder.local import bots, matches, processes
from gangland_ladder.local import matches as local_matches
from gangland_ladder.local.matches import LocalRun
from gangland_ladder.matches import judging, players, referee
from gangland_ladder.matches.match_jobs import MatchJob, Result, decode_result, encode, log_parts
from gangland_sandbox import errors, jail, limits, pool
from gangland_sandbox.pool import Pool

HEADS = {
    "gang-of-dice": """
from gangland import gang_of_dice
class Base(gang_of_dice.Bot):
    def choose_dice(self, view):
        self.see(view)
        return min(2, view.pool)
    def see(self, view):
        pass
    __module__ = "base"
""",
    "gangster-dice": """
from gangland import gangster_dice
from gangland.gangster_dice import Bid
class Base(gangster_dice.Bot):
    def choose_bids(self, view):
        self.see(view)
        return [Bid(t, f) for t, f in zip(sorted(view.legal_tokens)[:view.bids_required], sorted(view.hand))]
    def see(self, view):
        pass
    __module__ = "base"
""",
}
PLAIN = "class Plain(Base):\n    pass\n"
GAMES = list(HEADS)
ONE_OR_ALL = ["gang-of-dice", pytest.param("gangster-dice", marks=pytest.mark.long("the referee knows no game"))]


Match = Callable[..., tuple[MatchJob, Result]]


@pytest.fixture(scope="module")
def match() -> Iterator[Match]:
    with processes.Tables(workers=1) as tables:

        def played(game: str, bodies: list[str], blocks: int = 2) -> tuple[MatchJob, Result]:
            wanted = match_job_of(game, len(bodies), blocks, limits.Limits.plain(blocks), seed=11)
            codes = {seat.code: (HEADS[game] + body).encode() for seat, body in zip(wanted.seats, bodies, strict=True)}
            (result,) = tables.run(play_match_in_jail, [(wanted, codes)])
            return wanted, result

        yield played


def play_match_in_jail(pool: Pool, wanted: MatchJob, codes: Mapping[str, bytes]) -> Result:
    return referee.play_match(wanted, codes, pool=pool)


def faults(result: Result, entry: int) -> list[tuple[int, int, str, int | None]]:
    return [
        (game.block, game.rotation, fault.kind, fault.decision)
        for game in result.games
        for fault in game.faults
        if game.seating[fault.seat] == entry
    ]


@pytest.mark.parametrize("game", GAMES)
def test_memory_does_last_from_game_to_game_within_a_rotation(match: Match, game: str) -> None:
    counting = (
        "class C(Base):\n    n = 0\n    def on_game_end(self, end):\n        self.n += 1\n        self.log(self.n)\n"
    )
    _, result = match(game, [counting, PLAIN], blocks=3)
    logs = [(g.rotation, g.block, g.logs[g.seating.index(0)].strip()) for g in result.games]
    assert sorted(logs) == [(rotation, block, str(block + 1)) for rotation in (0, 1) for block in range(3)]


@pytest.mark.parametrize("game", ONE_OR_ALL)
def test_after_three_forfeits_a_bot_forfeits_the_rest_and_the_other_wins(match: Match, game: str) -> None:
    broken = "class Broken(Base):\n    def see(self, view):\n        raise RuntimeError('boom')\n"
    wanted, result = match(game, [broken, PLAIN], blocks=3)
    found = faults(result, 0)
    assert len(found) == 6
    assert [decision is None for *_, decision in sorted(found, key=lambda f: (f[1], f[0]))] == [
        number >= players.MAX_FORFEITS for number in range(6)
    ]
    assert faults(result, 1) == []
    assert [score.wins for score in judging.judge(wanted, result).scores] == [0, 6]


@pytest.mark.parametrize("game", ONE_OR_ALL)
def test_a_bot_that_fails_when_the_game_is_over_or_prints_changes_no_game_and_no_place(match: Match, game: str) -> None:
    late = "class Late(Base):\n    def on_game_end(self, end):\n        raise RuntimeError('too late')\n"
    noisy = "class Noisy(Base):\n    def see(self, view):\n        print('x' * 500)\n        self.log('y' * 50)\n"
    wanted, quiet = match(game, [PLAIN, PLAIN], blocks=1)
    late_wanted, failed = match(game, [late, PLAIN], blocks=1)
    _, loud = match(game, [noisy, PLAIN], blocks=1)
    assert [found[2:] for found in faults(failed, 0)] == [("crashed", None)] * 2
    games = [[g.replay for g in result.games] for result in (quiet, failed, loud)]
    assert games[0] == games[1] == games[2]
    assert judging.judge(late_wanted, failed).scores[0].mean_place == judging.judge(wanted, quiet).scores[0].mean_place


def test_a_jail_that_fails_voids_the_match_and_blames_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_jail(*_: object) -> jail.Jail:
        raise errors.SandboxError("no jail today")

    monkeypatch.setattr(pool, "open_jail", no_jail)
    wanted = match_job_of("gang-of-dice", 2, 1, limits.Limits.plain(1), seed=11)
    result = referee.play_match(wanted, {seat.code: PLAIN.encode() for seat in wanted.seats}, mode=jail.Mode.JAIL)
    assert result.void == "no jail today"
    assert result.games == []


def test_the_largest_log_that_is_allowed_still_makes_a_result_that_counts(match: Match) -> None:
    bomb = (
        "class Bomb(Base):\n    def on_game_start(self, start):\n        print('\\x01' * 16000)\n"
        "        self.log('\\u202e' * 4000)\n        self.log('\\x01' * 4000)\n"
    )
    wanted, result = match("gang-of-dice", [bomb, PLAIN], blocks=2)
    assert judging.judge(wanted, decode_result(encode(result))).scores[0].faults == {}
    assert max(len(log.encode()) for game in result.games for log in game.logs) < 17_000


def test_what_a_bot_wrote_is_marked_with_the_decision_at_which_it_did(match: Match) -> None:
    chatty = (
        "import sys\n"
        "class Chatty(Base):\n    n = 0\n    def on_game_start(self, start):\n        self.n = 0\n"
        "        self.log('good evening')\n"
        "    def see(self, view):\n        self.n += 1\n"
        "        if self.n in (2, 4):\n            self.log(f'round {view.round}, all in')\n"
        "            print('printed', self.n, file=sys.stderr, flush=True)\n"
        "            self.log('')\n            self.log('decision 0: the others lie')\n"
        "        if self.n == 5:\n            self.log('no way out')\n            raise RuntimeError\n"
    )
    wanted, result = match("gang-of-dice", [chatty, PLAIN], blocks=1)
    for game in result.games:
        seat = game.seating.index(0)
        expanded = [answer for step in expand(load(game.replay)) for answer in step.answers]
        own = [a.number for a in expanded if a.seat == seat and a.number is not None and a.kind == "dice"]
        parts = log_parts(game.logs[seat], game.log_marks[seat])
        assert parts[0] == (None, "good evening")
        assert [(number, text.splitlines()[0]) for number, text in parts[1:]] == [
            (own[1], parts[1][1].splitlines()[0]), (own[3], parts[2][1].splitlines()[0]), (own[4], "no way out"),
        ]  # fmt: skip
        for (_, text), number in zip(parts[1:3], (2, 4), strict=True):
            lines = sorted(text.splitlines())
            assert lines[:2] == ["decision 0: the others lie", f"printed {number}"], (
                "one pipe may be read before another"
            )
            assert lines[2].endswith("all in")
        assert game.log_marks[1 - seat] == []
    assert judging.judge(wanted, decode_result(encode(result))).scores[0].faults == {"crashed": 2}


def test_a_match_leaves_no_process_and_no_descriptor_behind() -> None:
    wanted = match_job_of("gang-of-dice", 2, 1, limits.Limits.plain(1), seed=11)
    broken = HEADS["gang-of-dice"] + "class B(Base):\n    def see(self, view):\n        raise SystemExit\n"
    codes = {seat.code: broken.encode() for seat in wanted.seats}
    with processes.Tables(workers=1) as tables:
        first, second = tables.run(play_and_count, [(wanted, codes)] * 2)
    assert first == second
    assert first[0] == 0


def play_and_count(_pool: Pool, wanted: MatchJob, codes: Mapping[str, bytes]) -> tuple[int, int]:
    referee.play_match(wanted, codes)  # in a pool of its own, which ends with the match
    own = os.getpid()
    children = [pid for pid in os.listdir("/proc") if pid.isdigit() and _parent(pid) == own]
    return len(children), len(os.listdir("/proc/self/fd"))


def _parent(pid: str) -> int:
    try:
        return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
    except OSError:
        return 0


def test_the_cpu_time_of_a_match_has_what_bots_take_to_be_imported_and_the_referee(match: Match) -> None:
    slow = "import time\nwhile time.process_time() < 0.3: pass\n" + PLAIN
    _, quick = match("gang-of-dice", [PLAIN, PLAIN])
    _, result = match("gang-of-dice", [slow, PLAIN])
    assert 0 < sum(quick.cpu_s) < quick.match_cpu_s
    assert result.match_cpu_s > sum(result.cpu_s) + 2 * 0.2, "its bot was imported twice"


# A match that cannot be played costs the others nothing.


BOT = bots.LocalBot("one", "one.py", b"")


def job() -> MatchJob:
    return LocalRun("gang-of-dice", [BOT, BOT], 2, 1, b"").job([0, 1])


def test_a_match_that_stays_void_is_given_up_and_named(monkeypatch: pytest.MonkeyPatch) -> None:
    played: list[int] = []

    def void(wanted: MatchJob, codes: Mapping[str, bytes], pool: Pool, over: object, keep: bool) -> referee.LocalMatch:
        played.append(wanted.id)
        raise errors.SandboxError("no jail")

    monkeypatch.setattr(local_matches, "play_locally", void)
    assert matches.play_job(Pool(), job(), {}, False) == matches.Void("no jail")
    assert len(played) == matches.ATTEMPTS


def test_a_small_seed_cannot_be_tried_out_within_a_bots_time() -> None:
    from gangland_ladder.matches.seeds import LOCAL_ITERATIONS, local_secret

    assert LOCAL_ITERATIONS >= 100_000
    assert local_secret(1, b"") != local_secret(2, b"")
    assert local_secret(1, b"") == local_secret(1, b"")


# What a bot makes of its views in the jail is what its author makes of them on a laptop.


SAMPLING = """
from random import Random
from zlib import crc32

from gangland import GAME


class Sampling(GAME.Bot):
    def act(self, decision):
        return chosen(decision.view)

    def choose_dice(self, view):
        raise NotImplementedError("act answers")


def chosen(view):
    rng, told = Random(view.round), b""
    for _ in range(3):
        position = view.sample(rng)
        told += repr([view.game.observe(position, seat).wire for seat in range(view.seats)]).encode()
    legal = view.legal()
    return legal[crc32(told) % len(legal)]
"""


@pytest.mark.parametrize("seats", [2, pytest.param(3, marks=pytest.mark.long("larger tables"))])
@pytest.mark.parametrize("name", ["gang-of-dice", "gangster-dice"])
def test_samples_and_legal_answers_in_the_jail_are_those_of_the_laptop(name: str, seats: int) -> None:
    source = SAMPLING.replace("GAME", package_of(name))
    job, laptop = match_job_of(name, seats, 1, limits.Limits.plain(1), seed=4), dict[str, Any]()
    exec(source, laptop)
    game = game_named(name)

    codes = {seat.code: source.encode() for seat in job.seats}

    result = decode_result(apart(lambda: encode(referee.play_match(job, codes, mode=jail.Mode.JAIL)).decode()))

    assert result.void is None
    decided: list[tuple[object, object]] = []

    def compare(step: Step) -> None:
        for seat, _, number, decision, _ in step.answers:
            assert number is not None
            decided.append((decision, laptop["chosen"](game.observe(step.before, seat, step.defaulting))))

    for record in result.games:
        verify_events(load(record.replay), compare)
    assert len(decided) > 50
    assert [pair for pair in decided if pair[0] != pair[1]] == []
