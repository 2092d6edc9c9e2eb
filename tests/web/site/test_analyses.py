"""A game's analysis on the site: asked for by its page, shown when it is there, and hidden where results are."""

import re

from sqlmodel import col, select
from tests.kits import analyses_kit, pages_kit
from tests.kits.replays_kit import World, world

from gangland_ladder.analysis.transfer import AnalysisResult, rounded
from gangland_web.metrics import GAMES_ANALYZED
from gangland_web.models.jobs import GameAnalysis
from gangland_web.models.matches import PlayedGame
from gangland_web.ops.prometheus import database_samples
from gangland_web.workers.analysis import AnalysisRun

__all__ = ["world"]


def path(match: int) -> str:
    return f"/matches/{match}/games/0/0"


def ask(person: pages_kit.Person, match: int) -> int:
    return person.client.post(f"{path(match)}/analysis").status_code


def test_a_page_asks_and_shows_what_came_of_it(world: World) -> None:
    stranger = world.stranger()
    assert "Analyze game" in stranger.page(path(world.ladder))
    assert stranger.get(f"{path(world.ladder)}/analysis.json").get_json()["state"] == "unknown"
    assert ask(stranger, world.ladder) == 303
    assert ask(stranger, world.ladder) == 303
    waiting = stranger.get(f"{path(world.ladder)}/analysis.json").get_json()
    assert (waiting["state"], waiting["place"]) == ("waiting", 1)
    assert "you are next" in stranger.page(path(world.ladder))
    assert stranger.get("/status.json").get_json()["analyses"] == {"waiting": 1, "leased": 0, "failed": 0}
    assert "Analyses of games: 1 waiting, 0 under way, 0 failed." in stranger.page("/status")
    assert f"{world.ladder},0,0,waiting,0," in stranger.get(f"/matches/{world.ladder}/analysis.csv").text
    platform, sent_job = analyses_kit.sent_analysis(world.site.database)
    assert f"{world.ladder},0,0,leased,0," in stranger.get(f"/matches/{world.ladder}/analysis.csv").text
    platform.analyzed(sent_job, analyses_kit.answer(sent_job, steps=5), is_result=False)
    part = stranger.get(f"{path(world.ladder)}/analysis.json").get_json()
    assert (part["state"], part["steps"]) == ("analyzed", 5)
    assert "Chance to win" in stranger.page(path(world.ladder))
    forged = analyses_kit.answer(sent_job)
    forged["known"]["version"] = "other"
    platform.post.games.append(sent_job)  # one waits, so that it is not sent again at once
    platform.analyzed(sent_job, forged)
    again = stranger.get(f"{path(world.ladder)}/analysis.json").get_json()
    assert (again["state"], again["message"]) == ("waiting", "The last attempt ended without a result.")
    assert f"{again['message']} Analyzing ..." in stranger.page(path(world.ladder))
    assert stranger.get("/status.json").get_json()["analyses"] == {"waiting": 1, "leased": 0, "failed": 1}
    platform, sent_job = analyses_kit.sent_analysis(world.site.database)
    platform.analyzed(sent_job, analyses_kit.answer(sent_job))
    assert stranger.get("/status.json").get_json()["analyses"] == {"waiting": 0, "leased": 0, "failed": 0}
    done = stranger.get(f"{path(world.ladder)}/analysis.json").get_json()
    assert (done["state"], done["complete"]) == ("done", True)
    page = stranger.page(path(world.ladder))
    assert "Chance to win" in page
    assert 'class="judged' in page
    known = stranger.get(f"/api/v1{path(world.ladder)}/analysis").get_json()
    assert len(known["values"]) == done["steps"]
    assert known["figures"]["accounts"][0]["result"] in (0.0, 0.5, 1.0)


def test_a_game_is_played_on_from_its_costly_decisions_on_pages_of_their_own(world: World) -> None:
    stranger = world.stranger()
    game = f"/matches/{world.ladder}/games/0/1"
    assert stranger.client.post(f"{game}/analysis").status_code == 303
    platform, sent_job = analyses_kit.sent_analysis(world.site.database)
    parts: list[AnalysisResult | None] = []
    result = AnalysisRun(sent_job.payload, 30.0, parts.append).run()
    assert parts
    for part in parts:
        platform.analyzed(sent_job, rounded(part), is_result=False)
    platform.analyzed(sent_job, rounded(result))
    links = re.findall(rf'href="({game}/from/(r\d+\.s\d\.d\d+))"', stranger.page(game))
    assert len(links) == len(result.continued) > 0
    for link, at in links:
        what_if = stranger.page(link)
        assert "This game was not played." in what_if
        assert f'href="{game}#{at}"' in what_if
        assert f'"{at}"' in what_if
    assert stranger.get(f"{game}/from/r1.s9.d1").status_code == 404
    assert stranger.get(f"{path(world.secret)}/from/{links[0][1]}").status_code == 404


def test_what_not_everybody_may_see_is_neither_asked_nor_told_nor_counted(world: World) -> None:
    stranger = world.stranger()

    def public() -> list[object]:
        analyzed = [gauge.value for gauge in database_samples(world.site.database) if gauge.metric is GAMES_ANALYZED]
        return [analyzed, stranger.get("/readyz").data, "0 waiting, 0 under way, 0 failed." in stranger.page("/status")]

    before = public()
    assert before[-1] is True
    for match in (world.secret, world.trial, world.waiting):
        assert ask(stranger, match) == 404
        assert ask(world.ann(), match) == (422 if match == world.trial else 404)
        answer_of = stranger.get(f"{path(match)}/analysis.json")
        assert answer_of.status_code == 404
        assert "ETag" not in answer_of.headers
        assert stranger.get(f"/api/v1{path(match)}/analysis").status_code == 404
        asked = select(PlayedGame.match_id).join(GameAnalysis, col(GameAnalysis.game_id) == PlayedGame.id)
        assert match not in world.site.rows(asked)
    assert public() == before
