"""Run match workers as processes, send them messages, and wait for their answers."""

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
from tests.kits import broker_kit, core_kit
from tests.sandbox.staging import Machine

from gangland_ladder.common.release import this_release
from gangland_ladder.matches.match_jobs import MatchJob, Result, Seat
from gangland_sandbox.limits import Limits
from gangland_web.broker import gate, link
from gangland_web.broker.names import TASK_RUN
from gangland_web.broker.server import BrokerPlan
from gangland_web.workers.celery_app import make_celery, send
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


def match_job_of(*sources: bytes, check: int | None = None) -> MatchJob:
    seats = [Seat(entry=i, name=f"bot{i}", code=hashed(source)) for i, source in enumerate(sources)]
    limits = Limits.plain(1).to_dict()
    return MatchJob(7, core_kit.GAME, {}, ["ab" * 32], "cd" * 32, seats, dict(limits), check)


def message_of(job: MatchJob, until: float = 4e9, release: str = "") -> gate.Message:
    plain = MatchJob(**{name: getattr(job, name) for name in MatchJob.__struct_fields__})
    body = msgspec.Raw(msgspec.json.encode(plain))
    return gate.Message("ladder", job.id, "token", body, until, release or this_release())


def send_run(broker: BrokerPlan, job: MatchJob, queue: str = broker_kit.LOCAL_MATCHES, release: str = "") -> None:
    send(make_celery(broker.redis_url), TASK_RUN, [gate.encode_message(message_of(job, release=release))], queue)


class Said:
    def __init__(self) -> None:
        self.words: list[str] = []
        self.results: list[Result] = []

    def report_progress(self, message: gate.Message, body: Any = None) -> None:
        self.words.append("alive" if body is None else body["stage"])

    def send_result(self, message: gate.Message, result: Any, within_s: float = 0.0) -> None:
        self.words.append("result")
        self.results.append(result)

    def return_job(self, message: gate.Message) -> None:
        self.words.append("returned")


def play(job: MatchJob, *sources: bytes, until: float = 4e9, token: str = "token") -> Said:
    output = Said()
    shelf = {hashed(source): source for source in sources}
    player = Player(output, CodeStore(shelf.get), lambda: None, lambda: output.words.append("ends"))
    player.play(msgspec.structs.replace(message_of(job, until), token=token))
    return output


def wait_for(happened: object, process: subprocess.Popen[bytes], log: Path) -> None:
    """Wait for a condition; fail with the worker's log if the worker ends first."""
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
    with log.open("ab") as file, subprocess.Popen(command, env=kept | settings, stderr=file, stdout=file) as process:
        try:
            yield process
        finally:
            process.terminate()
            process.wait()


def messages_in(broker: BrokerPlan, queue: str) -> list[tuple[str, gate.Message]]:
    lying: Any = link.connect(broker.redis_url).lrange(queue, 0, -1)
    items = [msgspec.json.decode(item) for item in reversed(lying)]
    texts = [msgspec.json.decode(b64decode(item["body"]))[0][0] for item in items]
    return [(item["headers"]["task"], gate.decode_message(text)) for item, text in zip(items, texts, strict=True)]
