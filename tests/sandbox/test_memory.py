"""A bot's memory with its page tables: read from outside, and held where no control group counts it."""

from __future__ import annotations

import threading
from typing import Any

import pytest
from tests.sandbox.trial import apart

from gangland.faults import BotFault
from gangland_sandbox.asking import BotProcess
from gangland_sandbox.limits import MIB, Limits, Profile
from gangland_sandbox.memory import counted_limit, held_bytes
from gangland_sandbox.pool import Pool

SLACK_MIB = 64
"""What a bot may take between two looks; far below what it could take without any (three times its limit)."""

GREEDY = b"""
import mmap
from gangland import gang_of_dice

class Subject(gang_of_dice.Bot):
    def choose_dice(self, view):
        kept = []
        make, flags = mmap.mmap, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS
        while True:
            try:
                mapped = make(-1, SIZE << 20, flags)
            except OSError:
                continue
            mapped[0] = 1
            mapped.resize(4096)
            kept.append(mapped)
"""
IDLE = b"""
from gangland import gang_of_dice

class Subject(gang_of_dice.Bot):
    def choose_dice(self, view):
        while True:
            pass
"""
AHEAD = GREEDY.replace(b"choose_dice", b"late").replace(
    b"class Subject(gang_of_dice.Bot):",
    b"""class Subject(gang_of_dice.Bot):
    def choose_dice(self, view):
        import os
        from gangland_sandbox import inside
        write = os.write
        def answered(descriptor, data):
            write(descriptor, data)
            self.late(None)
        os.write = answered
        return 1
""",
)
"""Answers, and takes memory while others are asked."""


def limits_of(profile: Profile, decision_s: float = 30.0) -> Limits:
    given = Limits.of(profile, 12).to_dict() | {"decision_cpu_s": decision_s, "bank_cpu_s": 60.0, "bank_wall_s": 300.0}
    return Limits.from_dict(given)


def opened(pool: Pool, source: bytes, limits: Limits) -> BotProcess:
    bot = BotProcess.open(source, filename="subject.py", game="gang-of-dice", limits=limits, pool=pool)
    bot.start_game(seat=0, seats=2, options={}, rng_seed=bytes(32))
    return bot


def most_held(asked: BotProcess, watched: BotProcess) -> list[Any]:
    """Ask a bot for ever, and return how that ended and the most that another held meanwhile, in MiB."""
    most, over = [0], threading.Event()

    def look() -> None:
        while not over.wait(0.001):
            most[0] = max(most[0], held_bytes(watched.pid))

    looking = threading.Thread(target=look)
    looking.start()
    try:
        asked.ask("dice", VIEW, 1)
    except BotFault as fault:
        return [str(fault.kind), most[0] // MIB]
    finally:
        over.set()
        looking.join()
    return ["none", most[0] // MIB]


VIEW = None


@pytest.mark.parametrize("profile", list(Profile))
def test_pages_and_page_tables_together_stay_within_a_bots_memory(profile: Profile) -> None:
    limits = limits_of(profile)

    def one_asked() -> list[Any]:
        with Pool(most=0) as pool:
            bot = opened(pool, GREEDY.replace(b"SIZE", b"100"), limits)
            return most_held(bot, bot)

    kind, most_mib = apart(one_asked)
    assert kind == "memory"
    assert most_mib <= counted_limit(limits) // MIB + SLACK_MIB
