"""An archive is taken in by another installation: proven first, whole or not at all, and once."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import msgspec
import pytest
import time_machine
from tests.kits import admin_kit, command_kit
from tests.kits.archive_kit import changed, content, packed, with_match
from tests.kits.core_kit import GAME, NOON, ON_POSTGRESQL, Platform, open_platform
from tests.kits.models import Bot, Code, Match, PlayedGame, Tournament, func, select
from tests.kits.tournaments_kit import begin_tournament, begin_with_anns_bot, export, go

from gangland_ladder.proof.archive_files import write_archive
from gangland_ladder.proof.archives import ArchiveError, Content, PlayedMatch
from gangland_ladder.tournaments.lifecycle import State
from gangland_web.queries import exports, ladders, matches
from gangland_web.services import archives, settling
from gangland_web.services.ladder_days import today
from gangland_web.services.ratings import rebuild


@pytest.fixture
def elsewhere(tmp_path: Path) -> Iterator[Platform]:
    opened = open_platform("sqlite", tmp_path)
    yield opened
    opened.database.close()


def revealed(platform: Platform, **rules: object) -> int:
    number, version = begin_with_anns_bot(platform, **rules)
    platform.play_all(failing=platform.seat_of(version))
    platform.recorder.schedule()
    go(platform, number, State.REVEALED)
    return number


def counts(platform: Platform) -> list[int]:
    return [
        platform.row(select(func.count()).select_from(table)) for table in (Tournament, Bot, Code, Match, PlayedGame)
    ]


@pytest.mark.parametrize("seats", [2, 3])
def test_imports_are_exported_to_the_byte(platform: Platform, elsewhere: Platform, tmp_path: Path, seats: int) -> None:
    file = export(elsewhere, revealed(elsewhere, seats=seats), tmp_path / "cup.tar")
    platform.upload("ann", "newcomer", b"print('another bot of that name')\n")
    came = archives.import_archive(platform.database, file)
    assert export(platform, came.tournament_id, tmp_path / "again.tar").read_bytes() == file.read_bytes()
    here = platform.get(Tournament, came.tournament_id)
    table = platform.read(settling.final_standings, here)
    assert (here.state, here.kind) == ("revealed", "tournament")
    assert came.sha256 in here.note
    assert list(rebuild_all(platform)) == []
    assert table is not None
    ratings = list(exports.open_table(platform.database, here, exports.TableKind.RATINGS).rows)
    assert {(row["bot"], row["owner"]) for row in ratings} == {
        ("newcomer", "ann (elsewhere)"),
        *[(f"house{number}", "a site (elsewhere)") for number in range(4)],
    }
    assert sum(int(row["faults"] or 0) for row in ratings) == sum(
        int(row["faults"] or 0) for row in exports.open_table(platform.database, here, exports.TableKind.MATCHES).rows
    )
    assert len(list(exports.open_table(platform.database, here, exports.TableKind.STANDINGS).rows)) == 5


def rebuild_all(platform: Platform) -> Iterator[int]:
    """Yield the tournaments that a rebuild finds changed."""
    with platform.database.write() as session:
        for came in rebuild(session):
            if came.differed:
                yield came.id


def test_a_ladders_day_is_imported_and_its_ratings(platform: Platform, elsewhere: Platform, tmp_path: Path) -> None:
    file = tmp_path / "day.tar"
    with time_machine.travel(NOON, tick=True) as clock:
        for _ in range(2):
            elsewhere.recorder.schedule()
            elsewhere.play_all()
            clock.shift(timedelta(days=1))
        elsewhere.recorder.schedule()
        with elsewhere.database.read() as session, file.open("wb") as stream:
            write_archive(stream, exports.day_content(session, ladders.get_ladder(session, GAME, 2), today() - 1))
    came = archives.import_archive(platform.database, file)
    assert export(platform, came.tournament_id, tmp_path / "again.tar").read_bytes() == file.read_bytes()
    assert list(rebuild_all(platform)) == []
    assert platform.read_row(settling.final_standings, Tournament, came.tournament_id) is None
    assert settling.store_standings(platform.database) == 0


def test_imported_bots_are_nobodys_and_take_no_name(platform: Platform, elsewhere: Platform, tmp_path: Path) -> None:
    came = archives.import_archive(platform.database, export(elsewhere, revealed(elsewhere), tmp_path / "cup.tar"))
    version = platform.version(platform.upload("ann"))
    platform.play_all()
    with platform.database.read() as session:
        code = session.get_one(Code, version.code_sha256)
        assert (code.source, code.size) == (b"print('hello')\n", 15)
        named = session.exec(select(Bot).where(Bot.name == "newcomer")).all()
        assert sorted(bot.owner_id is None for bot in named) == [False, True]
        match = session.exec(select(Match).where(Match.tournament_id == came.tournament_id).limit(1)).one()
        page = matches.match_page(session, match.id or 0)
    assert page is not None
    assert all((seat.owner or "").endswith("(elsewhere)") for seat in page.seats)
    assert {seat.owner_id for seat in page.seats} == {None}
    assert platform.version(version.id or 0).state == "active"


def test_an_organizer_imports_an_archive_from_a_shell_and_not_twice(platform: Platform, tmp_path: Path) -> None:
    file = tmp_path / "cup.tar"
    file.write_bytes(packed(content()))
    ran = admin_kit.admin(platform, file, "--json", group="import")
    assert ran.code == 0, ran.err
    result = command_kit.parsed(ran.out)
    assert (result["name"], result["matches"], result["games"]) == ("Cup of the docks", 3, 8)
    before = counts(platform)
    there = platform.row(select(Tournament.id).where(Tournament.name == "Cup of the docks"))
    with pytest.raises(archives.ImportRefused, match=f"already imported, as tournament {there}"):
        archives.import_archive(platform.database, file)
    again = admin_kit.admin(platform, file, group="import")
    assert (again.code, "already imported" in again.err, counts(platform)) == (2, True, before)
    file.write_bytes(packed(with_match(content(), 1, luckier)))
    forged = admin_kit.admin(platform, file, group="import")
    assert (forged.code, "its luck is" in forged.err) == (1, True)
    assert "Traceback" not in ran.err + again.err + forged.err


def luckier(played: PlayedMatch) -> PlayedMatch:
    first, *rest = played.games
    return PlayedMatch(played.match, (msgspec.structs.replace(first, luck=[9.0, -9.0]), *rest))


WHOLE = packed(content())
WRONG: dict[str, tuple[type[Exception], bytes]] = {
    "does not verify": (archives.ImportRefused, packed(with_match(content(), 1, luckier))),
    "the archive has no secret": (archives.ImportRefused, packed(changed(content(), secret=None))),
    "proves nothing": (archives.ImportRefused, packed(changed(content(), dice="seed"))),
    "at most 64 characters": (
        archives.ImportRefused,
        packed(
            Content(
                content().tournament,
                (msgspec.structs.replace(content().entries[0], name="n" * 65), *content().entries[1:]),
                content().matches,
                None,
            )
        ),
    ),
    "changed while it was being read": (archives.ImportRefused, WHOLE),
    "its schema is 'gangland/archive/2', but this version reads": (
        ArchiveError,
        WHOLE.replace(b"gangland/archive/1", b"gangland/archive/2"),
    ),
    r"tournament\.json: its SHA-256": (ArchiveError, WHOLE.replace(b"Cup of the docks", b"Cup of the rocks")),
}


@pytest.mark.parametrize("why", WRONG)
def test_what_is_damaged_or_does_not_prove_itself_is_refused_by_name_and_leaves_nothing_behind(
    platform: Platform, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, why: str
) -> None:
    refused, archive = WRONG[why]
    file = tmp_path / "cup.tar"
    file.write_bytes(archive)
    before = counts(platform)
    if why == "changed while it was being read":
        monkeypatch.setattr("gangland_web.services.archives.sha256_of", lambda _: "0" * 64)
    with pytest.raises(refused, match=why):
        archives.import_archive(platform.database, file)
    assert counts(platform) == before


@ON_POSTGRESQL
def test_a_cancelled_tournament_stays_cancelled(platform: Platform, elsewhere: Platform, tmp_path: Path) -> None:
    number = begin_tournament(elsewhere)
    elsewhere.recorder.dispatch()
    elsewhere.finish(next(job for _, job in elsewhere.post.sent if job.check is None and len(job.blocks) == 2))
    go(elsewhere, number, State.CANCELED)
    file = export(elsewhere, number, tmp_path / "cup.tar")
    came = archives.import_archive(platform.database, file)
    assert export(platform, came.tournament_id, tmp_path / "again.tar").read_bytes() == file.read_bytes()
    assert platform.get(Tournament, came.tournament_id).state == "cancelled"
