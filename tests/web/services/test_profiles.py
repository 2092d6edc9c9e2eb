"""The profile of a game's tournaments: from its limits through intake, trials and match jobs to the jail."""

import os
from contextlib import nullcontext
from pathlib import Path

import pytest
from tests.kits import models, worker_kit
from tests.kits.core_kit import GAME, HOUSE, FakeBroker, Platform, Sent
from tests.sandbox.trial import HONEST, apart
from tests.sandbox.zip_kit import zipped

from gangland_ladder.matches.match_jobs import Result, decode_result, encode
from gangland_sandbox import errors, runtime
from gangland_sandbox.limits import Limits, Profile
from gangland_web.broker.names import LOCAL, QUEUE_CHECKS, QUEUE_TRIALS
from gangland_web.services import tournaments, worker_hosts
from gangland_web.services.uploads import submit_version
from gangland_web.settings import sqlite_url
from gangland_web.workers.records import Recorder

NUMBERS = b"""
import numpy as np
from gangland import gang_of_dice


class Numbers(gang_of_dice.Bot):
    def choose_dice(self, view):
        return 1 + int(np.argmax(np.fft.rfft(np.ones(view.pool)).real[:1]))
"""


def platform_of(profile: Profile, folder: Path) -> Platform:
    database = models.Database(sqlite_url(folder))
    models.migrate(database)
    with database.write() as session:
        worker_hosts.create_host(session, LOCAL, "the password of this machine")
        tournaments.ensure_tournaments(session, ladder_blocks=1, profiles={GAME: profile})
        for number in range(HOUSE):
            submit_version(session, None, GAME, f"house{number}", f"house{number}.py", HONEST + b"# %d\n" % number)
    post = FakeBroker(slot_count=1)
    return Platform(database, post, Recorder(database, post, rounds=0))


def play_for_real(match_job: Sent, codes: dict[str, bytes]) -> Result:
    runtime.prepare_numeric()
    return decode_result(apart(lambda: encode(worker_kit.play(match_job, *codes.values()).results[0]).decode()))


def play_trials(platform: Platform) -> list[Sent]:
    played = []
    platform.recorder.sweep()
    while platform.post.sent:
        queue, match_job = platform.post.sent.pop(0)
        if queue in (QUEUE_CHECKS, QUEUE_TRIALS):
            played.append(match_job)
            platform.finish(match_job, play_for_real(match_job, platform.post.codes))
    return played


@pytest.mark.parametrize("profile", list(Profile))
def test_the_profile_of_a_game_says_who_may_use_numpy_and_how_large_a_zip_is(profile: Profile, tmp_path: Path) -> None:
    platform = platform_of(profile, tmp_path)
    is_numeric = profile is Profile.NUMERIC
    with platform.database.read() as session:
        for kind in ("trials", "ladder"):
            for tournament in tournaments.tournaments_of(session, kind, GAME):
                expected = Limits.numeric if is_numeric else Limits.plain
                assert Limits.from_dict(tournament.limits) == expected(tournament.blocks)
            for tournament in tournaments.tournaments_of(session, kind, "gangster-dice"):
                assert Limits.from_dict(tournament.limits) == Limits.plain(tournament.blocks)
        assert tournaments.profile_of(session, GAME) is profile
    version = platform.upload("mira", source=NUMBERS)
    match_jobs = play_trials(platform)
    assert {Limits.from_dict(match_job.limits).profile for match_job in match_jobs} == {profile}
    state = models.VersionState.ACTIVE if is_numeric else models.VersionState.REJECTED
    assert (len(match_jobs), platform.version(version).state) == (1 + 3 if is_numeric else 1, state.value)
    assert is_numeric or any("numpy" in message for _, ok, message in platform.steps(version) if not ok)
    large = zipped({"bot.py": HONEST, "weights.bin": os.urandom(2 << 20)})
    refused = nullcontext() if is_numeric else pytest.raises(errors.UploadRejected, match="KiB")
    with refused, platform.database.write() as session:
        assert submit_version(session, None, GAME, "large", "large.zip", large).number == 1
    platform.database.close()
