"""The analysis of a game of a draft's run: asked for by a button, from the draft's seat, for its author alone."""

import re
from random import Random

import msgspec
import pytest
from sqlalchemy import delete
from sqlmodel import col, select
from tests.kits.analyses_kit import answer, known_of, sent_analysis
from tests.kits.core_kit import SentJob
from tests.kits.pages_kit import Person, Site, activate_bot, finished_run
from tests.kits.playing_kit import host, play_on, setup_of

from gangland.replay import load, verify
from gangland_ladder.viewer.commentary import percent
from gangland_sandbox.limits import Limits
from gangland_web.metrics import ANALYSES
from gangland_web.models.accounts import User
from gangland_web.models.columns import table_of
from gangland_web.models.jobs import DraftRun, GameAnalysis, PlayTable, RunAnalysis, TableAnalysis, Verdict
from gangland_web.ops.prometheus import of_database
from gangland_web.services.play import add_rows, drop_tables


def played(site: Site) -> tuple[Person, str]:
    ann = site.person("ann")
    return ann, f"/write/gang-of-dice/runs/{finished_run(site, 'ann', activate_bot(site, None, 'dicey'))}"


def test_a_game_of_a_draft_is_analysed_by_button_for_its_author_alone_until_its_run_goes(site: Site) -> None:
    ann, run = played(site)
    game, other = f"{run}/games/1", site.person("ben")
    page = ann.page(game)
    assert "Analyse this game" in page
    assert "js/analysis.js" not in page  # nothing asks for it but the button
    for path in (f"{game}/analysis.json", game):
        assert other.get(path).status_code == 404
    assert other.post(f"{game}/analysis", {}, form_at="/account").status_code == 404
    assert ann.post(f"{run}/games/9/analysis", {}, form_at=game).status_code == 404
    assert ann.client.post(f"{game}/analysis").status_code == 400  # an act of the author's, so it has a token
    for _ in range(2):
        assert ann.post(f"{game}/analysis", {}, form_at=game).status_code == 303
    platform, order = sent_analysis(site.database)
    assert order.message.kind == "draft-analysis"
    verify(load(order.replay))
    assert ann.get(f"{game}/analysis.json").get_json()["state"] == "analysed"
    platform.analysed(order, answer(order))
    assert ann.get(f"{game}/analysis.json").get_json()["state"] == "done"
    page = ann.page(game)
    seat = int(re.search(r"game 2</a>: seat (\d)", ann.page(run))[1]) - 1  # type: ignore[index]
    own = [each for moment in known_of(order.replay).moments for each in moment.judged if each.seat == seat]
    cost = percent(sum(each.cost for each in own))
    assert f"{len(own)} decisions cost {cost} of a win" in page
    addresses = re.findall(r'<li><a href="#(r\d+\.s\d\.d\d+)">', page)
    assert addresses
    assert all(f".s{seat + 1}." in each for each in addresses)
    assert f"decisions cost {cost} of a win" in ann.page(run)
    assert not [name for name in platform.recorder.counts.take().amounts if "analys" in name]
    with site.database.read() as db:
        assert db.exec(select(GameAnalysis)).first() is None
    ann.post(f"{run}/games/0/analysis", {}, form_at=f"{run}/games/0")
    platform, order = sent_analysis(site.database)
    with site.database.write() as db:
        db.connection().execute(delete(table_of(DraftRun)))
        assert db.exec(select(RunAnalysis)).first() is None
    platform.analysed(order, answer(order))
    assert ann.get(f"{run}/games/0").status_code == 404


UNSTEADY = ("_age_seconds", "_bytes")
"""How the metrics end that change by themselves."""


def over(site: Site, owner: str, game: str = "gang-of-dice") -> str:
    setup = setup_of(game, 2)
    rows = play_on(host(setup), Random(3))
    with site.database.write() as db:
        person = db.exec(select(User).where(User.name == owner)).one()
        table = PlayTable(
            token=f"table-of-{owner}",
            owner_id=person.id,
            setup=msgspec.to_builtins(setup),
            limits=Limits.plain(1).to_dict(),
            state="over",
            opened_at=1.0,
            active_at=1.0,
        )
        db.add(table)
        db.flush()
        add_rows(db, table, 0, rows)
    return f"/play/table-of-{owner}"


@pytest.mark.parametrize(
    "game", ["gang-of-dice", pytest.param("gangster-dice", marks=pytest.mark.long("the same of another game"))]
)
def test_a_persons_game_is_analysed_for_them_alone_until_it_is_shared_and_counted_nowhere(
    site: Site, game: str
) -> None:
    ann, stranger = site.person("ann"), site.stranger()
    table = over(site, "ann", game)

    def public() -> list[object]:
        gauges = [gauge for gauge in of_database(site.database) if not gauge.metric.name.endswith(UNSTEADY)]
        counted = [(gauge.metric.name, gauge.labels, gauge.value) for gauge in gauges]
        return [counted, stranger.get("/status.json").get_json()["analyses"], stranger.get("/readyz").data]

    before = public()
    assert "Analyse this game" in ann.page(table)
    assert stranger.client.post(f"{table}/analysis").status_code == 404
    assert stranger.get(f"{table}/analysis.json").status_code == 404
    for _ in range(2):
        assert ann.client.post(f"{table}/analysis").status_code == 303
    waiting = ann.get(f"{table}/analysis.json").get_json()
    assert (waiting["state"], waiting["place"]) == ("waiting", 1)
    assert public() == before
    platform, order = sent_analysis(site.database)
    assert public() == before
    platform.analysed(order, answer(order, steps=5), is_result=False)
    part = ann.get(f"{table}/analysis.json").get_json()
    assert (part["state"], part["steps"]) == ("analysed", 5)
    platform.analysed(order, answer(order))
    done = ann.get(f"{table}/analysis.json").get_json()
    assert (done["state"], done["complete"]) == ("done", True)
    platform.analysed(order, answer(order))
    assert public() == before
    assert not [name for name in platform.recorder.counts.take().amounts if name.startswith(ANALYSES.name)]
    with site.database.read() as db:
        assert db.exec(select(GameAnalysis)).first() is None
    assert 'class="judged' in ann.page(table)
    assert stranger.get(table).status_code == 404
    ann.post(f"{table}/share", {"shared": "1"}, form_at=table)
    assert 'class="judged' in stranger.page(table)
    assert stranger.get(f"{table}/analysis.json").get_json() == done


def test_what_is_said_of_a_game_of_a_match_does_not_count_for_a_table_and_an_analysis_goes_with_it(site: Site) -> None:
    ann = site.person("ann")
    table = over(site, "ann")
    ann.client.post(f"{table}/analysis")
    platform, order = sent_analysis(site.database)
    other_kind = SentJob(msgspec.structs.replace(order.message, kind="analysis"), order.order)
    assert platform.analysed(other_kind, answer(order)).verdict is Verdict.STALE
    assert ann.get(f"{table}/analysis.json").get_json()["steps"] == 0
    failed = answer(order, lambda result: msgspec.structs.replace(result, known=None, failed="no time"))
    platform.analysed(order, failed)
    assert ann.get(f"{table}/analysis.json").get_json()["message"] == "no time"
    with site.database.write() as db:
        assert len(db.exec(select(TableAnalysis)).all()) == 1
        drop_tables(db, db.exec(select(PlayTable.id).where(col(PlayTable.token).is_not(None))).all())
        assert db.exec(select(TableAnalysis)).first() is None
