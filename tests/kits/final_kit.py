"""Play a tournament with a final table in this process, up to the stage that a test needs."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import time_machine
from tests.kits.core_kit import Failing, Platform, nobody_fails
from tests.kits.models import Match, Tournament, row_id, select
from tests.kits.tournaments_kit import TO_PLAY, go, make, seen

from gangland.faults import BotFault, FaultKind
from gangland_ladder.matches.match_jobs import MatchJob
from gangland_ladder.proof import archive_files, proving
from gangland_ladder.proof.archives import Content
from gangland_ladder.proof.findings import Proof
from gangland_ladder.rating.final_standings import standings
from gangland_ladder.tournaments.final_table import FinalTerms
from gangland_web.services import archives, settling

FINAL = FinalTerms(seats=3, blocks=3)
PREMIERE_AT = 1_800_000_000  # the time at which `premiered` plays its tournament


def robin(platform: Platform, *, secret: bytes = b"w" * 32, **rules: Any) -> int:
    """Play until the round robin is over; with the default secret, no two bots share a rank."""
    number = make(platform, secret=secret, **{"final_table": FINAL} | rules)
    go(platform, number, *TO_PLAY)
    platform.play_all()
    scheduled(platform)
    return number


def scheduled(platform: Platform) -> None:
    platform.post.slot_count = 0
    platform.recorder.schedule()
    platform.post.slot_count = 2


def play_final(platform: Platform, *, failing: Failing = nobody_fails) -> None:
    """Play until the final table is over; earlier matches may take one or two runs of the schedule."""
    for _ in range(3):
        scheduled(platform)
        platform.play_all(failing=failing)
    scheduled(platform)


def the_cup(platform: Platform) -> int:
    return row_id(platform.row(select(Tournament.id).where(Tournament.name == "Spring Cup")))


def final_of(platform: Platform, number: int) -> Match:
    return platform.row(select(Match).where(Match.tournament_id == number, Match.is_final))


def finish(platform: Platform, **rules: Any) -> int:
    """Play to the end; the leader before the final table fails in all its games."""
    number = robin(platform, **rules)
    leader = order_before(platform, number)[0]

    def leader_fails(job: MatchJob, index: int) -> BotFault | None:
        if job.seats[index].entry != leader or not platform.match(job.id).is_final:
            return None
        return BotFault(FaultKind.CRASHED, "it broke")

    for _ in range(40):
        platform.play_all(failing=leader_fails)
        scheduled(platform)
        if seen(platform, number).state == "finished":
            return number
    raise AssertionError(f"it is {seen(platform, number).state}")


def premiered(platform: Platform) -> None:
    """A stage in which "Spring Cup" is over, and its final table waits for its premiere."""
    with time_machine.travel(PREMIERE_AT, tick=False):
        finish(platform, has_premiere=True)


def order_before(platform: Platform, number: int) -> list[int]:
    with platform.database.read() as session:
        return [row.entry for row in standings(settling.block_results(session, number)).rows]


def the_finished(platform: Platform) -> int:
    return row_id(platform.row(select(Tournament.id).where(Tournament.state == "finished")))


def examined(platform: Platform, number: int, file: Path, forge: Callable[[Content], Content] | None = None) -> Proof:
    with platform.database.read() as session, file.open("wb") as stream:
        content = archives.content_of(session, session.get_one(Tournament, number))
        content = replace(content, matches=tuple(content.matches))
        archive_files.write_archive(stream, content if forge is None else forge(content))
    return proving.prove(archive_files.read_archive(file))
