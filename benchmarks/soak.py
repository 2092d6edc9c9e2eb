"""Play many short matches in a row in one process, like a match worker, and look for leftovers.

    python -m benchmarks.soak [--matches 10000] [--json] [--into benchmarks/results/speed.md]

One match in eight has a bot that fails, each time in another way, so jails are discarded and opened
all the time.  Processes, descriptors, mounts, namespaces and memory are counted during the run and at
its end.  Between two matches there may only be the idle jails of the pool; at the end there may be
nothing.  Ends with status 1 if anything is left over.
"""

import gc
import os
import sys
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import linear_regression
from typing import Any

import msgspec

from benchmarks.harness import Section, Table, parser, publish, say
from benchmarks.processes import below, processes
from gangland.games import GAME_NAMES, game_named
from gangland_ladder.local.bots import LocalBot
from gangland_ladder.local.matches import LocalRun
from gangland_ladder.matches.referee import play_match
from gangland_sandbox.jail import Mode
from gangland_sandbox.limits import Limits
from gangland_sandbox.pool import Pool
from gangland_sandbox.privileges import run_as_jail_user
from gangland_sandbox.runtime import prepare

GAME = "gang-of-dice"
FAULTY_EVERY = 8
SAMPLES = 50
PROCESSES_PER_JAIL = 3
"""The number of processes of an idle jail: bubblewrap, the zygote, and the process for the next bot."""
DESCRIPTORS_PER_JAIL = range(5, 7)
"""The descriptors of a jail: a socket, bubblewrap's output, three pipes, and a handle of a ready zygote."""
WARM_SHARE = 1 / 3
"""The first share of a run, which fills caches and does not count for growth."""
MAX_KIB = 4096
"""The maximum growth of the memory of this process, or of the largest zygote, in the rest of a run.

Python allocates memory in steps of one mebibyte, and the best line through one step is 1.5 times as high."""
MAX_BLOCKS_PER_MATCH = 1.0
"""The maximum number of remaining objects per match; a leaked list of results has hundreds."""
BLOCKS_PER_SAMPLE = 20
"""The blocks that a sample itself allocates, with a margin."""
SETTLED_S = 5.0
POLL_S = 0.005
PAGE_KIB = os.sysconf("SC_PAGE_SIZE") // 1024

HONEST = b"""
from gangland import gang_of_dice

class Honest(gang_of_dice.Bot):
    def choose_dice(self, view):
        return view.pool
"""
FAULTY = {
    "crashed": "raise RuntimeError",
    "decision_time": "while True: pass",
    "memory": "kept = [bytearray(1 << 20) for _ in range(1 << 10)]",
    "protocol": "import os; os.write(4, bytes(range(255, 0, -1)))",
    "illegal": "return -1",
    "output": "import os; os.write(1, bytes(200_000))",  # more than the capacity of a pipe
    "forbidden_syscall": "import os; os.chroot('/')",
    "import_error": None,
}
"""Bots that fail at their first question, by kind of fault; one cannot be loaded."""


@dataclass(frozen=True)
class Sample:
    """The counts after a number of matches.

    Attributes:
        jails: the idle jails of the pool.
        processes: the number of this process's descendants; namespaces: those of the descendants, except our own.
        blocks: Python's allocated objects.
    """

    matches: int
    jails: int
    processes: int
    descriptors: int
    mounts: int
    namespaces: int
    blocks: int
    kib: int
    zygote_kib: int


@dataclass(frozen=True)
class Soaked:
    """A whole run: the samples from before the first match until after the pool was closed, and all errors."""

    samples: list[Sample]
    problems: list[str]
    faults: dict[str, int]
    seconds: float


def faulty_bot(kind: str) -> bytes:
    """Return the source of a bot with this fault."""
    line = FAULTY[kind]
    return b"raise RuntimeError" if line is None else HONEST.replace(b"return view.pool", line.encode())


def run(matches: int, samples: int = SAMPLES) -> Soaked:
    """Play a number of matches; call it as the user that opens jails."""
    began = time.monotonic()
    problems: list[str] = []
    faults: Counter[str] = Counter()
    with Pool(Mode.JAIL) as pool:
        counts = [_sample(0, pool)]
        for number in range(1, matches + 1):
            problems += _play(pool, number, faults)
            if number % max(1, matches // samples) == 0:
                counts.append(_sample(number, pool))
                if matches >= 1000:
                    say(f"{number} of {matches} matches, {time.monotonic() - began:.0f} s")
    counts.append(_sample(matches, pool))
    return Soaked(counts, [*problems[:20], *leftovers(counts)], dict(faults), time.monotonic() - began)


def leftovers(samples: Sequence[Sample]) -> list[str]:
    """Return the leftovers of a run, in words; the first sample is from before it, the last one from after it."""
    first, *between, last = samples
    problems = [
        f"{name}: {getattr(first, name)} before the run, {getattr(last, name)} after it"
        for name in ("processes", "descriptors", "mounts", "namespaces")
        if getattr(last, name) != getattr(first, name)
    ]
    for sample in between:
        problems += _beyond_the_jails(sample, first)
    return problems + _growth([sample for sample in between if sample.matches >= WARM_SHARE * last.matches])


def _beyond_the_jails(sample: Sample, first: Sample) -> list[str]:
    """Return leftovers between two matches that do not belong to any jail of the pool."""
    after, jails = f"after {sample.matches} matches", sample.jails
    problems = []
    if sample.processes != first.processes + PROCESSES_PER_JAIL * jails:
        problems.append(f"{sample.processes} processes {after}, with {jails} jails of {PROCESSES_PER_JAIL}")
    fewest, maximum = (
        first.descriptors + jails * count for count in (DESCRIPTORS_PER_JAIL[0], DESCRIPTORS_PER_JAIL[-1])
    )
    if not fewest <= sample.descriptors <= maximum:
        problems.append(
            f"{sample.descriptors} descriptors {after}, where {fewest} to {maximum} belong to {jails} jails"
        )
    if sample.mounts != first.mounts:
        problems.append(f"{sample.mounts} mounts {after}, {first.mounts} before")
    if jails and (sample.namespaces - first.namespaces) % jails:
        problems.append(f"{sample.namespaces} namespaces {after}, which {jails} jails do not share evenly")
    return problems


def _growth(samples: Sequence[Sample]) -> list[str]:
    """Return the growth of memory beyond its limit, by the best straight line."""
    if len(samples) < 3:
        return []
    span = samples[-1].matches - samples[0].matches
    blocks = MAX_BLOCKS_PER_MATCH + BLOCKS_PER_SAMPLE * len(samples) / span
    limits = {"kib": MAX_KIB / span, "zygote_kib": MAX_KIB / span, "blocks": blocks}
    slopes = {name: slope([(one.matches, getattr(one, name)) for one in samples]) for name in limits}
    return [
        f"{name} grows by {slopes[name]:.3g} a match, where {limits[name]:.3g} may be"
        for name in limits
        if slopes[name] > limits[name]
    ]


def slope(points: Sequence[tuple[float, float]]) -> float:
    """Return the slope of the least-squares line through points."""
    return linear_regression([x for x, _ in points], [y for _, y in points]).slope


def _play(pool: Pool, number: int, faults: Counter[str]) -> list[str]:
    """Play one match of two bots and one block; return its errors."""
    bots = [LocalBot("one", "one.py", HONEST), LocalBot("two", "two.py", HONEST)]
    expected: list[tuple[str, str]] = []
    if number % FAULTY_EVERY == 0:
        kind = list(FAULTY)[number // FAULTY_EVERY % len(FAULTY)]
        bots[1] = LocalBot("two", "two.py", faulty_bot(kind))
        expected = [("two", kind), ("two", kind)]
    job = LocalRun(GAME, bots, len(bots), 9, b"").job((0, 1), number=number, blocks=1)
    limits = Limits(bank_cpu_s=2.0, bank_wall_s=60.0, decision_cpu_s=0.2, memory_mib=48, stderr_bytes=8000).to_dict()
    job = msgspec.structs.replace(job, limits=limits)
    result = play_match(job, {bot.sha256: bot.source for bot in bots}, pool=pool)
    if result.void is not None:
        return [f"match {number} is void: {result.void}"]
    met = [(bots[game.seating[fault.seat]].name, fault.kind) for game in result.games for fault in game.faults]
    faults.update(kind for _, kind in met)
    return [] if met == expected else [f"match {number} had the faults {met}, not {expected}"]


def _sample(matches: int, pool: Pool) -> Sample:
    """Take a sample, after new jails are ready and closed jails are gone."""
    until = time.monotonic() + SETTLED_S
    now = families()
    while time.monotonic() < until:
        time.sleep(POLL_S)
        before, now = now, families()
        if now == before and list(map(len, now)) == [PROCESSES_PER_JAIL] * pool.idle:
            break
    pids = [pid for family in now for pid in family]
    gc.collect()
    return Sample(
        matches=matches,
        jails=pool.idle,
        processes=len(pids),
        descriptors=len(os.listdir("/proc/self/fd")) - 1,  # without the listing's own descriptor
        mounts=mounts(),
        namespaces=len(namespaces(pids)),
        blocks=sys.getallocatedblocks(),
        kib=resident_kib(os.getpid()),
        zygote_kib=max(map(resident_kib, pids), default=0),
    )


def families() -> list[list[int]]:
    """Return, for each child of this process, the child and all its descendants, including zombies."""
    there = processes()
    mine = sorted(pid for pid, process in there.items() if process.parent == os.getpid())
    return [[pid, *below(pid, there)] for pid in mine]


def mounts() -> int:
    """Return the number of this process's mounts, without named network namespaces, which jails do not use."""
    points = [f"{line.split()[4]}/" for line in Path("/proc/self/mountinfo").read_text().splitlines()]
    return sum(not point.startswith("/run/netns/") for point in points)


def namespaces(pids: list[int]) -> set[str]:
    """Return the namespaces of these processes that are not this process's own."""
    return {link for pid in pids for link in _namespaces(pid)} - _namespaces(os.getpid())


def _namespaces(pid: int) -> set[str]:
    ids = set()
    for kind in ("cgroup", "ipc", "mnt", "net", "pid", "pid_for_children", "user", "uts"):
        with suppress(OSError):
            ids.add(os.readlink(f"/proc/{pid}/ns/{kind}").replace("pid_for_children", "pid"))
    return ids


def resident_kib(pid: int) -> int:
    """Return the resident memory of a process in KiB, 0 if it is gone."""
    try:
        return int(Path(f"/proc/{pid}/statm").read_bytes().split()[1]) * PAGE_KIB
    except OSError:
        return 0


def soaked(matches: int, samples: int = SAMPLES) -> Soaked:
    """Play a number of matches without root, and return the results."""
    for name in GAME_NAMES:
        game_named(name)
    prepare()
    values: dict[str, Any] = run_as_jail_user(lambda: asdict(run(matches, samples)))
    return Soaked(**{**values, "samples": [Sample(**sample) for sample in values["samples"]]})


def section(result: Soaked) -> Section:
    """Return a table of some of the samples, and the verdict."""
    some = [result.samples[0], *result.samples[1:-1][:: max(1, len(result.samples) // 10)], result.samples[-1]]
    rows = tuple([tuple([str(value) for value in asdict(sample).values()]) for sample in some])
    faults = ", ".join(f"{count} x {kind}" for kind, count in sorted(result.faults.items()))
    counted = f"{some[-1].matches} matches in {result.seconds:.0f} s; faults, as meant: {faults}"
    verdict = [f"WRONG: {problem}" for problem in result.problems] or ["Nothing was left over."]
    table = Table("soak", "What there is between two matches", tuple(asdict(some[0])), rows)
    return Section("soak", (table,), (counted, *verdict))


def main() -> int:
    """Play, print, and return the exit status."""
    line = parser("benchmarks.soak", "Many matches in a row.")
    line.add_argument("--matches", type=int, default=10_000, help="how many (10000)")
    options = line.parse_args()
    result = soaked(options.matches)
    publish(options, [section(result)], asdict(result))
    return 1 if result.problems else 0


if __name__ == "__main__":
    sys.exit(main())
