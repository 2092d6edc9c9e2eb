"""The analysis of a private game, of a draft's run or a person's table: for its player, and in no statistics."""

import re
import time

import msgspec
import pytest
import time_machine
from sqlmodel import select
from tests.kits.analyses_kit import answer, known_of, sent_analysis
from tests.kits.pages_kit import Person, Site, activate_bot, finished_run, finished_table

from gangland.replay import load, verify
from gangland_ladder.viewer.commentary import percent
from gangland_web.models.jobs import AnalysisSeat, DraftRun, GameAnalysis, PlayTable
from gangland_web.models.matches import Match, MatchSeat, PlayedGame
from gangland_web.ops.backup import results_digest
from gangland_web.ops.prometheus import database_samples
from gangland_web.services import drafts, play, retention


def played(site: Site) -> tuple[Person, str, str]:
    ann = site.person("ann")
    run = f"/write/gang-of-dice/runs/{finished_run(site, 'ann', activate_bot(site, None, 'dicey'))}"
    _, game = re.findall(r'href="(/matches/[^"]+)">Watch game', ann.page(run))
    return ann, run, game


def test_a_game_of_a_draft_is_analyzed_by_button_for_its_author_alone_until_its_run_goes(site: Site) -> None:
    ann, run, game = played(site)
    other = site.person("ben")
    page = ann.page(game)
    assert "Analyze game" in page
    assert "data-own" in page  # nothing asks for it but the button
    for path in (f"{game}/analysis.json", game, f"{game}/replay.json", f"{game}/replay.html", f"{game}/picture/r1.png"):
        assert other.get(path).status_code == 404
        assert "no-store" in ann.get(path).headers["Cache-Control"]
    assert other.client.post(f"{game}/analysis").status_code == 404
    assert ann.client.post(f"{game[:-1]}9/analysis").status_code == 404
    assert ann.client.post(f"{game}/analysis", headers={"Sec-Fetch-Site": "cross-site"}).status_code == 403
    for _ in range(2):
        assert ann.client.post(f"{game}/analysis").status_code == 303
    platform, sent_job = sent_analysis(site.database)
    verify(load(sent_job.replay))
    assert ann.get(f"{game}/analysis.json").get_json()["state"] == "analyzed"
    platform.analyzed(sent_job, answer(sent_job))
    assert ann.get(f"{game}/analysis.json").get_json()["state"] == "done"
    page = ann.page(game)
    seat = int(re.search(r"Watch game 2</a>: seat (\d)", " ".join(ann.page(run).split()))[1]) - 1  # type: ignore[index]
    own = [each for moment in known_of(sent_job.replay).moments for each in moment.judged if each.seat == seat]
    cost = percent(sum(each.cost for each in own))
    assert f"{len(own)} decisions cost {cost} of a win" in page
    addresses = re.findall(r'<li><a href="#(r\d+\.s\d\.d\d+)">', page)
    assert addresses
    assert all(f".s{seat + 1}." in each for each in addresses)
    assert f"decisions cost {cost} of a win" in ann.page(run)
    assert not site.rows(select(AnalysisSeat))
    first = f"{game[:-1]}0"
    ann.client.post(f"{first}/analysis")
    platform, sent_job = sent_analysis(site.database)
    with site.database.write() as db:
        drafts.drop_runs(db, db.exec(select(DraftRun.id)).all())
        assert [db.exec(select(each)).first() for each in (GameAnalysis, PlayedGame, MatchSeat, Match)] == [None] * 4
    platform.analyzed(sent_job, answer(sent_job))
    assert ann.get(first).status_code == 404


UNSTEADY = ("_age_seconds", "_bytes")  # endings of metrics that change by themselves


@pytest.mark.parametrize(
    "game", ["gang-of-dice", pytest.param("gangster-dice", marks=pytest.mark.long("the same of another game"))]
)
def test_a_persons_game_is_analyzed_for_them_until_shared_and_counted_nowhere(site: Site, game: str) -> None:
    ann, stranger = site.person("ann"), site.stranger()
    table = finished_table(site, "ann", game)

    def public() -> list[object]:
        gauges = [gauge for gauge in database_samples(site.database) if not gauge.metric.name.endswith(UNSTEADY)]
        counted = [(gauge.metric.name, gauge.labels, gauge.value) for gauge in gauges]
        return [counted, stranger.get("/status.json").get_json()["analyses"], stranger.get("/readyz").data]

    before = public()
    assert "Analyze game" in ann.page(table)
    assert stranger.client.post(f"{table}/analysis").status_code == 404
    assert stranger.get(f"{table}/analysis.json").status_code == 404
    for _ in range(2):
        assert ann.client.post(f"{table}/analysis").status_code == 303
    waiting = ann.get(f"{table}/analysis.json").get_json()
    assert (waiting["state"], waiting["place"]) == ("waiting", 1)
    assert public() == before
    platform, sent_job = sent_analysis(site.database)
    assert public() == before
    platform.analyzed(sent_job, answer(sent_job, steps=5), is_result=False)
    part = ann.get(f"{table}/analysis.json").get_json()
    assert (part["state"], part["steps"]) == ("analyzed", 5)
    platform.analyzed(sent_job, answer(sent_job))
    done = ann.get(f"{table}/analysis.json").get_json()
    assert (done["state"], done["complete"]) == ("done", True)
    platform.analyzed(sent_job, answer(sent_job))
    assert public() == before
    assert not site.rows(select(AnalysisSeat))
    assert 'class="judged' in ann.page(table)
    assert stranger.get(table).status_code == 404
    ann.post("/play/table-of-ann/share", {"shared": "1"}, form_at=table)
    assert 'class="judged' in stranger.page(table)
    assert stranger.get(f"{table}/analysis.json").get_json() == done


def test_a_private_game_is_kept_as_long_as_its_table_and_no_shorter(site: Site) -> None:
    site.person("ann")
    with site.database.read() as db:
        before = results_digest(db.connection())
    table = finished_table(site, "ann")
    with site.database.read() as db:
        assert results_digest(db.connection()) == before, "a backup is compared by it after the game is gone"
    assert site.stranger().get(f"/oembed?url=http://localhost{table}").status_code == 404
    with time_machine.travel(time.time() + 20 * 86_400):
        assert retention.drop_old(site.database, retention.RetentionPeriods(logs_days=1, replays_days=1)) == 0
        assert load(site.row(select(PlayedGame.replay))).decisions
        play.sweep_tables(site.database)  # it was opened in 1970
    with site.database.read() as db:
        assert [db.exec(select(each)).first() for each in (Match, MatchSeat, PlayedGame)] == [None] * 3


def test_an_analysis_that_failed_says_why_and_goes_with_its_table(site: Site) -> None:
    ann = site.person("ann")
    table = finished_table(site, "ann")
    ann.client.post(f"{table}/analysis")
    platform, sent_job = sent_analysis(site.database)
    failed = answer(sent_job, lambda result: msgspec.structs.replace(result, known=None, failed="no time"))
    platform.analyzed(sent_job, failed)
    assert ann.get(f"{table}/analysis.json").get_json()["message"] == "no time"
    with site.database.write() as db:
        assert len(db.exec(select(GameAnalysis)).all()) == 1
        play.drop_tables(db, db.exec(select(PlayTable.id)).all())
        assert [db.exec(select(each)).first() for each in (GameAnalysis, PlayedGame, Match)] == [None] * 3
