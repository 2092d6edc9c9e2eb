"""Jails kept ready: every bot a process of its own, no jail after a fault, nothing left at the end."""

import os
import signal
from pathlib import Path
from typing import Any, Self

import pytest
from tests.sandbox.trial import GAME, HONEST, SEED, TIGHT, bot_of, children_here, in_a_child, open_descriptors, raised

from gangland_sandbox.asking import BotProcess
from gangland_sandbox.pool import Pool

LEAVES_A_MARK = bot_of(
    """
import gangland, os, random, sys
seen = [hasattr(gangland, 'mark'), 'mark' in sys.modules, os.environ.get('MARK'), len(random.__dict__.get('mark', ''))]
gangland.mark = random.mark = sys.modules['mark'] = os.environ['MARK'] = 'here'
self.log(seen)
return 1
"""
)


def open_in(pool: Pool, source: bytes = HONEST) -> BotProcess:
    return BotProcess.open(source, filename="b.py", game=GAME, limits=TIGHT, pool=pool)


def ask_once(bot: BotProcess) -> str:
    bot.start_game(seat=0, seats=2, options={}, rng_seed=SEED)
    bot.ask("dice", (0,), 0)
    return bot.take_log()


@in_a_child
def test_a_jail_serves_so_many_bots_one_after_the_other_each_in_a_process_of_its_own_and_only_some_are_kept() -> None:
    with Pool() as pool, Pool(uses=3) as worn, Pool(limit=2) as small:
        pids = set()
        for _ in range(5):
            with open_in(pool) as bot:
                pids.add(bot.pid)
        for _ in range(7):
            open_in(worn).close()
        others = len(children_here())
        for bot in [open_in(small) for _ in range(4)]:
            bot.close()
        small.fill(10)
        assert [len(pids), pool.opened, worn.opened, small.idle, len(children_here()) - others] == [5, 1, 3, 2, 2]


@in_a_child
def test_nothing_that_a_bot_changes_is_seen_by_the_next_in_its_jail() -> None:
    with Pool() as pool:
        for _ in range(2):
            with open_in(pool, LEAVES_A_MARK) as bot:
                assert ask_once(bot) == "[False, False, None, 0]"
        assert pool.opened == 1


@in_a_child
def test_bots_at_one_table_never_share_a_jail() -> None:
    with Pool() as pool:
        bots = [open_in(pool) for _ in range(4)]
        jails = {bot._child.jail._process.pid for bot in bots}
        for bot in bots:
            bot.close()
        assert [len(jails), pool.opened, pool.idle] == [4, 4, 4]


@in_a_child
def test_a_jail_whose_bot_was_at_fault_is_not_used_again() -> None:
    with Pool() as pool:
        bot = open_in(pool, bot_of("raise ValueError"))
        first = bot._child.jail
        caught = raised(lambda: ask_once(bot))
        with open_in(pool) as following:
            assert [caught, first.closed, following._child.jail is first] == ["crashed", True, False]


@in_a_child
def test_a_jail_that_was_ended_while_it_waited_is_passed_over() -> None:
    with Pool() as pool:
        pool.fill(1)
        open_in(pool).close()
        keeper = pool._idle[TIGHT.profile][0].jail._process
        os.kill(keeper.pid, signal.SIGKILL)
        keeper.wait()
        with open_in(pool) as bot:
            assert [bot.alive, pool.opened] == [True, 2]


@pytest.mark.parametrize("how", ["closed", "lent", "ahead"])
@in_a_child
def test_a_closed_pool_leaves_no_process_and_no_descriptor(how: str) -> None:
    before = open_descriptors()
    pool = Pool()
    pool.fill(2)
    if how == "lent":
        open_in(pool)
    elif how == "closed":
        open_in(pool).close()
    pool.close()
    pool.close()
    assert [len(children_here()), sorted(open_descriptors() - before)] == [0, []]


@in_a_child
def test_a_bot_finds_neither_the_zygotes_socket_nor_anothers_pipes() -> None:
    look = """
import fcntl
found = []
for number in range(64):
    try:
        fcntl.fcntl(number, fcntl.F_GETFD)
        found.append(number)
    except OSError:
        pass
self.log(found)
return 1
"""
    with Pool() as pool:
        open_in(pool).close()
        with open_in(pool, bot_of(look)) as bot, open_in(pool):
            assert ask_once(bot) == "[0, 1, 2, 3, 4]"


COUNTERS = """
import mmap, os

for attempt in (
    os.pipe,
    lambda: os.pipe2(0),
    lambda: mmap.mmap(-1, 4096).madvise(mmap.MADV_MERGEABLE),
    lambda: mmap.mmap(-1, 4096).madvise(21),
):
    try:
        self.log('ESCAPED', attempt())
    except OSError as failure:
        self.log(type(failure).__name__)
self.log(len(mmap.mmap(-1, 4096)))
return 1
"""


@in_a_child
def test_a_bot_may_map_memory_and_move_no_counter_that_others_read() -> None:
    """tests/hostile tests everything else that a bot is refused."""
    with Pool() as pool, open_in(pool, bot_of(COUNTERS)) as bot:
        assert ask_once(bot).split() == ["PermissionError", "PermissionError", "OSError", "OSError", "4096"]


class Counted:
    """A control group that records calls: not every machine has version 2 with its controllers."""

    def __init__(self) -> None:
        self.told: list[str] = []

    def box(self, memory_bytes: int, processes: int) -> Self:
        self.told.append(f"box of {memory_bytes >> 20} MiB and {processes} process")
        return self

    def add(self, pid: int) -> None:
        self.told.append("in" if os.path.exists(f"/proc/{pid}") else "gone")

    def out_of_memory(self) -> bool:
        self.told.append("asked")
        return True

    def close(self) -> None:
        self.told.append("closed")


@in_a_child
def test_where_there_are_control_groups_each_bot_is_in_one_and_its_word_on_memory_counts() -> None:
    counted: Any = Counted()
    with Pool(cgroups=counted) as pool:
        bot = open_in(pool, bot_of("import os\nos._exit(1)"))
        assert [raised(lambda: ask_once(bot)), *counted.told] == [
            "memory",
            "box of 128 MiB and 1 process",
            "in",
            "asked",
            "closed",
        ]


@in_a_child
def test_a_process_number_does_not_tell_how_many_were_before() -> None:
    """A bot that fails on purpose has its jail replaced, and could see that in numbers from 2."""
    found = set()
    for _ in range(6):
        with Pool() as pool, open_in(pool, bot_of("import os\nself.log(os.getpid())\nreturn 1")) as bot:
            assert ask_once(bot) == "0"
            status = Path(f"/proc/{bot.pid}/status").read_text()
            found.add(status.partition("NSpid:")[2].split("\n")[0].split()[-1])
    assert len(found) > 2


@in_a_child
def test_in_a_match_no_jail_is_lent_twice_and_all_are_kept_for_the_next() -> None:
    with Pool() as pool:
        found = []
        for _ in range(2):
            jails = set()
            with pool.match():
                for _ in range(3):
                    with open_in(pool) as bot:
                        jails.add(bot._child.jail._process.pid)
            found.append(jails)
        assert [len(found[0]), found[0] == found[1], pool.opened, pool.idle] == [3, True, 3, 3]


@in_a_child
def test_a_bot_finds_no_trace_of_the_one_before_in_the_frames_below_it() -> None:
    body = """
import gc, resource, sys
frame, found = sys._getframe(), [sys.argv, sys.orig_argv]
while frame is not None:
    found += [name for name in frame.f_locals if name in ('usage', 'status')]
    frame = frame.f_back
found += [kind for kind in map(type, gc.get_objects()) if kind is resource.struct_rusage]
self.log(found)
return 1
"""
    with Pool() as pool:
        open_in(pool).close()
        with open_in(pool, bot_of(body)) as bot:
            assert ask_once(bot) == "[[''], []]"
