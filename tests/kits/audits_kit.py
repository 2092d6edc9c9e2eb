"""Several worker hosts of one platform; some of the hosts cannot be trusted."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

import msgspec
from tests.kits.core_kit import Dicer, FakeBroker, Platform, play_job
from tests.kits.models import Audit, AuditDifference, Verdict, WorkerHost, col, row_id, select

from gangland import blocks, match
from gangland.faults import BotFault
from gangland.games import game_named
from gangland.view import View
from gangland_ladder.matches.judging import views_digest
from gangland_ladder.matches.match_jobs import FaultRecord, GameRecord, MatchJob, Result
from gangland_web.services.worker_hosts import create_host

Plays = Callable[[MatchJob], Result]


class Greedy:
    def decide(self, kind: str, view: View, number: int) -> object:
        return view.pool if kind == "dice" else []  # type: ignore[attr-defined]


def honest(job: MatchJob) -> Result:
    return play_job(job)


def forging(job: MatchJob) -> Result:
    """Play a job with greedy bots, which lose, in every seat except the first."""
    return play_with(job, lambda entry: Greedy() if entry != job.seats[0].entry else None)


def play_with(
    job: MatchJob, player: Callable[[int], object | None], document: Mapping[int, BotFault] | None = None
) -> Result:
    """Play a job with other players for some entries, and with faults before each game for others."""
    true = play_job(job)
    games = [_game(job, game, player, document or {}) for game in true.games]
    return msgspec.structs.replace(true, games=games)


def _game(
    job: MatchJob, game: GameRecord, player: Callable[[int], object | None], document: Mapping[int, BotFault]
) -> GameRecord:
    sitting = blocks.seating(game.block, game.rotation, len(job.seats))
    entries = [job.seats[index].entry for index in sitting]
    players = [player(entry) or Dicer(entry) for entry in entries]
    failed = {seat: document[entry] for seat, entry in enumerate(entries) if entry in document}
    seed = bytes.fromhex(job.blocks[game.block])
    played = match.play(game_named(job.game), players, seed, early_faults=failed)  # type: ignore[arg-type]
    faults = [FaultRecord(f.seat, f.kind.value, f.message, f.round, f.decision) for f in played.faults]
    return msgspec.structs.replace(
        game, replay=played.replay.to_json(), views=views_digest(played.replay), faults=faults
    )


@dataclass
class HostsBroker(FakeBroker):
    """Stores the messages to each host; a stopped host gets no answer."""

    hosts: dict[str, int] = field(default_factory=dict)

    def slots(self) -> dict[str, int]:
        return dict(self.hosts)

    def checkers(self) -> dict[str, int]:
        return {}

    def table_workers(self) -> dict[str, int]:
        return {}

    def _place(self, queue: str) -> str:
        return queue.partition(":")[2]

    def _waiting(self, kind: str, host: str = "") -> int:
        return sum(place == host for place, _ in self.sent)

    def withdraw(self, queues: Iterable[str]) -> None:
        hosts = {queue.partition(":")[2] for queue in queues}
        self.sent = [(to, job) for to, job in self.sent if to not in hosts]


def add_hosts(platform: Platform, *names: str) -> list[int]:
    """Replace this machine by worker hosts with two slots each, and return their ids."""
    ids = [row_id(platform.write(create_host, name, f"the password of {name}").id) for name in names]
    platform.post = platform.recorder.broker = HostsBroker(hosts=dict.fromkeys(names, 2))
    return ids


def play_on(platform: Platform, hosts: Mapping[str, Plays], rounds: int = 100) -> int:
    """Play each job on the host that receives it until none is sent; return the number of matches."""
    played, post = 0, platform.recorder.broker
    assert isinstance(post, HostsBroker)
    for _ in range(rounds):
        platform.recorder.schedule()
        platform.recorder.sweep()
        if not post.sent:
            return played
        while post.sent:
            name, job = post.sent.pop(0)
            if platform.begin(job, name).verdict is Verdict.ALIVE:
                platform.result(job, hosts[name](job), name)
                played += 1
    raise AssertionError("it never ends")


def audits(platform: Platform) -> list[Audit]:
    return platform.rows(select(Audit).order_by(col(Audit.id)))


def differences(platform: Platform) -> list[AuditDifference]:
    return platform.rows(select(AuditDifference).order_by(col(AuditDifference.id)))


def host(platform: Platform, number: int) -> WorkerHost:
    return platform.get(WorkerHost, number)
