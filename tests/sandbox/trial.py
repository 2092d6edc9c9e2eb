"""Plays one bot in a process apart, without root, and tells all that came of it."""

import json
import os
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import wraps
from pathlib import Path
from typing import Any, ParamSpec

from tests.kits.processes_kit import families

from gangland.bot import GameEnd
from gangland.chance import SeededChance
from gangland.faults import BotFault, IllegalDecision
from gangland.games import game_named
from gangland_sandbox import asking, clock, errors, jail, privileges, runtime
from gangland_sandbox.limits import Limits

P = ParamSpec("P")
GAME = "gang-of-dice"
SEED = bytes(range(32))
TIGHT = Limits(
    bank_cpu_s=0.8, bank_wall_s=1.5, decision_cpu_s=0.3, import_cpu_s=0.5, import_wall_s=1.5, memory_mib=128
)  # fmt: skip
"""Small enough that a bot which uses them up does not keep the tests waiting."""

HONEST = b"""
from gangland import gang_of_dice


class Honest(gang_of_dice.Bot):
    def choose_dice(self, view):
        return 1 + self.rng.randrange(view.pool)
"""


@dataclass
class Told:
    """The result of a trial; `kind` is the fault, `none`, or `SandboxError` if the jail was blamed."""

    kind: str = "none"
    stage: str = "import"
    message: str = ""
    answers: list[Any] = field(default_factory=list)
    log: str = ""
    cpu_s: float = 0.0
    wall_s: float = 0.0
    banks: tuple[float, float] = (0.0, 0.0)
    left: list[str] = field(default_factory=list)
    name: str = ""


def apart(function: Callable[[], Any]) -> Any:
    """Return a function's plain JSON value from a forked child without root, which has all modules loaded."""
    runtime.prepare()
    document, telling = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(document)
        privileges._run_and_exit(function, privileges.drop, telling)
    os.close(telling)
    with open(document, "rb") as answer:
        text = answer.read()
    _, status = os.waitpid(child, 0)
    assert status == 0, text.decode()
    return json.loads(text)


def in_a_child(test: Callable[P, None]) -> Callable[P, None]:
    @wraps(test)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        apart(lambda: test(*args, **kwargs))

    return run


def play(source: bytes, *, filename: str = "subject.py", games: int = 1, **how: Any) -> Told:
    return Told(**apart(lambda: vars(play_here(source, filename=filename, games=games, **how))))


def play_here(
    source: bytes,
    *,
    filename: str = "subject.py",
    games: int = 1,
    game: str = GAME,
    limits: Limits = TIGHT,
    mode: str = jail.Mode.JAIL,
    seeds: tuple[bytes, ...] = (SEED,),
) -> Told:
    before, children = open_descriptors(), children_here()
    document = Told()
    banks = clock.Banks.full(limits)
    bot: asking.BotProcess | None = None
    try:
        bot = asking.BotProcess.open(source, filename=filename, game=game, limits=limits, mode=mode, banks=banks)
        document.name = bot.name
        for number in range(games):
            _play_one(bot, document, game, seeds[number % len(seeds)])
    except BotFault as fault:
        document.kind, document.message = str(fault.kind), fault.message
    except errors.UploadRejected as rejected:
        document.kind, document.message = "rejected", rejected.message
    except IllegalDecision as refused:
        document.kind, document.message = "illegal", str(refused)
    except errors.SandboxError as failure:
        document.kind, document.message = "SandboxError", str(failure)
    if bot is not None:
        document.log += bot.take_log()
        bot.close()
        bot.close()
        document.cpu_s, document.wall_s = bot.cpu_s, bot.wall_s
        document.left += what_is_left(bot.pid)
    document.left += [f"child {pid}" for pid in sorted(children_here() - children)]
    document.banks = (banks.cpu_left_s, banks.wall_left_s)
    document.left += [f"descriptor {number}" for number in sorted(open_descriptors() - before)]
    return document


def _play_one(bot: asking.BotProcess, document: Told, game_name: str, seed: bytes) -> None:
    game, chance = game_named(game_name), SeededChance(seed)
    options = game.options({})
    document.stage = "start"
    bot.start_game(seat=0, seats=2, options={}, rng_seed=seed)
    document.stage = "decision"
    state, _ = game.start(2, options, chance)
    while (outcome := game.outcome(state)) is None:
        decisions = {}
        for question in game.pending(state):
            if question.seat == 0:
                answer = bot.ask(question.kind, game.observe(state, 0).wire, len(document.answers))
                document.answers.append(answer)
                decisions[0] = game.check(state, 0, answer)
            else:
                decisions[question.seat] = game.default(state, question.seat)
        state, _ = game.resolve(state, decisions, chance)
    document.stage = "end"
    bot.end_game(GameEnd(outcome.places, (), str(outcome.reason)))


def what_is_left(pid: int) -> list[str]:
    left = []
    for _ in range(100):
        if not Path(f"/proc/{pid}").exists():
            break
        time.sleep(0.01)
    else:
        left.append(f"process {pid}")
    return left


def children_here() -> set[int]:
    return set(families()[os.getpid()])


def open_descriptors() -> set[int]:
    found = set()
    for number in range(512):
        try:
            os.fstat(number)
        except OSError:
            continue
        found.add(number)
    return found


def bot_of(body: str, imports: str = "") -> bytes:
    lines = "\n".join(f"        {line}" for line in body.splitlines())
    head = f"{imports}\nfrom gangland import gang_of_dice\n\n" if imports else "\nfrom gangland import gang_of_dice\n\n"
    return f"{head}class Subject(gang_of_dice.Bot):\n    def choose_dice(self, view):\n{lines}\n".encode()


def raised(function: Callable[[], Any]) -> str:
    """Return the kind of fault that a call ends with, the exception's name, or `none`."""
    try:
        function()
    except BotFault as fault:
        return str(fault.kind)
    except BaseException as failure:  # noqa: BLE001  (whatever it is, it is the answer)
        return type(failure).__name__
    return "none"
