"""A bot in the jail as its referee meets it: answers, words, logs, clocks and blame."""

import os
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any, Self, cast

import pytest
from tests.sandbox import trial
from tests.sandbox.trial import GAME, HONEST, SEED, TIGHT, bot_of, in_a_child, play, play_here, raised, what_is_left

from gangland import chance, faults, games
from gangland.bot import GameEnd
from gangland_sandbox import asking, errors, jail
from gangland_sandbox.clock import Banks, Meter, cpu_clock
from gangland_sandbox.limits import MIB, Limits, Profile
from gangland_sandbox.pool import Pool


def thinking(seconds: float) -> str:
    """Return the body of a method that takes this long by the wall clock: a bot may not sleep."""
    return f"until = time.monotonic() + {seconds}\nwhile time.monotonic() < until:\n    pass\nreturn 1"


@contextmanager
def seated(source: bytes, *, limits: Limits = TIGHT, **how: Any) -> Iterator[asking.BotProcess]:
    with opened(source, limits=limits, **how) as bot:
        bot.start_game(seat=0, seats=2, options={}, rng_seed=SEED)
        yield bot


GANGSTER = b"""
from gangland import gangster_dice


class Honest(gangster_dice.Bot):
    def choose_bids(self, view):
        return list(zip(view.legal_tokens, sorted(view.hand)))[: view.bids_required]
"""


def test_an_honest_bot_plays_both_games_and_leaves_nothing_behind() -> None:
    gangster = play(GANGSTER, game="gangster-dice", limits=Limits.plain(12))
    result = play(HONEST, games=3)
    for one in (gangster, result):
        assert (one.kind, one.stage, one.message, one.left, one.name) == ("none", "end", "", [], "Honest")
    assert len(result.answers) >= 12


def test_a_bots_chance_and_the_order_of_its_sets_follow_from_the_games_seed_alone() -> None:
    assert play(HONEST).answers == play(HONEST).answers != play(HONEST, seeds=(bytes(32),)).answers
    source = bot_of("return random.randint(1, view.pool)", "import random")
    assert play(source).answers == play(source).answers
    source = bot_of("self.log(list({'white', 'red', 'blue', 'black', 'yellow'}), hash('gangland'))\nreturn 1")
    assert play(source).log == play(source).log != ""


def test_one_instance_lives_through_all_games_of_a_jail() -> None:
    source = bot_of("self.seen = getattr(self, 'seen', 0) + 1\nself.log(self.seen)\nreturn 1")
    result = play(source, games=2)
    assert str(len([answer for answer in result.answers if answer == 1])) in result.log


TWO = b"""
from gangland import gang_of_dice


class Careful(gang_of_dice.Bot):
    def choose_dice(self, view):
        return 1


class Bold(Careful):
    pass
"""
MANY = b"from gangland import gang_of_dice\n" + b"".join(
    b"class C%04d(gang_of_dice.Bot):\n    pass\n" % number for number in range(2000)
)


@pytest.mark.parametrize(
    ("source", "kind", "words"),
    [
        (
            bot_of("return view.pool // 0"),
            "crashed",
            ['File "card_reader.py", line 6, in choose_dice', "return view.pool // 0", "ZeroDivisionError"],
        ),
        (bot_of("return 'three'"), "illegal", ["card_reader.py:5", "choose_dice()", "'three'"]),
        (b"x = 1\ny = = 2\n", "import_error", ['File "card_reader.py", line 2', "SyntaxError"]),
        (TWO, "import_error", ["Bold (line 10), Careful (line 5)", "BOT = "]),
        (MANY, "import_error", ["2000 bot classes: C0000, C0001, ", "and 1980 more; choose one with BOT = "]),
        (
            b"from gangland.bot import BaseBot\n\n\nclass Lost(BaseBot):\n    pass\n",
            "import_error",
            ["gang_of_dice.Bot (bots for another game: Lost)"],
        ),
    ],
    ids=["a crash", "an illegal answer", "no Python", "two bots", "many bots", "another game's bot"],
)
def test_a_bots_fault_is_told_with_file_line_and_what_is_wrong(source: bytes, kind: str, words: list[str]) -> None:
    result = play(source, filename="card_reader.py")
    assert result.kind == kind
    for part in words:
        assert part in result.message
    assert "gangland_sandbox" not in result.message


def test_of_two_bot_classes_the_one_named_is_played() -> None:
    assert play(TWO + b"\n\nBOT = Bold\n").name == "Bold"


def test_the_log_of_a_game_is_what_was_logged_and_printed_in_it_before_a_crash_too() -> None:
    result = play(bot_of("self.log('pool', view.pool)\nprint('printed')\nreturn 1"))
    assert "pool" in result.log
    assert "printed" in result.log
    result = play(bot_of("print('about to fail')\nreturn 1 / 0"))
    assert (result.kind, result.log) == ("crashed", "about to fail")
    assert play(bot_of("print('x' * 200_000)\nreturn 1")).kind == "output"  # more than its pipe takes


def test_a_log_longer_than_a_game_may_keep_is_cut_and_no_fault() -> None:
    result = play(bot_of("self.log('x' * 3000)\nreturn 1"), limits=Limits.plain(12))
    assert result.kind == "none"
    assert len(result.log.encode()) <= 16 * 1024 + 100
    assert "cut" in result.log


def test_a_view_tells_the_time_that_is_left() -> None:
    result = play(bot_of("self.log(view.clock.decision_s, view.clock.cpu_left_s, view.clock.wall_left_s)\nreturn 1"))
    decision, cpu, wall = (float(part) for part in result.log.splitlines()[0].split())
    assert decision == TIGHT.decision_cpu_s
    assert 0 < cpu <= TIGHT.bank_cpu_s
    assert 0 < wall <= TIGHT.bank_wall_s


def test_cpu_is_charged_to_the_bank_and_waiting_to_the_wall_alone() -> None:
    busy = "until = time.process_time() + 0.02\nwhile time.process_time() < until:\n    pass\nreturn 1"
    worked = play(bot_of(busy, "import time"), limits=Limits.plain(12))
    waited = play(bot_of("os.read(3, 1)", "import os"))
    requested = sum(1 for answer in worked.answers if answer == 1)
    assert worked.cpu_s >= 0.02 * requested
    assert worked.banks[0] == pytest.approx(12 - worked.cpu_s)
    assert (waited.kind, waited.wall_s >= TIGHT.bank_wall_s) == ("wall_time", True)
    assert waited.cpu_s < worked.cpu_s


def test_loading_a_bot_is_not_drawn_from_its_bank_and_the_last_moments_of_one_that_dies_are() -> None:
    result = play(HONEST.replace(b"class", b"sum(range(3_000_000))\n\n\nclass"))
    assert result.kind == "none"
    assert TIGHT.bank_cpu_s - result.banks[0] == pytest.approx(result.cpu_s)
    dying = "until = time.process_time() + 0.2\nwhile time.process_time() < until:\n    pass\nos._exit(3)"
    result = play(bot_of(dying, "import os\nimport time"))
    assert result.kind == "crashed"
    assert result.cpu_s >= 0.2


@in_a_child
def test_a_referee_that_holds_much_memory_does_not_lend_it_to_a_bot() -> None:
    held = bytearray(b"x") * (2 * TIGHT.memory_bytes)
    assert play_here(bot_of("os._exit(0)", "import os")).kind == "crashed"
    assert held


def ends_of(source: bytes, times: int, banks: Banks, limits: Limits = TIGHT) -> list[str]:
    def once() -> None:
        with seated(source, limits=limits, banks=banks) as bot:
            bot.ask("dice", view(), 0)

    return [raised(once) for _ in range(times)]


@in_a_child
def test_a_restart_draws_on_the_same_banks_of_time_and_of_output() -> None:
    limits = replace(TIGHT, bank_cpu_s=0.25)  # two runs leave 35 ms each for what else a start costs on a busy machine
    banks = Banks.full(limits)
    burn = "until = time.process_time() + 0.09\nwhile time.process_time() < until:\n    pass\nraise ValueError"
    assert ends_of(bot_of(burn, "import time"), 3, banks, limits) == ["crashed", "crashed", "bank_time"]
    assert banks.cpu_left_s < 0
    chatter = bot_of("for _ in range(30):\n    self.log('x' * 3900)\nraise ValueError")
    assert ends_of(chatter, 3, Banks.full(TIGHT)) == ["crashed", "crashed", "output"]


def view() -> object:
    game = games.game_named(GAME)
    state, _ = game.start(2, game.options({}), chance.SeededChance(SEED))
    return game.observe(state, 0).wire


@in_a_child
def test_a_bot_at_fault_is_gone_and_cannot_be_asked_again() -> None:
    with seated(bot_of("raise ValueError")) as bot:
        first = raised(lambda: bot.ask("dice", view(), 0))
        assert [first, bot.alive, raised(lambda: bot.ask("dice", view(), 1))] == ["crashed", False, "RuntimeError"]


@pytest.mark.parametrize(("thinks_s", "questions"), [(0.3, 1), (0.001, 150)], ids=["a slow bot", "quick bots"])
@in_a_child
def test_whoever_waits_for_a_bot_is_called(monkeypatch: pytest.MonkeyPatch, thinks_s: float, questions: int) -> None:
    monkeypatch.setattr(asking, "TICK_S", 0.1)
    calls: list[int] = []
    source = bot_of(thinking(thinks_s), "import time")
    limits = Limits(bank_cpu_s=20.0, bank_wall_s=60.0, decision_cpu_s=5.0)
    with seated(source, limits=limits, tick=lambda: calls.append(1)) as bot:
        for number in range(questions):
            bot.ask("dice", view(), number)
    assert len(calls) >= 1


@in_a_child
def test_a_bot_does_not_pay_for_a_caller_that_is_kept_waiting_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    ticks: list[float] = []
    given: list[float] = []
    monkeypatch.setattr(Meter, "give_back", lambda _, seconds: given.append(seconds))
    monkeypatch.setattr(asking, "TICK_S", 0.1)

    def stall() -> None:
        began = time.monotonic()
        time.sleep(0.05)
        ticks.append(time.monotonic() - began)

    source = bot_of(thinking(0.5), "import time")
    limits = Limits(bank_cpu_s=20.0, bank_wall_s=20.0, decision_cpu_s=5.0)
    with seated(source, limits=limits, tick=stall) as bot:
        bot.ask("dice", view(), 0)
    assert {back >= stalled for back, stalled in zip(given, ticks, strict=True)} == {True}


@pytest.mark.parametrize(
    ("thinks_s", "frozen"), [(0.0, True), (0.3, False)], ids=["and the bot, as in a paused container", "alone"]
)
@in_a_child
def test_a_referee_that_was_halted_costs_no_bot_its_time(thinks_s: float, frozen: bool) -> None:
    source = bot_of(thinking(thinks_s), "import time")
    limits = Limits(bank_cpu_s=20.0, bank_wall_s=2.5)
    with seated(source, limits=limits) as bot:
        pids = f"{os.getpid()} {bot.pid if frozen else ''}"
        halting = subprocess.Popen(["sh", "-c", f"sleep 0.3; kill -STOP {pids}; sleep 3; kill -CONT {pids}"])
        number = 0
        while halting.poll() is None:
            bot.ask("dice", view(), number)
            number += 1
        assert bot.wall_s < 2.5


def opened(source: bytes = HONEST, **how: Any) -> asking.BotProcess:
    return asking.BotProcess.open(source, **{"filename": "b.py", "game": GAME, "limits": TIGHT, **how})


@in_a_child
def test_a_bot_hears_of_the_games_start_and_end() -> None:
    source = (
        bot_of("return 1")
        + b"""
    def on_game_start(self, start):
        self.log("start", start.game, start.seat, start.seats, start.options)
    def on_game_end(self, end):
        self.log("end", end.places, end.faulted, end.reason)
"""
    )
    with opened(source) as bot:
        bot.start_game(seat=1, seats=3, options={"deck": "box18"}, rng_seed=SEED)
        bot.end_game(GameEnd((2, 1, 2), (0,), "completed"))
        assert bot.take_log() == f"start {GAME} 1 3 {{'deck': 'box18'}}\nend (2, 1, 2) (0,) completed"


@in_a_child
def test_the_line_of_each_method_is_known() -> None:
    with opened() as bot:
        assert [bot.method_line("dice"), bot.method_line("reroll"), bot.method_line("nonsense")] == [6, None, None]


@in_a_child
def test_a_bot_that_reads_nothing_does_not_stop_the_referee() -> None:
    source = bot_of("os.read(3, 1)", "import os")
    with seated(source) as bot:
        assert raised(lambda: bot.ask("dice", (0,) * 500_000, 0)) in {"crashed", "wall_time"}


def test_a_bot_that_trickles_its_answer_is_held_to_the_limit_of_a_decision() -> None:
    trickle = """frame = struct.pack("<IBI", 4000, 4, 3) + b" " * 4000  # 4 s of CPU in all
for byte in frame:
    os.write(4, bytes((byte,)))
    until = time.process_time() + 0.001
    while time.process_time() < until:
        pass
"""
    results = (play(bot_of(trickle, "import os\nimport struct\nimport time")) for _ in range(3))
    # A busy machine may be late once, and not three times.
    assert any(result.kind == "decision_time" and result.cpu_s < 4.0 / 2 for result in results)


@in_a_child
def test_a_referee_that_is_interrupted_leaves_no_jail(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(asking.BotProcess, "_load", interrupted)

    before = trial.open_descriptors()
    caught = raised(lambda: opened())
    assert [caught, *(f"descriptor {number}" for number in trial.open_descriptors() - before)] == ["KeyboardInterrupt"]


@in_a_child
def test_with_an_answer_at_once_who_waits_is_called_and_memory_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[str] = []
    with opened(mode=jail.Mode.TRUSTED, tick=lambda: calls.append("tick")) as bot:
        monkeypatch.setattr(asking.BotProcess, "_await", lambda *_: b"")
        monkeypatch.setattr(jail.Child, "check_memory", lambda _: calls.append("look"))
        calls.clear()
        for number in range(3):
            if number != 1:
                bot._tick_at = 0.0
            bot.end_game(GameEnd((1, 2), (), "points"))
    assert [calls.count("tick"), calls.count("look")] == [2, 1]


@in_a_child
def test_an_answer_that_comes_in_pieces_is_a_moment_to_call_who_waits() -> None:
    calls: list[int] = []
    with opened(mode=jail.Mode.TRUSTED, tick=lambda: calls.append(1)) as bot:
        calls.clear()
        bot._meter.begin()
        bot._tick_at = 0.0
        bot._read_clocks()
    assert len(calls) == 1


@in_a_child
def test_what_a_bot_prints_behind_its_answer_is_logged_after_a_fault_too(monkeypatch: pytest.MonkeyPatch) -> None:
    for faulty in (False, True):
        with opened(mode=jail.Mode.TRUSTED) as bot:
            Path(f"/proc/{bot.pid}/fd/2").write_bytes(b"last words\n")
            if faulty:
                monkeypatch.setattr(asking.BotProcess, "_await", lambda *_: b"")
                monkeypatch.setattr(Meter, "finish", lambda *_: faults.FaultKind.DECISION_TIME)
                assert raised(lambda bot=bot: bot.end_game(GameEnd((1, 2), (), "points"))) == "decision_time"  # type: ignore[misc]
            assert "last words" in bot.take_log()


@pytest.mark.parametrize(
    ("slow", "waits"),
    [(True, [5.0]), (True, [0.0, 5.0]), (False, [5.0, 0.0])],
    ids=["a further quick wait", "the long wait", "the first quick wait"],
)
@in_a_child
def test_a_late_wait_was_the_referees_halt(monkeypatch: pytest.MonkeyPatch, slow: bool, waits: list[float]) -> None:
    now, given, give_back = [time.monotonic()], [], Meter.give_back

    class Waits:
        def poll(self, timeout_ms: float) -> list[tuple[int, int]]:
            now[0] += waits.pop(0)
            return [] if waits else [(0, 1)]

    def note(meter: Meter, seconds: float) -> None:
        given.append(seconds)
        give_back(meter, seconds)

    bot = opened(mode=jail.Mode.TRUSTED)
    with bot, monkeypatch.context() as patch:
        patch.setattr("gangland_sandbox.asking.time.monotonic", lambda: now[0])
        patch.setattr(Meter, "give_back", note)
        patch.setattr(bot, "_poll", Waits())
        bot._meter.begin()
        if slow:
            bot._meter.start_counting_waits()
        bot._checked_at = now[0]
        bot._wait()
    [seconds] = [seconds for seconds in given if seconds]
    assert 4 < seconds < 5


@in_a_child
def test_a_limit_passed_during_a_long_wait_is_told_as_soon_as_it_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [time.monotonic()]

    class Silence:
        def poll(self, timeout_ms: float) -> list[tuple[int, int]]:
            now[0] += timeout_ms / 1000
            return []

    bot = opened(mode=jail.Mode.TRUSTED)
    with bot, monkeypatch.context() as patch:
        patch.setattr("gangland_sandbox.asking.time.monotonic", lambda: now[0])
        patch.setattr("gangland_sandbox.clock.is_asleep", lambda _: True)
        patch.setattr("gangland_sandbox.clock.run_delay_s", lambda _: 0.0)
        patch.setattr(bot, "_poll", Silence())
        bot._meter.begin()
        bot._meter.start_counting_waits()
        bot._checked_at = now[0]
        bot._meter.banks.wall_left_s = 0.01
        assert raised(bot._wait) == "wall_time"


@in_a_child
def test_a_bot_ends_with_its_match_though_the_pool_that_lent_its_process_goes_on() -> None:
    with Pool(jail.Mode.TRUSTED, limit=0) as pool:
        closed = opened(pool=pool)
        closed.close()
        failed = opened(bot_of("raise ValueError"), pool=pool)
        failed.start_game(seat=0, seats=2, options={}, rng_seed=SEED)
        kind = raised(lambda: failed.ask("dice", view(), 0))
        assert [kind, *what_is_left(closed.pid), *what_is_left(failed.pid)] == ["crashed"]


class Lender:
    """A pool of one process that greets after some seconds, or never, and cannot be confined."""

    def __init__(self, greets_after_s: float) -> None:
        self.left_s = greets_after_s
        self.given_back: list[tuple[object, bool]] = []

    def acquire(self, profile: Profile) -> Self:
        return self

    def wait_for_hello(self, wait_s: float) -> bool:
        self.left_s -= wait_s
        return self.left_s < 0

    def confine(self, child: object, limits: Limits) -> None:
        raise errors.SandboxError("it could not be confined")

    def release(self, child: object, *, clean: bool) -> None:
        self.given_back.append((child, clean))


@pytest.mark.parametrize(("greets_after_s", "ticks", "message"), [(29, 29, "confined"), (30, 30, "within 30 s")])
def test_a_jail_that_failed_before_loading_is_not_lent_again(greets_after_s: int, ticks: int, message: str) -> None:
    lender, ticked = Lender(greets_after_s), []
    with pytest.raises(errors.SandboxError, match=message):
        opened(pool=cast(Pool, lender), tick=lambda: ticked.append(1))
    assert (len(ticked), lender.given_back) == (ticks, [(lender, False)])


def test_a_jail_is_never_opened_as_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gangland_sandbox.privileges.os.getresuid", lambda: (10001, 10001, 0))
    with pytest.raises(errors.SandboxError, match="as root"):
        opened()


def test_children_of_a_bot_of_ones_own_end_with_it() -> None:
    source = bot_of("self.log(os.fork() or os.read(3, 1))\nos._exit(0)", "import os\nimport time")
    result = play_trusted(source)
    assert result.kind in {"crashed", "wall_time"}
    children = [Path("/proc") / word / "exe" for word in result.log.split() if word.isdigit()]
    assert children
    for _ in range(500):  # a killed process takes a moment to be gone
        if not any(child.exists() for child in children):
            break
        time.sleep(0.02)
    assert not any(child.exists() for child in children)


def test_a_bot_of_ones_own_plays_the_same_without_a_jail() -> None:
    jailed = play(HONEST)
    trusted = play_trusted(HONEST)
    assert trusted.answers == jailed.answers
    assert (trusted.kind, trusted.left) == ("none", [])


def play_trusted(source: bytes) -> Any:
    """Play in a plain process, as the user who runs the tests."""
    return play_here(source, mode="trusted")


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ("while True:\n    pass", "decision_time"), ("os.read(3, 1)", "wall_time"),
        ("time.sleep(60)", "forbidden_syscall"), ("os._exit(0)", "crashed"), ("os._exit(159)", "crashed"),
        ("os._exit(137)", "crashed"), ("raise KeyboardInterrupt", "crashed"), ("return 'x'", "illegal"),
    ],
)  # fmt: skip
def test_a_bot_of_ones_own_is_held_to_the_same_limits(body: str, kind: str) -> None:
    result = play_trusted(bot_of(body, "import os\nimport time"))
    assert (result.kind, result.left) == (kind, [])


def test_the_jail_takes_a_games_bot_and_view_from_where_bots_import_them() -> None:
    for name in games.GAME_NAMES:
        package = import_module(f"gangland.{name.replace('-', '_')}")
        game = games.game_named(name)
        assert (package.Bot, package.View) == (game.bot_class, game.view_class)


@pytest.mark.parametrize(
    ("body", "imports", "words"),
    [
        (
            "self.log(inspect.signature(Plan), inspect.getsource(Plan).splitlines()[1], 'ast' in sys.modules)",
            "import inspect, sys\nfrom dataclasses import dataclass\n\n\n@dataclass\nclass Plan:\n    dice: int = 1\n",
            "(dice: int = 1) -> None class Plan: True",
        ),
        ("self.log([n for n in ('ast', 'dis', 'tokenize', 'traceback') if n in sys.modules])", "import sys", "[]"),
    ],
    ids=["what the harness put off is there when asked for", "and not before"],
)
def test_a_jail_starts_with_what_bots_ask_for(body: str, imports: str, words: str) -> None:
    result = play(bot_of(f"{body}\nreturn 1", imports))
    assert (result.kind, result.message) == ("none", "")
    assert result.log.splitlines()[0] == words


def test_the_kernel_bounds_all_that_a_bot_may_use() -> None:
    """No file beyond a limit, no writes, no new process, and no core dump."""
    limits = Limits.plain(12)
    cpu_s = int(limits.bank_cpu_s + limits.import_cpu_s + limits.decision_cpu_s) + 10
    bounds = {
        "AS": limits.memory_bytes, "STACK": limits.stack_mib * MIB, "NOFILE": limits.open_files, "CPU": cpu_s,
        "FSIZE": 0, "CORE": 1, "NPROC": 0,
    }  # fmt: skip
    body = f"self.log(*(resource.getrlimit(getattr(resource, 'RLIMIT_' + name)) for name in {[*bounds]}))\nreturn 1"
    result = play(bot_of(body, "import resource"), limits=limits)
    assert (result.kind, result.message) == ("none", "")
    assert result.log.splitlines()[0] == " ".join(f"({each}, {each})" for each in bounds.values())


def test_the_standard_library_that_bots_use_is_in_the_jail() -> None:
    modules = (
        "abc array base64 bisect calendar collections contextlib copy csv dataclasses datetime decimal difflib enum "
        "fractions functools graphlib hashlib heapq inspect io itertools json logging math numbers operator pathlib "
        "pickle pprint queue random re secrets statistics string struct textwrap threading time traceback types typing "
        "unittest uuid weakref zlib"
    )
    body = (
        f"for name in {modules.split()!r}:\n    importlib.import_module(name)\n"
        "import hashlib, hmac\n"
        "names = 'md5', 'sha256', 'sha512', 'blake2b', 'sha3_256'\n"
        "digests = [hashlib.new(name, b'').hexdigest() for name in names]\n"
        "hmac.digest(b'', b'', 'sha256')\nself.log(len(set(digests)))\nreturn 1"
    )
    result = play(bot_of(body, "import importlib"), limits=Limits.plain(12))
    assert (result.kind, result.message) == ("none", "")
    assert result.log.splitlines()[0] == "5"


CLOSES = """
import os, struct, sys, time
from gangland import gang_of_dice
def wait(seconds):
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        pass
class B(gang_of_dice.Bot):
    def on_game_start(self, start):
        os.write(4, struct.pack('<IBI', 0, 3, 2))
        os.read(3, 4096)  # the next question begins, and the pipe is full of it
        wait(0.02)
        {act}
        wait(9)
    def choose_dice(self, view):
        return 1
"""
CLOSINGS = {
    "all that it writes to": "[os.close(number) for number in (1, 2, 4)]",
    "what answers go by": "os.close(4)",
    "what answers go by, at last": "os.close(1); os.close(2); wait(0.05); os.close(4)",
    "what questions come by": "os.close(3)",
    "all": "os.closerange(0, 10)",
    "what questions come by, with words on its way": (
        "[os.write(2, b'1' * 7000) for _ in (1, 2)]; os.read(3, 8192); wait({delay}); os.close(3); os._exit(0)"
    ),
}
QUICK = ("what answers go by", "all", "what questions come by, with words on its way")


@pytest.mark.parametrize(
    "closed",
    [
        pytest.param(closed, marks=() if closed in QUICK else pytest.mark.long("other pipes closed the same way"))
        for closed in CLOSINGS
    ],
)
@in_a_child
def test_a_bot_that_closes_pipes_while_a_question_waits_is_to_blame_and_costs_the_referee_nothing(closed: str) -> None:
    for delay in (0.0, 0.0005, 0.001, 0.002) if "{delay}" in CLOSINGS[closed] else (0.0,):
        source = CLOSES.replace("{act}", CLOSINGS[closed].replace("{delay}", str(delay))).encode()
        with seated(source) as bot:
            began = time.process_time()
            with pytest.raises(faults.BotFault) as blamed:
                bot.start_game(seat=0, seats=2, options={"x": "y" * 300_000}, rng_seed=SEED)
            assert blamed.value.kind.value in ("protocol", "crashed")
            assert time.process_time() - began < TIGHT.bank_wall_s / 3


def test_a_bot_that_dribbles_its_answer_pays_for_all_the_time_that_it_takes() -> None:
    dribble = (
        "frame = struct.pack('<IBI', 4000, 4, 0) + b'1' * 4000\n"
        "for at in range(500):\n"
        "    os.write(4, frame[at : at + 1])\n"
        "    until = time.monotonic() + 0.001\n"
        "    while time.monotonic() < until:\n"
        "        pass\n"
        "os.read(3, 1)"
    )
    limits = Limits(bank_cpu_s=20.0, bank_wall_s=0.7, decision_cpu_s=10.0)
    result = play(bot_of(dribble, "import os\nimport struct\nimport time"), limits=limits)
    assert result.kind == "wall_time"
    assert 0.7 <= result.wall_s < 2.2


def test_a_paused_bot_uses_no_cpu_whatever_its_threads_do() -> None:
    """A jail allows no threads, so this bot runs without one."""
    source = bot_of(
        "threading.Thread(target=lambda: [None for _ in iter(int, 1)], daemon=True).start()\nreturn 1",
        "import threading",
    )
    with Pool(jail.Mode.TRUSTED) as pool, seated(source, limits=Limits.plain(100), pool=pool) as bot:
        bot.ask("dice", view(), 0)
        clock = cpu_clock(bot.pid)
        bot.pause()
        threads = list(Path(f"/proc/{bot.pid}/task").glob("*/stat"))
        assert len(threads) > 1
        while any(each.read_bytes().rpartition(b")")[2].split()[0] != b"T" for each in threads):
            time.sleep(0.01)  # the kernel stops them a moment later
        used_s, own_s = time.clock_gettime(clock), time.process_time()
        while time.process_time() < own_s + 0.2:
            pass
        assert time.clock_gettime(clock) == used_s
        bot.resume()
        while time.clock_gettime(clock) == used_s:  # it would have gone on all the time
            time.sleep(0.01)
