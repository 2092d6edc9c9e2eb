"""Pictures and clips of games by address: who sees them, how a clip is made, and what it may take."""

import os
import re
from dataclasses import fields, replace
from io import BytesIO
from pathlib import Path

import msgspec
import pytest
import time_machine
from PIL import Image
from tests.kits.core_kit import FakeBroker, Platform, SentJob
from tests.kits.models import Bot, Clip, Job, PlayedGame, Verdict, col, delete, select
from tests.kits.pages_kit import Person, Site
from tests.kits.replays_kit import World, world

from gangland_ladder.viewer import clip_jobs, drawing, pictures
from gangland_web import app, site
from gangland_web.base.formats import now_s
from gangland_web.services.clips import MAX_OPEN, RETENTION_S, ClipOutcome, request_clip
from gangland_web.services.jobs import ATTEMPTS
from gangland_web.web import caching, limits
from gangland_web.workers.analysis import make_clip
from gangland_web.workers.records import AnalysisSettings, Recorder

__all__ = ["world"]

OFTEN = limits.Rates(*["10000 per hour"] * len(fields(limits.Rates)))


def of(match: int) -> str:
    return f"/matches/{match}/games/0/0"


class Studio:
    def __init__(self, world: World, data: Path, rates: limits.Rates = OFTEN) -> None:
        database = world.site.database
        settings = replace(world.site.app.extensions["gangland_settings"], data=data, redis_url="redis://unused")
        self.site = Site(app.create_app(settings, database=database, rates=rates, rate_storage="memory://"), database)
        self.visitor = self.site.stranger()
        self.post = FakeBroker(slot_count=0, table_worker_count=0)
        self.platform = Platform(
            database, self.post, Recorder(database, self.post, analyses=AnalysisSettings(sample=0))
        )
        self.empty()

    def sent_jobs(self) -> list[SentJob]:
        self.platform.recorder.dispatch()
        sent_jobs, self.post.clips = self.post.clips, []
        return sent_jobs

    def make(self, sent_job: SentJob) -> None:
        self.platform.analyzed(sent_job, make_clip(sent_job.payload))

    def fill(self) -> None:
        clip_job = clip_jobs.ClipJob("", [], {}, "game", "gif", "light")
        with self.site.database.write() as db:
            assert {request_clip(db, f"{number}.gif", clip_job) for number in range(MAX_OPEN)} == {ClipOutcome.QUEUED}

    def empty(self) -> None:
        with self.site.database.write() as db:
            db.exec(delete(Job).where(col(Job.kind) == "clip"))
            db.exec(delete(Clip))


@pytest.fixture(autouse=True)
def _no_broker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(site.pictures, "dispatch_soon", lambda: None)


@pytest.fixture
def studio(world: World, tmp_path: Path) -> Studio:
    return Studio(world, tmp_path)


def test_a_decision_is_a_picture_for_whoever_sees_the_game_and_the_preview_of_a_link_to_it(world: World) -> None:
    stranger = world.stranger()
    light, dark = (stranger.get(f"{of(world.ladder)}/picture/r1.png?scheme={each}") for each in ("light", "dark"))
    assert (light.status_code, light.mimetype) == (200, "image/png")
    assert Image.open(BytesIO(light.data)).size == pictures.PREVIEW
    assert light.data != dark.data
    assert "public" in light.headers["Cache-Control"]
    again = stranger.get(f"{of(world.ladder)}/picture/r1.png", headers={"If-None-Match": light.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")
    for given, status in (
        ("r99.png", 404), ("r01.png", 404), ("r1.s9.d1.png", 404), ("game.png", 404), ("r1.png?scheme=red", 400),
    ):  # fmt: skip
        assert stranger.get(f"{of(world.ladder)}/picture/{given}").status_code == status
    answer = world.stranger().get(f"{of(world.ladder)}/clip/game.webp")
    assert answer.status_code == 404
    assert "gangland replay FILE --clip" in answer.text
    plain, pointed = (stranger.page(of(world.ladder) + each) for each in ("", "?at=r1"))
    image = r'<meta property="og:image" content="http://localhost([^"]*)">'
    assert re.findall(image, plain) == [f"/cards/matches/{world.ladder}.png"]
    (found,) = re.findall(image, pointed)
    assert found == f"{of(world.ladder)}/picture/r1.s2.d1.png?scheme=dark"  # seat 2 begins
    assert stranger.get(found).mimetype == "image/png"
    assert f'<link rel="canonical" href="http://localhost{of(world.ladder)}">' in pointed
    assert '"start":"r1.s2.d1"' in pointed
    assert stranger.get(f"{of(world.ladder)}?at=r99").status_code == 400


def test_a_game_played_again_under_a_number_has_other_pictures_and_clips(world: World, studio: Studio) -> None:
    paths = [f"{of(world.ladder)}/{each}" for each in ("picture/r1.png", "clip/r1.webp")]

    def looked() -> tuple[bytes, str]:
        picture, clip = (studio.visitor.get(path) for path in paths)
        assert clip.status_code == 202, "none is there yet"
        (sent_job,) = studio.sent_jobs()
        studio.make(sent_job)
        assert studio.visitor.get(paths[1]).status_code == 200
        return picture.data, sent_job.replay

    before = looked()
    with world.site.database.write() as db:
        chosen = select(PlayedGame).where(PlayedGame.match_id == world.ladder).order_by(col(PlayedGame.rotation))
        game, other = db.exec(chosen).all()
        game_id, was, game.replay = game.id, game.replay, other.replay
    after = looked()
    world.site.change(PlayedGame, game_id, replay=was)
    assert before[1] == was != after[1]
    assert before[0] != after[0]


def test_nobody_has_a_picture_of_what_they_may_not_see_and_a_name_that_cannot_be_drawn_is_a_seat(
    world: World, studio: Studio, monkeypatch: pytest.MonkeyPatch
) -> None:
    for match in (world.secret, world.trial, world.waiting):
        for path in ("picture/r1.png", "picture/end.png", "clip/game.webp", "clip/r1.gif"):
            assert studio.visitor.get(f"{of(match)}/{path}").status_code == 404, (match, path)
    own = world.ann().get(f"{of(world.trial)}/picture/end.png")
    assert (own.status_code, own.headers["Cache-Control"]) == (200, "private, no-cache")
    assert studio.sent_jobs() == []
    drawing.fonts._file_of.cache_clear()
    monkeypatch.setattr(drawing.fonts, "_installed_fonts", dict)
    with world.site.database.write() as db:
        db.exec(select(Bot).where(Bot.name == "ann_bot")).one().name = "漢字漢字"
    studio.visitor.get(f"{of(world.ladder)}/clip/r1.webp")
    drawing.fonts._file_of.cache_clear()
    names = studio.sent_jobs()[0].names
    assert sorted(names) in (["Seat 1", "the_house v1"], ["Seat 2", "the_house v1"])


def test_a_clip_is_asked_for_once_made_by_the_worker_and_kept_and_one_that_fails_not_tried_at_once(
    world: World, studio: Studio, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = f"{of(world.ladder)}/clip/r1.webp?scheme=dark"
    for _ in range(2):
        waits = studio.visitor.get(path)
        assert (waits.status_code, waits.headers["Retry-After"]) == (202, "2")
        assert "Making the clip" in waits.text
    (sent_job,) = studio.sent_jobs()
    assert f"Match {world.ladder}, game 1" == sent_job.label
    studio.make(sent_job)
    made = studio.visitor.get(path)
    assert (made.status_code, made.mimetype) == (200, "image/webp")
    assert Image.open(BytesIO(made.data)).size == pictures.CLIP
    assert studio.visitor.get(path, headers={"If-None-Match": made.headers["ETag"]}).status_code == 304
    assert studio.visitor.get(path.replace("r1", "r99")).status_code == 404
    assert studio.visitor.get(path.replace("r1.webp", "r1.s1.d1.gif")).status_code == 404
    assert studio.sent_jobs() == []
    monkeypatch.setattr(clip_jobs, "WALL_S", 0.01)
    path = f"{of(world.ladder)}/clip/game.gif"
    assert studio.visitor.get(path).status_code == 202
    studio.make(studio.sent_jobs()[0])
    for _ in range(2):
        failed = studio.visitor.get(path)
        assert failed.status_code == 503
        assert "could not be made" in failed.text
    assert studio.sent_jobs() == []
    with time_machine.travel(now_s() + RETENTION_S + 1):
        studio.platform.recorder.drop_old()
        assert world.site.rows(select(Clip)) == []
        assert studio.visitor.get(path).status_code == 202
        assert len(studio.sent_jobs()) == 1


def test_a_worker_can_hand_in_nothing_but_the_clip_that_it_was_asked_for(world: World, studio: Studio) -> None:
    path = f"{of(world.ladder)}/clip/game.gif"
    for attempt, lie in enumerate((b"<svg>", b"RIFF", b"GIF89a" + bytes(4_000_000)), 1):
        assert studio.visitor.get(path).status_code == 202
        (sent_job,) = studio.sent_jobs() if attempt == 1 else studio.post.clips
        studio.post.clips = []
        for forged in ({"token": "0" * 48}, {"job": sent_job.message.job + 1}):
            other = SentJob(msgspec.structs.replace(sent_job.message, **forged), sent_job.payload)
            assert studio.platform.analyzed(other, clip_jobs.ClipResult(b"GIF89a")).verdict is Verdict.FORGED
        assert studio.platform.analyzed(sent_job, clip_jobs.ClipResult(lie)).verdict is Verdict.REFUSED
        assert studio.platform.job(sent_job).attempt == attempt <= ATTEMPTS
    assert studio.visitor.get(path).status_code == 503
    assert list(Path(studio.site.app.extensions["gangland_settings"].data).rglob("*.gif")) == []


def test_few_clips_wait_and_few_are_asked_for_from_one_address(world: World, tmp_path: Path) -> None:
    path = f"{of(world.ladder)}/clip"
    studio = Studio(world, tmp_path, replace(OFTEN, clip_polls="3 per minute"))
    asked = [studio.visitor.get(f"{path}/r{part}.webp") for part in (1, 999, 999, 1)]
    assert [each.status_code for each in asked] == [202, 404, 404, 429], "what there is not is counted as well"
    assert int(asked[3].headers["Retry-After"]) >= 1  # the page that waits asks again then
    studio = Studio(world, tmp_path, replace(OFTEN, clips="1 per hour"))
    asked = [studio.visitor.get(f"{path}/{part}") for part in ("r2.webp", "r2.webp", "r2.gif")]
    assert [each.status_code for each in asked] == [202, 202, 429], "looking again costs nothing"
    studio = Studio(world, tmp_path)
    studio.fill()
    full = studio.visitor.get(f"{path}/r1.gif")
    assert full.status_code == 503
    assert "Too many clips are already waiting" in full.text


def test_a_class_at_one_address_waits_and_each_pays_for_the_clips_they_order(world: World, tmp_path: Path) -> None:
    studio = Studio(world, tmp_path, replace(OFTEN, cards="2 per hour", clips="1 per hour", clips_address="3 per hour"))
    path = f"{of(world.ladder)}/clip"

    def had(who: Person, part: str) -> int:
        return who.get(f"{path}/{part}").status_code

    studio.fill()
    pupil, other = (studio.site.person(name) for name in ("Pupil", "Other"))
    assert had(pupil, "r1.webp") == had(pupil, "r1.webp") == 503, "what is not ordered costs nothing"
    studio.empty()
    assert [had(pupil, "r1.webp") for _ in range(5)] == [202] * 5, "nor does waiting"
    assert had(pupil, "r1.gif") == 429
    assert [had(each, "r1.gif") for each in (other, studio.visitor)] == [202, 202], "it is on its way"
    assert had(studio.visitor, "r2.gif") == 202
    late = studio.site.person("Late")
    assert had(late, "r2.webp") == 429, "all at the address have had theirs"
    assert [late.get(f"{of(world.ladder)}/picture/r1.png").status_code for _ in range(3)] == [200, 200, 429]


def test_of_clips_those_last_asked_for_are_kept_and_nothing_that_is_no_clip(tmp_path: Path) -> None:
    files, body = caching.ClipFiles(tmp_path, max_bytes=30), b"RIFF......"
    for number, name in enumerate(("a.webp", "b.webp", "c.webp")):
        files.put(name, body)
        os.utime(tmp_path / "clips" / name, (number, number))
    assert files.get("a.webp") == body
    files.put("d.webp", body)
    assert [name for name in "abcd" if files.get(f"{name}.webp") is not None] == ["a", "c", "d"]
    files.put("e.webp", b"<svg onload=...>")
    files.put("f.gif", b"GIF89a" + bytes(4_000_000))
    assert (files.get("e.webp"), files.get("f.gif")) == (None, None)
