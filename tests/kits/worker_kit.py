"""Match workers as processes: what they are sent, what they say, and waiting for it."""

import os
import subprocess
import time
from base64 import b64decode
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec
from tests.kits.core_kit import GAME
from tests.sandbox.staging import Machine

from gangland_ladder.matches.match_orders import Claim, Order, Result, Seat, encode
from gangland_sandbox.limits import Limits
from gangland_web.broker.link import connect
from gangland_web.broker.server import BrokerPlan
from gangland_web.workers.players import CodeStore, Player

GOOD = b"""from gangland import gang_of_dice


class Plain(gang_of_dice.Bot):
    def choose_dice(self, view):
        self.log("round", view.round)
        return 1
"""


SLOW = b"""import os

from gangland import gang_of_dice


class Slow(gang_of_dice.Bot):
    def choose_dice(self, view):
        os.read(3, 1)  # the next question, which does not come before the answer
"""


def hashed(source: bytes) -> str:
    return sha256(source).hexdigest()


def order_of(*sources: bytes, until: float = 4e9, check: int | None = None) -> Order:
    seats = [Seat(entry=i, name=f"bot{i}", code=hashed(source)) for i, source in enumerate(sources)]
    limits = Limits.plain(1).to_dict()
    return Order(7, "token", until, GAME, {}, ["ab" * 32], "cd" * 32, seats, dict(limits), check)


class Said:
    def __init__(self) -> None:
        self.words: list[str] = []
        self.results: list[Result] = []

    def begun(self, order: Order) -> None:
        self.words.append("begun")

    def beat(self, order: Order) -> None:
        self.words.append("beat")

    def progress(self, order: Order, stage: str) -> None:
        self.words.append(stage)

    def result(self, result: Result) -> None:
        self.words.append("result")
        self.results.append(result)

    def returned(self, order: Claim | Order) -> None:
        self.words.append("returned")


def play(order: Order, *sources: bytes) -> Said:
    output = Said()
    shelf = {hashed(source): source for source in sources}
    Player(output, CodeStore(shelf.get), lambda: None, lambda: output.words.append("ends")).play(encode(order).decode())
    return output


def wait_for(happened: object, process: subprocess.Popen[bytes], log: Path) -> None:
    """Wait until something has happened; fail with the worker's log if it ends before."""
    for _ in range(12_000):
        if happened():  # type: ignore[operator]
            return
        assert process.poll() is None, log.read_text()
        time.sleep(0.02)
    raise AssertionError(log.read_text())


WELL = Machine("well", "", "")


@contextmanager
def a_worker(broker: BrokerPlan, command: list[str], log: Path, **settings: str) -> Iterator[subprocess.Popen[bytes]]:
    settings = {"WORKER_REDIS_URL": broker.worker_redis_url, "GANGLAND_SLOT": "1", **settings}
    with a_process(command, log, **settings) as process:
        yield process


@contextmanager
def a_process(command: list[str], log: Path, **settings: str) -> Iterator[subprocess.Popen[bytes]]:
    names = ("PATH", "HOME", "XDG_DATA_HOME", "GANGLAND_RUNTIME_DIR")
    kept = {name: os.environ[name] for name in names if name in os.environ}
    with (
        log.open("ab") as file,
        subprocess.Popen(command, env={**kept, **settings}, stderr=file, stdout=file) as process,
    ):
        try:
            yield process
        finally:
            process.terminate()
            process.wait()


def messages_in(broker: BrokerPlan, queue: str) -> list[tuple[str, list[Any]]]:
    lying: Any = connect(broker.redis_url).lrange(queue, 0, -1)
    messages = [msgspec.json.decode(message) for message in reversed(lying)]
    return [(one["headers"]["task"], msgspec.json.decode(b64decode(one["body"]))[0]) for one in messages]
