"""A tournament's archive proves itself, and its standings are those of all its blocks."""

from pathlib import Path

import pytest
from tests.kits.core_kit import KINDS, Platform, a_platform_after, play_job, void
from tests.kits.tournaments_kit import TO_PLAY, begin_tournament, export, go, ids_of, make, play_by, seen

from gangland_ladder.common.release import this_python
from gangland_ladder.proof import archive_files, proving
from gangland_ladder.tournaments.lifecycle import State
from gangland_web.models.tournaments import Tournament
from gangland_web.services import archives, settling

platform = pytest.fixture(a_platform_after(None, rounds=0), params=KINDS)


@pytest.mark.parametrize("seats", [2, 3])
def test_a_stranger_verifies_a_revealed_tournament(platform: Platform, tmp_path: Path, seats: int) -> None:
    number = make(platform, seats=seats)
    promised = seen(platform, number).commitment
    go(platform, number, *TO_PLAY)
    platform.play_all()
    platform.recorder.schedule()
    go(platform, number, State.REVEALED)
    result = archive_files.read_archive(export(platform, number, tmp_path / "cup.tar"))
    proof = proving.prove(result, announced=promised)
    assert proof.findings == []
    assert proof.is_proven
    assert result.standings is not None
    assert sorted(row["entry"] for row in result.standings["rows"]) == [entry.id for entry in result.entries]
    assert {played.match.python for played in result.matches()} == {this_python()}


def test_what_is_not_public_yet_is_not_in_the_archive(platform: Platform, tmp_path: Path) -> None:
    number = make(platform)
    with platform.database.read() as session, pytest.raises(archives.NotExportable, match=r"\(draft\)"):
        archives.content_of(session, session.get_one(Tournament, number))
    go(platform, number, *TO_PLAY)
    assert platform.read_row(settling.final_standings, Tournament, number) is None
    platform.recorder.dispatch()
    failing = next(match_job for _, match_job in platform.post.sent if match_job.id in ids_of(platform, number))
    play_by(platform, lambda match_job: void(match_job) if match_job.id == failing.id else play_job(match_job))
    result = archive_files.read_archive(export(platform, number, tmp_path / "cup.tar"))
    assert result.tournament.secret is None
    assert sorted(played.match.state for played in result.matches()) == ["done"] * 5 + ["void"]
    proof = proving.prove(result)
    assert proof.findings == []
    assert proof.unproven


def test_a_cancelled_tournament_shows_its_secret_and_what_was_played(platform: Platform, tmp_path: Path) -> None:
    number = begin_tournament(platform)
    platform.recorder.dispatch()
    match_job = next(match_job for _, match_job in platform.post.sent if match_job.id in ids_of(platform, number))
    platform.finish(match_job)
    go(platform, number, State.CANCELED)
    result = archive_files.read_archive(export(platform, number, tmp_path / "cup.tar"))
    assert result.tournament.secret is not None
    assert sorted(played.match.state for played in result.matches()) == ["done"] + ["void"] * 5
    assert proving.prove(result).findings == []
