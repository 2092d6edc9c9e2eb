"""A bot's memory with its page tables: read from outside, and held where no control group counts it."""

import threading
from dataclasses import replace
from typing import Any

import pytest
from tests.sandbox.trial import apart, in_a_child

from gangland.faults import BotFault
from gangland_sandbox import asking, memory, runtime
from gangland_sandbox.limits import MIB, Limits, Profile
from gangland_sandbox.pool import Pool

SLACK_MIB = 64  # what a bot may take between two looks; without any it takes three times its limit

GREEDY = b"""
import mmap
from gangland import gang_of_dice

class Subject(gang_of_dice.Bot):
    def on_game_start(self, start):
        ANSWERED
        full, kept = b"x" * (FULL_MIB << 20), []
        make, flags = mmap.mmap, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS
        while True:
            try:
                mapped = make(-1, 4 << 20, flags)
            except OSError:
                continue
            mapped[0] = 1
            mapped.resize(4096)
            kept.append(mapped)

    def choose_dice(self, view):
        return 1
"""
AHEAD = b"""
        import sys
        frame = sys._getframe()
        while "number" not in getattr(frame.f_locals.get("self"), "__dict__", {}):
            frame = frame.f_back
        harness = frame.f_locals["self"]
        harness.channel.send(3, harness.number, b"")
"""
"""Answers by hand, and goes on while others are asked."""
SLOW = b"""
from gangland import gang_of_dice

class Subject(gang_of_dice.Bot):
    def on_game_start(self, start):
        for _ in range(100_000_000):
            pass

    def choose_dice(self, view):
        return 1
"""


def limits_of(profile: Profile, decision_s: float = 30.0) -> Limits:
    default = Limits.of(profile, 12)
    memory_mib = min(default.memory_mib, 512)  # quicker to fill than the numeric gigabyte
    return replace(default, decision_cpu_s=decision_s, bank_cpu_s=60.0, bank_wall_s=300.0, memory_mib=memory_mib)


def greedy(limits: Limits, answered: bytes = b"") -> bytes:
    """Return a bot that takes all it can, partly in full pages: the kernel allows some 65,000 mappings."""
    full_mib = max(0, limits.memory_mib - 384)
    return GREEDY.replace(b"ANSWERED", answered).replace(b"FULL_MIB", b"%d" % full_mib)


def opened(pool: Pool, source: bytes, limits: Limits) -> asking.BotProcess:
    return asking.BotProcess.open(source, filename="subject.py", game="gang-of-dice", limits=limits, pool=pool)


def started(bot: asking.BotProcess) -> str:
    try:
        bot.start_game(seat=0, seats=2, options={}, rng_seed=bytes(32))
    except BotFault as fault:
        return str(fault.kind)
    return "none"


def most_held(requested: asking.BotProcess, watched: asking.BotProcess) -> list[Any]:
    """Start a game of one bot; return its result and the most that another process held meanwhile, in MiB."""
    most, over = [0], threading.Event()

    def look() -> None:
        while not over.wait(0.001):
            most[0] = max(most[0], memory.resident_bytes(watched.pid))

    looking = threading.Thread(target=look)
    looking.start()
    try:
        return [started(requested), most[0] // MIB]
    finally:
        over.set()
        looking.join()


@pytest.mark.parametrize("profile", list(Profile))
def test_pages_and_page_tables_together_stay_within_a_bots_memory(profile: Profile) -> None:
    limits = limits_of(profile)
    if profile is Profile.NUMERIC:
        runtime.prepare_numeric()  # while root can read the host's numpy

    def one_requested() -> list[Any]:
        with Pool(limit=0) as pool:
            bot = opened(pool, greedy(limits), limits)
            return most_held(bot, bot)

    kind, most_mib = apart(one_requested)
    assert kind == "memory"
    assert most_mib <= memory.counted_limit(limits) // MIB + SLACK_MIB


@in_a_child
def test_whoever_takes_memory_while_others_are_asked_is_seen_too() -> None:
    limits = limits_of(Profile.PLAIN)
    with Pool(limit=0) as pool:
        ahead, slow = opened(pool, greedy(limits, AHEAD.strip()), limits), opened(pool, SLOW, limits)
        assert started(ahead) == "none"
        others, most_mib = most_held(slow, ahead)
        assert (others, started(ahead)) == ("none", "memory")
    assert 0 < most_mib <= memory.counted_limit(limits) // MIB + SLACK_MIB
