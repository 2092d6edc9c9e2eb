"""One hostile bot in a real match against two honest ones, and the same match with a harmless bot in its place.

The honest bots record their views, random numbers and process; all of it has to be equal in both matches.
"""

import os
import random
import runpy
import shutil
import tempfile
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Self

from tests.kits.local_match import match_job_of
from tests.sandbox import leftovers, trial, zip_kit

from gangland.blocks import seating
from gangland.replay import expand, load
from gangland_ladder.matches import match_jobs, referee, seeds
from gangland_sandbox import runtime
from gangland_sandbox.limits import Limits
from gangland_sandbox.pool import Pool

HOSTILE = Path(__file__).resolve().parent.parent / "hostile"
SEATS = 3
LIMITS = Limits(
    bank_cpu_s=1.0, bank_wall_s=1.2, decision_cpu_s=0.4, import_cpu_s=0.5, import_wall_s=1.2, memory_mib=64
)  # fmt: skip
"""Small enough that a bot which uses them up does not keep the tests waiting."""
HONEST = """
import fcntl
import os
import random
import sys
from zlib import crc32

from gangland import {package}


def descriptors():
    found = []
    for number in range(32):
        try:
            fcntl.fcntl(number, fcntl.F_GETFD)
        except OSError:
            continue
        found.append(number)
    return found


class Honest({package}.Bot):
    games = 0

    def note(self, *words):
        self.log(*words, self.rng.random(), random.random())

    def on_game_start(self, start):
        self.games += 1
        assert descriptors() == [0, 1, 2, 3, 4], descriptors()
        self.note("start", self.games, start.seat, start.seats, len(sys.modules), sorted(os.environ))

    def on_game_end(self, end):
        self.note("end", end.places, end.faulted, end.reason)
{methods}
"""
METHODS = {
    "gang-of-dice": """
    def choose_dice(self, view):
        self.note("dice", crc32(repr(view.wire).encode()))
        return 1 + self.rng.randrange(view.pool)

    def choose_reroll(self, view):
        self.note("reroll", crc32(repr(view.wire).encode()))
        return view.dice[: self.rng.randrange(len(view.dice) + 1)] if view.triggered else []
""",
    "gangster-dice": """
    def choose_bids(self, view):
        self.note("bids", crc32(repr(view.wire).encode()))
        tokens = self.rng.sample(list(view.legal_tokens), view.bids_required)
        return list(zip(tokens, self.rng.sample(list(view.hand), view.bids_required)))
""",
}
SUBJECT = b"""from gangland import gang_of_dice

%s

class Subject(gang_of_dice.Bot):
    choose_dice = choose_dice
"""
PUPPET = """
from gangland import {package}

SCRIPT = {script!r}


class Puppet({package}.Bot):
    def on_game_start(self, start):
        self.lines = list(SCRIPT[self.rng.getrandbits(64)])
        self.stop("start")

    def choose_dice(self, view):
        raise NotImplementedError

    def act(self, decision):
        self.stop("decision")
        return self.lines.pop(0)

    def on_game_end(self, end):
        self.stop("end")

    def stop(self, here):
        if self.lines and self.lines[0] == here:
            raise RuntimeError("the script ends here")

    @classmethod
    def encode(cls, kind, answer):
        return answer
"""

Script = dict[int, list[Any]]


@dataclass(frozen=True)
class Expected:
    """A folder's `expect.toml`; `later`: more kinds for later failures; `caught_as`: a folder that is stopped alike."""

    name: str
    game: str
    category: str
    caught_as: str
    kinds: tuple[str, ...]
    later: tuple[str, ...]
    stage: str
    says: str
    limits: dict[str, Any]
    games: int

    @classmethod
    def of(cls, name: str) -> Self:
        document = tomllib.loads((HOSTILE / name / "expect.toml").read_text())
        kind, later = document["kind"], document.get("later", [])
        kinds = tuple(kind) if isinstance(kind, list) else (kind,)
        stage, says, caught_as = (document.get(name, "") for name in ("stage", "says", "caught_as"))
        game, category, games = document["game"], document["category"], document.get("games", 1)
        return cls(name, game, category, caught_as, kinds, tuple(later), stage, says, document.get("limits", {}), games)

    @property
    def place(self) -> int:
        return sum(self.name.encode()) % SEATS


@dataclass(frozen=True)
class Match:
    """A match of one bot against two honest ones, one game a block; `place` is the bot's seat in the job."""

    game: str
    source: bytes
    place: int
    limits: Limits
    blocks: int

    @property
    def job(self) -> match_jobs.MatchJob:
        return match_job_of(self.game, SEATS, self.blocks, self.limits, seed=4)

    @property
    def codes(self) -> dict[str, bytes]:
        seats = self.job.seats
        return dict.fromkeys((seat.code for seat in seats), honest(self.game)) | {seats[self.place].code: self.source}


@dataclass(frozen=True)
class Run:
    match: Match
    result: match_jobs.Result


@dataclass(frozen=True)
class Attacks:
    attacked: dict[str, Run]
    controls: dict[str, Run]
    left: list[str]


def folders() -> list[str]:
    return sorted(folder.name for folder in HOSTILE.iterdir() if (folder / "expect.toml").is_file())


def upload_of(name: str) -> bytes:
    """Return what the author of a folder uploads: `bot.py`, a method in it, a zip, or what `make.py` builds."""
    folder = HOSTILE / name
    if (folder / "make.py").is_file():
        built: bytes = runpy.run_path(str(folder / "make.py"))["build"]()
        return built
    if (folder / "files").is_dir():
        paths = sorted((folder / "files").rglob("*.py"))
        return zip_kit.zipped({str(path.relative_to(folder / "files")): path.read_bytes() for path in paths})
    shared = tomllib.loads((folder / "expect.toml").read_text()).get("shared")
    method, bot = folder / "choose_dice.py", folder / "bot.py"
    source = SUBJECT % method.read_bytes() if method.is_file() else bot.read_bytes()
    return zip_kit.zipped({"bot.py": source, shared: (HOSTILE / shared).read_bytes()}) if shared else source


def play_attacks(expectations: Sequence[Expected], limits: Limits = LIMITS, games: int | None = None) -> Attacks:
    """Play hostile bots, then the same matches with harmless bots, all with one referee and one pool of jails."""
    matches = {
        expected.name: Match(
            expected.game,
            upload_of(expected.name),
            expected.place,
            replace(limits, **_at_least(limits, expected.limits)),
            games or expected.games,
        )
        for expected in expectations
    }
    attacked, left = _play([*matches.values()])
    runs = dict(zip(matches, attacked, strict=True))
    quiet = {name: control(run) for name, run in runs.items() if run.result.void is None}
    different = [*dict.fromkeys(quiet.values())]  # most attacks end at their first decision: they share a control
    controls, _ = _play(different)
    played = dict(zip(different, controls, strict=True))
    return Attacks(runs, {name: played[match] for name, match in quiet.items()}, left)


def _at_least(limits: Limits, wanted: Mapping[str, Any]) -> dict[str, Any]:
    return {**wanted, "memory_mib": max(limits.memory_mib, wanted.get("memory_mib", 0))}


def _play(matches: Sequence[Match]) -> tuple[list[Run], list[str]]:
    """Play matches in a process without root; return also what they left behind there."""
    jobs = [(match.job, match.codes) for match in matches]
    document = trial.apart(lambda: _play_here(jobs))
    results = [match_jobs.decode_result(result) for result in document["results"]]
    return [Run(match, result) for match, result in zip(matches, results, strict=True)], document["left"]


def _play_here(jobs: Sequence[tuple[match_jobs.MatchJob, dict[str, bytes]]]) -> dict[str, list[str]]:
    """Play one rotation of each, and look around before the first and after the last."""
    leftovers.adopt_orphans()
    os.sched_setaffinity(0, {_core()})  # as at a table: whoever thinks on does so on the others' core
    where = Path(tempfile.mkdtemp(prefix=leftovers.OF_THE_TESTS))
    os.chdir(where)
    found = runtime.prepare()
    assert found.python is not None
    watched = (where, found.app, found.python)
    before = leftovers.around(watched)
    with Pool() as pool:
        results = [referee.play_match(job, codes, pool=pool, rotations=1) for job, codes in jobs]
    left = leftovers.difference(before, watched)
    os.chdir("/")
    shutil.rmtree(where)
    return {"results": [match_jobs.encode(result).decode() for result in results], "left": left}


def _core() -> int:
    cores, worker = sorted(os.sched_getaffinity(0)), os.environ.get("PYTEST_XDIST_WORKER", "gw0")
    return cores[int(worker.removeprefix("gw")) % len(cores)]


def honest(game: str) -> bytes:
    return HONEST.format(package=game.replace("-", "_"), methods=METHODS[game]).encode()


def control(attacked: Run) -> Match:
    return replace(attacked.match, source=puppet(attacked.match.game, script_of(attacked)))


def puppet(game: str, script: Script) -> bytes:
    """Return a harmless bot that plays a script: the answers for the first draw of each game."""
    return PUPPET.format(package=game.replace("-", "_"), script=script).encode()


def script_of(attacked: Run) -> Script:
    key, script = bytes.fromhex(attacked.match.job.rng_key), {}
    for record, seat in seats_in(attacked):
        draw = random.Random(seeds.rng_seed(key, record.block, record.rotation, seat)).getrandbits(64)
        script[draw] = lines_of(record, seat)
    return script


def lines_of(record: match_jobs.GameRecord, seat: int) -> list[Any]:
    replay = load(record.replay)
    failures = dict(replay.faults)
    lines = [
        answer.decision
        for step in expand(replay)
        for answer in step.answers
        if answer.seat == seat and not answer.by_default and answer.number not in failures.values()
    ]
    if seat in failures:
        return [*lines, "start" if failures[seat] is None else "decision"]
    return [*lines, "end"] if any(fault.seat == seat for fault in record.faults) else lines


def stage_of(record: match_jobs.GameRecord, seat: int) -> str:
    """Return the stage of a seat's failure: start (loading included), decision or end."""
    lines = lines_of(record, seat)
    return lines[-1] if lines and isinstance(lines[-1], str) else ""


def seats_in(attacked: Run) -> Iterator[tuple[match_jobs.GameRecord, int]]:
    for record in attacked.result.games:
        assert tuple(record.seating) == seating(record.block, record.rotation, SEATS)
        yield record, record.seating.index(attacked.match.place)
