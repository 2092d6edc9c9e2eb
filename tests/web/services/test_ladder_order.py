"""The ladder's rounds and ratings do not hang on who finished first, nor on when rounds were planned."""

from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import time_machine
from tests.kits import core_kit, ladder_kit

from gangland_web.services.uploads import submit_version

ROUNDS, MORE = 3, 1


def version_of(platform: core_kit.Platform, bot: str) -> int:
    return platform.read(core_kit.bot_named, bot).active_version_id or 0


def played(seed: int | None) -> dict[str, Any]:
    """Play some rounds of all ladders, with results and schedules in order or at random."""
    chance = Random(seed)
    with TemporaryDirectory() as folder, time_machine.travel(1_800_000_000, tick=False):
        platform = core_kit.open_platform("sqlite", Path(folder), slots=1 + (seed or 0), rounds=ROUNDS)
        with platform.database.write() as session:
            for number in range(MORE):
                source = b"from gangland import gang_of_dice  # more %d\n" % number
                submit_version(session, None, core_kit.GAME, f"more{number}", "more.py", source)
        failing = platform.seat_of(version_of(platform, "more0"))
        platform.recorder.schedule()
        while platform.post.sent:
            at = 0 if seed is None else chance.randrange(len(platform.post.sent))
            match_job = platform.post.sent.pop(at)[1]
            platform.finish(match_job, core_kit.play_job(match_job, failing=failing))
            if not platform.post.sent or (seed is not None and chance.random() < 0.2):
                platform.recorder.schedule()
        result = ladder_kit.all_rounds_and_ratings(platform)
        platform.database.close()
    return result


def test_whoever_finishes_first_rounds_and_ratings_are_the_same() -> None:
    in_order = played(None)
    ladders = {entry["tournament_id"] for entry in in_order["entries"]}
    assert {each["tournament_id"] for each in in_order["rounds"]} == ladders
    assert max(each["number"] for each in in_order["rounds"]) == ROUNDS  # of which the last go by ratings
    assert any(entry["probation"] for entry in in_order["entries"])
    assert len({seat["entry_id"] for _, _, seat in in_order["seats"]}) == len(in_order["entries"]) == 15
    assert played(6) == in_order
