"""Cases run one after the other in a process with a cap on its memory, and each with one on its CPU time."""

import resource
import signal
import traceback
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from types import FrameType
from typing import Any, Final

from tests.fuzz.archives import Archives
from tests.fuzz.case import Case, Target
from tests.fuzz.replays import Replays
from tests.fuzz.uploads import Uploads

TARGETS: Final[dict[str, Callable[[Path], Target]]] = {"uploads": Uploads, "replays": Replays, "archives": Archives}
SHARES: Final = {"uploads": 3, "replays": 4, "archives": 3}  # of ten cases
MEMORY_BYTES: Final = 384 << 20  # a process may map this much more than at its start
CPU_S: Final = 10  # of one case
SHRINKS: Final = 200


class TooLong(BaseException):
    """A case took too much CPU time; not an Exception, so no handler of ours catches it."""


@dataclass(frozen=True, slots=True)
class Finding:
    target: str
    number: int
    way: str
    error: str
    data: bytes


@dataclass
class Tally:
    verdicts: dict[str, Counter[str]] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)
    peak_mib: int = 0
    cpu_s: float = 0.0

    def count(self, target: str, verdict: str) -> None:
        self.verdicts.setdefault(target, Counter())[verdict] += 1


def target_of(number: int) -> str:
    dealt = [name for turn in range(max(SHARES.values())) for name in SHARES if SHARES[name] > turn]
    return dealt[number % len(dealt)]


def case_of(target: Target, name: str, seed: int, number: int) -> Case:
    return target.make(Random(f"{seed} {name} {number}"))


def run_cases(seed: int, numbers: Iterable[int], begun: Callable[[int], None] | None = None) -> Tally:
    """Run cases under memory and CPU caps that stay on this process; `begun` gets each number first."""
    tally = Tally()
    before = resource.getrusage(resource.RUSAGE_SELF)  # what a process that was forked has of its parent
    with TemporaryDirectory(prefix="gangland-fuzz-") as folder:
        targets = {name: made(_made(Path(folder) / name)) for name, made in TARGETS.items()}
        with _memory_capped():
            for number in numbers:
                if begun is not None:
                    begun(number)
                name = target_of(number)
                case = case_of(targets[name], name, seed, number)
                run_one(tally, targets[name], name, case, number)
    usage = resource.getrusage(resource.RUSAGE_SELF)
    tally.peak_mib = (usage.ru_maxrss - before.ru_maxrss) // 1024
    tally.cpu_s = usage.ru_utime + usage.ru_stime
    return tally


def _made(folder: Path) -> Path:
    folder.mkdir()
    return folder


def run_one(tally: Tally, target: Target, name: str, case: Case, number: int) -> None:
    """Run a case and record its verdict; a finding is shrunk while it fails the same way."""
    error, verdict = _tried(target, case, number)
    tally.count(name, verdict)
    if error is not None:
        result = "".join(traceback.format_exception(error))
        tally.findings.append(Finding(name, number, case.way, result, shrunk(target, case, number, error)))


def _tried(target: Target, case: Case, number: int) -> tuple[BaseException | None, str]:
    try:
        with _time_capped():
            return None, target.run(case, number)
    except (Exception, SystemExit, TooLong) as error:  # noqa: BLE001 (every kind of failure is what is looked for)
        return error, "FOUND"


def shrunk(target: Target, case: Case, number: int, error: BaseException) -> bytes:
    """Return the smallest file that fails in the same way and place."""
    data, tries, step = case.data, 0, max(1, len(case.data) // 2)
    if isinstance(error, TooLong):
        return data
    while step and tries < SHRINKS:
        at = 0
        while at < len(data) and tries < SHRINKS:
            tries += 1
            less = data[:at] + data[at + step :]
            again, _ = _tried(target, Case(less, case.filename, case.way), number)
            if again is not None and _mark(again) == _mark(error):
                data = less
            else:
                at += step
        step //= 2
    return data


def _mark(error: BaseException) -> tuple[Any, ...]:
    last = traceback.extract_tb(error.__traceback__)[-1]
    return type(error), last.filename, last.lineno


@contextmanager
def _memory_capped() -> Iterator[None]:
    before = resource.getrlimit(resource.RLIMIT_AS)
    mapped = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (mapped + MEMORY_BYTES, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)


@contextmanager
def _time_capped() -> Iterator[None]:
    """Interrupt what takes too long; the parent kills what cannot be interrupted."""
    before = signal.signal(signal.SIGVTALRM, _too_long)
    signal.setitimer(signal.ITIMER_VIRTUAL, CPU_S)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def _too_long(_number: int, _frame: FrameType | None) -> None:
    raise TooLong(f"more than {CPU_S} s of CPU time")
