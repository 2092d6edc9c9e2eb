"""Replays on the site: the viewer's files, the games of a match, frames of other sites, and files of strangers."""

import html
import json
import re
from io import BytesIO
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from tests.kits.pages_kit import Person, open_site
from tests.kits.replays_kit import World, world
from werkzeug.datastructures import FileStorage
from werkzeug.test import TestResponse, stream_encode_multipart

from gangland.games import game_named
from gangland.match import play
from gangland.replay import Replay, from_dict
from gangland.view import View
from gangland_ladder.viewer.page import story_markup
from gangland_ladder.viewer.timeline import timeline_of
from gangland_web.queries import match_lists, opened_replays
from gangland_web.web.limits import Rates

__all__ = ["world"]


def game_path(match: int, rotation: int = 0) -> str:
    return f"/matches/{match}/games/0/{rotation}"


def replay_at(world: World, rotation: int = 0) -> Replay:
    return from_dict(world.stranger().get(f"{game_path(world.ladder, rotation)}/replay.json").get_json()["replay"])


def test_the_page_has_the_very_story_of_the_exported_page_and_the_viewers_files_are_kept_for_good(world: World) -> None:
    path = game_path(world.ladder, 1)
    page = world.stranger().page(path)
    replay = from_dict(world.stranger().get(f"{path}/replay.json").get_json()["replay"])
    failed = {decision: "bot error" for _, decision in replay.faults if decision is not None}
    timeline = timeline_of(replay, ["the_house v1", "ann_bot v1"], notes=failed)
    assert failed
    assert "ann_bot v1 failed in round 2 (bot error)" in page
    assert story_markup(timeline) in page
    assert set(re.findall(r'id="(r\d+\.s\d\.d\d+)"', page)) == {frame.at for frame in timeline.frames}
    data = re.search(r'<script type="application/json" id="timeline">(.*?)</script>', page)
    assert data
    assert [frame["at"] for frame in json.loads(data.group(1))["frames"]] == [frame.at for frame in timeline.frames]
    exported = world.stranger().get(f"{path}/replay.html")
    assert "attachment" in exported.headers["Content-Disposition"]
    assert story_markup(timeline) in exported.text
    assert "boom" not in exported.text
    page = world.stranger().page(game_path(world.ladder))
    named = re.findall(r'(?:src|href|data-sprite)="(/viewer/[0-9a-f]{16}/[\w./]+)"', page)
    assert {path.rpartition("/")[2] for path in named} >= {"main.js", "viewer.css", "dice.svg"}
    for path in named:
        answer = world.stranger().get(path)
        assert answer.status_code == 200
        assert "immutable" in answer.headers["Cache-Control"]
        assert "Cookie" not in answer.headers.get("Vary", "")
    old = world.stranger().get("/viewer/0123456789abcdef/js/viewer.js")
    assert (old.status_code, old.mimetype, old.headers["Cache-Control"]) == (200, "text/javascript", "no-cache")
    for path in ("/viewer/x/nobody.js", "/viewer/x/..%2fpage.py", "/viewer/x/timeline.py"):
        assert world.stranger().get(path).status_code == 404


def test_a_games_page_says_how_to_share_it_and_leads_to_the_others_and_those_of_the_same_dice(world: World) -> None:
    path, name = game_path(world.ladder), f"gangland-match-{world.ladder}-block-0-rotation-0"
    theirs, hers = world.stranger().get(path), world.ann().get(path)
    again = world.stranger().get(path, headers={"If-None-Match": theirs.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")
    assert world.ann().get(path, headers={"If-None-Match": theirs.headers["ETag"]}).status_code == 200
    assert "boom" in hers.text
    assert "boom" not in theirs.text
    assert f"gangland replay {name}.json" in theirs.text
    answer = world.stranger().get(f"{path}/replay.json")
    assert f'filename="{name}.json"' in answer.headers["Content-Disposition"]
    assert "gangland reproduce" not in theirs.text, "a ladder has no archive of its own"
    iframe = f'<iframe src="http://localhost/embed{path}" title="Gang of Dice" width="760" height="'
    assert iframe in html.unescape(theirs.text)
    page = world.stranger().page(game_path(world.ladder))
    card = re.search(r'<nav class="scorecard.*?</nav>', page, re.DOTALL)
    assert card
    assert re.findall(r'href="(/matches/\d+/games/\d/\d)"', card.group()) == [
        game_path(world.ladder, n) for n in (0, 1)
    ]
    assert card.group().count('aria-current="page"') == 1
    assert "Game 1: won by the_house v1 from seat 2; ann_bot v1: bot error" in card.group()
    assert f'href="{path}/compare/1"' in world.stranger().page(path)
    page = world.stranger().page(f"{path}/compare/1")
    timelines = [timeline_of(replay_at(world, n)) for n in (0, 1)]
    for rotation, timeline in enumerate(timelines):
        for frame in timeline.frames:
            assert f'href="{game_path(world.ladder, rotation)}#{frame.at}"' in page
    assert not re.findall(r"(\w+ v1) (\w+) [^.]*\. \1 \2 [^.]*\.", re.sub(r"<[^>]+>", "", page))
    assert len(re.findall(r'<li id="round-\d+"', page)) == max(timeline.rounds for timeline in timelines)
    assert page.count("<polyline") == 4
    assert world.stranger().get(f"{path}/compare/0").status_code == 404
    assert world.stranger().get(f"{path}/compare/7").status_code == 404


@pytest.mark.parametrize("tail", ["/games/0/0/compare/1", "/games/0/0/replay.html", "/live"])
def test_what_is_hidden_on_one_page_is_hidden_on_all(world: World, tail: str) -> None:
    assert world.stranger().get(f"/matches/{world.secret}{tail}").status_code == 404
    assert world.ann().get(f"/matches/{world.secret}{tail}").status_code == 404
    assert world.stranger().get(f"/matches/{world.trial}{tail}").status_code == 404
    assert world.ann().get(f"/matches/{world.trial}{tail}").status_code == 200


def test_a_match_that_waits_is_asked_for_again_and_one_that_is_over_tells_luck_ratings_and_faults(world: World) -> None:
    page = world.stranger().page(f"/matches/{world.waiting}")
    assert f'data-live="/matches/{world.waiting}/live" data-every="2"' in page
    first = world.stranger().get(f"/matches/{world.waiting}/live")
    assert "".join(first.text.split()) in "".join(page.split())
    again = world.stranger().get(f"/matches/{world.waiting}/live", headers={"If-None-Match": first.headers["ETag"]})
    assert again.status_code == 304
    over = world.stranger().page(f"/matches/{world.ladder}/live")
    assert 'data-every="10"' in over
    assert "Every game" in over
    assert world.stranger().get(f"/matches/{world.waiting}/games/0/0").status_code == 404
    stranger = world.stranger()
    page = " ".join(stranger.page(f"/matches/{world.ladder}").split())
    for words in (
        "ann_bot v1 came first. Most luck: ann_bot v1 (+0.25 dice per game). Least: the_house v1",
        "Ahead of the_house v1, which had the same strength. Strength rose by",
        "2 games ended when one seat without a fault was left",
        f'href="/matches/{world.ladder}/games/0/0">Watch first game</a> <a href="#games">',
        "Game 2: the decision",
    ):
        assert words in page
    rows, waiting = (
        stranger.get(f"/matches/{match}/games.json").get_json()["rows"] for match in (world.ladder, world.waiting)
    )
    assert [(row["block"], row["rotation"], row["seat"], row["bot"], row["won"]) for row in rows] == [
        (0, 0, 0, "ann_bot", False),
        (0, 0, 1, "the_house", True),
        (0, 1, 0, "the_house", True),
        (0, 1, 1, "ann_bot", False),
    ]
    assert (rows[0]["fault"], waiting) == ("crashed", [])


def test_only_an_embedded_game_may_stand_in_a_strangers_frame_and_it_knows_nobody(world: World) -> None:
    ann, stranger, path = world.ann(), world.stranger(), f"/embed{game_path(world.ladder)}"
    answer = ann.get(f"{path}?theme=dark")
    assert answer.status_code == 200
    policy = answer.headers["Content-Security-Policy"]
    assert "frame-ancestors *" in policy
    assert "form-action 'none'" in policy
    assert "X-Frame-Options" not in answer.headers
    assert 'data-theme="dark"' in answer.text
    assert [words for words in ("<form", "Ann", "log of position", "boom") if words in answer.text] == []
    assert not answer.headers.getlist("Set-Cookie")
    mark = stranger.get(path).headers["ETag"]
    again = ann.get(path, headers={"If-None-Match": mark})
    assert (again.status_code, again.data) == (304, b"")
    assert not [each for each in (answer, again) if "Cookie" in each.headers.get("Vary", "")]
    assert stranger.get(f"{path}?theme=dark", headers={"If-None-Match": mark}).status_code == 200
    other = ann.get(game_path(world.ladder))
    assert "frame-ancestors 'none'" in other.headers["Content-Security-Policy"]
    assert other.headers["X-Frame-Options"] == "DENY"
    for match in (world.trial, world.secret):
        assert ann.get(f"/embed{game_path(match)}", headers={"If-None-Match": "*"}).status_code == 404
    at = timeline_of(replay_at(world)).frames[3].at
    assert f'"start":"{at}"' in stranger.page(f"{path}?at={at}")
    for query in ("theme=pink", "at=r99.s1.d1", "at=%3Cb%3E"):
        refused = stranger.get(f"{path}?{query}")
        assert (refused.status_code, "<b>" in refused.text.split("<main")[1]) == (400, False)


def oembed(person: Person, url: str, **more: Any) -> TestResponse:
    rest = "".join(f"&{name}={value}" for name, value in more.items())
    return person.get(f"/oembed?url={quote(url, safe='')}{rest}")


def test_oembed_tells_how_a_games_page_is_embedded_and_refuses_what_is_no_game_of_this_site(world: World) -> None:
    stranger, game = world.stranger(), f"http://localhost{game_path(world.ladder)}"
    page = stranger.page(game_path(world.ladder))
    link = re.search(r'<link rel="alternate" type="application/json\+oembed"[^>]*href="([^"]+)"', page)
    assert link
    found = stranger.get(link.group(1).replace("&amp;", "&").removeprefix("http://localhost")).get_json()
    assert (found["version"], found["type"]) == ("1.0", "rich")
    assert f'src="http://localhost/embed{game_path(world.ladder)}"' in found["html"]
    assert "ann_bot v1 and the_house v1" in found["title"]
    small = oembed(stranger, f"{game}#r2", maxwidth=400, maxheight=500).get_json()
    assert (small["width"], small["height"]) == (400, 500)
    assert re.search(r'src="[^"#]+#r2\.s\d\.d1"', small["html"])
    assert "<script" not in oembed(stranger, f'{game}#"><script>').get_json()["html"]
    asks = {
        "http://elsewhere.example" + game_path(world.ladder): 404,
        "http://localhost/matches/999/games/0/0": 404,
        f"http://localhost/matches/{world.ladder}": 404,
        "http://localhost/gang-of-dice/leaderboard": 404,
        f"http://localhost{game_path(world.secret)}": 404,
        f"http://localhost{game_path(world.trial)}": 404,
        "ftp://localhost" + game_path(world.ladder): 404,
        "http://[::1": 404,
        "x" * 3000: 400,
        "": 400,
    }
    assert {url: oembed(world.ann(), url).status_code for url in asks} == asks
    assert oembed(stranger, game, format="xml").status_code == 501
    assert oembed(stranger, game, maxwidth="wide").status_code == 400


def opened(person: Person, *, text: str = "", file: bytes | None = None, number: str = "1") -> TestResponse:
    data: dict[str, Any] = {"csrf_token": person.token("/replays/open"), "text": text, "number": number}
    if file is not None:
        data["file"] = FileStorage(BytesIO(file), "game.json", "file")
    body, _, boundary = stream_encode_multipart(data, use_tempfile=False)
    kind = f"multipart/form-data; boundary={boundary}"
    return person.client.post("/replays/open", data=body.read(), content_type=kind)


def test_a_replay_file_is_played_and_shown_and_nothing_of_it_is_kept(world: World) -> None:
    replay = world.stranger().get(f"{game_path(world.ladder)}/replay.json").text
    stranger = world.stranger()
    shown = opened(stranger, file=replay.encode())
    assert shown.status_code == 200
    names = [seat["bot"] for seat in json.loads(replay)["seats"]]
    assert story_markup(timeline_of(replay_at(world), names)) in shown.text
    lines = world.stranger().get(f"/matches/{world.ladder}/replays.ndjson").text
    assert "replay 2 of 2 in the file" in opened(stranger, text=lines, number="2").text
    given = {
        "schema": "gangland/game/1",
        "seats": [{"bot": "<i>x\u202e"}, {"bot": "y"}],
        "replay": replay_at(world).to_dict(),
    }
    named = opened(stranger, text=json.dumps(given))
    assert named.status_code == 200
    assert "&lt;i&gt;x" in named.text
    assert "<i>x" not in named.text
    assert "\u202e" not in named.text
    assert "/replays/open" in world.stranger().page(game_path(world.ladder))
    no_logs: tuple[object, ...] = (None, True, 5, 1.5, "text", {"decision": 0}, [None, [], {"decision": []}])
    for logged in no_logs:  # they are left out
        seats = [{"bot": "x", "logged": logged}, {"bot": "y", "logged": [{"decision": 0, "text": "a word of y"}]}]
        shown = opened(stranger, text=json.dumps(given | {"seats": seats}))
        assert (shown.status_code, "a word of y" in shown.text) == (200, True), logged


class Endless:
    def decide(self, kind: str, view: View, number: int) -> object:
        return 1 if kind == "dice" else []


def test_a_hostile_file_gets_an_error_that_says_what_is_wrong(world: World) -> None:
    good = json.loads(play(game_named("gang-of-dice"), [Endless(), Endless()], bytes(32)).replay.to_json())

    def changed(**fields: Any) -> bytes:
        return json.dumps({**good, **fields}).encode()

    refusals = {
        b"": "Choose a replay file",
        b"  \n ": "Choose a replay file",
        b"nonsense " * 20_000: "has no replay",
        b"\xff\xfe\x00" * 5_000: "has no replay",
        b'{"a":' * 20_000: "has no replay",
        b"x" * (300 * 1024): "at most 256 KiB can be opened here",
        changed(rules=99): "rules version",
        changed(game="poker"): "poker",
        changed(seats=9): "is played with",
        changed(decisions=[1] * (opened_replays.MAX_DECISIONS + 1)): f"at most {opened_replays.MAX_DECISIONS}",
        changed(decisions=[*good["decisions"], 1]): "was over after",
        changed(places=good["places"][::-1] if good["places"] != [1, 1] else [1, 2]): "places",
        changed(digest="0" * 64): "digest",
        changed(options={"round_limit": 10**30}): "option",
        json.dumps(good).replace('"seats"', '"\\u202e<b>"').encode(): "exactly the fields",
    }
    stranger = world.stranger()
    for data, words in refusals.items():
        answer = opened(stranger, file=data)
        assert answer.status_code == 422, data[:60]
        problem = re.search(r'<p class="error" id="problem" role="alert">(.*?)</p>', answer.text, re.DOTALL)
        assert problem, data[:60]
        assert words.casefold() in problem.group(1).casefold(), (data[:60], problem.group(1))
        assert "<b>" not in problem.group(1)
        assert "\u202e" not in problem.group(1)
    assert opened(stranger, text=json.dumps(good), number="2").status_code == 422
    assert opened(stranger, text=json.dumps(good), number="two").status_code == 422
    assert opened(stranger, text="x" * 600_000).status_code == 413


def test_files_are_played_so_often_and_no_more(tmp_path: Path) -> None:
    for strict in open_site(tmp_path, Rates(opened="1 per hour")):
        stranger = strict.stranger()
        assert [opened(stranger, text="{}").status_code for _ in range(2)] == [422, 429]
        assert stranger.get("/replays/open").status_code == 200
    assert Rates().opened == "60 per hour"


def test_a_match_of_many_blocks_shows_those_around_a_game() -> None:
    grid = [match_lists.BlockRow(block, (), ()) for block in range(100)]
    shown = {block: [row.block for row in match_lists.nearby_blocks(grid, block)] for block in (0, 50, 99)}
    assert shown == {0: [*range(24)], 50: [*range(38, 62)], 99: [*range(76, 100)]}
    assert match_lists.nearby_blocks(grid[:3], 2) == grid[:3]
