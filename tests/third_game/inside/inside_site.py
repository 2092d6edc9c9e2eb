"""Bust on a site: ladder matches recorded and rated, and pages; run with the engine of `test_third_game`."""

from collections.abc import Iterator
from dataclasses import fields

import pytest
from tests.kits.core_kit import Platform, open_platform, play_job
from tests.kits.models import Tournament, select
from tests.kits.pages_kit import Person

from gangland.blocks import seating
from gangland.games import game_named
from gangland.match import play
from gangland.view import View
from gangland_ladder.matches.judging import views_digest
from gangland_ladder.matches.match_jobs import CheckReport, GameRecord, MatchJob, Result
from gangland_web.app import create_app
from gangland_web.services.uploads import house_files, submit_version
from gangland_web.settings import Settings
from gangland_web.web.limits import Rates


class Banker:
    def __init__(self, points: int) -> None:
        self.points = points

    def decide(self, kind: str, view: View, number: int) -> object:
        return int(view.at_risk[view.seat] < self.points)  # type: ignore[attr-defined]


def played(job: MatchJob) -> Result:
    report = None
    if job.check is not None:
        report = CheckReport("Banker", ["imported", "legal", "timed"], [], 0.01, 0.01, 40)
    games = []
    for block in () if job.check_only else range(len(job.blocks)):
        for rotation in range(len(job.seats)):
            sitting = seating(block, rotation, len(job.seats))
            players = [Banker(4 + job.seats[index].entry % 9) for index in sitting]
            game = play(game_named(job.game), players, bytes.fromhex(job.blocks[block]))
            replay = game.replay
            logs = ["" for _ in sitting]
            games.append(GameRecord(block, rotation, list(sitting), replay.to_json(), views_digest(replay), [], logs))
    return Result(games=games, check=report, seconds=0.5)


@pytest.fixture(scope="module")
def platform(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Platform]:
    opened = open_platform("sqlite", tmp_path_factory.mktemp("site"), slots=8)
    with opened.database.write() as session:
        for filename, source in house_files("bust").items():
            submit_version(session, None, "bust", filename.removesuffix(".py"), filename, source)
    opened.recorder.schedule()
    opened.recorder.sweep()
    while opened.post.sent:
        job = opened.take()
        opened.finish(job, played(job) if job.game == "bust" else play_job(job))
    yield opened
    opened.database.close()


@pytest.fixture(scope="module")
def stranger(platform: Platform, tmp_path_factory: pytest.TempPathFactory) -> Person:
    settings = Settings(tmp_path_factory.mktemp("data"), None, None, None, secret_key="for tests only")
    rates = Rates(*["10000 per hour"] * len(fields(Rates)))
    return Person(create_app(settings, database=platform.database, rates=rates).test_client())


def done(platform: Platform) -> int:
    with platform.database.read() as session:
        ladder = session.exec(
            select(Tournament).where(Tournament.kind == "ladder", Tournament.game == "bust", Tournament.seats == 2)
        ).one()
    over = platform.matches(state="done", purpose="ladder", tournament_id=ladder.id)
    assert over, "a ladder of Bust was played"
    return int(over[-1].id or 0)


def test_matches_are_recorded_and_rated(platform: Platform, stranger: Person) -> None:
    assert done(platform)
    ladder = stranger.get("/api/v1/ladders/bust/2").get_json()
    assert {row["bot"]["name"] if isinstance(row["bot"], dict) else row["bot"] for row in ladder["rows"]} == {
        "banks_at_6", "banks_at_12", "banks_at_20",
    }  # fmt: skip
    assert any(row["games"] for row in ladder["rows"])


def test_ladder_match_and_replay_have_pages(platform: Platform, stranger: Person) -> None:
    match = done(platform)
    assert "banks_at_6" in stranger.page("/bust/leaderboard")
    page = stranger.page(f"/matches/{match}")
    assert "Bust" in page
    assert "/bust/rules" not in page
    replay = stranger.page(f"/matches/{match}/games/0/0")
    assert "The die shows" in replay
    assert "Points held" in replay
    assert "/bust/rules" not in replay
    assert stranger.get("/bust/rules").status_code == 404
    assert stranger.get("/bust/learn").status_code == 404
    assert "Bust" in stranger.page(f"/embed/matches/{match}/games/0/0")


@pytest.mark.parametrize("path", ["/", "/write/bust", "/docs/glossary.html", "/tournaments", "/gang-of-dice/rules"])
def test_other_pages_list_it_without_a_link_to_rules(stranger: Person, path: str) -> None:
    page = stranger.page(path)
    assert 'href="/bust"' in page
    assert "/bust/rules" not in page
    assert "/bust/learn" not in page


@pytest.mark.parametrize(
    "path",
    [
        "/api/v1/games", "/api/v1/openapi.json", "/api/v1/ladders/bust/2", "/api/v1/bots?game=bust",
        "/bust/leaderboard?proof=1", "/ladders/bust.csv?seats=2", "/bust/watch", "/feeds/ladders/bust/2.atom",
        "/on-your-machine",
    ],
)  # fmt: skip
def test_programs_find_it(stranger: Person, path: str) -> None:
    answer = stranger.get(path)
    assert answer.status_code == 200, f"{path}: {answer.status_code} {answer.text[:500]}"
