"""One hostile bot in a real match against two honest ones, and the same match without it.

The control run seats a harmless bot in the attacker's place that decides as the attacker did and
stops where it stopped.  Whatever else the attacker did must then show nowhere: the honest bots
write down every view that they are shown, every number that they draw and what their process
looks like, and all of it has to be the same to the letter.
"""

from __future__ import annotations

import os
import random
import runpy
import shutil
import tempfile
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import msgspec
from tests.kits.local_match import order_of
from tests.sandbox import leftovers
from tests.sandbox.trial import apart

from gangland.blocks import seating
from gangland.replay import expand, load
from gangland_ladder.matches.orders import GameRecord, Order, Result, decode_result, encode
from gangland_ladder.matches.referee import play_match
from gangland_ladder.matches.seeds import rng_seed
from gangland_sandbox import runtime
from gangland_sandbox.limits import Limits

HOSTILE = Path(__file__).resolve().parent.parent / "hostile"
SEATS, BLOCKS = 3, 2
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
    """What a folder's `expect.toml` says.

    Attributes:
        kinds: the faults that the first failure may have; `none` where the bot plays on.
        later: kinds that later failures may have besides, such as an empty bank.
        stage: import, start, decision or end.
        limits: what differs from `LIMITS`, where a bot has to come up against one limit and no other.
        in_one_game: whether the first game shows all: the bot fails in it, and likewise in the next.
    """

    name: str
    game: str
    category: str
    kinds: tuple[str, ...]
    later: tuple[str, ...]
    stage: str
    limits: dict[str, Any]
    in_one_game: bool

    @classmethod
    def of(cls, name: str) -> Expected:
        """Read a folder's expectation."""
        document = tomllib.loads((HOSTILE / name / "expect.toml").read_text())
        kind, later = document["kind"], document.get("later", [])
        kinds = tuple(kind) if isinstance(kind, list) else (kind,)
        stage, limits = document.get("stage", ""), document.get("limits", {})
        in_one_game = document.get("in_one_game", not later and "none" not in kinds)
        return cls(name, document["game"], document["category"], kinds, tuple(later), stage, limits, in_one_game)

    @property
    def place(self) -> int:
        """The attacker's index in the order, spread over all by name."""
        return sum(self.name.encode()) % SEATS


@dataclass(frozen=True)
class Run:
    """A match that was played, and what it left behind."""

    order: Order
    place: int
    result: Result
    left: list[str]
    limits: Limits


def folders() -> list[str]:
    """Return the names of all hostile bots."""
    return sorted(folder.name for folder in HOSTILE.iterdir() if (folder / "expect.toml").is_file())


def upload_of(name: str) -> bytes:
    """Return what a folder's author uploads: `bot.py`, a zip of `files/`, or what `make.py` builds."""
    folder = HOSTILE / name
    if (folder / "make.py").is_file():
        built: bytes = runpy.run_path(str(folder / "make.py"))["build"]()
        return built
    if not (folder / "files").is_dir():
        return (folder / "bot.py").read_bytes()
    packed = BytesIO()
    with ZipFile(packed, "w") as file:
        for path in sorted((folder / "files").rglob("*.py")):
            file.write(path, path.relative_to(folder / "files"))
    return packed.getvalue()


def run(game: str, source: bytes, place: int, limits: Limits | None = None, blocks: int = BLOCKS) -> Run:
    """Play a bot against two honest ones, in a process of its own that holds no root."""
    limits = limits or LIMITS
    order = order_of(game, SEATS, blocks, limits, seed=4)
    codes = dict.fromkeys((seat.code for seat in order.seats), honest(game)) | {order.seats[place].code: source}
    document = apart(lambda: _play(order, codes))
    return Run(order, place, decode_result(document["result"]), document["left"], limits)


def _play(order: Order, codes: dict[str, bytes]) -> dict[str, Any]:
    """Play one rotation, and look around before and after."""
    leftovers.adopt_orphans()
    os.sched_setaffinity(0, {_core()})  # as at a table: whoever thinks on does so on the others' core
    where = Path(tempfile.mkdtemp(prefix=leftovers.OF_THE_TESTS))
    os.chdir(where)
    found = runtime.prepare()
    assert found.python is not None
    watched = (where, found.app, found.python)
    before = leftovers.around(watched)
    result = play_match(order, codes, rotations=1)
    left = leftovers.difference(before, watched)
    os.chdir("/")
    shutil.rmtree(where)
    return {"result": encode(result).decode(), "left": left}


def _core() -> int:
    """Return a core of this worker's own, where there are so many."""
    cores, worker = sorted(os.sched_getaffinity(0)), os.environ.get("PYTEST_XDIST_WORKER", "gw0")
    return cores[int(worker.removeprefix("gw")) % len(cores)]


def honest(game: str) -> bytes:
    """Return the bot that writes everything down."""
    return HONEST.format(package=game.replace("-", "_"), methods=METHODS[game]).encode()


def control(attacked: Run) -> Run:
    """Return the same match with a harmless bot that decides as the attacker did."""
    games = {seed: tuple(lines) for seed, lines in script_of(attacked).items()}
    order = attacked.order
    script = msgspec.json.encode([*games.items()])
    return _control(order.game, attacked.place, script, attacked.limits, len(order.blocks))


@cache
def _control(game: str, place: int, script: bytes, limits: Limits, blocks: int) -> Run:
    return run(game, puppet(game, dict(msgspec.json.decode(script))), place, limits, blocks)


def puppet(game: str, script: Script) -> bytes:
    """Return a harmless bot that plays a script: for the first draw of each game, what it answers."""
    return PUPPET.format(package=game.replace("-", "_"), script=script).encode()


def script_of(attacked: Run) -> Script:
    """Return what the attacker decided in each game, and where it stopped."""
    script = {}
    for record in attacked.result.games:
        seat = record.seating.index(attacked.place)
        key = bytes.fromhex(attacked.order.rng_key)
        draw = random.Random(rng_seed(key, record.block, record.rotation, seat)).getrandbits(64)
        script[draw] = lines_of(record, seat)
    return script


def lines_of(record: GameRecord, seat: int) -> list[Any]:
    """Return one seat's decisions in a game, ended by the stage of its fault."""
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


def stage_of(record: GameRecord, seat: int) -> str:
    """Return at which stage a seat failed in a game: start (loading included), decision or end."""
    lines = lines_of(record, seat)
    return lines[-1] if lines and isinstance(lines[-1], str) else ""


def seats_in(attacked: Run) -> Iterator[tuple[GameRecord, int]]:
    """Yield each game with the attacker's seat in it."""
    for record in attacked.result.games:
        assert tuple(record.seating) == seating(record.block, record.rotation, SEATS)
        yield record, record.seating.index(attacked.place)
