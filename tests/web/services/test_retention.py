"""Logs and replays of old matches may be dropped; what they came to stays, and nothing is dropped that is needed."""

import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import time_machine
from sqlmodel import col, select, update
from tests.kits import admin_kit, ladder_kit, pages_kit, tournaments_kit
from tests.kits.core_kit import ON_POSTGRESQL, Platform, play_job_breaking

from gangland_ladder.tournaments.lifecycle import State
from gangland_web.app import create_app
from gangland_web.models import bots, site, tournaments
from gangland_web.models.matches import Match, MatchSeat, PlayedGame, Purpose
from gangland_web.ops.backup import results_digest
from gangland_web.services.archives import NotExportable, content_of
from gangland_web.services.retention import RetentionPeriods, Trim, drop_old
from gangland_web.settings import Settings

DAY_S = 86_400


@contextmanager
def days_later(days: int) -> Iterator[None]:
    with time_machine.travel(time.time() + days * DAY_S, tick=True):
        yield


def trimmed(platform: Platform, **having: object) -> set[int]:
    return {match.trimmed for match in platform.matches(state="done", **having)}


def kept(platform: Platform) -> list[tuple[int, bool, bool]]:
    chosen = select(PlayedGame.match_id, PlayedGame.logs, PlayedGame.replay).order_by(col(PlayedGame.id))
    return [(match, logs is not None, '"decisions":[]' not in it) for match, logs, it in platform.rows(chosen)]


def results(platform: Platform) -> object:
    with platform.database.read() as session:
        over = select(col(Match.id)).where(Match.state == "done")
        chosen = select(MatchSeat).where(col(MatchSeat.match_id).in_(over))
        seats = session.exec(chosen.order_by(col(MatchSeat.match_id), col(MatchSeat.position))).all()
        return results_digest(session.connection()), [seat.model_dump() for seat in seats]


def test_logs_go_and_replays_stay_if_so_it_is_set_and_nothing_is_dropped_under_maintenance(platform: Platform) -> None:
    platform.recorder.schedule()
    platform.play_all()
    before = results(platform)
    assert drop_old(platform.database, RetentionPeriods()) == 0
    assert drop_old(platform.database, RetentionPeriods(logs_days=30)) == 0
    platform.write(site.begin_maintenance, "What was dropped is looked for.")
    with days_later(31):
        platform.recorder.periods = RetentionPeriods(logs_days=30)
        platform.recorder.drop_old()
        assert trimmed(platform) == {Trim.NOTHING}
        platform.write(site.end_maintenance)
        assert drop_old(platform.database, RetentionPeriods()) == 0
        platform.recorder.drop_old()
        assert drop_old(platform.database, RetentionPeriods(logs_days=30)) == 0
    assert {(logs, replay) for _, logs, replay in kept(platform)} == {(False, True)}
    assert trimmed(platform) == {Trim.LOGS}
    assert results(platform) == before


def test_a_ladders_replays_stay_until_the_day_has_been_public_for_long_and_is_rated(platform: Platform) -> None:
    platform.recorder.schedule()
    platform.play_all()
    keep = RetentionPeriods(replays_days=30)
    before = results(platform)
    with days_later(31):
        drop_old(platform.database, keep)
        assert trimmed(platform, purpose=Purpose.LADDER.value) == {Trim.NOTHING}
        platform.recorder.schedule()  # the day is over, and its secret public: whoever wants to can prove it from now
    with days_later(60):
        drop_old(platform.database, keep)
        assert trimmed(platform, purpose=Purpose.LADDER.value) == {Trim.NOTHING}
    with days_later(62):
        unrated = platform.matches(state="done", purpose=Purpose.LADDER.value)[-1]
        with platform.database.write() as session:
            ladder = session.get_one(tournaments.Tournament, unrated.tournament_id)
            cursor, ladder.cursor = ladder.cursor, unrated.number
        assert drop_old(platform.database, keep) > 0
        assert platform.match(unrated.id or 0).trimmed == Trim.NOTHING
        platform.change(tournaments.Tournament, unrated.tournament_id, cursor=cursor)
        assert drop_old(platform.database, keep) == 1
    assert trimmed(platform, purpose=Purpose.LADDER.value) == {Trim.REPLAYS}
    assert results(platform) == before
    assert not any(one.differed for one in ladder_kit.rebuilt(platform))


def test_a_tournaments_replays_stay_long_and_its_archive_says_that_they_are_gone(platform: Platform) -> None:
    number = tournaments_kit.play_tournament(platform)
    with days_later(31):
        drop_old(platform.database, RetentionPeriods(replays_days=30))
        assert trimmed(platform, tournament_id=number) == {Trim.NOTHING}
        tournaments_kit.go(platform, number, State.REVEALED)
    with days_later(60):
        drop_old(platform.database, RetentionPeriods(replays_days=30))
        assert trimmed(platform, tournament_id=number) == {Trim.NOTHING}
        platform.read_row(content_of, tournaments.Tournament, number)
    with days_later(62):
        drop_old(platform.database, RetentionPeriods(replays_days=30))
    assert trimmed(platform, tournament_id=number) == {Trim.REPLAYS}
    with platform.database.read() as session, pytest.raises(NotExportable, match="an archive needs them as its proof"):
        content_of(session, session.get_one(tournaments.Tournament, number))
    ran = admin_kit.admin(platform, platform.matches(tournament_id=number)[0].id, group="reproduce")
    assert ran.code == 2
    assert "no longer stored" in ran.err


def fault_of(reader: pages_kit.Person, bot: int) -> str:
    row = reader.get(f"/bots/{bot}/errors.json").get_json()["rows"][0]
    return str(row["at"] or row["where"])


@ON_POSTGRESQL
def test_pages_files_and_calls_say_that_a_replay_is_not_kept_and_show_what_it_came_to(platform: Platform) -> None:
    platform.recorder.schedule()
    broken = platform.take()
    platform.finish(broken, play_job_breaking(broken))
    platform.play_all()
    settings = Settings(Path(), None, None, None, secret_key="for tests only")
    reader = pages_kit.Person(create_app(settings, database=platform.database).test_client())
    bot = platform.get(bots.Version, platform.match_versions(broken.id)[0]).bot_id
    assert re.fullmatch(r"r\d+\.s\d\.d1", fault_of(reader, bot))
    platform.execute(update(Match).values(done_at=1_700_000_000.0).where(col(Match.state) == "done"))
    with days_later(1):
        platform.recorder.schedule()
    with days_later(32):
        drop_old(platform.database, RetentionPeriods(replays_days=30))
    match = next(one for one in platform.matches(trimmed=int(Trim.REPLAYS), purpose="ladder"))
    assert reader.get(f"/matches/{match.id}").status_code == 200
    assert reader.get(f"/matches/{match.id}/games.json").status_code == 200
    game = f"/matches/{match.id}/games/0/0"
    for path in (
        game, f"{game}/replay.json", f"{game}/replay.html", f"{game}/compare/1",
        f"/matches/{match.id}/replays.ndjson",
    ):  # fmt: skip
        answer = reader.get(path)
        assert (answer.status_code, "no longer stored" in answer.text) == (410, True), path
    for path in (
        "/", "/gang-of-dice/leaderboard", "/ladders/gang-of-dice/2/games.csv?from=1&to=9", f"/matches/{broken.id}",
        f"/bots/{bot}", f"/bots/{bot}/games",
    ):  # fmt: skip
        assert reader.get(path).status_code == 200, path
    assert platform.match(broken.id).trimmed == Trim.REPLAYS
    assert fault_of(reader, bot) == "replay not kept"
    for path in (f"/api/v1{game}", f"/api/v1{game}/replay", f"/api/v1/matches/{match.id}/replays.ndjson"):
        answer = reader.get(path)
        assert (answer.status_code, answer.mimetype) == (410, "application/problem+json"), path
