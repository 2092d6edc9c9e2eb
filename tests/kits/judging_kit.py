"""A match job, its games as a worker plays them, and the result that the worker sends."""

from collections.abc import Iterator

from gangland import blocks, games, match
from gangland.faults import BotFault, FaultKind
from gangland.view import View
from gangland_ladder.matches import judging, match_jobs, seeds

GAME = "gang-of-dice"

SECRET = seeds.local_secret(3, b"")

JOB = match_jobs.MatchJob(
    id=5,
    game=GAME,
    options={},
    blocks=[seeds.block_seed(SECRET, b"", 5, block).hex() for block in range(2)],
    rng_key="0" * 64,
    seats=[match_jobs.Seat(entry=entry, name=f"bot{entry}", code="0" * 64) for entry in (2, 4)],
    limits={},
)


class Defaults:
    def __init__(self, fails_at: int | None = None) -> None:
        self.asked = 0
        self.fails_at = fails_at

    def decide(self, kind: str, view: View, number: int) -> object:
        self.asked += 1
        if self.asked - 1 == self.fails_at:
            raise BotFault(FaultKind.CRASHED, "it broke")
        return 1 if kind == "dice" else []


def played(job: match_jobs.MatchJob, block: int, *players: Defaults) -> match.FinishedGame:
    return match.play(games.game_named(job.game), players or [Defaults()] * 2, bytes.fromhex(job.blocks[block]))


def records(job: match_jobs.MatchJob, *, first: match.FinishedGame | None = None) -> Iterator[match_jobs.GameRecord]:
    for block in range(len(job.blocks)):
        for rotation in range(2):
            game = first if first is not None and (block, rotation) == (0, 0) else played(job, block)
            faults = [match_jobs.FaultRecord(f.seat, f.kind.value, f.message, f.round, f.decision) for f in game.faults]
            sitting, views = list(blocks.seating(block, rotation, 2)), judging.views_digest(game.replay)
            yield match_jobs.GameRecord(block, rotation, sitting, game.replay.to_json(), views, faults, ["", ""])


def result(job: match_jobs.MatchJob = JOB, first: match.FinishedGame | None = None) -> match_jobs.Result:
    return match_jobs.Result(games=list(records(job, first=first)))
