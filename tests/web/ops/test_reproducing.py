"""A match that was recorded is played again on the server, by all of its bots, in the jail."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from tests.kits import admin_kit, archive_kit, command_kit
from tests.kits.core_kit import GAME, Platform, a_platform
from tests.kits.models import Match, PlayedGame, select
from tests.kits.reproducing_kit import CHANCY, STEADIER, STEADY, WILD

from gangland_ladder.matches.referee import play_match
from gangland_sandbox.jail import Mode
from gangland_web.services import archives, uploads

platform = pytest.fixture(a_platform, params=["sqlite"])


def played(platform: Platform, sources: Sequence[bytes], by: Sequence[bytes] = ()) -> int:
    """Play a ladder's match between house bots, or with other code in their place; return its page."""
    codes = [
        platform.write(uploads.submit_version, None, GAME, f"house{number}", f"house{number}.py", source).code_sha256
        for number, source in enumerate(sources)
    ]
    platform.recorder.schedule()
    job = platform.take()
    while {seat.code for seat in job.seats} != set(codes):
        platform.finish(job)
        job = platform.take()
    result = play_match(job, dict(zip(codes, by or sources, strict=True)), mode=Mode.TRUSTED)
    platform.finish(job, result)
    assert platform.match(job.id).state == "done"
    return job.id


def test_all_seats_of_a_match_play_it_again_as_it_was(platform: Platform) -> None:
    match = played(platform, [STEADY, CHANCY])
    ran = admin_kit.admin(platform, match, "--json", group="reproduce")
    assert ran.code == 0, ran.err
    document = command_kit.parsed(ran.out)
    assert (document["reproduced"], document["match"], document["games"]) == (True, match, 2)
    assert [seat["played"] for seat in document["seats"]] == [True, True]


def test_code_that_did_not_play_is_found_at_its_first_decision(platform: Platform) -> None:
    match = played(platform, [STEADY, CHANCY], by=[STEADIER, CHANCY])
    ran = admin_kit.admin(platform, match, group="reproduce")
    assert ran.code == 1, ran.err
    assert "house0 v2), round 3: choose_reroll()" in ran.out
    assert "the record does not come from this code" in ran.out


def test_a_bot_that_is_not_deterministic_is_named_so(platform: Platform) -> None:
    ran = admin_kit.admin(platform, played(platform, [STEADY, WILD]), group="reproduce")
    assert ran.code == 1, ran.err
    assert "(house1 v2)" in ran.out
    assert "The bot is not deterministic" in ran.out


def test_a_record_that_was_changed_in_the_database_is_found_before_anything_is_played(platform: Platform) -> None:
    match = played(platform, [STEADY, CHANCY])
    with platform.database.write() as session:
        game = session.exec(select(PlayedGame).where(PlayedGame.match_id == match)).first()
        assert game is not None
        game.views = "0" * 64
        session.add(game)
    ran = admin_kit.admin(platform, match, group="reproduce")
    assert ran.code == 1
    assert "is not valid" in ran.err


def test_what_cannot_be_played_again_is_said(platform: Platform, tmp_path: Path) -> None:
    platform.recorder.schedule()
    scheduled = admin_kit.admin(platform, platform.matches()[0].id, group="reproduce")
    assert (scheduled.code, "expected one that was played" in scheduled.err) == (2, True)
    nowhere = admin_kit.admin(platform, 999_999, group="reproduce")
    assert (nowhere.code, "no match 999999" in nowhere.err) == (2, True)
    file = tmp_path / "cup.tar"
    file.write_bytes(archive_kit.packed(archive_kit.content()))
    came = archives.import_archive(platform.database, file)
    with platform.database.read() as session:
        there = select(Match.id).where(Match.tournament_id == came.tournament_id, Match.state == "done")
        match = session.exec(there).first()
    imported = admin_kit.admin(platform, match, group="reproduce")
    assert (imported.code, "does not have its bots" in imported.err) == (2, True)
