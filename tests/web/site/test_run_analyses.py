"""The analysis of a game of a draft's run: asked for by a button, from the draft's seat, for its author alone."""

import re

from sqlalchemy import delete
from sqlmodel import select
from tests.kits.analyses_kit import answer, known_of, sent_analysis
from tests.kits.pages_kit import Person, Site, activate_bot, finished_run

from gangland.replay import load, verify
from gangland_ladder.viewer.commentary import percent
from gangland_web.models.columns import table_of
from gangland_web.models.jobs import DraftRun, GameAnalysis, RunAnalysis


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
