"""One game, three ways: by `gangland play`, by `gangland ladder` and through the site, from the same seed."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.kits import core_kit, worker_kit
from tests.kits.command_kit import gangland
from tests.kits.models import Database, Entry, Match, PlayedGame, Purpose, Tournament, Version, col, migrate, select
from tests.sandbox.trial import apart

from gangland.games import GAME_NAMES, game_named
from gangland_ladder.matches import match_jobs, seeds
from gangland_ladder.proof.archive_files import read_archive
from gangland_sandbox.pool import Pool
from gangland_web.services import ladder_days, matches, tournaments, uploads, worker_hosts
from gangland_web.services.dispatch import dispatch
from gangland_web.settings import sqlite_url
from gangland_web.workers import players, records

SEED = 20
BOTS = ("bold_gang.py", "cautious_gang.py", "random_gang.py", "sensible_gang.py")
"""House bots of these names in both games; some draw from their own generator."""
LOCAL = b"local".hex()  # local matches' dice depend on these besides their secret
TABLES = [(game, seats) for game in GAME_NAMES for seats in (2, 3, 4)]

Games = dict[tuple[str, int], list[tuple[dict[str, Any], list[int]]]]


def as_a_worker_plays(jobs: list[core_kit.Sent], codes: dict[str, bytes]) -> list[str]:
    """Return a match worker's results from the real jail, as they are sent."""
    for name in GAME_NAMES:
        game_named(name)  # the games' rules are imported while they can be read

    def work() -> list[str]:
        output = worker_kit.Said()
        with Pool() as pool:
            player = players.Player(output, players.CodeStore(codes.get), lambda: None, lambda: None, pool)
            for job in jobs:
                player.play(job.message)
        return [match_jobs.encode(result).decode() for result in output.results]

    results: list[str] = apart(work)
    return results


def schedule_local(platform: core_kit.Platform) -> None:
    """Put one match in each ladder, with the bots in order and the dice of a local seed."""
    with platform.database.write() as session:
        for game, seats in TABLES:
            ladder = session.exec(
                select(Tournament).where(
                    Tournament.kind == "ladder", Tournament.game == game, Tournament.seats == seats
                )
            ).one()
            entries = (
                select(Entry.id)
                .join(Version, col(Version.id) == Entry.version_id)
                .where(Entry.tournament_id == ladder.id, col(Version.filename).in_(BOTS[:seats]))
                .order_by(col(Entry.id))
            )
            ladder_day = ladder_days.ensure_day(session, ladder)
            ladder_day.secret = seeds.local_secret(SEED, b"")
            session.add(ladder_day)
            table = [entry or 0 for entry in session.exec(entries)]
            matches.plan_tables(session, ladder, [table], purpose=Purpose.LADDER, ladder_day_id=ladder_day.id)
        for match in session.exec(select(Match)):
            match.seed_digest = LOCAL
            session.add(match)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Games]:
    database = Database(sqlite_url(tmp_path_factory.mktemp("site")))
    migrate(database)
    with database.write() as session:
        worker_hosts.create_host(session, "local", "the password of this machine")
        tournaments.ensure_tournaments(session, ladder_blocks=1)
        for game in GAME_NAMES:
            files = uploads.house_files(game)
            for name in BOTS:
                uploads.submit_version(session, None, game, name.removesuffix(".py"), name, files[name])
    post = core_kit.FakeBroker(slot_count=2 * len(TABLES))
    platform = core_kit.Platform(database, post, records.Recorder(database, post))
    schedule_local(platform)
    dispatch(database, post)
    jobs = [platform.take() for _ in TABLES]
    for job, text in zip(jobs, as_a_worker_plays(jobs, post.codes), strict=True):
        platform.finish(job, match_jobs.decode_result(text))
    yield {table: games_of(database, match_id) for table, match_id in ids_of(database).items()}
    database.close()


def ids_of(database: Database) -> dict[tuple[str, int], int]:
    chosen = select(Tournament.game, Tournament.seats, Match.id).join(Match, col(Match.tournament_id) == Tournament.id)
    with database.read() as session:
        done = session.exec(chosen.where(Match.number == 1, Match.state == "done"))
        return {(game, seats): match_id or 0 for game, seats, match_id in done}


def games_of(database: Database, match_id: int) -> list[tuple[dict[str, Any], list[int]]]:
    chosen = select(PlayedGame).where(PlayedGame.match_id == match_id).order_by(col(PlayedGame.id))
    with database.read() as session:
        return [(json.loads(game.replay), game.places) for game in session.exec(chosen)]


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_play_ladder_and_site_decide_and_place_alike(game: str, seats: int, site: Games, tmp_path: Path) -> None:
    for name in BOTS[:seats]:
        (tmp_path / name).write_bytes(uploads.house_files(game)[name])
    archive = tmp_path / "ladder.tar"
    gangland("ladder", tmp_path, "--seats", seats, "--blocks", 1, "--seed", SEED, "--archive", archive, "--quiet")
    reported = gangland("play", *[tmp_path / name for name in BOTS[:seats]], "--seed", SEED, "--json").document
    (played,) = read_archive(archive).matches()
    by_ladder = [(msgspec.json.decode(each.replay), each.places) for each in played.games]
    assert len(by_ladder) == seats
    assert by_ladder == site[game, seats]
    assert all(replay["decisions"] for replay, _ in by_ladder)
    assert reported["replay"] == by_ladder[0][0]
    assert [seat["place"] for seat in reported["seats"]] == by_ladder[0][1]
